import UndertextContainers
import UndertextCore

/// Opens the input as a transport stream and reads every subtitle stream that its tables name.
func transportStreamFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = MemorySource(Array(UnsafeBufferPointer(start: start, count: count)))
    var limits = Limits()
    limits.packetSize = 1 << 16
    guard let file = try? TransportStreamFile(source: source, limits: limits) else { return 0 }
    var streams: [StreamDescription] = []
    for program in file.programs {
        for stream in program.streams {
            _ = (stream.languages, stream.isHearingImpaired, stream.registration)
            guard let codec = stream.subtitleCodec(in: program) else { continue }
            let description = StreamDescription(
                index: streams.count, kind: .bitmap, codec: codec, id: Int64(stream.pid),
                timeBase: .mpeg)
            guard file.refusal(for: streams + [description]) == nil else { continue }
            streams.append(description)
        }
    }
    let services = (try? file.eventCaptionServices(within: .max)) ?? [:]
    precondition(services.count <= 64, "more channels than are kept")
    guard let reader = try? file.packetReader(for: streams) else { return 0 }
    while let packet = try? reader.nextPacket() {
        precondition(packet.data.count <= 1 << 16, "a packet beyond the limit")
        precondition(streams.indices.contains(packet.streamIndex), "a stream that was not chosen")
    }
    _ = reader.diagnostics.take()
    // Both kinds of tables are looked for once; after that each byte is read once, and again where
    // synchronism is lost.
    precondition(source.statistics.bytesRead <= (24 << 20) + UInt64(count) * 64, "read too much")
    return 0
}
