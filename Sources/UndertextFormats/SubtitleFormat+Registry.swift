package import UndertextCore

extension SubtitleFormat {
    /// Every format, in the order in which outputs are offered.
    package static let all: [SubtitleFormat] = [
        .webVTT, .subRip, .ass, .ssa, .ttml, .json, .jsonLines,
        .png, .pgs, .vobSub, .bdn,
        .scc, .mcc, .rcwt, .ebuSTL, .sami, .microDVD, .mpl2, .subViewer, .subViewer1, .lrc,
        .jacoSub, .spruce,
        .usf, .tx3g, .plainText, .dvb, .xsub, .cea608, .cea708,
        .teletext,
    ]

    /// Codecs of subtitles that neither Undertext nor libavcodec decodes, with the reason.
    private static let undecodable: [CodecID: String] = [
        .hdmvText: "Blu-ray text subtitles cannot be decoded",
        .kate: "Kate cannot be decoded",
        .unknown: "the codec is not known",
    ]

    /// The formats that tracks can be written in.
    package static let outputs = all.filter { $0.output != nil }
    /// The formats that files can be read in.
    package static let inputs = all.filter { $0.textFile != nil || !$0.containerNames.isEmpty }

    private static let byCodec = Dictionary(
        all.flatMap { format in format.codecs.map { ($0, format) } }
    ) { first, _ in first }
    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The format of that name, in upper or lower case; `nil` if there is none.
    package init?(name: String) {
        guard let format = Self.byName[name] ?? Self.byName[name.lowercased()] else { return nil }
        self = format
    }

    /// The format that users may call by the name of its codec or by one of its extensions, such as `subrip` or `webvtt`;
    /// `nil` if there is none.
    package init?(named name: String) {
        let name = name.lowercased()
        let format =
            Self.byName[name] ?? Self.byCodec[CodecID(rawValue: name)]
            ?? Self.all.first { $0.fileExtensions.contains(name) }
        guard let format else { return nil }
        self = format
    }

    /// The format whose packets are of `codec`; `nil` for codecs of which Undertext has no decoder.
    package init?(codec: CodecID) {
        guard let format = Self.byCodec[codec] else { return nil }
        self = format
    }

    /// The codec that a file of that name has by its extension; `nil` if the extension is that of several formats, or none.
    ///
    /// The content of the file may be another one.
    package static func codec(ofFileNamed path: String) -> CodecID? {
        let name = path.split(separator: "/").last ?? ""
        guard let point = name.lastIndex(of: ".") else { return nil }
        let ending = name[name.index(after: point)...].lowercased()
        let formats = all.filter { $0.fileExtensions.contains(ending) }
        return formats.count == 1 ? formats[0].codecs.first : nil
    }

    /// The reason why no decoder exists for a codec; `nil` if one should.
    package static func decodingRefusal(of codec: CodecID) -> String? { undecodable[codec] }

    /// The format's own decoder of a stream; `nil` if there is none for its codec.
    package static func decoder(
        of stream: StreamDescription, options: DecodingOptions = DecodingOptions(),
        diagnostics: DiagnosticSink
    ) -> (any SubtitleDecoder)? {
        byCodec[stream.codec]?.decoder?(stream, options, diagnostics)
    }

    /// The rule by which decoding of a stream may start within it.
    package static func randomAccess(of stream: StreamDescription) -> any RandomAccessRule {
        byCodec[stream.codec]?.randomAccess(stream) ?? IndependentPackets()
    }

    /// A writer that keeps the packets of a stream as they are stored; `nil` for codecs without a file format.
    package static func packetWriter(
        of stream: StreamDescription, options: PacketWriterOptions = PacketWriterOptions(),
        diagnostics: DiagnosticSink
    ) -> (any PacketWriter)? {
        byCodec[stream.codec]?.packetWriter?(stream, options, diagnostics)
    }

    /// A Boolean value that indicates whether packets of a stream contain only text.
    ///
    /// Other packets have a charset that their standard defines, or numbers beside the text.
    package static func hasTextPackets(_ stream: StreamDescription) -> Bool {
        guard stream.kind == .text else { return false }
        // ARIB captions use their own code, which only some builds of libavcodec decode.
        let isForeign = undecodable[stream.codec] != nil || stream.codec == .aribCaption
        return byCodec[stream.codec]?.hasTextPackets ?? !isForeign
    }

    /// Returns where the text of a stream's packets is, or `nil` if they have none that can be changed.
    package static func packetText(of stream: StreamDescription) -> (any PacketTextRule)? {
        guard stream.kind == .text else { return nil }
        return hasTextPackets(stream) ? WholePacketText() : byCodec[stream.codec]?.packetText
    }
}

// MARK: - Reading

extension SubtitleFormat {
    /// The reason why a file is not of a format.
    package struct Refusal: Hashable, Sendable {
        /// The format.
        package var format: SubtitleFormat
        /// The clause of a sentence that names the problem.
        package var reason: String
    }

    /// A Boolean value that indicates whether a container's name, FFmpeg's or Undertext's, refers to this
    /// format.
    package func isContainer(named name: String) -> Bool {
        name.split(separator: ",").contains { containerNames.contains(String($0)) }
    }

    /// Text formats in the order in which they are tried.
    private static let textFormats: [SubtitleFormat] =
        [TextFile.Recognition.signature, .firstLines].flatMap { stage in
            all.filter { $0.textFile?.recognition == stage && $0.textFile?.isBinary == false }
        }

    /// The refusals of a file whose beginning is no text in any charset.
    package static let refusalsOfBinaryData: [Refusal] =
        textFormats.filter { $0.textFile?.isCommon == true }.map {
            Refusal(format: $0, reason: "it is binary data, not text")
        }

    /// The format of a subtitle file that is not text; `nil` if it is none.
    ///
    /// - Parameters:
    ///   - head: The first bytes.
    ///   - claimed: The only format to be tried; `nil` = all.
    /// - Returns: The format.
    package static func recognizedBinary(
        _ head: ArraySlice<UInt8>, claimed: SubtitleFormat? = nil
    ) -> SubtitleFormat? {
        (claimed.map { [$0] } ?? all).first {
            guard let file = $0.textFile, file.isBinary else { return false }
            return file.refusal(head) == nil
        }
    }

    /// The text format of a file that begins with `text`, or why it is of none.
    ///
    /// - Parameters:
    ///   - text: the beginning as UTF-8.
    ///   - claimed: the only format to be tried; `nil` = all.
    /// - Returns: the format, or why it is none of the common ones that were tried.
    package static func recognized(
        _ text: ArraySlice<UInt8>, claimed: SubtitleFormat? = nil
    ) -> (SubtitleFormat?, [Refusal]) {
        var refusals: [Refusal] = []
        for format in claimed.map({ [$0] }) ?? textFormats {
            guard let file = format.textFile else { continue }
            guard let reason = file.refusal(text) else { return (format, []) }
            guard file.isCommon || claimed != nil else { continue }
            refusals.append(Refusal(format: format, reason: reason))
        }
        return (nil, refusals)
    }

    /// A reader for a text file; `nil` if the format has no text files.
    ///
    /// - Parameters:
    ///   - text: valid UTF-8 without a byte order mark, or the bytes of a binary file.
    ///   - limits: limits for memory and work.
    ///   - frameRate: the frame rate of formats whose times are frames; `nil` for the rate that the file
    ///     states.
    ///   - diagnostics: the sink for lost and repaired content.
    /// - Returns: the reader.
    package func reader(
        of text: [UInt8], limits: Limits = Limits(), frameRate: TimeBase? = nil,
        diagnostics: DiagnosticSink
    ) -> (any TextFileReader)? {
        textFile?.reader(text, limits, frameRate, diagnostics)
    }
}

// MARK: - Writing

extension SubtitleFormat {
    /// The kinds of tracks that can be written in the format without recognition of text.
    package var takes: Set<MediaKind> {
        switch output {
        case .text: [.text]
        case .images, .imageFolder: [.bitmap]
        case .records: [.text, .bitmap]
        case nil: []
        }
    }

    /// A Boolean value that indicates whether the format can carry text that was recognized in images.
    package var takesRecognizedText: Bool {
        switch output {
        case .text, .imageFolder, .records: true
        case .images, nil: false
        }
    }

    /// `true` for JSON cues.
    package var isRecords: Bool {
        if case .records = output { true } else { false }
    }

    /// The format that tracks stored in this one are copied to, or nearest to it; `nil` if there is none.
    package var native: SubtitleFormat? {
        nativeName.map { SubtitleFormat(name: $0) } ?? (output == nil ? nil : self)
    }

    /// The extension of a folder of images: one that media servers do not take for an image.
    package static let folderExtension = "images"

    /// A Boolean value that indicates whether tracks of that kind become a folder of images.
    package func makesFolder(of kind: MediaKind) -> Bool {
        switch output {
        case .imageFolder: true
        case .records(.document): kind == .bitmap
        default: false
        }
    }

    /// The extensions of what is written for a track of that kind, the main one first.
    package func outputExtensions(for kind: MediaKind) -> [String] {
        if makesFolder(of: kind) { return [Self.folderExtension] }
        if case .images = output { return fileExtensions }
        return Array(fileExtensions.prefix(1))
    }

    /// The format that is written if a file is called that way; `nil` if its extension names none.
    package init?(outputExtension ending: String) {
        let ending = ending.lowercased()
        guard let format = Self.outputs.first(where: { $0.fileExtensions.contains(ending) }) else {
            return nil
        }
        self = format
    }

    /// A Boolean value that indicates whether the extension is that of a format that cannot be written yet.
    package static func isExtensionWithoutOutput(_ ending: String) -> Bool {
        let ending = ending.lowercased()
        return all.contains { $0.output == nil && $0.fileExtensions.contains(ending) }
    }

    /// A writer for a text file; `nil` for image formats.
    ///
    /// - Parameters:
    ///   - header: the properties of the track that are known before its first cue.
    ///   - options: the caller's options.
    /// - Returns: the writer.
    package func cueWriter(
        header: SubtitleHeader, options: CueWriterOptions = CueWriterOptions()
    ) -> (any CueWriter)? {
        switch output {
        case .text(let make): make(header, options)
        case .records(let form):
            JSONCueWriter(
                track: JSONCueTrack(
                    codec: header.codec, language: header.language, title: header.title,
                    canvas: header.canvas), header: header, form: form)
        case .images, .imageFolder, nil: nil
        }
    }
}
