import UndertextContainers
import UndertextCore

/// Opens the input as Matroska, asks everything of it and reads every track by the index.
func matroskaFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = MemorySource(Array(UnsafeBufferPointer(start: start, count: count)))
    var limits = Limits()
    limits.packetSize = 1 << 16
    limits.headerSize = 1 << 20
    do throws(UndertextError) {
        let file = try MatroskaFile(source: source, limits: limits)
        for attachment in file.description.attachments {
            _ = try? file.data(of: attachment)
        }
        let tracks = file.description.streams.map(\.index).filter {
            file.codecIdentifier(ofStream: $0) != nil
        }
        _ = try file.index(for: Set(tracks))
        for track in tracks {
            _ = try file.index(for: [track])
            _ = try file.indexFacts(ofStream: track)
            try drain(file, [track])
        }
        try drain(file, Set(tracks))
        // A seek into the middle, where every other packet may be entered at.
        let window = IndexWindow(
            TimeWindow(from: .seconds(1), until: .seconds(3)),
            judges: Dictionary(
                uniqueKeysWithValues: tracks.map { track in
                    (
                        track,
                        { packet in
                            (
                                packet.data.count % 2 == 0, packet.data.count % 5 == 0,
                                packet.data.count % 3 > 0
                            )
                        }
                    )
                }))
        try drain(file, Set(tracks), window)
    } catch {}
    // Beyond the header, which is read once a question, nothing may be read over and over.
    let asked = source.statistics.bytesRead
    precondition(asked <= 4096 + UInt64(count) * 4096, "too much was read")
    return 0
}

private func drain(
    _ file: MatroskaFile, _ streams: Set<Int>, _ window: IndexWindow? = nil
) throws(UndertextError) {
    guard let reader = try? file.packetReader(for: streams, window: window) else { return }
    while let packet = try? reader.nextPacket() {
        precondition(packet.data.count <= 1 << 16, "a packet beyond the limit")
    }
    _ = reader.diagnostics.take()
}
