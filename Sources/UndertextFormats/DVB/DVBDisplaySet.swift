/// The segments of one display set (EN 300 743, section 4.3), gathered until it is complete.
///
/// Bodies are copies, so that a set does not hold on to its packets.
struct DVBDisplaySet: Sendable {
    /// The body of the display definition.
    var display: [UInt8]?
    var page: DVBPageComposition?
    /// Bodies of region compositions.
    var regions: [[UInt8]] = []
    /// Bodies of CLUT definitions.
    var cluts: [[UInt8]] = []
    /// Bodies of object data.
    var objects: [[UInt8]] = []
    /// `true` if its end was received.
    var isEnded = false
    /// `true` if there were more segments than the limit allows.
    var isOverfull = false

    var isEmpty: Bool {
        display == nil && page == nil && regions.isEmpty && cluts.isEmpty && objects.isEmpty
    }

    /// Adds a segment's body to a list, up to `limit` of them.
    mutating func append(
        _ segment: DVBSegment, to list: WritableKeyPath<DVBDisplaySet, [[UInt8]]>, limit: Int
    ) {
        guard self[keyPath: list].count < limit else {
            isOverfull = true
            return
        }
        self[keyPath: list].append(Array(segment.body))
    }
}
