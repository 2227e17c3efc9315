public import UndertextCore
internal import UndertextIO
internal import UndertextRecognition

extension Media {
    /// Extracts tracks to files without blocking the task's thread.
    ///
    /// ```swift
    /// let report = try await media.extract(.language("en"), as: .native, to: "subtitles")
    /// for output in report.tracks.flatMap(\.outputs) { print(output.file, output.bytes) }
    /// ```
    ///
    /// The open input is read, in one pass. Cancellation of the task ends the call with an error of the code
    /// `cancelled`; the thread that reads then removes what is unfinished.
    ///
    /// - Parameters:
    ///   - tracks: The selection of tracks.
    ///   - format: The format of text and the format of images.
    ///   - folder: The folder of the outputs, made if it is missing.
    ///   - options: The changes that are made to cues, and what is done about files that exist.
    ///   - progress: Called ten times a second on a thread in the background while the input is read, and once at the
    ///     end.
    /// - Returns: The report: a track or an input that fails is in it, and is no error of the call.
    /// - Throws: `UndertextError` before anything is written, with code `invalid-request` if outputs or options
    ///   contradict each other; or with code `cancelled`.
    public func extract(
        _ tracks: TrackSelection = .all, as format: FormatRequest = .standard, to folder: String,
        options: ExtractionOptions = ExtractionOptions(),
        progress: (@Sendable (ExtractionProgress) -> Void)? = nil
    ) async throws(UndertextError) -> InputReport {
        try await extract(options.extracting(tracks, as: format, to: folder), progress: progress)
    }

    /// Extracts tracks to files; see the asynchronous form.
    ///
    /// - Parameters:
    ///   - tracks: The selection of tracks.
    ///   - format: The format of text and the format of images.
    ///   - folder: The folder of the outputs, made if it is missing.
    ///   - options: The changes that are made to cues, and what is done about files that exist.
    ///   - progress: Called ten times a second on a thread in the background while the input is read, and once at the
    ///     end.
    /// - Returns: The report: a track or an input that fails is in it, and is no error of the call.
    /// - Throws: `UndertextError` before anything is written.
    public func extract(
        _ tracks: TrackSelection = .all, as format: FormatRequest = .standard, to folder: String,
        options: ExtractionOptions = ExtractionOptions(),
        progress: (@Sendable (ExtractionProgress) -> Void)? = nil
    ) throws(UndertextError) -> InputReport {
        try extract(options.extracting(tracks, as: format, to: folder), progress: progress)
    }

    /// Extracts as options say, without blocking the task's thread; see ``extract(_:as:to:progress:)``.
    ///
    /// - Parameters:
    ///   - options: The request. ``ExtractionOptions/reading`` has no effect, since the input is open.
    ///   - progress: Called ten times a second on a thread in the background while the input is read, and once at the
    ///     end.
    /// - Returns: The report.
    /// - Throws: `UndertextError` before anything is written, or with code `cancelled`.
    package func extract(
        _ options: ExtractionOptions, progress: (@Sendable (ExtractionProgress) -> Void)? = nil
    ) async throws(UndertextError) -> InputReport {
        try await inBackground { (media, cancellation) throws(UndertextError) in
            try media.extract(options, cancellation, progress)
        }
    }

    /// Extracts as options say; see ``extract(_:as:to:progress:)``.
    ///
    /// - Parameters:
    ///   - options: The request. ``ExtractionOptions/reading`` has no effect, since the input is open.
    ///   - progress: Called ten times a second on a thread in the background while the input is read, and once at the
    ///     end.
    /// - Returns: The report.
    /// - Throws: `UndertextError` before anything is written.
    package func extract(
        _ options: ExtractionOptions, progress: (@Sendable (ExtractionProgress) -> Void)? = nil
    ) throws(UndertextError) -> InputReport {
        try extract(options, self.options.cancellation, progress)
    }

    private func extract(
        _ request: ExtractionOptions, _ cancellation: Cancellation?,
        _ progress: (@Sendable (ExtractionProgress) -> Void)?
    ) throws(UndertextError) -> InputReport {
        var request = request
        request.reading = options
        let extractor = Extractor(
            options: request, cancellation: cancellation, followingStop: options.followingStop,
            progress: progress)
        return try exclusively { () throws(UndertextError) in try extractor.extract(self) }
    }
}

extension ExtractionOptions {
    /// Enables the recognition of text in images.
    ///
    /// - Parameter languages: BCP 47 tags, joined by `+`.
    /// - Throws: `UndertextError` with code `invalid-value` if text of a language cannot be recognized.
    package mutating func recognize(_ languages: String) throws(UndertextError) {
        recognition = RecognitionOptions(
            languages: try RecognitionLanguage.list(parsing: languages))
    }

    /// Returns the options for some tracks.
    ///
    /// - Throws: `UndertextError` with code `invalid-value` if text of a language cannot be recognized.
    fileprivate func extracting(
        _ tracks: TrackSelection, as format: FormatRequest, to folder: String
    ) throws(UndertextError) -> ExtractionOptions {
        var options = self
        options.tracks = tracks
        options.format = format
        options.destination = .directory(folder)
        if !recognizedLanguages.isEmpty {
            try options.recognize(recognizedLanguages.map(\.rawValue).joined(separator: "+"))
            // A format of text alone is then for images, too.
            if options.format.onlyKind == .text { options.format.onlyKind = nil }
        }
        return options
    }
}
