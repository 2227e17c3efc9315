import UndertextContainers
import UndertextCore
import UndertextFormats

/// Reads the samples of all tracks of an MP4.
func mp4SamplesFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = MemorySource(Array(UnsafeBufferPointer(start: start, count: count)))
    var limits = Limits()
    limits.cues = 2000
    limits.packetSize = 100_000
    guard let file = try? MP4File(source: source, limits: limits) else { return 0 }
    precondition(source.statistics.bytesRead <= 4096 + UInt64(count) * 64, "too much was read")
    for track in file.tracks {
        for unpacker in SubtitleFormat.sampleUnpackers {
            _ = unpacker.description(ofEntry: track.entryContent)
        }
    }
    let streams = Dictionary(
        file.tracks.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let window = TimeWindow(from: .seconds(1), until: .seconds(5))
    for part in [TimeWindow.all, window] {
        guard let reader = try? file.packetReader(for: streams, window: part) else { continue }
        var bytes = 0
        var packets: [Packet] = []
        while let packet = try? reader.nextPacket() {
            precondition(!packet.data.isEmpty && packet.data.count <= count)
            precondition((packet.duration ?? 0) >= 0)
            bytes += packet.data.count
            packets.append(packet)
        }
        // Each place a few times, and each for as many edits as count.
        precondition(bytes <= 64 * (8 * count + 65_536))
        precondition(reader.diagnostics.take().count <= 1000)
        checkScan(of: file, streams, packets)
    }
    return 0
}

/// Returns packets like a scan.
private final class ScanReader: PacketReader {
    private var packets: ArraySlice<Packet>

    init(_ packets: [Packet]) { self.packets = packets[...] }

    func nextPacket() throws(UndertextError) -> Packet? { packets.popFirst() }
}

/// Each sample is returned once for each edit that shows it, regardless of the packets of a scan.
private func checkScan(of file: MP4File, _ streams: [Int64: Int], _ packets: [Packet]) {
    guard let reader = try? file.editingReader(ScanReader(packets + packets), for: streams) else {
        return
    }
    var counts: [Int: Int] = [:]
    while let packet = try? reader.nextPacket() { counts[packet.streamIndex, default: 0] += 1 }
    let edited = Set(file.editedTracks)
    for (id, stream) in streams where edited.contains(id) {
        guard let most = try? file.shownSamples(ofTrack: id) else { continue }
        precondition(counts[stream] ?? 0 <= most, "a sample came too often")
    }
}
