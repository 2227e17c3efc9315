extension MediaFile {
    /// The cues of one subtitle stream, all with an end, in the order in which they begin.
    ///
    /// - Parameters:
    ///   - index: the stream's index, as probe prints it.
    ///   - window: only cues that are on screen in this part, on the clock of
    ///     ``Options/timeline``; what was shown before it began and still is comes too.
    ///   - handler: gets what went wrong on the way; a damaged packet costs that packet.
    /// - Returns: the cues.
    /// - Throws: `MediaError`: reading failed, there is no such subtitle stream
    ///   (`MediaError/Code/notFound`), or no decoder (`MediaError/Code/unsupported`).
    public func cues(
        ofStream index: Int, in window: TimeWindow = .all,
        diagnostics handler: ((Diagnostic) -> Void)? = nil
    ) throws(MediaError) -> [Cue] {
        try document(ofStream: index, in: window, diagnostics: handler).cues
    }

    /// The cues of one subtitle stream in a part of the timeline, with its header.
    func document(
        ofStream index: Int, in window: TimeWindow, diagnostics handler: ((Diagnostic) -> Void)?
    ) throws(MediaError) -> SubtitleDocument {
        guard let stream = subtitleStreams.first(where: { $0.index == index }) else {
            throw MediaError(
                .notFound, "stream \(index) is not a subtitle stream of it", path: input.argument,
                streamIndex: index)
        }
        var decoder = try TrackDecoder(
            stream: stream, mapping: timeline, container: description, forcedOnly: false,
            limits: options.limits, pictures: options.decoding,
            isTextFile: charset != nil)
        let reader = try packets(of: [index], in: window)
        var cues: [Cue] = []
        while let packet = try reader.nextPacket() {
            cues += decoder.decode(packet)
            for diagnostic in decoder.takeDiagnostics() { handler?(diagnostic) }
        }
        cues += decoder.finish()
        for diagnostic in decoder.takeDiagnostics() + reader.takeDiagnostics() {
            handler?(diagnostic)
        }
        cues.removeAll { !window.overlaps(from: $0.start, until: $0.end) }
        cues.sort { ($0.start, $0.order) < ($1.start, $1.order) }
        return SubtitleDocument(header: decoder.header, cues: cues)
    }
}
