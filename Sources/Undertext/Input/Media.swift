internal import UndertextCharsets
internal import UndertextIO

/// A media file: what is in it, and its subtitles as packets or cues.
///
/// Our own readers describe Matroska and .sup files from what they hold, VobSub pairs and text files
/// from their lines, HLS and DASH presentations by their playlists; libavformat opens everything else, and
/// is loaded only then.
public final class Media {
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
        /// `true` if each line of roll-up captions becomes one cue; `false` if each screen does.
        public var rollUpLines = false
        /// How times are changed; ``timeline`` counts before it.
        public var retiming: Retiming = .none
        /// The format that the input must have; `nil` = any.
        ///
        /// Text is then read as that format, whatever it begins with looks like.
        public var inputFormat: SubtitleFormat?
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
        /// `true` if packets are wanted, so that an input may be refused at once that none can be read of.
        var readsPackets = false
        /// Which streams of subtitles are going to be read, by what the input says before they are opened;
        /// `nil` = any.
        var opensStream: (@Sendable (StreamDescription) -> Bool)?
        /// The tracks that are going to be read; `nil` = not known.
        var tracks: TrackSelection?

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
    /// `true` if ``Options/language`` changed a track; `true` without it.
    let usesStatedLanguage: Bool

    /// The services that streams of the container carry.
    let services: CarriedServices
    let demuxer: any Demuxer
    let access: InputAccess
    /// The files that were read to open the input, which no output may replace.
    let inputFiles: InputFiles
    /// Does what asynchronous functions ask for, one after the other.
    let queue = BackgroundQueue(threads: 1)
    private let lock = Monitor(())
    var source: (any RandomAccessSource)? { access.source }

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
        inputFiles = InputFiles.ofThisRun ?? InputFiles()
        (access, demuxer) = try inputFiles.record { () throws(UndertextError) in
            let access = try InputAccess(ImageFolder.resolved(input), options: options)
            return (access, try InputCandidate(access).demuxer())
        }
        access.sizeWhenOpened = access.size
        var described = demuxer.description
        if !demuxer.hasUnicodeText {
            described = Self.prepared(
                described, charset: options.charset ?? demuxer.charset?.name)
        }
        let services = CarriedServices(of: demuxer, options)
        described.streams += services.streams
        self.services = services
        let stated = StatedLanguage(
            described, input: input, isSubtitleFile: demuxer.isSubtitleFile,
            language: options.language)
        description = stated.description
        outputStem = stated.stem
        usesStatedLanguage = stated.isUsed
        content = demuxer.content ?? ContentInfo(container: description)
    }

    /// Does work that changes the state of the input, while no other thread does: asynchronous sequences read on
    /// the thread of ``queue``.
    func exclusively<Value>(
        _ work: () throws(UndertextError) -> Value
    ) throws(UndertextError) -> Value {
        try lock.with { _ in Result { () throws(UndertextError) in try work() } }.get()
    }

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
        try probedDescription(deep: deep, services)
    }

    /// The same with the services that were found.
    func probedDescription(
        deep: Bool, _ services: CarriedServices
    ) throws(UndertextError) -> ContainerDescription {
        var own = description
        own.streams.removeAll { $0.carrier != nil }
        var probed = try demuxer.probed(own, deep: deep)
        probed.streams += services.streams
        return probed
    }

    /// Streams, tracks and properties in the words of players; ``select(video:audio:text:attributes:)``
    /// and ``setTargetBandwidth(_:segmentOption:targetOption:)`` act on it.
    public internal(set) var content: ContentInfo

    /// `true` if text can be read in that charset, by iconv's name.
    public static func isKnown(charset name: String) -> Bool { DecodedText.isKnown(charset: name) }

    /// `true` if it is a text file that our readers take apart: all of it is there, its cues in any order.
    public var isTextFile: Bool { demuxer.isTextFile }

    /// In which characters a text file is stored, and how that is known; `nil` for other inputs.
    public var charset: TextCharset? { demuxer.charset }

    /// Whether an argument may name an HLS or DASH presentation: an address, or a file of such a name.
    public static func mayBePresentation(_ argument: String) -> Bool {
        PresentationDemuxer.mayBe(MediaInput(argument: argument))
    }

    /// Whether it is an HLS or DASH presentation.
    var isPresentation: Bool { demuxer.content != nil }

    /// `true` if it is a presentation that is still being made.
    public var isLive: Bool { demuxer.isLive }

    /// What was found damaged while opening.
    public var diagnostics: [Diagnostic] { demuxer.diagnostics }

    /// How stored times are mapped to the view of ``Options/timeline``.
    public var timeline: TimelineMapping {
        TimelineMapping(
            view: options.timeline, container: description, retiming: options.retiming)
    }

    /// Length of the input in bytes.
    public var size: UInt64? { access.size ?? description.size }

    /// The bytes of a file inside the file.
    ///
    /// - Throws: `UndertextError`: reading failed, or it is larger than `Limits/attachmentSize`.
    public func data(of attachment: Attachment) throws(UndertextError) -> [UInt8] {
        try demuxer.data(of: attachment)
    }
}

extension Media {
    /// Selects streams for a player; ``content`` has the result.
    ///
    /// - Parameters:
    ///   - video: the angle.
    ///   - audio: the audio language.
    ///   - text: the subtitles.
    ///   - attributes: what a video track must match to stay valid; `nil` = the first set.
    /// - Throws: `UndertextError`; nothing has changed then.
    public func select(
        video: StreamChoice = .unchanged, audio: StreamChoice = .unchanged,
        text: StreamChoice = .unchanged, attributes: [String: String]? = nil
    ) throws(UndertextError) {
        try content.select(video: video, audio: audio, text: text, attributes: attributes)
    }

    /// Chooses the track of the current stream by its bandwidth.
    ///
    /// - Parameters:
    ///   - bandwidth: bits per second.
    ///   - segmentOption: kept for a player.
    ///   - targetOption: which tracks may be chosen.
    /// - Throws: `UndertextError` if no track fits; the target is unchanged then.
    public func setTargetBandwidth(
        _ bandwidth: Int64, segmentOption: BandwidthSegmentOption = .default,
        targetOption: BandwidthTargetOption = .default
    ) throws(UndertextError) {
        try content.setTargetBandwidth(
            bandwidth, segmentOption: segmentOption, targetOption: targetOption)
    }
}
