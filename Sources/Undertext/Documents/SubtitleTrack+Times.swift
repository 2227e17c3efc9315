package import UndertextCore

extension SubtitleTrack {
    /// Reads the times of all cues, and nothing else of them.
    ///
    /// - Parameters:
    ///   - cancellation: Stops the reading from another thread.
    ///   - progress: Called ten times a second on a background thread.
    /// - Returns: The time of each cue from its start to its end, in the order of the track.
    /// - Throws: `UndertextError` as ``cueReader(in:)``; with code `cancelled` if it was stopped.
    package func times(
        cancellation: Cancellation? = nil,
        progress: (@Sendable (ExtractionProgress) -> Void)? = nil
    ) throws(UndertextError) -> [Range<Timestamp>] {
        let reporter = progress.map { ProgressReporter(inputCount: 1, $0) }
        defer { reporter?.stop() }
        reporter?.begin(media.input, at: 0)
        reporter?.follow(media)
        return try media.exclusively { () throws(UndertextError) in
            let reader = try cueReader(in: .all)
            var times: [Range<Timestamp>] = []
            while let cues = try reader.nextCues() {
                if cancellation?.isCancelled == true {
                    throw UndertextError(.cancelled, "stopped", path: media.input.argument)
                }
                for cue in cues where cue.start < cue.end { times.append(cue.start..<cue.end) }
                _ = reader.takeDiagnostics()
            }
            return times
        }
    }
}

extension Media {
    /// The subtitle track whose times are best compared with those of other subtitles.
    ///
    /// It has the whole dialogue rather than a part of it, is in the language of the others if there is such a track, and can
    /// be read.
    ///
    /// - Parameter language: The language of the other subtitles; `nil` if it is unknown.
    /// - Returns: The track, or `nil` if there is none.
    package func bestTrack(toCompareWith language: LanguageTag?) -> SubtitleTrack? {
        let tracks = subtitleTracks.filter { $0.refusal == nil }
        let candidates = tracks.map { SubtitleCandidate($0.stream) }
        // The kind is worth more than the language: boundaries of another language differ less than a dialogue does from
        // its forced parts.
        for kind in [SubtitleKind.full, .hearingImpaired, .commentary, .forced] {
            for languages in [language.map { [$0] }, []] {
                guard let languages else { continue }
                let preference = SubtitlePreference(
                    languages: languages, kinds: [kind], takesUnknownLanguage: languages.isEmpty)
                if let best = preference.ranked(candidates).first { return tracks[best] }
            }
        }
        return tracks.first
    }
}
