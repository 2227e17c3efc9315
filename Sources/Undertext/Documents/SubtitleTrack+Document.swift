public import UndertextCore

extension SubtitleTrack {
    /// Reads the header and all cues of the track.
    ///
    /// - Parameters:
    ///   - range: The part of the timeline that is wanted; see ``cueReader(in:)``.
    ///   - diagnostics: Gets what was found damaged or doubtful; a damaged packet costs that packet.
    /// - Returns: A document of images if the track ``isBitmap``, otherwise of text.
    /// - Throws: `UndertextError` as ``cueReader(in:)``.
    public func document<Times: RangeExpression<Timestamp>>(
        in range: Times = Timestamp(nanoseconds: .min)...,
        diagnostics: ((Diagnostic) -> Void)? = nil
    ) throws(UndertextError) -> SubtitleDocument {
        try document(in: TimeWindow(range), diagnostics: diagnostics)
    }

    /// Reads the header and the cues in a window.
    package func document(
        in window: TimeWindow, diagnostics: ((Diagnostic) -> Void)? = nil
    ) throws(UndertextError) -> SubtitleDocument {
        let (header, cues) = try contents(in: window, diagnostics, nil)
        return kind == .bitmap
            ? .bitmap(BitmapDocument(header: header, cues: cues))
            : .text(TextDocument(header: header, cues: cues))
    }

    /// Reads the header and all cues of a track of text.
    ///
    /// - Parameters:
    ///   - range: The part of the timeline that is wanted; see ``cueReader(in:)``.
    ///   - diagnostics: Gets what was found damaged or doubtful.
    /// - Returns: The document.
    /// - Throws: `UndertextError` as ``cueReader(in:)``, and with code `unsupported` if the track has images.
    public func textDocument<Times: RangeExpression<Timestamp>>(
        in range: Times = Timestamp(nanoseconds: .min)...,
        diagnostics: ((Diagnostic) -> Void)? = nil
    ) throws(UndertextError) -> TextDocument {
        try require(.text)
        let (header, cues) = try contents(in: TimeWindow(range), diagnostics, nil)
        return TextDocument(header: header, cues: cues)
    }

    /// Reads the header and all cues of a bitmap track.
    ///
    /// - Parameters:
    ///   - range: The part of the timeline that is wanted; see ``cueReader(in:)``.
    ///   - diagnostics: Gets what was found damaged or doubtful.
    /// - Returns: The document.
    /// - Throws: `UndertextError` as ``cueReader(in:)``, and with code `unsupported` if the track is text.
    public func bitmapDocument<Times: RangeExpression<Timestamp>>(
        in range: Times = Timestamp(nanoseconds: .min)...,
        diagnostics: ((Diagnostic) -> Void)? = nil
    ) throws(UndertextError) -> BitmapDocument {
        try require(.bitmap)
        let (header, cues) = try contents(in: TimeWindow(range), diagnostics, nil)
        return BitmapDocument(header: header, cues: cues)
    }

    /// Decodes packets of a track of text that were read before.
    ///
    /// - Parameters:
    ///   - packets: The packets, in the order of the container.
    ///   - diagnostics: Gets what was found damaged or doubtful.
    /// - Returns: The document.
    /// - Throws: `UndertextError` with code `unsupported` if nothing decodes the track, or the track has images.
    package func textDocument(
        of packets: [Packet], diagnostics: DiagnosticSink
    ) throws(UndertextError) -> TextDocument {
        try require(.text)
        var decoder = try decoder(diagnostics: diagnostics)
        var cues: [Cue] = []
        for packet in packets { decoder.decode(packet, into: &cues) }
        cues += decoder.finish()
        return TextDocument(header: decoder.header, cues: cues.inOrder)
    }

    /// Refuses a track of the other kind.
    private func require(_ wanted: MediaKind) throws(UndertextError) {
        guard kind != wanted else { return }
        throw UndertextError(
            .unsupported,
            "the track has \(kind == .text ? "text" : "images"), not \(wanted == .text ? "text" : "images")",
            path: media.input.argument, streamIndex: id)
    }

    /// Reads the track to its end.
    private func contents(
        in window: TimeWindow, _ diagnostics: ((Diagnostic) -> Void)?, _ cancellation: Cancellation?
    ) throws(UndertextError) -> (SubtitleHeader, [Cue]) {
        try media.exclusively { () throws(UndertextError) in
            let reader = try cueReader(in: window)
            var cues: [Cue] = []
            while let finished = try reader.nextCues() {
                if cancellation?.isCancelled == true {
                    throw UndertextError(.cancelled, "stopped", path: media.input.argument)
                }
                cues += finished
                for diagnostic in reader.takeDiagnostics() { diagnostics?(diagnostic) }
            }
            return (reader.header, cues.inOrder)
        }
    }
}

// MARK: - Without blocking

extension SubtitleTrack {
    /// Reads the header and all cues of the track without blocking the task's thread.
    ///
    /// Cancellation of the task ends the reading with an error of the code `cancelled`.
    ///
    /// - Parameters:
    ///   - range: The part of the timeline that is wanted; see ``cueReader(in:)``.
    ///   - diagnostics: Gets what was found damaged or doubtful, on the thread that reads.
    /// - Returns: A document of images if the track ``isBitmap``, otherwise of text.
    /// - Throws: `UndertextError` as ``cueReader(in:)``.
    public func document<Times: RangeExpression<Timestamp>>(
        in range: Times = Timestamp(nanoseconds: .min)...,
        diagnostics: (@Sendable (Diagnostic) -> Void)? = nil
    ) async throws(UndertextError) -> SubtitleDocument {
        let (header, cues) = try await contents(in: TimeWindow(range), diagnostics)
        return kind == .bitmap
            ? .bitmap(BitmapDocument(header: header, cues: cues))
            : .text(TextDocument(header: header, cues: cues))
    }

    /// Reads the header and all cues of a track of text without blocking the task's thread.
    ///
    /// Cancellation of the task ends the reading with an error of the code `cancelled`.
    ///
    /// - Parameters:
    ///   - range: The part of the timeline that is wanted; see ``cueReader(in:)``.
    ///   - diagnostics: Gets what was found damaged or doubtful, on the thread that reads.
    /// - Returns: The document.
    /// - Throws: `UndertextError` as ``cueReader(in:)``, and with code `unsupported` if the track has images.
    public func textDocument<Times: RangeExpression<Timestamp>>(
        in range: Times = Timestamp(nanoseconds: .min)...,
        diagnostics: (@Sendable (Diagnostic) -> Void)? = nil
    ) async throws(UndertextError) -> TextDocument {
        try require(.text)
        let (header, cues) = try await contents(in: TimeWindow(range), diagnostics)
        return TextDocument(header: header, cues: cues)
    }

    /// Reads the header and all cues of a bitmap track without blocking the task's thread.
    ///
    /// Cancellation of the task ends the reading with an error of the code `cancelled`.
    ///
    /// - Parameters:
    ///   - range: The part of the timeline that is wanted; see ``cueReader(in:)``.
    ///   - diagnostics: Gets what was found damaged or doubtful, on the thread that reads.
    /// - Returns: The document.
    /// - Throws: `UndertextError` as ``cueReader(in:)``, and with code `unsupported` if the track is text.
    public func bitmapDocument<Times: RangeExpression<Timestamp>>(
        in range: Times = Timestamp(nanoseconds: .min)...,
        diagnostics: (@Sendable (Diagnostic) -> Void)? = nil
    ) async throws(UndertextError) -> BitmapDocument {
        try require(.bitmap)
        let (header, cues) = try await contents(in: TimeWindow(range), diagnostics)
        return BitmapDocument(header: header, cues: cues)
    }

    /// Reads the track to its end on the thread of its media.
    private func contents(
        in window: TimeWindow, _ diagnostics: (@Sendable (Diagnostic) -> Void)?
    ) async throws(UndertextError) -> (SubtitleHeader, [Cue]) {
        let stream = stream
        return try await media.inBackground { (media, cancellation) throws(UndertextError) in
            try SubtitleTrack(media: media, stream: stream)
                .contents(in: window, diagnostics, cancellation)
        }
    }
}

extension SubtitleDocument {
    /// Reads a subtitle file, or the first subtitle stream of a media file.
    ///
    /// - Parameters:
    ///   - path: A path, a URL (`scheme://…`) or `-`.
    ///   - options: The options of the input: charset, times, a hook that changes the text.
    ///   - diagnostics: Gets what was found damaged or doubtful; a damaged block costs that block.
    /// - Throws: `UndertextError`; code `notFound` if there is no subtitle stream.
    package init(
        contentsOf path: String, options: Media.Options = Media.Options(),
        diagnostics: ((Diagnostic) -> Void)? = nil
    ) throws(UndertextError) {
        let media = try Media(path, options: options)
        guard let track = media.subtitleTracks.first else {
            throw UndertextError(.notFound, "the input has no subtitle track", path: path)
        }
        for diagnostic in media.diagnostics { diagnostics?(diagnostic) }
        self = try track.document(diagnostics: diagnostics)
    }
}
