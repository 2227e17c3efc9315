public import UndertextCore

/// Finds out what the clock of media shows when they begin, for each stretch between two breaks.
///
/// After each discontinuity, only the beginning of the first segment is fetched, once, and of later segments if
/// that has no time. Several clocks are fetched concurrently if they were announced. The class is not
/// `Sendable`: one reader at a time.
public final class MediaClocks {
    private let fetcher: StreamFetcher
    /// The first segments of each stretch.
    private var firsts: [Int64: [LocatedSegment]] = [:]
    private var found: [Int64: MediaClock?] = [:]
    private let initializations = InitializationStore()
    /// Stretches whose clock will be wanted, in that order, and those that ever were among them.
    private var expected = FirstInFirstOut<Int64>()
    private var everExpected: Set<Int64> = []
    private var notes: [Diagnostic] = []
    private static let mostKnown = 10_000

    /// Creates clocks that are those of a playlist.
    public init(_ fetcher: StreamFetcher, _ media: MediaPlaylist? = nil) {
        self.fetcher = fetcher
        if let media { add(media.segments[...], of: media) }
    }

    /// Creates clocks that know what `earlier` found out: all variants of a presentation have one clock.
    init(_ fetcher: StreamFetcher, after earlier: MediaClocks) {
        self.fetcher = fetcher
        found = earlier.found.filter { $0.value != nil }
    }

    /// Adds segments, such as those of a later version of a live playlist.
    ///
    /// - Parameters:
    ///   - segments: segments of `media`, with their ``HLSSegment/start`` on the timeline of the presentation.
    ///   - media: their playlist.
    public func add(_ segments: ArraySlice<HLSSegment>, of media: MediaPlaylist) {
        for segment in segments where !segment.isGap {
            let stretch = segment.discontinuity
            guard firsts[stretch] != nil || firsts.count < Self.mostKnown,
                firsts[stretch]?.count ?? 0 < StreamFetcher.firstTimeAttempts
            else { continue }
            firsts[stretch, default: []].append(LocatedSegment(segment, of: media))
        }
    }

    /// `true` if segments of the part after `discontinuity` discontinuities were added.
    public func knows(_ discontinuity: Int64) -> Bool { firsts[discontinuity] != nil }

    /// Announces the discontinuities whose clocks will be needed, in order, so that they are fetched
    /// concurrently.
    public func expect(_ stretches: some Sequence<Int64>) {
        for stretch in stretches
        where everExpected.count < Self.mostKnown && everExpected.insert(stretch).inserted {
            expected.append(stretch)
        }
    }

    /// The clock of the part after `discontinuity` discontinuities.
    ///
    /// The clock is `nil` if it cannot be determined because there are no segments or all are encrypted.
    public func clock(of discontinuity: Int64) -> MediaClock? {
        if let clock = found[discontinuity] { return clock }
        guard knows(discontinuity) else { return nil }
        ask(next(from: discontinuity))
        return found[discontinuity] ?? nil
    }

    /// A stretch and those after it that will be wanted: twice as many as are fetched at once.
    private func next(from stretch: Int64) -> [Int64] {
        var stretches = [stretch]
        while stretches.count < 2 * fetcher.options.parallel, let next = expected.popFirst() {
            if next != stretch, found[next] == nil, knows(next) { stretches.append(next) }
        }
        return stretches
    }

    private func ask(_ stretches: [Int64]) {
        let segments = stretches.map { firsts[$0] ?? [] }
        let times = fetcher.firstTimes(ofStretches: segments, initializations)
        for ((stretch, segments), time) in zip(zip(stretches, segments), times) {
            var clock: MediaClock?
            do throws(UndertextError) {
                if let time = try time.get(), let first = segments.first {
                    clock = MediaClock(start: first.segment.start, firstPTS: time)
                } else {
                    note("the media are encrypted or do not state their first time")
                }
            } catch {
                note("the media cannot be read: \(error)")
            }
            found[stretch] = .some(clock)
        }
    }

    /// Returns and clears the diagnostics since the last call.
    public func takeDiagnostics() -> [Diagnostic] {
        defer { notes = [] }
        return notes
    }

    private func note(_ reason: String) {
        guard notes.count < 100 else { return }
        notes.append(
            Diagnostic(
                .warning, "no-media-time",
                "the subtitles have no media clock to refer to: \(reason)"))
    }
}
