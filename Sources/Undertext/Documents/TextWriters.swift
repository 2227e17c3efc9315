internal import UndertextFormats

/// The writers of text formats.
enum TextWriters {
    /// A writer of cues as `format`; `nil` for formats of images.
    static func writer(
        _ format: OutputFormat, header: SubtitleHeader, isStreaming: Bool = false
    ) -> (any CueWriter)? {
        switch format {
        case .vtt: WebVTTWriter(header: header, streaming: isStreaming)
        case .srt: SubRipWriter(header: header)
        case .ass: ASSWriter(.ass, header: header, streaming: isStreaming)
        case .ssa: ASSWriter(.ssa, header: header, streaming: isStreaming)
        case .ttml: TTMLWriter(header: header)
        case .json, .jsonl:
            JSONCueWriter(
                track: JSONCueTrack(
                    codec: header.codec, language: header.language, title: header.title,
                    canvas: header.canvas), header: header,
                form: format == .json ? .document : .lines)
        case .png, .bdn, .sup, .vobsub: nil
        }
    }
}
