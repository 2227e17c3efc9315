import UndertextCore
import UndertextFormats

/// Reads the input as a file of that format, decodes its packets, writes them again and reads that.
func fuzzTextFile(_ format: SubtitleFormat, _ start: UnsafePointer<UInt8>?, _ count: Int) {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var limits = Limits()
    limits.lineLength = 200
    limits.packetSize = 2000
    _ = SubtitleFormat.recognized(bytes[...], claimed: format)
    // Readers take valid UTF-8; what is not must not trap all the same.
    _ = read(format, bytes, limits)
    let (stream, packets) = read(format, Array(String(decoding: bytes, as: UTF8.self).utf8), limits)
    write(packets, of: stream)
    guard var writer = SubtitleFormat.packetWriter(of: stream, diagnostics: DiagnosticSink()) else {
        return
    }
    var output: [[UInt8]] = [[]]
    writer.begin(into: &output)
    for packet in packets { writer.write(packet, into: &output) }
    writer.finish(into: &output)
    _ = read(format, output[0], Limits())
}

/// Writes the cues of a text stream in its own format, if that has a writer.
private func write(_ packets: [Packet], of stream: StreamDescription) {
    guard let format = SubtitleFormat(codec: stream.codec),
        var decoder = SubtitleFormat.decoder(of: stream, diagnostics: DiagnosticSink())
    else { preconditionFailure() }
    guard var writer = format.cueWriter(header: decoder.header) else { return }
    var output: [UInt8] = []
    writer.begin(into: &output)
    for packet in packets {
        for case .cue(let draft) in decoder.decode(packet) {
            writer.write(draft.cue(), into: &output)
        }
    }
    writer.finish(into: &output)
    _ = read(format, output, Limits())
}

private func read(
    _ format: SubtitleFormat, _ bytes: [UInt8], _ limits: Limits
) -> (stream: StreamDescription, packets: [Packet]) {
    guard let reader = format.reader(of: bytes, limits: limits, diagnostics: DiagnosticSink()),
        var decoder = SubtitleFormat.decoder(of: reader.stream, diagnostics: DiagnosticSink())
    else { preconditionFailure() }
    var packets: [Packet] = []
    while let packet = try? reader.nextPacket() {
        precondition(packet.start != nil && (packet.duration ?? 1) > 0)
        precondition(packet.data.count <= max(bytes.count * 3, 1))
        _ = decoder.decode(packet)
        packets.append(packet)
    }
    precondition(reader.position <= bytes.count)
    precondition(reader.diagnostics.take().count <= 101 * 30)
    return (reader.stream, packets)
}
