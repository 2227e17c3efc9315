extension Media {
    /// The cues of one subtitle stream, all with an end, in the order in which they begin.
    ///
    /// - Parameters:
    ///   - index: the stream's index, as probe prints it.
    ///   - window: only cues that are on screen in this part, on the clock of
    ///     ``Options/timeline``; what was shown before it began and still is comes too.
    ///   - handler: gets what went wrong on the way; a damaged packet costs that packet.
    /// - Returns: the cues.
    /// - Throws: `UndertextError`: reading failed, there is no such subtitle stream
    ///   (`UndertextError/Code/notFound`), or no decoder (`UndertextError/Code/unsupported`).
    public func cues(
        ofStream index: Int, in window: TimeWindow = .all,
        diagnostics handler: ((Diagnostic) -> Void)? = nil
    ) throws(UndertextError) -> [Cue] {
        try document(ofStream: index, in: window, diagnostics: handler).cues
    }

    /// The cues of one subtitle stream in a part of the timeline, with its header.
    package func document(
        ofStream index: Int, in window: TimeWindow, diagnostics handler: ((Diagnostic) -> Void)?
    ) throws(UndertextError) -> SubtitleDocument {
        let reader = try cueReader(ofStream: index, in: window)
        var cues: [Cue] = []
        while let finished = try reader.next() {
            cues += finished
            for diagnostic in reader.takeDiagnostics() { handler?(diagnostic) }
        }
        cues.sort { ($0.start, $0.order) < ($1.start, $1.order) }
        return SubtitleDocument(header: reader.header, cues: cues)
    }
}
