/// A part of a timeline, from ``start`` up to, but not including, ``end``.
public struct TimeWindow: Hashable, Sendable {
    /// The start, or `nil` for the beginning of the timeline.
    public var start: Timestamp?
    /// The end, which is not included, or `nil` for the end of the timeline.
    public var end: Timestamp?

    /// Creates a window.
    public init(from start: Timestamp? = nil, until end: Timestamp? = nil) {
        self.start = start
        self.end = end
    }

    /// The whole timeline.
    public static let all = TimeWindow()

    /// `true` if the window is the whole timeline.
    public var isAll: Bool { start == nil && end == nil }

    /// Returns `true` if something that is shown from `first` until `last` is visible in the window.
    public func overlaps(from first: Timestamp, until last: Timestamp) -> Bool {
        if let start, last <= start { return false }
        if let end, first >= end { return false }
        return true
    }
}
