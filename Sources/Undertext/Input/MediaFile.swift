public import UndertextCharsets
internal import UndertextContainers
internal import UndertextFFmpeg
internal import UndertextStreaming

/// A media file: what is in it, and its subtitles as packets or cues.
///
/// Our own readers describe Matroska and .sup files from what they hold, VobSub pairs and text files
/// from their lines, HLS and DASH presentations by their playlists; libavformat opens everything else, and
/// is loaded only then.
public final class MediaFile {
    /// How to open an input.
    public struct Options: Sendable {
        /// What the input may ask of us.
        public var limits = Limits()
        /// Stops reading from another thread.
        public var cancellation: Cancellation?
        /// Reading ends with an error when this much time has passed.
        public var timeLimit: Duration?
        /// How packets are found.
        public var io: ReadPathPreference = .auto
        /// Which clock cues are told on.
        public var timeline: TimelineView = .player
        /// How images are decoded.
        public var decoding = ImageDecoding()
        /// How times are changed; ``timeline`` counts before it.
        public var retiming: Retiming = .none
        /// The format that the input must have; `nil` = any.
        ///
        /// Text is then read as that format, whatever it begins with looks like.
        public var inputFormat: InputFormat?
        /// The charset of text by iconv's name; `nil` = as the bytes tell.
        public var charset: String?
        /// The language of subtitles that do not state theirs; it goes before a file's name.
        public var language: LanguageTag?
        /// Frames a second, for text files whose times are frames; `nil` = as the file states it.
        public var frameRate: TimeBase?
        /// Changes text before it is parsed.
        public var textHook: TextHook?
        /// Bytes of one request at least, 0 = as many as are needed; `nil` = as the transport wants.
        public var ioBlock: Int?
        /// What web servers are told that we are; `nil` = `undertext`.
        public var userAgent: String?
        /// Bytes in a second at most, over all connections; `nil` = as fast as they come.
        public var maxReadRate: UInt64?
        /// How long packets of a live presentation are followed; `nil` = only what is there is read.
        public var liveDuration: Duration?
        /// Ends following before that, with what was read.
        public var followingStop = LiveReadingToken()
        /// Whether packets are wanted, so that an input may be refused at once that none can be read of.
        var readsPackets = false
        /// Which streams of subtitles are going to be read, by what the input says before they are opened;
        /// `nil` = any.
        var opensStream: (@Sendable (StreamDescription) -> Bool)?

        /// The defaults.
        public init() {}
    }

    /// What was opened.
    public let input: MediaInput
    /// How it was opened.
    public let options: Options
    /// The container and its streams.
    public let description: ContainerDescription

    /// The beginning of output names.
    let outputStem: String
    /// Whether ``Options/language`` changed a track; `true` without it.
    let usesStatedLanguage: Bool

    let opened: OpenedInput
    /// The tracks of an MP4 file; of a pipe what its beginning says.
    let mp4Tracks: MP4File?
    /// Our reader of MP4, where that can be asked for samples.
    var mp4: MP4File? { source == nil ? nil : mp4Tracks }
    /// The input where it comes in order and libavformat reads it.
    let pipe: HeaderTee?
    /// Our reader of Matroska that comes in order.
    let piped: PipedMatroska?
    let matroskaRefusal: String?
    /// What was doubtful about files beside the input.
    private let companionDiagnostics: [Diagnostic]
    /// In which characters text is stored that libavformat takes apart, where nobody named it.
    let packetCharset: TextCharset?
    var demuxer: FFmpegDemuxer?
    /// The demuxer that attachments are read from: their bytes came with the headers.
    var attachmentReader: FFmpegDemuxer?
    let access: InputAccess
    var source: (any ByteSource)? { access.source }
    var matroska: MatroskaFile? {
        guard case .matroska(let file) = opened else { return nil }
        return file
    }

    /// Opens a path, an URL (`scheme://…`) or standard input (`-`).
    ///
    /// - Throws: `UndertextError`: not found, no permission, a directory, empty, not a media file,
    ///   a library missing, cancelled.
    public convenience init(_ argument: String, options: Options = Options()) throws(UndertextError)
    {
        try self.init(MediaInput(argument: argument), options: options)
    }

    /// Opens an input.
    public init(_ input: MediaInput, options: Options = Options()) throws(UndertextError) {
        self.input = input
        self.options = options
        let resolved = try ImageFolder.resolved(input)
        access = try InputAccess(resolved, options: options)
        let found = try InputOpener.open(resolved, access, options)
        opened = found.input
        var guess: DecodedText?
        if case .other = found.input {
            guess = try CharsetGuess.text(in: access.source, found.description, options)
        }
        packetCharset = guess?.charset
        // The header of a text file is in UTF-8 already.
        let described: ContainerDescription
        let isSubtitleFile: Bool
        switch found.input {
        case .text, .presentation: described = found.description
        case .matroska, .images, .vobSub, .sup, .other:
            described = Self.prepared(
                found.description, charset: options.charset ?? guess?.charset.name)
        }
        switch found.input {
        case .text, .sup: isSubtitleFile = true
        case .other: isSubtitleFile = described.streams.allSatisfy { $0.kind == .text }
        case .matroska, .images, .vobSub, .presentation: isSubtitleFile = false
        }
        let stated = StatedLanguage(
            described, input: input, isSubtitleFile: isSubtitleFile, language: options.language)
        description = stated.description
        outputStem = stated.stem
        usesStatedLanguage = stated.isUsed
        demuxer = found.demuxer
        mp4Tracks = found.mp4
        samplesAreBehind = found.samplesAreBehind
        pipe = found.pipe
        piped = found.piped
        matroskaRefusal = found.matroskaRefusal
        companionDiagnostics = found.notes + (guess.map(CharsetGuess.doubt) ?? [])
        sizeToReach = found.sizeToReach
        if case .presentation(let presentation) = found.input {
            content = presentation.content
        } else {
            content = ContentInfo(container: description)
        }
    }

    /// Why no packets can be read; `nil` where they can.
    let samplesAreBehind: UndertextError?

    /// The length that the input had when it was opened, or states itself where it is a pipe.
    let sizeToReach: UInt64?

    private static func prepared(
        _ description: ContainerDescription, charset: String?
    ) -> ContainerDescription {
        guard charset != nil else { return description }
        var prepared = description
        prepared.streams = description.streams.map {
            PacketTextPreparation.prepared($0, charset: charset)
        }
        return prepared
    }

    /// What libavformat says of the input, corrected where it ignores what the file says.
    ///
    /// - Parameter deep: decode frames to find out more.
    /// - Returns: the description.
    /// - Throws: `UndertextError`, also if FFmpeg is not installed.
    public func probedDescription(deep: Bool = false) throws(UndertextError) -> ContainerDescription
    {
        let depth = deep ? DemuxerOptions.ProbeDepth.full : .headers
        switch opened {
        case .images, .presentation: return description
        case .vobSub(let pair):
            if pair.isIndex { return description }
            return DescriptionMerge.corrected(
                try access.demuxer(depth: depth).description, programStream: description)
        case .sup: return try supDemuxer(depth: depth).description
        case .text(let text):
            // libavformat sees one stream, whatever languages there are.
            guard description.streams.count == 1, var found = try probed(text, depth: depth),
                found.streams.count == 1
            else { return description }
            found.streams[0].language = found.streams[0].language ?? description.streams[0].language
            found.attachments = description.attachments
            return found
        case .other where !deep: return description
        // What is too much for us is not given to libavformat.
        case .matroska(let file) where file.isBeyondLimits: return description
        case .other where piped?.file.isBeyondLimits == true: return description
        case .matroska, .other:
            return DescriptionMerge.corrected(
                try access.demuxer(depth: depth).description, source: source,
                matroska: matroska?.description, mp4: mp4Tracks,
                limits: options.limits)
        }
    }

    /// libavformat on a text file of ours; `nil` where it cannot read what we can.
    private func probed(
        _ text: TextInput, depth: DemuxerOptions.ProbeDepth
    ) throws(UndertextError) -> ContainerDescription? {
        do throws(UndertextError) {
            return try access.demuxer(depth: depth, inMemory: text.bytes).description
        } catch {
            guard error.code != .cancelled, error.code != .timeout else { throw error }
            return nil
        }
    }

    /// libavformat on a .sup file, which it takes for another format where the first object is large.
    private func supDemuxer(depth: DemuxerOptions.ProbeDepth) throws(UndertextError)
        -> FFmpegDemuxer
    {
        if let opened = try? access.demuxer(depth: depth), opened.description.formatName == "sup" {
            return opened
        }
        return try access.demuxer(depth: depth, format: "sup")
    }

    /// Streams, tracks and properties in the words of players; ``select(video:audio:text:attributes:)``
    /// and ``setTargetBandwidth(_:segmentOption:targetOption:)`` act on it.
    public internal(set) var content: ContentInfo

    /// Whether text can be read in that charset, by iconv's name.
    public static func isKnown(charset name: String) -> Bool { DecodedText.isKnown(charset: name) }

    /// Whether it is a text file that our readers take apart: all of it is there, its cues in any order.
    public var isTextFile: Bool {
        if case .text = opened { true } else { false }
    }

    /// In which characters a text file is stored, and how that is known; `nil` for other inputs.
    public var charset: TextCharset? {
        guard case .text(let text) = opened else { return packetCharset }
        return text.charset
    }

    /// Whether an argument may name an HLS or DASH presentation: an address, or a file of such a name.
    public static func mayBePresentation(_ argument: String) -> Bool {
        PresentationInput.mayBe(MediaInput(argument: argument))
    }

    /// Whether it is an HLS or DASH presentation.
    var isPresentation: Bool {
        if case .presentation = opened { true } else { false }
    }

    /// Whether it is a presentation that is still being made.
    public var isLive: Bool {
        if case .presentation(let presentation) = opened { presentation.isLive } else { false }
    }

    /// Why a stream of subtitles cannot be read, although its codec could be; `nil` if it should be.
    ///
    /// Of a presentation: its playlist is missing, or it is encrypted.
    public func refusal(ofStream index: Int) -> UndertextError? {
        guard case .presentation(let presentation) = opened else { return nil }
        return presentation.refusal(ofStream: index)
    }

    /// The streams that are subtitles.
    public var subtitleStreams: [StreamDescription] {
        description.streams.filter(\.kind.isSubtitle)
    }

    /// What was found damaged while opening.
    public var diagnostics: [Diagnostic] {
        if opened.isOurs { return opened.diagnostics + companionDiagnostics }
        // The beginning of a pipe always looks cut off; only a file can be.
        guard source != nil, description.isIndexDamaged else { return companionDiagnostics }
        return [
            Diagnostic(
                .error, "truncated", "The file is cut off: its last box is not whole.",
                byteOffset: source?.size)
        ]
    }

    /// How stored times are mapped to the view of ``Options/timeline``.
    public var timeline: TimelineMapping {
        TimelineMapping(
            view: options.timeline, container: description, retiming: options.retiming)
    }

    /// Length of the input in bytes.
    public var size: UInt64? { access.size ?? description.size }

    /// What the index tells of a stream without reading any packet.
    ///
    /// `nil` without an index, and without a proof that it lists every block of the stream.
    func indexFacts(ofStream index: Int) throws(UndertextError) -> IndexSummary? {
        guard let matroska, case .usable = try matroska.index(for: [index]) else { return nil }
        return try matroska.indexFacts(ofStream: index)
    }

    /// The bytes of a file inside the file.
    ///
    /// - Throws: `UndertextError`: reading failed, or it is larger than `Limits/attachmentSize`.
    public func data(of attachment: Attachment) throws(UndertextError) -> [UInt8] {
        if let matroska { return try matroska.data(of: attachment) }
        if case .text(let text) = opened, let bytes = text.data(of: attachment) { return bytes }
        guard let index = attachment.streamIndex else {
            throw UndertextError(.unsupported, "the attachment has no stream", path: input.argument)
        }
        if attachmentReader == nil {
            if let demuxer {
                attachmentReader = demuxer
            } else {
                attachmentReader = try access.demuxer(depth: .headers)
            }
        }
        return try attachmentReader?.attachmentData(streamIndex: index) ?? []
    }
}
