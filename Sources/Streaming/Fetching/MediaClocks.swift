public import MediaCore

/// Finds out what the clock of media shows when they begin, for each stretch between two breaks.
///
/// Of a stretch only the beginning of its first segment is fetched, once. Not `Sendable`: one asker at
/// a time.
public final class MediaClocks {
    private let fetcher: StreamFetcher
    /// The first segment of each stretch, with what must stand before it.
    private var firsts: [Int64: (segment: HLSSegment, map: HLSMap?, url: String)] = [:]
    private var found: [Int64: MediaClock?] = [:]
    private var notes: [Diagnostic] = []
    private static let mostKnown = 10_000

    /// Creates clocks that are those of a playlist.
    public init(_ fetcher: StreamFetcher, _ media: MediaPlaylist? = nil) {
        self.fetcher = fetcher
        if let media { add(media.segments[...], of: media) }
    }

    /// Takes further segments into account: what a later version of a live playlist adds.
    ///
    /// - Parameters:
    ///   - segments: of `media`, their ``HLSSegment/start`` on the timeline of the presentation.
    ///   - media: their playlist.
    public func add(_ segments: ArraySlice<HLSSegment>, of media: MediaPlaylist) {
        for segment in segments
        where firsts[segment.discontinuity] == nil && firsts.count < Self.mostKnown {
            if segment.isGap { continue }
            firsts[segment.discontinuity] = (segment, segment.map.map { media.maps[$0] }, media.url)
        }
    }

    /// Whether segments of a stretch, which has so many breaks before it, were added.
    public func knows(_ discontinuity: Int64) -> Bool { firsts[discontinuity] != nil }

    /// The clock of a stretch, which has so many breaks before it.
    ///
    /// `nil` where that cannot be told: nothing is there, or all is encrypted.
    public func clock(of discontinuity: Int64) -> MediaClock? {
        if let clock = found[discontinuity] { return clock }
        guard let (segment, map, url) = firsts[discontinuity] else { return nil }
        var clock: MediaClock?
        do throws(MediaError) {
            clock = try fetcher.firstTime(of: segment, map: map, in: url).map {
                MediaClock(start: segment.start, firstPTS: $0)
            }
            if clock == nil {
                note("its media do not tell the time they begin at, or are encrypted")
            }
        } catch {
            note("its media cannot be read: \(error)")
        }
        found[discontinuity] = .some(clock)
        return clock
    }

    /// What could not be found out since the last call.
    public func takeDiagnostics() -> [Diagnostic] {
        defer { notes = [] }
        return notes
    }

    private func note(_ reason: String) {
        guard notes.count < 100 else { return }
        notes.append(
            Diagnostic(
                .warning, "no-media-time",
                "the times of subtitles are taken as they are written: \(reason)"))
    }
}

extension StreamFetcher {
    /// Enough for the first PES packets of sound and pictures, or the header of a fragment.
    private static let beginning = 512 << 10

    /// The first presentation time of a segment of media, see ``FirstTime``; only its beginning is
    /// fetched.
    ///
    /// - Parameters:
    ///   - segment: of a media playlist.
    ///   - map: what must stand before it.
    ///   - url: the address of the playlist.
    /// - Returns: ticks of 90 kHz; `nil` where it has none that can be read.
    /// - Throws: `MediaError` as ``fetch(_:limit:cancellation:)`` does.
    public func firstTime(
        of segment: HLSSegment, map: HLSMap?, in url: String
    ) throws(MediaError) -> Int64? {
        // All of it is cipher text, other than with SAMPLE-AES.
        guard !segment.keys.contains(where: { $0.method == "AES-128" }) else { return nil }
        var initialization: [UInt8] = []
        if let map, !map.keys.contains(where: { $0.method == "AES-128" }) {
            initialization = try fetch(resource(map.uri, in: url, range: map.range)).bytes
        }
        let whole = segment.range ?? ByteRange(offset: 0, count: .max)
        let part = ByteRange(offset: whole.offset, count: min(whole.count, Self.beginning))
        let bytes = try fetch(
            resource(segment.uri, in: url, range: part), limit: options.mediaSegmentSize
        ).bytes
        if let time = FirstTime.ofSegment(bytes, initialization: initialization) { return time }
        // A film in one piece, which MP4 has begin at zero.
        let isFilm = map == nil && bytes.dropFirst(4).starts(with: "ftyp".utf8)
        return isFilm ? 0 : nil
    }
}
