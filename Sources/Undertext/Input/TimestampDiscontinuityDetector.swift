internal import UndertextFormats

/// Notices when the clock of a stream jumps back, as joined transport streams do.
struct TimestampDiscontinuityDetector {
    /// Smaller steps back are reordering, not a jump.
    private static let tolerance = Duration.seconds(10)

    /// Of streams whose packets are parts of display sets.
    private let rules: [Int: any RandomAccessRule]
    private var latest: [Int: Timestamp] = [:]

    init(_ streams: [StreamDescription]) {
        let all = streams.map { ($0.index, SubtitleFormat.randomAccess(of: $0)) }
        rules = Dictionary(uniqueKeysWithValues: all.filter { $0.1.isTimedByFirstPacket })
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
