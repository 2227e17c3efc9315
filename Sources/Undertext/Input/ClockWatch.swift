/// Notices when the clock of a stream jumps back, as joined transport streams do.
struct ClockWatch {
    /// Smaller steps back are reordering, not a jump.
    private static let tolerance = Duration.seconds(10)

    private var latest: [Int: Timestamp] = [:]

    /// A diagnostic if `packet` lies far before what its stream has shown already.
    mutating func check(_ packet: Packet) -> Diagnostic? {
        guard let start = packet.start else { return nil }
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
