internal import UndertextIO

/// Which subtitle file something is, by its beginning or its name.
enum SubtitleFileKind {
    /// Extensions of subtitle files, those that players like best first.
    static let extensions = [
        "srt", "ass", "ssa", "vtt", "idx", "sup", "ttml", "dfxp", "smi", "sami", "sub", "txt",
    ]

    /// The extension that the content asks for; else the name's, else `srt`.
    static func fileExtension(of bytes: [UInt8], named name: String) -> String {
        if let certain = certain(bytes) { return certain }
        let ending = PathName.fileExtension(name).lowercased()
        return extensions.contains(ending) && ending != "txt" ? ending : "srt"
    }

    /// `true` if a server sent a page for people in place of a file.
    static func isWebPage(_ bytes: [UInt8]) -> Bool {
        let start = head(bytes)
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }

    private static func certain(_ bytes: [UInt8]) -> String? {
        // C: the first segment of a .sup file.
        if bytes.starts(with: [0x50, 0x47]), bytes.count > 10, bytes[10] >= 0x14 { return "sup" }
        let start = head(bytes)
        if start.hasPrefix("webvtt") { return "vtt" }
        if start.hasPrefix("[script info]") {
            return start.contains("[v4 styles]") ? "ssa" : "ass"
        }
        if start.hasPrefix("<sami") { return "smi" }
        if start.hasPrefix("# vobsub index file") { return "idx" }
        if start.hasPrefix("<?xml") || start.hasPrefix("<tt"), start.contains("ns/ttml") {
            return "ttml"
        }
        return nil
    }

    /// The first letters in lower case, ASCII ones: of UTF-16 every other byte is left out.
    private static func head(_ bytes: [UInt8]) -> String {
        let letters = bytes.prefix(4096).filter { (0x20...0x7E).contains($0) || $0 == 0x0A }
        return String(decoding: letters.drop { $0 <= 0x20 }, as: UTF8.self).lowercased()
    }
}
