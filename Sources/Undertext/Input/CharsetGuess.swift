internal import UndertextCharsets
internal import UndertextCore

/// The charset of a text file: whether it is a guess, and which characters are not of it.
enum CharsetGuess {
    /// The confidence below which the text should be reviewed.
    private static let sure = 0.8

    /// The charset of a text file that libavformat parses.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - description: libavformat's description.
    ///   - options: the options for opening.
    /// - Returns: `nil` for files that contain more than text, for UTF-8, for text that libavformat converts to
    ///   UTF-8 itself, and if the caller names a charset.
    /// - Throws: `UndertextError` if the file cannot be read.
    static func text(
        in source: (any RandomAccessSource)?, _ description: ContainerDescription,
        _ options: Media.Options
    ) throws(UndertextError) -> DecodedText? {
        guard options.charset == nil, let source, let size = source.size,
            size <= UInt64(options.limits.textFileSize), !description.streams.isEmpty,
            description.streams.allSatisfy(PacketTextPreparation.isText)
        else { return nil }
        let text = DecodedText(try source.read(at: 0, count: Int(size)))
        guard let text, text.charset.source == .detected, !text.charset.name.hasPrefix("utf-16")
        else { return nil }
        return text
    }

    /// Reports a guess.
    static func doubt(of text: DecodedText) -> [Diagnostic] {
        let charset = text.charset
        if text.lacksDetector {
            return [
                Diagnostic(
                    .warning, "missing-library",
                    "libuchardet is not installed, so the charset is assumed to be \(charset.name): "
                        + "apt-get install libuchardet0", streamIndex: 0,
                    remedy: .set(.charset))
            ]
        }
        guard charset.source == .detected, charset.confidence < sure else { return [] }
        return [
            Diagnostic(
                .warning, "charset-doubtful",
                "it is read as \(charset.name), which is a guess", streamIndex: 0,
                remedy: .set(.charset))
        ]
    }

    /// Reports the characters that could not be read.
    static func invalidCharacters(in text: DecodedText) -> [Diagnostic] {
        slip(in: text) + replacements(in: text)
    }

    /// UTF-16 whose lines break between the two bytes of a unit: U+0A00, which is not a character, stands for a
    /// line feed.
    private static func slip(in text: DecodedText) -> [Diagnostic] {
        guard text.charset.name.hasPrefix("utf-16"),
            let offset = text.bytes.firstIndex(of: [0xE0, 0xA8, 0x80])
        else { return [] }
        var places = LinePlaces(text.bytes)
        return [
            Diagnostic(
                .error, "charset-slipped",
                "\(places.place(of: offset)): a byte of \(text.charset.name) is missing or surplus "
                    + "before this point; the following text is wrong", streamIndex: 0)
        ]
    }

    private static func replacements(in text: DecodedText) -> [Diagnostic] {
        guard text.replacedCount > 0 else { return [] }
        let code = text.charset.name == "utf-8" ? "invalid-utf8" : "invalid-character"
        var places = LinePlaces(text.bytes)
        var result: [Diagnostic] = []
        for offset in text.replacedAt {
            result.append(
                Diagnostic(
                    .error, code,
                    "\(places.place(of: offset)): an invalid \(text.charset.name) sequence became U+FFFD",
                    streamIndex: 0))
        }
        let more = text.replacedCount - text.replacedAt.count
        if more > 0 {
            result.append(
                Diagnostic(
                    .error, code, "\(more) further invalid sequences became U+FFFD", streamIndex: 0)
            )
        }
        return result
    }
}

/// Lines and columns of offsets that rise.
private struct LinePlaces {
    private let bytes: [UInt8]
    private var line = 1
    private var lineStart = 0
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The text for an offset; columns count characters, without continuation bytes.
    mutating func place(of offset: Int) -> String {
        while place < offset, place < bytes.count {
            let byte = bytes[place]
            place += 1
            let endsLine =
                byte == 0x0A || byte == 0x0D && !(place < bytes.count && bytes[place] == 0x0A)
            guard endsLine else { continue }
            line += 1
            lineStart = place
        }
        let column = bytes[lineStart..<min(offset, bytes.count)].count { $0 & 0xC0 != 0x80 }
        return "line \(line), column \(column + 1)"
    }
}

extension [UInt8] {
    /// Returns the index of `pattern`, which is not empty; `nil` if it does not occur.
    fileprivate func firstIndex(of pattern: [UInt8]) -> Int? {
        indices.first { self[$0] == pattern[0] && self[$0...].starts(with: pattern) }
    }
}
