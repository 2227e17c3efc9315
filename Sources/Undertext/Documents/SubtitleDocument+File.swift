internal import UndertextFormats

extension SubtitleDocument {
    /// Reads a subtitle file, or the first subtitle stream of a media file.
    ///
    /// - Parameters:
    ///   - path: a path, an URL (`scheme://…`) or `-`.
    ///   - options: how it is read: charset, times, a hook that changes the text.
    ///   - handler: gets what went wrong on the way; a damaged block costs that block.
    /// - Throws: `UndertextError`; code `notFound` where there is no subtitle stream.
    public init(
        contentsOf path: String, options: Media.Options = Media.Options(),
        diagnostics handler: ((Diagnostic) -> Void)? = nil
    ) throws(UndertextError) {
        let file = try Media(path, options: options)
        guard let track = file.subtitleTracks.first else {
            throw UndertextError(.notFound, "there is no subtitle track in it", path: path)
        }
        for diagnostic in file.diagnostics { handler?(diagnostic) }
        self = try track.document(diagnostics: handler)
    }

    /// The document as a text file.
    ///
    /// - Parameter format: `vtt`, `srt`, `ass`, `ssa`, `ttml`, `json` or `jsonl`; JSON has no summary.
    /// - Returns: the file's bytes, UTF-8, and what the format could not carry; `nil` for formats of
    ///   images.
    public func written(as format: SubtitleFormat) -> (bytes: [UInt8], losses: ConversionLosses)? {
        guard var writer = format.cueWriter(header: header) else { return nil }
        var bytes: [UInt8] = []
        writer.begin(into: &bytes)
        for cue in cues { writer.write(cue, into: &bytes) }
        writer.finish(into: &bytes)
        return (bytes, writer.losses)
    }
}
