internal import UndertextCore

/// An event whose times are known.
struct TimedEntry<Body> {
    /// Start in milliseconds, not negative.
    var start: Int64
    /// End in milliseconds, not before ``start``.
    var end: Int64
    /// What is shown.
    var body: Body
}

/// Gives events without a duration an end: the start of the next packet.
///
/// As `mkvextract` does it, the span is the absolute difference, for packets out of order. The
/// last event has no next one: it ends with the input, or lasts ``lastDuration``.
struct OpenEndResolver<Body> {
    /// How long the last event lasts if nothing tells.
    static var lastDuration: Int64 { 10_000 }

    /// The end of the input, if it is known.
    let inputEnd: Timestamp?
    private var open: (start: Timestamp, body: Body)?

    /// Starts with no event open.
    init(inputEnd: Timestamp?) { self.inputEnd = inputEnd }

    /// Closes the open event at the start of a packet.
    ///
    /// - Parameter start: the start of the packet, whether it shows something or not.
    /// - Returns: the event that was open, if one was.
    mutating func close(at start: Timestamp) -> TimedEntry<Body>? {
        guard let (begin, body) = open else { return nil }
        open = nil
        return entry(from: begin, to: max(start, begin.mirrored(from: start)), body: body)
    }

    /// Takes an event; it comes back at once if its end is known.
    mutating func add(
        _ body: Body, start: Timestamp, end: Timestamp?
    ) -> TimedEntry<Body>? {
        guard let end else {
            open = (start, body)
            return nil
        }
        return entry(from: start, to: end, body: body)
    }

    /// Closes the open event at the end of the input.
    mutating func finish() -> TimedEntry<Body>? {
        guard let (begin, body) = open else { return nil }
        open = nil
        if let inputEnd, inputEnd > begin { return entry(from: begin, to: inputEnd, body: body) }
        return entry(
            from: begin, to: begin.advanced(by: .milliseconds(Self.lastDuration)), body: body)
    }

    private func entry(from start: Timestamp, to end: Timestamp, body: Body) -> TimedEntry<Body> {
        let first = max(0, start.roundedMilliseconds)
        return TimedEntry(start: first, end: max(first, end.roundedMilliseconds), body: body)
    }
}

extension Timestamp {
    /// The time as far behind this one as `other` lies before it.
    fileprivate func mirrored(from other: Timestamp) -> Timestamp {
        advanced(by: other.duration(to: self))
    }
}
