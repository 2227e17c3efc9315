internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// A kind of input by the cost of reading it.
package enum InputKind: String, Hashable, Sendable {
    /// A container with an index, such as Matroska or MP4: a small part is read.
    case indexed
    /// A container that is read from its beginning to its end, such as a transport stream.
    case stream
    /// A subtitle file.
    case subtitle

    /// The expected cost of an input in bytes read.
    package func cost(size: Int64) -> Int64 {
        let size = max(0, size)
        // What opening, planning and committing cost counts like the reading of this many bytes.
        let fixed: Int64 = 1 << 20
        let read = self == .indexed ? size / 256 : size
        return fixed + min(read, .max - fixed)
    }

    private static let indexedExtensions: Set<String> = [
        "mkv", "mka", "mks", "mk3d", "webm", "mp4", "m4v", "mov", "qt", "3gp", "3g2", "ismv",
    ]
    private static let streamExtensions: Set<String> = [
        "ts", "m2ts", "mts", "m2t", "trp", "tp", "mpg", "mpeg", "vob", "evo", "avi", "divx", "ogm",
        "ogv", "wmv", "asf", "flv", "rmvb", "wtv", "dvr-ms", "mxf", "nut",
    ]
    /// Extensions of subtitle formats that mostly name something else.
    private static let ambiguousExtensions: Set<String> = [
        "json", "jsonl", "xml", "txt", "html", "htm", "png",
    ]
    private static let subtitleExtensions: Set<String> = Set(
        SubtitleFormat.inputs.flatMap(\.fileExtensions).map { $0.lowercased() }
    ).subtracting(ambiguousExtensions)
    /// Extensions of what lies beside media and never is an input.
    private static let otherExtensions: Set<String> = ambiguousExtensions.union([
        "nfo", "jpg", "jpeg", "gif", "webp", "bmp", "tbn", "svg", "pdf", "epub", "md", "log", "url",
        "db", "sqlite", "journal", "journal-wal", "journal-shm", "lock", "ini", "exe", "dll", "so",
        "bin", "iso", "zip", "rar", "7z", "gz", "xz", "zst", "tar",
        "torrent", "part", "tmp", "mp3", "flac", "m4a", "aac", "ac3", "dts", "opus", "wav", "cue",
        "m3u", "m3u8", "mpd", "pls", "ifo", "bup", "mpls", "clpi", "bdmv", "ttf", "otf", "sfv",
        "md5",
        "sha1", "sha256", "py", "sh", "js", "css", "c", "h", "swift",
    ])

    /// The kind of a file by its name: `.some(nil)` for a file that is no input, `nil` if the name does not say.
    package static func named(_ name: String) -> InputKind?? {
        let ending = PathName.fileExtension(name).lowercased()
        if indexedExtensions.contains(ending) { return .indexed }
        if streamExtensions.contains(ending) { return .stream }
        if subtitleExtensions.contains(ending) { return .subtitle }
        if otherExtensions.contains(ending) { return .some(nil) }
        return nil
    }

    /// The kind of a file with an unknown name by its first bytes; `nil` if it is no input.
    package static func recognized(_ head: [UInt8]) -> InputKind? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            head.dropFirst(offset).starts(with: text.utf8)
        }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) || has("ftyp", at: 4) || has("moov", at: 4) {
            return .indexed
        }
        if head.starts(with: [0, 0, 1, 0xBA]) || has("RIFF") && has("AVI ", at: 8)
            || has("FLV\u{1}")
            || head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])
        {
            return .stream
        }
        // Transport packets have 188 bytes, in M2TS 4 more before each.
        for (start, step) in [(0, 188), (4, 192)] {
            let marks = (0..<5).map { start + $0 * step }
            if let last = marks.last, last < head.count, marks.allSatisfy({ head[$0] == 0x47 }) {
                return .stream
            }
        }
        return isSubtitle(head) ? .subtitle : nil
    }

    /// `true` for the beginning of a subtitle file; text must be in UTF-8, or a charset that extends ASCII.
    private static func isSubtitle(_ head: [UInt8]) -> Bool {
        if SubtitleFormat.recognizedBinary(head[...]) != nil { return true }
        guard !head.contains(0) else { return false }
        // A character may be cut at the end, and other charsets share the letters of ASCII.
        var text = Array(String(decoding: head, as: UTF8.self).utf8)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        return SubtitleFormat.recognized(text[...]).0 != nil
    }

    /// `true` for the menus of a DVD, which have no subtitles of the main title.
    static func isMenu(_ name: String) -> Bool {
        let upper = name.uppercased()
        return upper == "VIDEO_TS.VOB" || upper.hasPrefix("VTS_") && upper.hasSuffix("_0.VOB")
    }

    /// `true` for the extension of a file of video or audio.
    package static func isMedia(_ fileExtension: String) -> Bool {
        let ending = fileExtension.lowercased()
        return indexedExtensions.contains(ending) || streamExtensions.contains(ending)
    }
}
