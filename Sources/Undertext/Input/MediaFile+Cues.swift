extension MediaFile {
    /// The cues of one subtitle stream, all with an end, in the order in which they begin.
    ///
    /// - Parameters:
    ///   - index: the stream's index, as probe prints it.
    ///   - handler: gets what went wrong on the way; a damaged packet costs that packet.
    /// - Returns: the cues.
    /// - Throws: `MediaError`: reading failed, there is no such subtitle stream
    ///   (`MediaError/Code/notFound`), or no decoder (`MediaError/Code/unsupported`).
    public func cues(
        ofStream index: Int, diagnostics handler: ((Diagnostic) -> Void)? = nil
    ) throws(MediaError) -> [Cue] {
        guard let stream = subtitleStreams.first(where: { $0.index == index }) else {
            throw MediaError(
                .notFound, "stream \(index) is not a subtitle stream of it", path: input.argument,
                streamIndex: index)
        }
        var decoder = try TrackDecoder(
            stream: stream, mapping: timeline, container: description, forcedOnly: false,
            limits: options.limits)
        let reader = try packets(of: [index])
        var cues: [Cue] = []
        while let packet = try reader.nextPacket() {
            cues += decoder.decode(packet)
            for diagnostic in decoder.takeDiagnostics() { handler?(diagnostic) }
        }
        cues += decoder.finish()
        for diagnostic in decoder.takeDiagnostics() + reader.takeDiagnostics() {
            handler?(diagnostic)
        }
        return cues.sorted { ($0.start, $0.order) < ($1.start, $1.order) }
    }
}
