internal import MediaCore

/// Everything that the elements outside the clusters say, but for the index.
struct SegmentHeader {
    private(set) var info = SegmentInfo()
    /// The tracks that are streams, in file order.
    private(set) var tracks: [TrackEntry] = []
    private(set) var tags: [SegmentTag] = []
    private(set) var attachments: [SegmentAttachment] = []
    private(set) var chapters: [SegmentChapter] = []
    private(set) var diagnostics: [Diagnostic] = []
    /// Chapters of a file at most; what comes behind them is left out.
    private static let chapterLimit = 10_000
    private var tagRoom = SegmentTag.limit

    /// Reads the parts of `layout`.
    init(
        _ layout: SegmentLayout, window: SourceWindow, limits: Limits
    ) throws(MediaError) {
        for position in layout.wrongSeeks {
            warn("wrong-seek-entry", "The file's directory points at the wrong place.", position)
        }
        // In the order of the file, which costs the fewest reads.
        for part in layout.elements.sorted(by: { $0.start < $1.start }) {
            guard part.id != .cues else { continue }
            guard part.id != .attachments else {
                let found = try SegmentAttachment.parse(
                    part, end: min(part.end ?? layout.end, layout.end), window: window,
                    limits: limits)
                attachments += found.filter { !$0.isCutOff }
                for file in found where file.isCutOff {
                    diagnostics.append(
                        Diagnostic(
                            .error, "attachment-lost",
                            "The attachment '\(file.name ?? "")' is not whole.",
                            byteOffset: part.start))
                }
                continue
            }
            let data = try payload(part, layout, window, limits)
            read(part.id, data, limits, at: part.start)
        }
    }

    private mutating func payload(
        _ part: ElementHeader, _ layout: SegmentLayout, _ window: SourceWindow, _ limits: Limits
    ) throws(MediaError) -> ArraySlice<UInt8> {
        let size = part.size ?? 0
        guard size <= UInt64(max(0, limits.headerSize)) else {
            throw MediaError(
                .limit, "A header element has more than \(limits.headerSize) bytes.",
                path: window.source.name, byteOffset: part.start)
        }
        let data = try window.bytes(at: part.dataStart, count: Int(size))
        var cursor = ElementCursor(data)
        while cursor.next() != nil {}
        if UInt64(data.count) < size || cursor.isDamaged {
            warn("damaged-header", "A header element is damaged or cut off.", part.start)
        }
        return data
    }

    private mutating func read(
        _ id: ElementID, _ data: ArraySlice<UInt8>, _ limits: Limits, at position: UInt64
    ) {
        switch id {
        case .info: info.merge(data)
        case .tracks:
            for element in ElementCursor(data) where element.id == .trackEntry {
                let track = TrackEntry(element.data, limits: limits)
                if track.isStream, tracks.count < limits.streams { tracks.append(track) }
            }
        case .tags:
            for element in ElementCursor(data) where element.id == .tag && tagRoom > 0 {
                tags.append(SegmentTag(element, depth: limits.nesting, room: &tagRoom))
                tagRoom -= 1
            }
            if tagRoom <= 0 { warn("too-many-tags", "The file has too many tags.", position) }
        case .chapters:
            chapters += SegmentChapter.parse(data).prefix(Self.chapterLimit - chapters.count)
        default: break
        }
    }

    private mutating func warn(_ code: String, _ message: String, _ position: UInt64) {
        diagnostics.append(Diagnostic(.warning, code, message, byteOffset: position))
    }

    /// The time base of tracks whose own scale is 1; `nil` if it does not fit.
    var commonTimeBase: TimeBase? { reduced(Double(info.timestampScale), info.timestampScale) }

    /// The time base of `track`; `nil` if it does not fit.
    func timeBase(of track: TrackEntry) -> TimeBase? {
        guard track.timestampScale != 1 else { return commonTimeBase }
        let scaled = (Double(info.timestampScale) * track.timestampScale).rounded(.down)
        return UInt64(exactly: scaled).flatMap { reduced(scaled, $0) }
    }

    private func reduced(_ approximate: Double, _ nanoseconds: UInt64) -> TimeBase? {
        guard approximate < 1e18, nanoseconds > 0 else { return nil }
        var (large, small): (UInt64, UInt64) = (nanoseconds, 1_000_000_000)
        while small != 0 { (large, small) = (small, large % small) }
        guard let numerator = Int32(exactly: nanoseconds / large),
            let denominator = Int32(exactly: 1_000_000_000 / large)
        else { return nil }
        return TimeBase(numerator, denominator)
    }
}
