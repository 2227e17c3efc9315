internal import UndertextCore

/// The edit list of a track: which parts of its media are shown when.
///
/// ISO/IEC 14496-12, section 8.6.6. Rates other than 1 are not applied.
struct MP4EditList: Hashable, Sendable {
    /// A part of the media, times in ticks of the media.
    private struct Edit: Hashable {
        /// The start of the part on the movie timeline.
        var start: Int64
        /// The start in the media.
        var mediaStart: Int64
        /// The end in the media; `nil` = the end of the media.
        var mediaEnd: Int64?
    }

    private var edits: [Edit] = []
    /// `true` if there are more edits than are examined.
    private(set) var isCut = false
    /// `true` if there is none.
    var isEmpty: Bool { edits.isEmpty }
    /// By how many ticks the media are shown later than their own times say; negative for earlier.
    var shift: Int64 {
        guard let first = edits.first else { return 0 }
        return Int64(clamping: Int128(first.start) - Int128(first.mediaStart))
    }
    /// The number of parts of the media that are shown.
    var count: Int { edits.count }

    /// Edits of a track at most: each sample is compared with each of them.
    private static let editsAtMost = 64

    /// No list: the media is shown as it is.
    init() {}

    /// Reads the content of `elst`.
    ///
    /// - Parameters:
    ///   - content: the box without its header.
    ///   - movie: ticks per second of the movie.
    ///   - media: ticks per second of the media.
    ///   - isCut: `true` if `content` is only the beginning.
    init(_ content: ArraySlice<UInt8>, movie: TimeBase, media: TimeBase, isCut: Bool = false) {
        self.isCut = isCut
        var reader = ByteReader(content)
        guard let version = reader.uint8(), reader.skip(3), let count = reader.uint32() else {
            return
        }
        var elapsed: Int64 = 0
        for _ in 0..<count {
            let isLong = version == 1
            guard let length = isLong ? reader.uint64() : reader.uint32().map(UInt64.init),
                let time = isLong
                    ? reader.uint64().map(Int64.init(bitPattern:))
                    : reader.uint32().map({ Int64(Int32(bitPattern: $0)) }),
                reader.skip(4)
            else { break }
            guard edits.count < Self.editsAtMost else {
                self.isCut = true
                break
            }
            let (end, overflow) = elapsed.addingReportingOverflow(Int64(clamping: length))
            guard !overflow, let start = rescale(elapsed, from: movie, to: media) else { break }
            elapsed = end
            guard time >= 0 else { continue }
            var edit = Edit(start: start, mediaStart: time, mediaEnd: nil)
            // Fragmented files do not know how long they become; a length of zero is none.
            if length > 0, let ticks = rescale(Int64(clamping: length), from: movie, to: media) {
                let (mediaEnd, overflow) = time.addingReportingOverflow(ticks)
                if !overflow { edit.mediaEnd = mediaEnd }
            }
            edits.append(edit)
        }
        // Nothing but a delay in front.
        if edits.isEmpty, elapsed > 0, let start = rescale(elapsed, from: movie, to: media) {
            edits = [Edit(start: start, mediaStart: 0, mediaEnd: nil)]
        }
        slack = rescale(1, from: movie, to: media) ?? 0
    }

    /// The number of media ticks per movie tick, to which edits are rounded.
    private var slack: Int64 = 0

    /// The presentation times of a sample: a start and a duration for each edit that shows a part of it.
    func places(of start: Int64, duration: Int64?) -> [(start: Int64, duration: Int64?)] {
        if edits.isEmpty { return [(start, duration)] }
        let (end, overflow) = start.addingReportingOverflow(max(0, duration ?? 0))
        guard !overflow else { return [] }
        var places: [(start: Int64, duration: Int64?)] = []
        for edit in edits {
            let first = max(start, edit.mediaStart)
            var last = end
            if let mediaEnd = edit.mediaEnd, end - mediaEnd > slack || start >= mediaEnd {
                last = mediaEnd
            }
            // A sample without duration at the end of the edit is still shown.
            let isOver = edit.mediaEnd.map { start >= $0 } ?? false
            let isSeen = end > start ? last > first : first == start && !isOver
            let (place, overflow) = edit.start.addingReportingOverflow(first - edit.mediaStart)
            guard isSeen, !overflow else { continue }
            places.append((place, duration.map { _ in last - first }))
        }
        return places
    }
}
