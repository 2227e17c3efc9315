internal import UndertextFormats
internal import UndertextIO

/// The kind of a subtitle file, detected by its beginning or its name.
enum SubtitleFileKind {
    /// Extensions of subtitle files, those that players like best first.
    static let extensions: [String] = {
        let best = ["srt", "ass", "ssa", "vtt", "idx", "sup"]
        let others = SubtitleFormat.inputs.filter { $0.textFile != nil }.flatMap(\.fileExtensions)
        return best + others.filter { !best.contains($0) } + ["sub", "txt"]
    }()

    /// Returns the extension for the content, otherwise that of the name, otherwise `srt`.
    static func fileExtension(of bytes: [UInt8], named name: String) -> String {
        if let certain = certain(bytes) { return certain }
        let ending = PathName.fileExtension(name).lowercased()
        return extensions.contains(ending) && ending != "txt" ? ending : "srt"
    }

    /// `true` if a server sent a page for people in place of a file.
    static func isWebPage(_ bytes: [UInt8]) -> Bool {
        let start = head(bytes)
        return ["<!doctype html", "<html"].contains {
            start.prefix($0.count).equalsIgnoringCase($0)
        }
    }

    private static func certain(_ bytes: [UInt8]) -> String? {
        // C: the first segment of a .sup file.
        if bytes.starts(with: [0x50, 0x47]), bytes.count > 10, bytes[10] >= 0x14 { return "sup" }
        let start = head(bytes)
        if start.hasPrefix("# VobSub index file") { return "idx" }
        guard let format = SubtitleFormat.recognized(start).0 else { return nil }
        // Of two that begin alike the codec decides, as it does for ASS and SSA.
        let codec = format.reader(of: Array(start), diagnostics: DiagnosticSink())?.stream
            .codec
        let exact = codec.flatMap { SubtitleFormat(codec: $0) }
        return exact?.fileExtensions.first ?? format.fileExtensions.first
    }

    /// The first letters of ASCII: of UTF-16 every other byte is left out.
    private static func head(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.prefix(4096).filter { (0x20...0x7E).contains($0) || $0 == 0x0A }.drop { $0 <= 0x20 }
    }
}
