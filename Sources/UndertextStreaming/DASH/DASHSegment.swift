public import UndertextCore

/// A segment of a representation.
public struct DASHSegment: Hashable, Sendable {
    /// Its address, relative to that of the manifest if that is not known.
    public var uri: String
    /// The same segment at other base URLs.
    public var alternatives: [String] = []
    /// The part of the resource that it is; `nil` for all of it.
    public var range: ByteRange?
    /// The start on the timeline of the presentation.
    public var start: Timestamp
    /// The duration; `nil` if unknown.
    public var duration: Duration?
    /// Its number; `nil` where segments have none.
    public var number: Int64?

    /// Bytes of its addresses.
    var addressSize: Int { alternatives.reduce(uri.utf8.count) { $0 + $1.utf8.count } }
}

/// The segments of a representation in one period.
public struct DASHSegmentList: Hashable, Sendable {
    /// The initialization section; `nil` if there is none.
    public var initialization: DASHSegment?
    /// The segments in order.
    public var segments: [DASHSegment]
    /// The offset from media times to presentation times.
    public var mediaOffset: Duration
    /// The diagnostics.
    public var diagnostics: [Diagnostic]
}

extension DASHManifest {
    /// The segments of a representation.
    ///
    /// - Parameters:
    ///   - representation: a representation of `period`.
    ///   - period: one of ``periods``.
    ///   - first: the time at or before which segments must not end.
    ///   - end: the end of the recorded part of a live stream: later segments are not listed, unless the
    ///     manifest says that they are available earlier or names each of them.
    ///   - limits: the maximum number of segments; later ones are dropped.
    /// - Returns: the segments, and their initialization section.
    public func segments(
        of representation: Representation, in period: Period, from first: Timestamp? = nil,
        until end: Timestamp? = nil, limits: StreamingLimits = StreamingLimits()
    ) -> DASHSegmentList {
        var lister = DASHSegmentLister(
            representation, period, from: first, until: end, limits: limits)
        lister.run()
        return lister.list
    }
}
