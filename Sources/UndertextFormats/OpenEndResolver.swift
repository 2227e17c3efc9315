internal import UndertextCore

/// An event whose times are known.
struct TimedEntry<Body> {
    /// Start in milliseconds, not negative.
    var start: Int64
    /// End in milliseconds, not before ``start``.
    var end: Int64
    /// The content.
    var body: Body
}

/// Ends events without a duration at the first later start of a packet, as for decoded cues.
///
/// If no packet with a later start follows, the event ends with the input, or lasts ``lastDuration``.
/// `mkvextract` takes the absolute difference to the next packet, even if that packet starts earlier.
struct OpenEndResolver<Body> {
    /// The duration of an event that nothing ends, in milliseconds.
    static var lastDuration: Int64 { 10_000 }

    /// The events that wait for the end of an earlier one; far more than any real track has.
    private static var waitingAtMost: Int { 1024 }
    /// The bytes of the events that wait.
    private static var waitingBytesAtMost: Int { 16 << 20 }

    /// The end of the input, if it is known.
    let inputEnd: Timestamp?
    /// The events since the oldest one without an end, in the order of their packets.
    private var waiting: [Event] = []
    private var waitingBytes = 0

    private struct Event {
        var start: Timestamp
        var end: Timestamp?
        var body: Body
        var byteCount: Int

        var entry: TimedEntry<Body>? {
            end.map { end in
                let first = max(0, start.roundedMilliseconds)
                return TimedEntry(
                    start: first, end: max(first, end.roundedMilliseconds), body: body)
            }
        }
    }

    /// Starts with no event open.
    init(inputEnd: Timestamp?) { self.inputEnd = inputEnd }

    /// `true` if no event waits for an end.
    var isEmpty: Bool { waiting.isEmpty }

    /// Ends the open events that start before a packet.
    ///
    /// - Parameter start: the start of the packet, even if it shows nothing.
    /// - Returns: the complete events, in packet order.
    mutating func close(at start: Timestamp) -> [TimedEntry<Body>] {
        guard !waiting.isEmpty else { return [] }
        for index in waiting.indices where waiting[index].end == nil && waiting[index].start < start
        {
            waiting[index].end = start
        }
        return takeComplete()
    }

    /// Adds an event and returns the complete ones, in packet order.
    mutating func add(
        _ body: Body, start: Timestamp, end: Timestamp?, byteCount: Int
    ) -> [TimedEntry<Body>] {
        let event = Event(start: start, end: end, body: body, byteCount: byteCount)
        if waiting.isEmpty, let entry = event.entry { return [entry] }
        waiting.append(event)
        waitingBytes += byteCount
        guard waiting.count > Self.waitingAtMost || waitingBytes > Self.waitingBytesAtMost else {
            return []
        }
        return finish()
    }

    /// Closes all open events, at the end of the input or where too many wait.
    mutating func finish() -> [TimedEntry<Body>] {
        for index in waiting.indices where waiting[index].end == nil {
            let start = waiting[index].start
            let end = inputEnd.flatMap { $0 > start ? $0 : nil }
            waiting[index].end = end ?? start.advanced(by: .milliseconds(Self.lastDuration))
        }
        return takeComplete()
    }

    private mutating func takeComplete() -> [TimedEntry<Body>] {
        let complete = waiting.prefix { $0.end != nil }
        guard !complete.isEmpty else { return [] }
        waiting.removeFirst(complete.count)
        waitingBytes -= complete.reduce(0) { $0 + $1.byteCount }
        return complete.compactMap(\.entry)
    }
}
