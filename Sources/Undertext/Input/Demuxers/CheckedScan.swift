internal import UndertextContainers
internal import UndertextCore

/// A scan of a Matroska file through libavformat, compared with the blocks that our own walk finds.
///
/// libavformat drops blocks that it cannot decode or whose lacing is damaged, ends at some damage, and says
/// nothing. The walk reads headers of all blocks and the blocks of the chosen tracks.
final class CheckedScan: PacketReader {
    private let scan: any PacketReader
    private let file: MatroskaFile
    private let streams: Set<Int>
    /// The number of packets at each time of a stream.
    private var handedOut: [Int: [Int64: Int]] = [:]
    /// The offset of the last packet.
    private var reached: UInt64 = 0

    init(_ scan: any PacketReader, of file: MatroskaFile, _ streams: Set<Int>) {
        self.scan = scan
        self.file = file
        self.streams = streams
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        guard let packet = try scan.nextPacket() else { return nil }
        handedOut[packet.streamIndex, default: [:]][packet.pts ?? .min, default: 0] += 1
        reached = max(reached, packet.position ?? 0)
        return packet
    }

    /// Reports what the walk finds damaged, and the blocks that did not come.
    ///
    /// - Parameter isWhole: Whether the scan was read to its end; otherwise blocks after its last packet do not count.
    /// - Returns: One diagnostic for each track that lost packets, and what the walk reports.
    func losses(isWhole: Bool) -> [Diagnostic] {
        do throws(UndertextError) {
            return try compared(isWhole: isWhole)
        } catch {
            return [
                Diagnostic(
                    .error, error.code.name, error.description, byteOffset: error.byteOffset)
            ]
        }
    }

    private func compared(isWhole: Bool) throws(UndertextError) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        var comparable = streams
        for stream in streams.sorted() {
            guard let problem = file.ambiguity(ofStream: stream) else { continue }
            comparable.remove(stream)
            diagnostics.append(
                Diagnostic(.error, "damaged-header", problem, streamIndex: stream))
        }
        let found = DiagnosticSink()
        let walk = try walk(comparable, found)
        var missing: [Int: (count: Int, first: Packet)] = [:]
        while let packet = try walk.nextPacket() {
            guard isWhole || packet.position ?? 0 <= reached else { break }
            let time = packet.pts ?? .min
            if let count = handedOut[packet.streamIndex]?[time], count > 0 {
                handedOut[packet.streamIndex]?[time] = count - 1
            } else {
                missing[packet.streamIndex, default: (0, packet)].count += 1
            }
        }
        diagnostics += found.take()
        for (stream, lost) in missing.sorted(by: { $0.key < $1.key }) {
            diagnostics.append(
                Diagnostic(
                    .error, "lost-packet",
                    "libavformat left out \(lost.count) packets of the track, the first here",
                    streamIndex: stream, time: lost.first.start, byteOffset: lost.first.position))
        }
        return diagnostics
    }

    private func walk(
        _ streams: Set<Int>, _ diagnostics: DiagnosticSink
    ) throws(UndertextError) -> MatroskaPacketReader {
        file.isDearToWalk
            ? try file.streamingReader(for: streams, decodes: false, diagnostics: diagnostics)
            : try file.walkingReader(for: streams, decodes: false, diagnostics: diagnostics)
    }
}
