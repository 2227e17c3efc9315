internal import UndertextContainers
internal import UndertextCore
internal import UndertextIO

/// A DASH presentation: its manifest, and the segments of its subtitles.
final class DASHPlan: PresentationPlan {
    private(set) var content: ContentInfo
    private(set) var texts: [TextStream] = []
    private(set) var diagnostics: [Diagnostic] = []

    private let fetcher: StreamFetcher
    private let limits: StreamingLimits
    private var manifest: DASHManifest
    /// The address of the manifest, of the last redirect.
    private var url: String
    private var clock: WallClock
    /// The origin of times: the start of a live presentation's available content when it is opened.
    private var zero: Timestamp?
    /// The time range in the manifest of the last listed piece of each stream.
    private var last: [Int: Range<Timestamp>] = [:]
    /// Bytes of the addresses of each stream that was listed, and its segments.
    private var sizes: [Int: (addresses: Int, segments: Int)] = [:]
    /// The indexes of media files, by their resources.
    private var indexes: [StreamResource: MP4SegmentIndex] = [:]
    private var failures = 0
    let found = DiagnosticSink()
    /// Each reload of the manifest would report them again.
    private var reported: Set<Diagnostic> = []

    private static let mostFailures = 3
    /// Bytes of the index of a media file at most: one with 65,535 entries, as many as there can be, has less.
    private static let indexSize = 1 << 20
    /// Where a live manifest does not say how far back segments are kept.
    private static let usualWindow = Duration.seconds(60)
    private static let leastPause = Duration.milliseconds(500)
    private static let mostReported = 1000

    var isLive: Bool { manifest.isLive }

    init(
        _ document: StreamAnswer, _ fetcher: StreamFetcher, limits: StreamingLimits
    ) throws(UndertextError) {
        self.fetcher = fetcher
        self.limits = limits
        url = document.url
        clock = WallClock(fetcher.options.clock, by: document)
        // Addresses stay as they are written, so that the rule sees what leads where.
        manifest = try DASHManifest(document.bytes, limits: limits)
        content = ContentInfo(dash: manifest)
        diagnostics = manifest.diagnostics
        clock.set(manifest.sent)
        let all = TextStream.all(of: content)
        texts = all.streams
        if let note = all.note { diagnostics.append(note) }
        if manifest.isLive { zero = beginning }
    }

    /// Shares with `earlier` the manifest and the timeline.
    private init(_ earlier: DASHPlan, for content: ContentInfo, reset: Set<Int>) {
        self.content = content
        fetcher = earlier.fetcher
        limits = earlier.limits
        manifest = earlier.manifest
        url = earlier.url
        clock = earlier.clock
        zero = earlier.zero
        diagnostics = earlier.diagnostics
        reported = earlier.reported
        sizes = earlier.sizes
        indexes = earlier.indexes
        texts = earlier.texts.map { reset.contains($0.index) ? TextStream($0.index) : $0 }
    }

    func selecting(_ selection: ContentInfo) -> (plan: any PresentationPlan, reset: Set<Int>) {
        var chosen = content
        chosen.adoptSelection(of: selection)
        guard chosen != content else { return (self, []) }
        let changed = zip(content.streams, chosen.streams).filter {
            $0.currentTrackID != $1.currentTrackID
        }
        let reset = Set(changed.map(\.0.id)).intersection(texts.map(\.index))
        return (DASHPlan(self, for: chosen, reset: reset), reset)
    }

    func note(_ facts: TextSummary?, _ refusal: UndertextError?, ofStream index: Int) {
        guard let place = texts.firstIndex(where: { $0.index == index }) else { return }
        texts[place].facts = facts
        texts[place].refusal = refusal
    }

    func clock(for piece: TextPiece) -> MediaClock? { nil }

    // MARK: Pieces

    /// The pieces of a stream that are still kept, with times of the manifest.
    private func listed(_ index: Int) -> [TextPiece] {
        var pieces: [TextPiece] = []
        let parts = parts(of: index)
        // Subtitles in one file are short enough to be fetched as a whole.
        let isVideo = content.streams.contains { $0.id == index && $0.type == .video }
        var limits = limits
        sizes[index] = nil
        limits.addressSize -= sizes.values.reduce(0) { $0 + $1.addresses }
        limits.allSegments -= sizes.values.reduce(0) { $0 + $1.segments }
        let most = limits
        for part in parts {
            limits.segments = max(0, min(limits.segments, limits.allSegments))
            var list = manifest.segments(
                of: part.representation, in: part.period, from: earliest ?? last[index]?.upperBound,
                until: recorded, limits: limits)
            let isIndexed = isVideo && indexSegments(of: &list, part.representation, limits)
            limits.addressSize -= list.segments.reduce(0) { $0 + $1.addressSize }
            limits.allSegments -= list.segments.count
            for var note in list.diagnostics {
                note.streamIndex = index
                report(note)
            }
            let end = part.period.duration.map { part.period.start.advanced(by: $0) }
            let bounds =
                parts.count > 1 ? TimeWindow(from: part.period.start, until: end) : .all
            for (number, segment) in list.segments.enumerated() {
                pieces.append(
                    piece(
                        segment, number, list, index, bounds,
                        isWhole: part.representation.addressing.isSingle && !isIndexed))
            }
        }
        sizes[index] = (
            most.addressSize - limits.addressSize, most.allSegments - limits.allSegments
        )
        return pieces
    }

    /// Replaces a representation in one file by the subsegments that its index lists.
    ///
    /// - Returns: `true` if it has an index that can be read.
    private func indexSegments(
        of list: inout DASHSegmentList, _ representation: DASHManifest.Representation,
        _ limits: StreamingLimits
    ) -> Bool {
        let addressing = representation.addressing
        guard addressing.isSingle, let range = addressing.indexRange,
            let whole = list.segments.first
        else { return false }
        guard let index = segmentIndex(of: whole, range) else {
            list.diagnostics.append(
                Diagnostic(
                    .warning, "lost-index",
                    "the segment index of the file cannot be read; all of the file is fetched"))
            return false
        }
        if list.initialization == nil {
            var initialization = whole
            initialization.range =
                addressing.initialization?.range
                ?? ByteRange(offset: 0, count: Int(clamping: range.offset))
            list.initialization = initialization
        }
        let most = max(0, limits.segments)
        if index.entries.count > most {
            list.diagnostics.append(
                Diagnostic(
                    .error, "too-many-segments",
                    "only the first \(most) of \(index.entries.count) segments are used"))
        }
        list.segments = index.entries.prefix(most).map { entry in
            var segment = whole
            segment.range = entry.range
            segment.start = entry.start.advanced(by: list.mediaOffset)
            segment.duration = entry.duration
            return segment
        }
        return true
    }

    private func segmentIndex(of file: DASHSegment, _ range: ByteRange) -> MP4SegmentIndex? {
        let reference = TextPiece.Reference(uri: file.uri, others: file.alternatives, range: range)
        guard let places = try? reference.resources(in: url, by: fetcher, from: 0),
            let first = places.first?.resource
        else { return nil }
        if let known = indexes[first] { return known }
        let answer = try? fetcher.settled(
            fetcher.fetched(first, limit: Self.indexSize),
            else: places.dropFirst().map(\.resource), limit: Self.indexSize
        ).answer
        guard let answer, let index = MP4SegmentIndex(answer.bytes, at: range.offset) else {
            return nil
        }
        indexes[first] = index
        return index
    }

    private typealias Part = (
        period: DASHManifest.Period, representation: DASHManifest.Representation
    )

    private func parts(of index: Int) -> [Part] {
        content.streams.first { $0.id == index }.map {
            manifest.representations(of: $0, in: content)
        } ?? []
    }

    private func piece(
        _ segment: DASHSegment, _ number: Int, _ list: DASHSegmentList, _ index: Int,
        _ bounds: TimeWindow, isWhole: Bool
    ) -> TextPiece {
        var piece = TextPiece(
            stream: index, parent: url, start: segment.start,
            end: segment.duration.map { segment.start.advanced(by: $0) },
            number: segment.number ?? Int64(number), placement: .offset(list.mediaOffset),
            bounds: bounds, isWhole: isWhole)
        piece.reference = Self.reference(segment)
        piece.initializationReference = list.initialization.map(Self.reference)
        return piece
    }

    private static func reference(_ segment: DASHSegment) -> TextPiece.Reference {
        .init(uri: segment.uri, others: segment.alternatives, range: segment.range)
    }

    private func report(_ note: Diagnostic) {
        guard reported.count < Self.mostReported, reported.insert(note).inserted else { return }
        found.report(note)
    }

    /// The pieces of a stream that were not taken before, on the timeline of the presentation.
    private func fresh(_ index: Int) -> [TextPiece] {
        let all = listed(index)
        if manifest.isLive, zero == nil { zero = all.map(\.start).min() }
        let taken = last[index]
        let fresh = all.filter { taken == nil || $0.start > taken?.lowerBound ?? .zero }
        guard let newest = fresh.max(by: { $0.start < $1.start }) else { return [] }
        if manifest.isLive, let taken { reportLost(between: taken.upperBound, fresh, of: all) }
        last[index] = newest.start..<max(newest.start, newest.end ?? newest.start)
        return fresh.map { $0.counted(from: zero ?? .zero) }
    }

    /// Reports segments that left the manifest before they were read.
    private func reportLost(
        between end: Timestamp, _ fresh: [TextPiece], of all: [TextPiece]
    ) {
        // A gap after what is still listed is one of the presentation.
        guard fresh.count == all.count, let first = fresh.map(\.start).min(),
            end.duration(to: first) > Self.rounding
        else { return }
        let zero = zero ?? .zero
        found.report(
            .error, "lost-segments",
            "\(end.duration(to: first)) went from the manifest before they were fetched",
            streamIndex: fresh.first?.stream,
            time: end.advanced(by: zero.duration(to: .zero)))
    }

    /// Ends and starts that are one time may differ by so much.
    private static let rounding = Duration.milliseconds(1)

    /// The first piece, of a live stream of those that are still kept; of a long stream no others are listed.
    func firstPieces(of index: Int) -> [TextPiece] {
        let zero = zero ?? .zero
        for part in parts(of: index) {
            let list = firstSegments(of: part)
            guard !list.segments.isEmpty else { continue }
            return list.segments.enumerated().map { place, segment in
                piece(
                    segment, place, list, index, .all,
                    isWhole: part.representation.addressing.isSingle
                ).counted(from: zero)
            }
        }
        return []
    }

    private func firstSegments(of part: Part) -> DASHSegmentList {
        var few = limits
        few.segments = TextPiece.lookedAt
        return manifest.segments(
            of: part.representation, in: part.period, from: earliest, until: recorded, limits: few)
    }

    /// The available pieces: for a live stream, those that are still kept.
    func pieces(of index: Int) -> [TextPiece] {
        last[index] = nil
        return fresh(index)
    }

    // MARK: Live

    /// The currently available duration of a live presentation; `nil` for others.
    private var recorded: Timestamp? {
        guard manifest.isLive, let start = manifest.availabilityStart else { return nil }
        return Timestamp.zero.advanced(by: start.duration(to: clock.now))
    }

    private var window: Duration { manifest.keptFor ?? Self.usualWindow }

    /// Up to when a live presentation is not kept any more; `nil` for others.
    private var earliest: Timestamp? { recorded?.advanced(by: .zero - window) }

    /// The start of the first available segment of any stream; `nil` if there is none.
    private var beginning: Timestamp? {
        texts.flatMap { parts(of: $0.index) }.compactMap {
            firstSegments(of: $0).segments.first?.start
        }
        .min()
    }

    func update(
        _ streams: Set<Int>
    ) throws(UndertextError) -> (pieces: [TextPiece], wait: Duration?) {
        guard manifest.isLive, failures < Self.mostFailures else { return ([], nil) }
        do throws(UndertextError) {
            let answer = try fetcher.fetch(next(), limit: limits.playlistSize, for: .playlist)
            manifest = try DASHManifest(answer.bytes, limits: limits)
            url = answer.url
            clock.set(manifest.sent ?? answer.date)
            failures = 0
        } catch {
            if error.code == .cancelled { throw error }
            failures += 1
            found.report(
                .error, "lost-playlist", "the manifest cannot be read again: \(error)")
        }
        let pause = manifest.updatePeriod ?? .seconds(5)
        return (
            streams.sorted().flatMap(fresh), manifest.isLive ? max(pause, Self.leastPause) : nil
        )
    }

    /// The address of the next version of the manifest: that of the last response, or the one it states
    /// (ISO/IEC 23009-1, section 5.4).
    private func next() throws(UndertextError) -> StreamResource {
        if let location = manifest.location {
            do throws(UndertextError) {
                return try fetcher.resource(location, in: url)
            } catch {
                report(Diagnostic(.warning, "location-refused", error.message))
            }
        }
        return try fetcher.resource(url, in: url)
    }

    /// A segment may come a little later than the clocks say: our own, the server's, or the encoder's.
    func patience(with piece: TextPiece) -> Duration? {
        guard manifest.isLive, let recorded, let end = piece.end else { return nil }
        let length = piece.start.duration(to: end)
        let age = end.advanced(by: Timestamp.zero.duration(to: zero ?? .zero)).duration(
            to: recorded)
        guard age < min(window + length, max(length * 3, Self.leastPatience)) else { return nil }
        return min(max(length / 2, Self.leastPause), Self.longestPause)
    }

    private static let leastPatience = Duration.seconds(10)
    private static let longestPause = Duration.seconds(2)
}
