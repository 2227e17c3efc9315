/// A scan of an MP4 file through libavformat, whose packets are compared with the number of samples in the tables.
///
/// libavformat ends quietly at the end of a pipe that was cut off.
final class CountedScan: PacketReader {
    private let scan: any PacketReader
    private let expected: [Int: Int]
    private var handedOut: [Int: Int] = [:]

    /// Counts the packets of `scan`; `expected` are the numbers of packets by stream.
    init(_ scan: any PacketReader, expected: [Int: Int]) {
        self.scan = scan
        self.expected = expected
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        guard let packet = try scan.nextPacket() else { return nil }
        handedOut[packet.streamIndex, default: 0] += 1
        return packet
    }

    func takeDiagnostics() -> [Diagnostic] { scan.takeDiagnostics() }

    /// The samples that did not come, where the scan was read to its end.
    var losses: [Diagnostic] {
        expected.sorted { $0.key < $1.key }.compactMap { stream, count -> Diagnostic? in
            let missing = count - handedOut[stream, default: 0]
            guard missing > 0 else { return nil }
            return Diagnostic(
                .error, "lost-packet",
                "\(missing) of \(count) samples of the track did not come from libavformat",
                streamIndex: stream)
        }
    }
}
