import UndertextContainers
import UndertextCore

/// Walks over the blocks of the input for each track and for all of them, as Matroska.
func matroskaWalkFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var limits = Limits()
    limits.packetSize = 1 << 16
    limits.headerSize = 1 << 20
    guard let file = try? MatroskaFile(source: MemorySource(bytes), limits: limits) else {
        return 0
    }
    let tracks = file.description.streams.map(\.index).filter {
        file.codecIdentifier(ofStream: $0) != nil
    }
    for track in tracks.prefix(4) { walk(bytes, limits, [track]) }
    walk(bytes, limits, Set(tracks))
    readForward(bytes, limits, Set(tracks))
    return 0
}

/// Reads the input in order, as a pipe is read.
private func readForward(_ bytes: [UInt8], _ limits: Limits, _ streams: Set<Int>) {
    guard let file = try? MatroskaFile(source: MemorySource(bytes), limits: limits),
        file.firstBlocks <= UInt64(bytes.count)
    else { return }
    let stream = Forward(bytes, from: Int(file.firstBlocks))
    guard
        let reader = try? file.forwardReader(for: streams, from: stream, at: file.firstBlocks)
    else { return }
    var latest: UInt64 = 0
    while let packet = try? reader.nextPacket() {
        precondition(packet.data.count <= 1 << 16, "a packet beyond the limit")
        precondition(packet.position ?? 0 >= latest, "a step back")
        latest = packet.position ?? 0
    }
    precondition(stream.isAtEnd, "not all was read")
}

/// Bytes that come a few at a time.
private final class Forward: SequentialSource {
    let name = "fuzz"
    private var bytes: ArraySlice<UInt8>
    var isAtEnd: Bool { bytes.isEmpty }

    init(_ bytes: [UInt8], from start: Int) { self.bytes = bytes[start...] }

    func read(upTo count: Int) -> [UInt8] {
        let next = bytes.prefix(min(count, 100))
        bytes = bytes.dropFirst(next.count)
        return Array(next)
    }
}

private func walk(_ bytes: [UInt8], _ limits: Limits, _ streams: Set<Int>) {
    let source = MemorySource(bytes)
    guard let file = try? MatroskaFile(source: source, limits: limits),
        let reader = try? file.walkingReader(for: streams)
    else { return }
    let before = source.statistics.bytesRead
    var latest: UInt64 = 0
    while let packet = try? reader.nextPacket() {
        precondition(packet.data.count <= 1 << 16, "a packet beyond the limit")
        precondition(streams.contains(packet.streamIndex), "a packet of another track")
        precondition(packet.position ?? 0 >= latest, "a step back")
        latest = packet.position ?? 0
    }
    precondition(reader.diagnostics.take().count <= 1000 + bytes.count, "too much is reported")
    // Each byte is read once, and a few more at headers and where a cluster is looked for.
    let asked = source.statistics.bytesRead - before
    precondition(asked <= 4096 + UInt64(bytes.count) * 64, "too much was read")
}
