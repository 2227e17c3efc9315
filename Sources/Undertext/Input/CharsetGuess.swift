internal import UndertextCharsets

/// What is known, and what is to be doubted, of the characters that a text file is stored in.
enum CharsetGuess {
    /// Below it somebody should look at the text.
    private static let sure = 0.8

    /// The charset of a text file that libavformat takes apart.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - description: what libavformat says of it.
    ///   - options: how it is opened.
    /// - Returns: `nil` for files that hold more than text, for UTF-8, for what libavformat turns into UTF-8 itself, and
    ///   where the caller names a charset.
    /// - Throws: `UndertextError` where the file cannot be read.
    static func text(
        in source: (any ByteSource)?, _ description: ContainerDescription,
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

    /// What is to be told of a guess.
    static func doubt(of text: DecodedText) -> [Diagnostic] {
        let charset = text.charset
        if text.lacksDetector {
            return [
                Diagnostic(
                    .warning, "missing-library",
                    "libuchardet, which detects charsets, is not installed, so it is read as "
                        + "\(charset.name): apt-get install libuchardet0", streamIndex: 0,
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
}
