internal import UndertextCore
internal import UndertextIO

/// A segment with the resources that are needed to fetch it.
struct LocatedSegment: Sendable {
    let segment: HLSSegment
    /// The initialization section.
    let map: HLSMap?
    /// The address of its playlist.
    let url: String

    /// Uses a segment of a playlist.
    init(_ segment: HLSSegment, of media: MediaPlaylist) {
        self.segment = segment
        map = segment.map.flatMap { media.maps.indices.contains($0) ? media.maps[$0] : nil }
        url = media.url
    }
}

extension StreamFetcher {
    /// Enough bytes for the first PES packets of audio and video, or the header of a fragment.
    private static let beginning = 512 << 10
    /// The maximum number of segments to try after a discontinuity.
    static let firstTimeAttempts = 3

    /// The media clocks after several discontinuities, fetched concurrently.
    ///
    /// - Parameters:
    ///   - stretches: the first segments of each part.
    ///   - initializations: a cache for their initialization sections.
    /// - Returns: The results of ``firstTime(ofStretch:_:)`` in the same order.
    func firstTimes(
        ofStretches stretches: [[LocatedSegment]], _ initializations: InitializationStore
    ) -> [Result<Int64?, UndertextError>] {
        typealias Time = Result<Int64?, UndertextError>
        let workers = OrderedWorkers<[LocatedSegment], Time>(
            threadCount: min(options.parallel, stretches.count)
        ) { segments in
            do throws(UndertextError) {
                return .success(try self.firstTime(ofStretch: segments, initializations))
            } catch {
                return .failure(error)
            }
        }
        return stretches.flatMap(workers.add) + workers.finish()
    }

    /// The media clock at the start of `segments`, from the first segment that has a time.
    ///
    /// - Parameters:
    ///   - segments: the first segments of a part between two discontinuities.
    ///   - initializations: a cache for their initialization sections.
    /// - Returns: The clock in ticks of 90 kHz, 33 bits; `nil` if the readable segments have no time.
    /// - Throws: `UndertextError` as ``fetch(_:limit:cancellation:)``, for the first segment, if none can be
    ///   read.
    func firstTime(
        ofStretch segments: [LocatedSegment], _ initializations: InitializationStore
    ) throws(UndertextError) -> Int64? {
        guard let first = segments.first?.segment else { return nil }
        var failure: UndertextError?
        var isSilent = false
        for place in segments.prefix(Self.firstTimeAttempts) {
            do throws(UndertextError) {
                guard let time = try firstTime(of: place, initializations) else {
                    isSilent = true
                    continue
                }
                let later = first.start.duration(to: place.segment.start)
                let ticks = Timestamp.zero.advanced(by: later).ticks(in: .mpeg) ?? 0
                return (time &- ticks) & (TimestampMap.period - 1)
            } catch {
                if error.code == .cancelled { throw error }
                failure = failure ?? error
            }
        }
        if let failure, !isSilent { throw failure }
        return nil
    }

    /// The first presentation time of a segment, see ``FirstTime``; only its beginning is fetched.
    ///
    /// Nothing is decrypted: the SAMPLE methods leave headers clear, all others encrypt entire segments.
    ///
    /// - Parameters:
    ///   - place: the segment.
    ///   - initializations: a cache for its initialization section.
    /// - Returns: the time in ticks of 90 kHz; `nil` if it has none that can be read.
    /// - Throws: `UndertextError` as ``fetch(_:limit:cancellation:)``.
    private func firstTime(
        of place: LocatedSegment, _ initializations: InitializationStore
    ) throws(UndertextError) -> Int64? {
        let (segment, map, url) = (place.segment, place.map, place.url)
        guard (segment.keys + (map?.keys ?? [])).allSatisfy({ $0.method.hasPrefix("SAMPLE-") })
        else { return nil }
        var initialization: [UInt8] = []
        if let map {
            initialization = try initializations.bytes(
                of: resource(map.uri, in: url, range: map.range), self)
        }
        let whole = segment.range ?? ByteRange(offset: 0, count: .max)
        let part = ByteRange(offset: whole.offset, count: min(whole.count, Self.beginning))
        let bytes = try fetch(
            resource(segment.uri, in: url, range: part), limit: options.mediaSegmentSize,
            for: .clock
        ).bytes
        if let time = FirstTime.ofSegment(bytes, initialization: initialization) { return time }
        // A complete MP4 file, whose timeline begins at zero.
        let isFilm = map == nil && bytes.dropFirst(4).starts(with: "ftyp".utf8)
        return isFilm ? 0 : nil
    }
}
