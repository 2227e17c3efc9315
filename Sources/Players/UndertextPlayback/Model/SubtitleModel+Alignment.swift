public import Undertext
internal import UndertextAlignment
public import UndertextCore
internal import UndertextIO

extension SubtitleModel {
    /// Changes the times of subtitles so that they fit those of others, and waits for that.
    ///
    /// Only times are compared, not texts, so that images and other languages do as well. An offset, a change of frame rate,
    /// and breaks such as cuts are found. ``SubtitleInfo/alignment`` has the result; subtitles that are selected are loaded
    /// again. All of both tracks is read; a deferred download is made.
    ///
    /// - Parameters:
    ///   - info: The subtitles to change, which are in the list.
    ///   - reference: The subtitles with the right times, such as a track of the video, which are in the list.
    ///   - leastConfidence: The confidence below which nothing changes, from 0 to 1.
    /// - Returns: The change of times.
    /// - Throws: `UndertextError` if one of them cannot be read, or with code `unsupported` if the confidence is too low.
    @discardableResult
    public func align(
        _ info: SubtitleInfo, to reference: SubtitleInfo, leastConfidence: Double = 0.8
    ) throws(UndertextError) -> SubtitleAlignment {
        try align(info, to: reference, leastConfidence, stop)
    }

    /// Changes the times of subtitles so that they fit those of others, without blocking the task's thread.
    ///
    /// Cancellation of the task ends it, and nothing changes.
    ///
    /// - Parameters:
    ///   - info: The subtitles to change, which are in the list.
    ///   - reference: The subtitles with the right times, which are in the list.
    ///   - leastConfidence: The confidence below which nothing changes, from 0 to 1.
    /// - Returns: The change of times.
    /// - Throws: `UndertextError` if one of them cannot be read, or with code `unsupported` if the confidence is too low.
    @discardableResult
    public func align(
        _ info: SubtitleInfo, to reference: SubtitleInfo, leastConfidence: Double = 0.8
    ) async throws(UndertextError) -> SubtitleAlignment {
        let cancellation = Cancellation(parent: stop)
        return try await queue.result(of: cancellation) { [self] () throws(UndertextError) in
            try align(info, to: reference, leastConfidence, cancellation)
        }.get()
    }

    /// Changes the times of subtitles so that they fit a video, and waits for that.
    ///
    /// They are compared with the subtitle track of the video that suits best, or with the speech of its audio if no track
    /// has enough cues; ``SubtitleAlignment/reference`` says with which. For speech all of the video is read. The delay of
    /// the subtitles counts, that of tracks of the video does not.
    ///
    /// - Parameters:
    ///   - info: The subtitles to change, which are in the list.
    ///   - video: The video, whether or not it is a source of the model.
    ///   - leastConfidence: The confidence below which nothing changes, from 0 to 1.
    /// - Returns: The change of times.
    /// - Throws: `UndertextError` if one of them cannot be read, with code `no-track` if the video has neither subtitles nor
    ///   audio, or with code `unsupported` if the confidence is too low or the audio is that of a pipe or a presentation.
    @discardableResult
    public func align(
        _ info: SubtitleInfo, to video: MediaInput, leastConfidence: Double = 0.8
    ) throws(UndertextError) -> SubtitleAlignment {
        try align(info, to: video, leastConfidence, stop)
    }

    /// Changes the times of subtitles so that they fit a video, without blocking the task's thread.
    ///
    /// Cancellation of the task ends it, and nothing changes. The synchronous form says with what is compared.
    ///
    /// - Parameters:
    ///   - info: The subtitles to change, which are in the list.
    ///   - video: The video, whether or not it is a source of the model.
    ///   - leastConfidence: The confidence below which nothing changes, from 0 to 1.
    /// - Returns: The change of times.
    /// - Throws: `UndertextError` as the synchronous form.
    @discardableResult
    public func align(
        _ info: SubtitleInfo, to video: MediaInput, leastConfidence: Double = 0.8
    ) async throws(UndertextError) -> SubtitleAlignment {
        let cancellation = Cancellation(parent: stop)
        return try await queue.result(of: cancellation) { [self] () throws(UndertextError) in
            try align(info, to: video, leastConfidence, cancellation)
        }.get()
    }

    /// Gives subtitles their original times back.
    public func removeAlignment(of info: SubtitleInfo) { setAlignment(nil, of: info.id) }

    private func align(
        _ info: SubtitleInfo, to reference: SubtitleInfo, _ leastConfidence: Double,
        _ cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleAlignment {
        let delays = state.with { ($0.delay(of: info.id), $0.delay(of: reference.id)) }
        let subtitle = try times(of: info, isAligned: false, cancellation)
        let other = try times(of: reference, isAligned: true, cancellation)
        return try align(
            info, subtitle, to: other, .cues, delay: delays.1 - delays.0, leastConfidence,
            cancellation)
    }

    private func align(
        _ info: SubtitleInfo, to video: MediaInput, _ leastConfidence: Double,
        _ cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleAlignment {
        let (delay, source) = state.with { state in
            let sources = state.sources.lazy.compactMap { $0 as? EmbeddedSubtitles }
            return (
                state.delay(of: info.id),
                sources.first { $0.input.argument == video.argument }
            )
        }
        let subtitle = try times(of: info, isAligned: false, cancellation)
        var reading = source?.options ?? options.media
        reading.cancellation = cancellation
        let reference = try ReferenceTimes(
            of: Media(video, options: reading), speech: .ifNeeded, language: info.language,
            cancellation: cancellation)
        return try align(
            info, subtitle, to: reference.times, reference.kind, delay: .zero - delay,
            leastConfidence, cancellation)
    }

    /// Compares the times of subtitles with others, and changes them.
    ///
    /// - Parameters:
    ///   - info: The subtitles.
    ///   - subtitle: Their stored times.
    ///   - other: The right times.
    ///   - kind: The kind of the right times.
    ///   - delay: The delay of the right times less that of the subtitles, which is added to their new times.
    ///   - leastConfidence: The confidence below which nothing changes.
    ///   - cancellation: Stops the change.
    /// - Returns: The change of times.
    /// - Throws: `UndertextError`: there are too few times, the confidence is too low, or it was stopped.
    private func align(
        _ info: SubtitleInfo, _ subtitle: [Range<Timestamp>], to other: [Range<Timestamp>],
        _ kind: AlignmentOptions.Reference, delay: Duration, _ leastConfidence: Double,
        _ cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleAlignment {
        let wanted = other.map {
            $0.lowerBound.advanced(by: delay)..<$0.upperBound.advanced(by: delay)
        }
        var search = AlignmentOptions()
        search.reference = kind
        guard let found = CueAligner(subtitle, to: wanted, options: search).align() else {
            throw UndertextError(
                .unsupported,
                kind == .speech
                    ? "\(subtitle.count) cues and \(other.count) ranges of speech are too few to compare"
                    : "\(subtitle.count) and \(other.count) cues are too few to compare",
                path: info.name)
        }
        guard found.confidence >= leastConfidence else {
            throw UndertextError(
                .unsupported,
                "the confidence of the best times is \(Int(found.confidence * 100)) %, less than "
                    + "\(Int(leastConfidence * 100)) %",
                path: info.name)
        }
        guard !cancellation.isCancelled else {
            throw UndertextError(.cancelled, "the reading was stopped", path: info.name)
        }
        var retiming = found.retiming
        retiming.keepsOrder = info.isBitmap
        let alignment = SubtitleAlignment(
            speed: Double(found.speed.numerator) / Double(found.speed.denominator),
            segments: found.segments.map { .init(start: $0.from, offset: $0.offset) },
            reference: kind == .speech ? .speech : .subtitles, confidence: found.confidence,
            retiming: retiming)
        setAlignment(alignment, of: info.id)
        return alignment
    }

    private func setAlignment(_ alignment: SubtitleAlignment?, of id: SubtitleInfo.ID) {
        change { state in
            guard let index = state.index(of: id), state.entries[index].info.alignment != alignment
            else { return }
            state.entries[index].info.alignment = alignment
            state.dropFeed(of: id)
        }
    }

    /// Reads the times of subtitles, without delays.
    ///
    /// Their times are those after an earlier alignment if `isAligned`, otherwise the stored ones.
    private func times(
        of info: SubtitleInfo, isAligned: Bool, _ cancellation: Cancellation
    ) throws(UndertextError) -> [Range<Timestamp>] {
        let entry = state.with { state in state.index(of: info.id).map { state.entries[$0] } }
        guard let entry else {
            throw UndertextError(.notFound, "it is not in the list", path: info.name)
        }
        var known = entry.info
        if !isAligned { known.alignment = nil }
        let content = try Self.content(
            of: known, from: entry.source, options: options.media, cancellation: cancellation)
        switch content.form {
        case .document(let document):
            return document.cues.filter { $0.start < $0.end }.map { $0.start..<$0.end }
        case .input(let input, let wanted):
            var reading = content.options ?? options.media
            reading.cancellation = cancellation
            if let wanted { reading.opensStream = { $0.index == wanted } }
            let media = try Media(input, options: reading)
            if let limit = content.sizeLimit, let size = media.size, size > limit {
                throw UndertextError(
                    .limit, "it has \(size) bytes, more than the \(limit) allowed", path: info.name)
            }
            guard let track = media.subtitleTracks.first(where: { $0.id == wanted ?? $0.id }) else {
                throw UndertextError(
                    .notFound, "the input has no such subtitle track", path: input.argument)
            }
            return try track.times(cancellation: cancellation)
        }
    }

    /// The content of an info, with the charset and the times that the info states.
    static func content(
        of info: SubtitleInfo, from source: (any SubtitleDataSource)?, options: Media.Options,
        cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent {
        var found = try source?.content(of: info, options: options, cancellation: cancellation)
        if found == nil { found = SubtitleContent(of: info.origin, options: options) }
        guard var content = found else {
            throw UndertextError(
                .notFound, "the source that can fetch it was removed", path: info.name)
        }
        var reading = content.options ?? options
        if let charset = info.charset {
            guard Media.isKnown(charset: charset) else {
                throw UndertextError(
                    .charset, "iconv has no charset '\(charset)'", path: info.name)
            }
            reading.charset = charset
        }
        if let retiming = info.alignment?.retiming {
            reading.retiming = retiming
            if case .document(let document) = content.form {
                content.form = .document(document.moved(by: retiming))
            }
        }
        content.options = reading
        return content
    }
}
