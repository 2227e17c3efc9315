internal import UndertextFormats

/// Notices when the clock of a stream jumps back, as joined transport streams do.
struct TimestampDiscontinuityDetector {
    /// Smaller steps back are reordering, not a jump.
    private static let tolerance = Duration.seconds(10)

    /// Of streams whose packets are parts of display sets.
    private let rules: [Int: RandomAccessRule]
    private var latest: [Int: Timestamp] = [:]

    init(_ streams: [StreamDescription]) {
        rules = Dictionary(
            uniqueKeysWithValues: streams.filter { $0.codec == .pgs }.map {
                ($0.index, RandomAccessRule($0.codec))
            })
    }

    /// A diagnostic if `packet` lies far before what its stream has shown already.
    mutating func check(_ packet: Packet) -> Diagnostic? {
        // Only a display set's first segment has to have its time right, and in some files no other has.
        guard let start = packet.start,
            rules[packet.streamIndex]?.role(of: packet.data).shows != nil
                || rules[packet.streamIndex] == nil
        else { return nil }
        defer { latest[packet.streamIndex] = start }
        guard let before = latest[packet.streamIndex],
            start.duration(to: before) > Self.tolerance
        else { return nil }
        return Diagnostic(
            .warning, "time-jump",
            "the clock jumps back by \(decimalSeconds(Timestamp.zero.advanced(by: start.duration(to: before)))) s; "
                + "cues behind the jump keep the times that are stored",
            streamIndex: packet.streamIndex, time: start, byteOffset: packet.position)
    }
}
