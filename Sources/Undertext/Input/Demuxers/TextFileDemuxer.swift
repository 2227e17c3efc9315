internal import UndertextCharsets
internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextFormats
internal import UndertextIO

/// A text file, which is read as a whole, since only all of it says in which charset it is stored.
///
/// Subtitle files that are not text are read as a whole, too: their cues may come in any order.
final class TextFileDemuxer: Demuxer {
    let description: ContainerDescription
    let diagnostics: [Diagnostic]
    let charset: TextCharset?
    var isSubtitleFile: Bool { true }
    var isTextFile: Bool { true }
    /// Its text has been decoded.
    var hasUnicodeText: Bool { true }

    private let access: InputAccess
    private let file: SubtitleFormat.TextFile
    /// The text in UTF-8, or the bytes of a binary file.
    private let text: [UInt8]
    /// The text as it is parsed: the result of the caller's hook.
    private let parsed: [UInt8]
    /// The text as it is parsed, or `nil` for a binary file.
    var parsedText: [UInt8]? { file.isBinary ? nil : parsed }
    /// Fonts and images in a script.
    private let embedded: [EmbeddedFile]
    /// The bytes and requests of a pipe; those of a source the source counts.
    private let pipeStatistics: ReadStatistics
    /// The reader that described the file, until its packets are read; it is parsed again only after that.
    private var describer: (any TextFileReader)?

    /// Creates a demuxer for the bytes of a complete file.
    private init(
        _ data: [UInt8], format: SubtitleFormat, _ access: InputAccess, name: String,
        pipeStatistics: ReadStatistics = .init()
    ) throws(UndertextError) {
        let options = access.options
        guard let file = format.textFile else {
            throw UndertextError(
                .unsupported, "no reader accepts the text as \(format.title)", path: name)
        }
        self.access = access
        self.file = file
        self.pipeStatistics = pipeStatistics
        if file.isBinary {
            charset = nil
            text = data
            parsed = data
            let ignored = Diagnostic.ignored(
                [.charset], "the file itself states its charset", streamIndex: 0)
            diagnostics = options.charset == nil ? [] : [ignored]
            let reader = file.reader(
                data, options.limits, options.frameRate, DiagnosticSink())
            describer = reader
            embedded = reader.embeddedFiles
            description = Self.description(of: reader, embedded, format, size: data.count)
            return
        }
        // The charset that the document names has priority over a guess.
        let stated = options.charset == nil ? Self.statedCharset(of: data, file) : nil
        guard let text = DecodedText(data, charset: options.charset ?? stated) else {
            throw UndertextError(
                .unsupported,
                "iconv has no charset '\(options.charset ?? "")'", path: name,
                remedy: .set(.charset))
        }
        charset =
            stated.map { TextCharset(name: $0.lowercased(), source: .detected, confidence: 1) }
            ?? text.charset
        self.text = text.bytes
        let changed = options.textHook.map { hook in
            let codec = format.codecs.first ?? CodecID(rawValue: format.name)
            let origin = TextOrigin(
                extent: .file, codec: codec, source: withoutSecrets(access.input.argument))
            return Array(hook(String(decoding: text.bytes, as: UTF8.self), origin).utf8)
        }
        parsed = changed ?? text.bytes
        let reader = file.reader(
            parsed, options.limits, options.frameRate, DiagnosticSink())
        describer = reader
        embedded = reader.embeddedFiles
        description = Self.description(of: reader, embedded, format, size: data.count)
        let isOneStream = reader.streams.count == 1
        diagnostics = (CharsetGuess.doubt(of: text) + CharsetGuess.invalidCharacters(in: text))
            .map {
                var diagnostic = $0
                // The characters of a file are those of all its languages.
                if !isOneStream { diagnostic.streamIndex = nil }
                return diagnostic
            }
    }

    private static func description(
        of reader: any TextFileReader, _ embedded: [EmbeddedFile], _ format: SubtitleFormat,
        size: Int
    ) -> ContainerDescription {
        var description = ContainerDescription(
            formatName: format.containerNames.first ?? format.name, size: UInt64(size),
            tags: reader.tags, streams: reader.streams,
            attachments: embedded.map(\.attachment))
        description.startTime = reader.programStart?.ticks(in: .microseconds)
        description.beginsAtStartTime = description.startTime != nil
        return description
    }

    /// The charset that an XML declaration names, where the bytes are not UTF-8 and have no byte order mark.
    private static func statedCharset(
        of data: [UInt8], _ file: SubtitleFormat.TextFile
    ) -> String? {
        guard let stated = file.statedCharset(data[...]),
            DecodedText.isKnown(charset: stated), let text = DecodedText(data),
            text.charset.source == .detected
        else { return nil }
        return stated
    }

    func readPlan(
        for streams: Set<Int>, in window: TimeWindow
    ) throws(UndertextError) -> ReadPlan {
        var plan = ReadPlan(streams, of: description, in: window, access)
        plan.add(.file) { record, diagnostics in
            record.others.append { self.pipeStatistics }
            let reader = self.packetReader(diagnostics: diagnostics)
            if window.isAll, self.description.streams.count == 1 { return reader }
            return TextWindow(
                reader, window, self.description.streams.filter { streams.contains($0.index) })
        }
        return plan
    }

    /// Returns a reader from the first cue on.
    private func packetReader(diagnostics: DiagnosticSink) -> any PacketReader {
        let limits = access.options.limits
        let described = describer.take()
        described?.diagnostics.forward(to: diagnostics)
        let reader =
            described ?? file.reader(parsed, limits, access.options.frameRate, diagnostics)
        guard let path = access.localPath, !reader.linkedFiles.isEmpty else { return reader }
        return LinkedFileReader(
            reader, folder: PathName.directoryName(path), limits: limits,
            diagnostics: diagnostics.section())
    }

    func data(of attachment: Attachment) throws(UndertextError) -> [UInt8] {
        guard let file = embedded.first(where: { $0.attachment == attachment }) else {
            throw UndertextError(
                .unsupported, "the attachment has no stream", path: access.input.argument)
        }
        return file.bytes
    }

    /// libavformat reports one stream regardless of the languages, and mistakes binary files for other formats.
    func probed(
        _ description: ContainerDescription, deep: Bool
    ) throws(UndertextError) -> ContainerDescription {
        guard description.streams.count == 1, !file.isBinary else { return description }
        var found: ContainerDescription
        do throws(UndertextError) {
            found = try access.demuxer(depth: deep ? .full : .headers, inMemory: text).description
        } catch {
            guard error.code != .cancelled, error.code != .timeout else { throw error }
            // libavformat does not support all of our formats.
            return description
        }
        guard found.streams.count == 1 else { return description }
        let (ours, theirs) = (description.streams[0], found.streams[0])
        // libavformat supports only one caption service.
        if ours.service != nil, ours.codec != theirs.codec { return description }
        found.streams[0].service = found.streams[0].service ?? ours.service
        found.streams[0].impliedDisposition = ours.disposition.subtracting(theirs.disposition)
        found.streams[0].disposition.formUnion(ours.disposition)
        found.streams[0].language = found.streams[0].language ?? description.streams[0].language
        found.attachments = description.attachments
        return found
    }
}

// MARK: Opening

extension TextFileDemuxer {
    /// Enough for a header and the first cue.
    private static let headSize = 64 << 10
    /// The number of bytes that are read at once.
    private static let partSize = 1 << 20
    /// The number of bytes that suffice to recognize text.
    private static let glanceSize = 512

    /// Opens an input whose beginning, or claimed format, is that of a text file.
    static func open(_ candidate: InputCandidate) throws(UndertextError) -> (any Demuxer)? {
        if let pipe = candidate.pipe { return try open(pipe, candidate) }
        guard let source = candidate.access.source else { return nil }
        let options = candidate.access.options
        let glance = try source.read(at: 0, count: glanceSize)
        guard mayBeText(glance, options) else {
            candidate.textRefusals = SubtitleFormat.refusalsOfBinaryData
            return nil
        }
        // Bytes that were read before are not requested again.
        var bytes = glance
        if glance.count == glanceSize {
            bytes += try source.read(at: UInt64(glanceSize), count: headSize - glanceSize)
        }
        guard let format = try format(of: bytes, path: source.name, candidate) else { return nil }
        let size = source.size ?? 0
        guard size <= UInt64(options.limits.textFileSize) || size <= UInt64(bytes.count) else {
            throw tooLarge(size, options, source.name)
        }
        bytes.reserveCapacity(Int(size))
        // In parts, so that the file is not in memory twice.
        while UInt64(bytes.count) < size {
            let part = try source.read(
                at: UInt64(bytes.count), count: min(partSize, Int(size) - bytes.count))
            if part.isEmpty { break }
            bytes += part
        }
        return try TextFileDemuxer(bytes, format: format, candidate.access, name: source.name)
    }

    private static func open(
        _ pipe: HeaderTee, _ candidate: InputCandidate
    ) throws(UndertextError) -> TextFileDemuxer? {
        let options = candidate.access.options
        let head = try pipe.head.read(at: 0, count: headSize)
        guard let format = try format(of: head, path: pipe.name, candidate) else { return nil }
        var bytes: [UInt8] = []
        var requests: UInt64 = 0
        while true {
            let next = try pipe.read(upTo: partSize)
            if next.isEmpty { break }
            requests += 1
            bytes += next
            guard bytes.count <= options.limits.textFileSize else {
                throw tooLarge(UInt64(bytes.count), options, pipe.name)
            }
        }
        return try TextFileDemuxer(
            bytes, format: format, candidate.access, name: pipe.name,
            pipeStatistics: .init(bytesRead: UInt64(bytes.count), requests: requests))
    }

    /// A caller that names a charset or a text format overrides the detection.
    private static func mayBeText(_ head: [UInt8], _ options: Media.Options) -> Bool {
        options.charset != nil || options.inputFormat?.textFile != nil
            || DecodedText.looksLikeText(head)
            || SubtitleFormat.recognizedBinary(head[...], claimed: options.inputFormat) != nil
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
        of head: [UInt8], path: String, _ candidate: InputCandidate
    ) throws(UndertextError) -> SubtitleFormat? {
        let options = candidate.access.options
        let claimed = options.inputFormat
        // Only another reader takes what was claimed to be no text.
        if let claimed, claimed.textFile == nil { return nil }
        if let found = SubtitleFormat.recognizedBinary(head[...], claimed: claimed) { return found }
        guard mayBeText(head, options),
            let text = DecodedText(head, charset: options.charset)
        else {
            candidate.textRefusals = SubtitleFormat.refusalsOfBinaryData
            return nil
        }
        let (found, refused) = SubtitleFormat.recognized(text.bytes[...], claimed: claimed)
        candidate.textRefusals = refused
        // Of a format with several containers libavformat may know the other one.
        if let claimed, found == nil, claimed.containerNames.count == 1 {
            throw UndertextError(
                .notMedia,
                "it is not \(claimed.title), which was stated as its format: "
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

/// The packets of some streams of a text file that are needed for a part of the timeline.
///
/// Cues of a text file may be in any order, so all of them are examined.
private final class TextWindow: PacketReader {
    private let reader: any PacketReader
    private let window: TimeWindow
    private let streams: Set<Int>
    /// The streams whose packets build on each other, such as captions: `PacketWindow` selects those.
    private let dependent: Set<Int>
    /// The streams whose last packet lasts until the next one.
    private var open: Set<Int> = []

    init(
        _ reader: any PacketReader, _ window: TimeWindow, _ streams: [StreamDescription]
    ) {
        self.reader = reader
        self.window = window
        self.streams = Set(streams.map(\.index))
        dependent = Set(
            streams.filter { !SubtitleFormat.randomAccess(of: $0).isEveryPacketWhole }
                .map(\.index))
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        while let packet = try reader.nextPacket() {
            guard streams.contains(packet.streamIndex) else { continue }
            // A packet without a time is reported elsewhere.
            guard let start = packet.start, !dependent.contains(packet.streamIndex) else {
                return packet
            }
            let endsEarlier = open.remove(packet.streamIndex) != nil
            let isOpen = packet.end.map { $0 <= start } ?? true
            let end = isOpen ? Timestamp.distantFuture : packet.end ?? start
            let isVisible = window.overlaps(from: start, until: end)
            if isVisible, isOpen { open.insert(packet.streamIndex) }
            if isVisible || endsEarlier { return packet }
        }
        return nil
    }
}
