internal import UndertextCharsets
internal import UndertextFormats

/// A subtitle file of text: read whole, since only all of it tells in which characters it is stored.
struct TextInput {
    /// What it is.
    let format: SubtitleFormat
    /// Its text.
    let text: DecodedText
    /// What was asked of a pipe for it; of a source, the source knows.
    let pipeStatistics: ReadStatistics
    /// What `probe` prints without libavformat.
    let description: ContainerDescription
    /// What became of characters that could not be read.
    let diagnostics: [Diagnostic]

    /// Fonts and images in a script.
    private let embedded: [EmbeddedFile]
    private let file: SubtitleFormat.TextFile
    private let limits: Limits
    private let frameRate: TimeBase?
    /// The text as it is parsed: what the caller's hook made of it.
    private let parsed: [UInt8]

    /// The charset that the file itself names, where that is how it was read.
    private let statedCharset: String?

    /// The reader that described the file.
    private let first: ReaderOnce

    /// A reader from the first cue on; a file is taken apart again only for the second one.
    ///
    /// `folder` is where files lie that it may name; `nil` where there is none.
    func packetReader(folder: String?) -> any PacketReader {
        let reader =
            first.take() ?? file.reader(parsed, limits, frameRate)
        guard let folder, !reader.linkedFiles.isEmpty else { return reader }
        return LinkedFileReader(reader, folder: folder, limits: limits)
    }

    /// Takes the text of a whole file.
    init(
        _ data: [UInt8], format: SubtitleFormat, options: Media.Options, name: String,
        pipeStatistics: ReadStatistics = .init()
    ) throws(UndertextError) {
        guard let file = format.textFile else {
            throw UndertextError(
                .unsupported, "no reader takes text as \(format.title)", path: name)
        }
        self.file = file
        // What the document says of itself goes before what it looks like.
        let stated = options.charset == nil ? Self.statedCharset(of: data, file) : nil
        statedCharset = stated
        guard let text = DecodedText(data, charset: options.charset ?? stated) else {
            throw UndertextError(
                .unsupported,
                "'\(options.charset ?? "")' is no charset that iconv knows", path: name,
                remedy: .set(.charset))
        }
        self.format = format
        self.text = text
        self.pipeStatistics = pipeStatistics
        limits = options.limits
        let changed = options.textHook.map { hook in
            Array(hook(String(decoding: text.bytes, as: UTF8.self), .file).utf8)
        }
        parsed = changed ?? text.bytes
        frameRate = options.frameRate
        let reader = file.reader(parsed, limits, frameRate)
        first = ReaderOnce(reader)
        embedded = reader.embeddedFiles
        description = ContainerDescription(
            formatName: format.containerNames.first ?? format.name, size: UInt64(data.count),
            streams: reader.streams,
            attachments: embedded.map(\.attachment))
        let isOneStream = reader.streams.count == 1
        diagnostics = (CharsetGuess.doubt(of: text) + InvalidCharacterReport.diagnostics(of: text))
            .map {
                var diagnostic = $0
                // The characters of a file are those of all its languages.
                if !isOneStream { diagnostic.streamIndex = nil }
                return diagnostic
            }
    }

    /// The charset that an XML declaration names, where the bytes are not UTF-8 and have no mark.
    private static func statedCharset(
        of data: [UInt8], _ file: SubtitleFormat.TextFile
    ) -> String? {
        guard let stated = file.statedCharset(data[...]),
            DecodedText.isKnown(charset: stated), let text = DecodedText(data),
            text.charset.source == .detected
        else { return nil }
        return stated
    }

    /// The bytes of a file in the script; `nil` if it is none of them.
    func data(of attachment: Attachment) -> [UInt8]? {
        embedded.first { $0.attachment == attachment }?.bytes
    }

    /// The text as it is read.
    var bytes: [UInt8] { text.bytes }

    /// The charset for the report.
    var charset: TextCharset {
        guard let statedCharset else { return text.charset }
        return TextCharset(name: statedCharset.lowercased(), source: .detected, confidence: 1)
    }
}

/// A reader that is handed out once.
private final class ReaderOnce {
    private var reader: (any TextFileReader)?

    init(_ reader: any TextFileReader) { self.reader = reader }

    func take() -> (any TextFileReader)? {
        defer { reader = nil }
        return reader
    }
}

extension TextInput {
    /// Enough for a header and the first cue.
    private static let headSize = 64 << 10
    /// What is read at once.
    private static let partSize = 1 << 20
    /// Enough to tell text from everything else.
    private static let glanceSize = 512

    /// Opens what can be read anywhere, if it is text of ours.
    static func open(
        _ source: (any ByteSource)?, _ options: Media.Options,
        _ refusals: inout [SubtitleFormat.Refusal]
    ) throws(UndertextError) -> TextInput? {
        guard let source else { return nil }
        let glance = try source.read(at: 0, count: glanceSize)
        guard mayBeText(glance, options) else {
            refusals = SubtitleFormat.refusalsOfBinaryData
            return nil
        }
        // What was read already is not asked for again.
        let head =
            glance.count < glanceSize
            ? glance
            : glance + (try source.read(at: UInt64(glanceSize), count: headSize - glanceSize))
        guard let format = try format(of: head, path: source.name, options, &refusals) else {
            return nil
        }
        guard let size = source.size, size > UInt64(head.count) else {
            return try TextInput(head, format: format, options: options, name: source.name)
        }
        guard size <= UInt64(options.limits.textFileSize) else {
            throw tooLarge(size, options, source.name)
        }
        var bytes = head
        bytes.reserveCapacity(Int(size))
        var place = UInt64(head.count)
        // In parts, so that the file is not in memory twice.
        while place < size {
            let part = try source.read(at: place, count: min(partSize, Int(size - place)))
            if part.isEmpty { break }
            bytes += part
            place += UInt64(part.count)
        }
        return try TextInput(bytes, format: format, options: options, name: source.name)
    }

    /// Opens a pipe whose beginning was looked at, if that is text of ours.
    static func open(
        _ tee: HeaderTee, _ options: Media.Options, _ refusals: inout [SubtitleFormat.Refusal]
    ) throws(UndertextError) -> TextInput? {
        let head = try tee.head.read(at: 0, count: headSize)
        guard let format = try format(of: head, path: tee.name, options, &refusals) else {
            return nil
        }
        var bytes: [UInt8] = []
        var requests: UInt64 = 0
        while true {
            let next = try tee.read(upTo: 1 << 20)
            if next.isEmpty { break }
            requests += 1
            bytes += next
            guard bytes.count <= options.limits.textFileSize else {
                throw tooLarge(UInt64(bytes.count), options, tee.name)
            }
        }
        return try TextInput(
            bytes, format: format, options: options, name: tee.name,
            pipeStatistics: .init(bytesRead: UInt64(bytes.count), requests: requests))
    }

    /// Who names a charset or a format of text knows better.
    private static func mayBeText(_ head: [UInt8], _ options: Media.Options) -> Bool {
        options.charset != nil || options.inputFormat?.textFile != nil
            || DecodedText.looksLikeText(head)
    }

    private static func tooLarge(
        _ size: UInt64, _ options: Media.Options, _ name: String
    ) -> UndertextError {
        UndertextError(
            .limit,
            "a text file of \(size) bytes, more than the \(options.limits.textFileSize) allowed",
            path: name)
    }

    /// The format that the beginning of a file has, or that the caller says it has.
    private static func format(
        of head: [UInt8], path: String, _ options: Media.Options,
        _ refusals: inout [SubtitleFormat.Refusal]
    ) throws(UndertextError) -> SubtitleFormat? {
        let claimed = options.inputFormat
        // Only another reader takes what was claimed to be no text.
        if let claimed, claimed.textFile == nil { return nil }
        guard mayBeText(head, options),
            let text = DecodedText(head, charset: options.charset)
        else {
            refusals = SubtitleFormat.refusalsOfBinaryData
            return nil
        }
        let (found, refused) = SubtitleFormat.recognized(text.bytes[...], claimed: claimed)
        refusals = refused
        // Of a format with several containers libavformat may know the other one.
        if let claimed, found == nil, claimed.containerNames.count == 1 {
            throw UndertextError(
                .notMedia,
                "it is not \(claimed.title), which was named as its format: "
                    + (refused.first?.reason ?? "nothing of it was found"), path: path,
                remedy: .omit([.inputFormat]))
        }
        return found
    }
}

extension EmbeddedFile {
    fileprivate var attachment: Attachment {
        let type = isFont ? "application/x-truetype-font" : "application/octet-stream"
        return Attachment(streamIndex: nil, fileName: name, mimeType: type, size: bytes.count)
    }
}
