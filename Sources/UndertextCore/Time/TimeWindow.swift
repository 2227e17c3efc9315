/// A part of a timeline: what is on screen from ``start`` until just before ``end``.
public struct TimeWindow: Hashable, Sendable {
    /// The first moment; `nil` = from the beginning.
    public var start: Timestamp?
    /// The moment behind the last one; `nil` = to the end.
    public var end: Timestamp?

    /// Creates a window.
    public init(from start: Timestamp? = nil, until end: Timestamp? = nil) {
        self.start = start
        self.end = end
    }

    /// Everything.
    public static let all = TimeWindow()

    /// `true` if it takes everything.
    public var isAll: Bool { start == nil && end == nil }

    /// `true` if something that is shown from `first` until `last` is seen in it.
    public func overlaps(from first: Timestamp, until last: Timestamp) -> Bool {
        if let start, last <= start { return false }
        if let end, first >= end { return false }
        return true
    }
}
