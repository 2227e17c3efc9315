internal import MediaCore
internal import SystemIO

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
    /// When what was listed of each stream ends.
    private var listed: [Int: Timestamp] = [:]
    private var failures = 0
    private var notes: [Diagnostic] = []

    private static let mostFailures = 3
    /// Where a live manifest does not say how far back segments are kept.
    private static let usualWindow = Duration.seconds(60)
    private static let leastPause = Duration.milliseconds(500)

    var isLive: Bool { manifest.isLive }

    init(
        _ bytes: [UInt8], url: String, _ fetcher: StreamFetcher, limits: StreamingLimits
    ) throws(MediaError) {
        self.fetcher = fetcher
        self.limits = limits
        self.url = url
        // Addresses stay as they are written, so that the rule sees what leads where.
        manifest = try DASHManifest(bytes, limits: limits)
        content = ContentInfo(dash: manifest)
        diagnostics = manifest.diagnostics
        texts = content.streams(ofType: .text).filter { $0.inStreamID == nil }.map {
            TextStream($0.id)
        }
    }

    func note(_ facts: TextFacts?, _ refusal: MediaError?, ofStream index: Int) {
        guard let place = texts.firstIndex(where: { $0.index == index }) else { return }
        texts[place].facts = facts
        texts[place].refusal = refusal
    }

    func clock(for piece: TextPiece) -> MediaClock? { nil }

    func takeDiagnostics() -> [Diagnostic] {
        defer { notes = [] }
        return notes
    }

    // MARK: Pieces

    func pieces(of index: Int) -> [TextPiece] {
        guard let stream = content.streams.first(where: { $0.id == index }) else { return [] }
        var pieces: [TextPiece] = []
        let parts = manifest.representations(of: stream, in: content)
        for part in parts {
            let list = manifest.segments(
                of: part.representation, in: part.period, until: available, limits: limits)
            notes += list.diagnostics.map { note in
                var note = note
                note.streamIndex = index
                return note
            }
            let end = part.period.duration.map { part.period.start.advanced(by: $0) }
            let bounds =
                parts.count > 1 ? TimeWindow(from: part.period.start, until: end) : .all
            for (number, segment) in list.segments.enumerated() {
                pieces.append(
                    piece(
                        segment, number, list, index, bounds,
                        isWhole: part.representation.addressing.isSingle))
            }
        }
        return pieces
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
        piece.reference = .init(uri: segment.uri, range: segment.range)
        if !isWhole, let place = list.initialization {
            piece.initializationReference = .init(uri: place.uri, range: place.range)
        }
        return piece
    }

    // MARK: Live

    /// What a live presentation has by now; `nil` for others.
    private var available: Timestamp? {
        guard manifest.isLive, let start = manifest.availabilityStart else { return nil }
        let now = FileSystem.now
        return Timestamp.zero.advanced(by: start.duration(to: now))
    }

    func update(
        _ streams: Set<Int>
    ) throws(MediaError) -> (pieces: [TextPiece], wait: Duration?) {
        guard manifest.isLive, failures < Self.mostFailures else { return ([], nil) }
        do throws(MediaError) {
            let answer = try fetcher.fetch(
                fetcher.resource(url, in: url), limit: limits.playlistSize)
            manifest = try DASHManifest(answer.bytes, limits: limits)
            url = answer.url
            failures = 0
        } catch {
            if error.code == .cancelled { throw error }
            failures += 1
            notes.append(
                Diagnostic(
                    .error, "lost-playlist", "the manifest cannot be read again: \(error)"))
        }
        let fresh = streams.sorted().flatMap { index in
            pieces(of: index).filter { $0.start >= listed[index] ?? .zero }
        }
        for piece in fresh { note(piece) }
        let pause = manifest.updatePeriod ?? .seconds(5)
        return (fresh, manifest.isLive ? max(pause, Self.leastPause) : nil)
    }

    /// The pieces that are read first: of a live stream those that are still kept.
    func firstPieces(of index: Int) -> [TextPiece] {
        var pieces = pieces(of: index)
        if let available {
            let earliest = available.advanced(
                by: .zero - (manifest.keptFor ?? Self.usualWindow))
            pieces.removeAll { piece in piece.end.map { $0 <= earliest } ?? false }
        }
        for piece in pieces { note(piece) }
        return pieces
    }

    private func note(_ piece: TextPiece) {
        let end = piece.end ?? piece.start.advanced(by: .nanoseconds(1))
        listed[piece.stream] = max(listed[piece.stream] ?? .zero, end)
    }
}
