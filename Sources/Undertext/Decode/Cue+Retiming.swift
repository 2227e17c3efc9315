package import UndertextCore
internal import UndertextFormats

extension Cue {
    /// Returns the cue with other times; times within its text keep their proportion.
    ///
    /// - Parameters:
    ///   - start: The new start.
    ///   - end: The new end, after `start`.
    /// - Returns: The cue.
    package func retimed(from start: Timestamp, until end: Timestamp) -> Cue {
        let old = (start: self.start, length: Self.length(from: self.start, until: self.end))
        let length = Self.length(from: start, until: end)
        // A cue that takes no time has no proportion.
        let isShift = old.length <= 0 || old.length == length
        let move: (Timestamp) -> Timestamp = { time in
            let offset = Self.length(from: old.start, until: time)
            let scaled = isShift ? offset : offset * length / old.length
            return Timestamp(nanoseconds: Int64(clamping: Int128(start.nanoseconds) + scaled))
        }
        var cue = self
        cue.start = start
        cue.end = end
        if case .text(let text) = content { cue.content = .text(text.movingTimes(move)) }
        let change = TimeChange(
            map: move,
            retiming: Retiming(
                speed: isShift ? TimeBase(1, 1) : Self.fraction(length, old.length),
                shift: old.start.duration(to: start)),
            isIdentity: isShift && old.start == start)
        if !change.isIdentity, let moved = source?.following(change) { cue.source = moved }
        return cue
    }

    private static func length(from start: Timestamp, until end: Timestamp) -> Int128 {
        Int128(end.nanoseconds) - Int128(start.nanoseconds)
    }

    /// A fraction of 32-bit numbers, near enough for times within a cue.
    private static func fraction(_ up: Int128, _ down: Int128) -> TimeBase {
        var (up, down) = (up, down)
        while max(up, down) > Int128(Int32.max) {
            up /= 2
            down /= 2
        }
        return TimeBase(Int32(clamping: max(1, up)), Int32(clamping: max(1, down)))
    }
}
