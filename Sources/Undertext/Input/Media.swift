internal import UndertextCharsets
public import UndertextCore
package import UndertextFormats
package import UndertextIO

/// An open media file or presentation: its description, and its subtitles as packets or cues.
///
/// Native readers describe Matroska, most MP4, `.sup`, VobSub and text files, HLS and DASH presentations, and for an extraction
/// transport streams. libavformat opens everything else, and is loaded only then.
public final class Media {
    /// Options for opening an input.
    public struct Options: Sendable {
        /// The limits of what the input may cost.
        public var limits = Limits()
        /// Stops reading from another thread.
        public var cancellation: Cancellation?
        /// Reading ends with an error when this much time has passed.
        package var timeLimit: Duration?
        /// The preferred read path.
        package var io: ReadPathPreference = .auto
        /// The clock of the times of cues.
        package var timeline: TimelineView = .player
        /// `true` for the times of cues as the input stores them; `false` for those that a player's clock shows.
        public var usesStoredTimes: Bool {
            get { timeline == .source }
            set { timeline = newValue ? .source : .player }
        }
        /// The options for decoding images.
        package var decoding = ImageDecoding()
        /// `true` if each line of roll-up captions becomes one cue; `false` if each screen does.
        package var rollUpLines = false
        /// The retiming, applied after ``timeline``.
        package var retiming: Retiming = .none
        /// The format that the input must have; `nil` = any.
        ///
        /// Text is then read as that format, without recognition.
        package var inputFormat: SubtitleFormat?
        /// The charset of text by iconv's name; `nil` = detected.
        public var charset: String?
        /// The language of subtitles that do not state theirs; it takes precedence over the one in the file's name.
        public var language: LanguageTag?
        /// Frames a second, for text files whose times are frames; `nil` = as the file states it.
        package var frameRate: TimeBase?
        /// Changes text before it is parsed: characters, spellings, advertisements, markup of a dialect.
        ///
        /// It is called with a whole subtitle file, or with each packet of a track: text, a sample of an MP4 track, a TTML
        /// document, a cue of a segment. Captions that are codes rather than text (CEA-608, CEA-708, teletext, EBU STL)
        /// and text in images have no such form. Calls come from the threads that read, several at once if several
        /// inputs are read.
        public var textHook: (@Sendable (_ text: String, _ origin: TextOrigin) -> String)?
        /// The least number of bytes of a request, 0 = as many as are needed; `nil` = as suits the transport.
        package var ioBlock: Int?
        /// The User-Agent of HTTP requests; `nil` = `undertext`.
        public var userAgent: String?
        /// The most bytes per second, over all connections; `nil` = unlimited.
        public var maxReadRate: UInt64?
        /// The limiter that several inputs share; it takes precedence over ``maxReadRate``.
        package var rateLimiter: RateLimiter?
        /// The time for which a live presentation is followed; `nil` = it is read up to its live edge.
        public var liveDuration: Duration?
        /// Ends the following of a live presentation; what was read by then is kept.
        package var followingStop = LiveReadingToken()
        /// Interrupts the waiting of a reader of this input for new segments.
        var interruption = LiveReadingInterruption()
        /// `true` if packets are wanted, so that an input may be refused at once that none can be read of.
        var readsPackets = false
        /// Returns `true` for the subtitle streams that are going to be read, as described before they are opened;
        /// `nil` = any.
        package var opensStream: (@Sendable (StreamDescription) -> Bool)?
        /// `true` if only the selected subtitles of a presentation are opened with it, and others when they are selected
        /// or read; until then their codec is not known for sure.
        public var opensSelectionOnly = false
        /// The selection that the input shares with other open media of it; `nil` = its own.
        package var selection: ContentSelection?
        /// The tracks that are going to be read; `nil` = not known.
        package var tracks: TrackSelection?

        /// The defaults.
        public init() {}
    }

    /// The input.
    package let input: MediaInput
    /// The options with which it was opened.
    package let options: Options
    /// The container and its streams.
    ///
    /// In a presentation the codec of subtitles is known for sure after they were opened.
    package var description: ContainerDescription { described.with { $0 } }

    /// The beginning of output names.
    let outputStem: String
    /// `true` if ``Options/language`` changed a track; `true` without it.
    let usesStatedLanguage: Bool

    /// The services that streams of the container carry.
    let services: CarriedServices
    let demuxer: any Demuxer
    let access: InputAccess
    /// The selection, which ``content`` shows.
    package let selection: ContentSelection
    /// `true` if the input is an HLS or DASH presentation.
    let isPresentation: Bool
    private let described: Monitor<ContainerDescription>
    /// The files that were read to open the input, which no output may replace.
    let inputFiles: InputFiles
    /// Runs the work of asynchronous functions, one at a time.
    let queue = BackgroundQueue(threads: 1)
    private let lock = Monitor(())
    var source: (any RandomAccessSource)? { access.source }
    /// Interrupts a reader that waits for bytes; `nil` if none are read ahead.
    package var interrupter: PrefetchingSource.Interrupter? {
        (source as? PrefetchingSource)?.interrupter
    }
    /// `true` if the input arrives in order and cannot be read twice: a pipe, or a file on a server without ranges.
    package var isReadOnce: Bool { source == nil && !isPresentation }

    /// Opens a path, a URL (`scheme://…`) or standard input (`-`).
    ///
    /// - Throws: `UndertextError`: not found, no permission, a directory, empty, not a media file,
    ///   a library missing, cancelled.
    public convenience init(_ argument: String, options: Options = Options()) throws(UndertextError)
    {
        try self.init(MediaInput(argument: argument), options: options)
    }

    /// Opens an input.
    public init(_ input: MediaInput, options: Options = Options()) throws(UndertextError) {
        var options = options
        // Options may be used for several inputs.
        options.interruption = LiveReadingInterruption()
        self.input = input
        self.options = options
        inputFiles = InputFiles.ofThisRun ?? InputFiles()
        (access, demuxer) = try inputFiles.record { () throws(UndertextError) in
            let access = try InputAccess(ImageFolder.resolved(input), options: options)
            return (access, try InputCandidate(access).demuxer())
        }
        access.sizeWhenOpened = access.size
        services = CarriedServices(of: demuxer, options)
        let stated = Self.described(demuxer, services, input, options)
        described = Monitor(stated.description)
        outputStem = stated.stem
        usesStatedLanguage = stated.isUsed
        selection = options.selection ?? ContentSelection()
        isPresentation = demuxer.content != nil
        if let content = demuxer.content { _ = selection.begin(with: content) }
    }

    private static func described(
        _ demuxer: any Demuxer, _ services: CarriedServices, _ input: MediaInput, _ options: Options
    ) -> StatedLanguage {
        var described = demuxer.description
        if !demuxer.hasUnicodeText {
            described = prepared(described, charset: options.charset ?? demuxer.charset?.name)
        }
        described = services.described(described)
        return StatedLanguage(
            described, input: input, isSubtitleFile: demuxer.isSubtitleFile,
            language: options.language)
    }

    /// Describes the container again after more of it was opened.
    func describe() {
        let stated = Self.described(demuxer, services, input, options)
        described.with { $0 = stated.description }
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

    /// Returns the description of libavformat, completed by what it ignores.
    ///
    /// - Parameter deep: `true` to decode frames to find out more.
    /// - Returns: The description.
    /// - Throws: `UndertextError`, also if FFmpeg is not installed.
    package func probedDescription(deep: Bool = false) throws(UndertextError)
        -> ContainerDescription
    {
        try probedDescription(deep: deep, services)
    }

    /// The same with the services that were found.
    func probedDescription(
        deep: Bool, _ services: CarriedServices
    ) throws(UndertextError) -> ContainerDescription {
        var own = description
        let added = Set(self.services.streams.map(\.index))
        own.streams.removeAll { added.contains($0.index) }
        return services.described(try demuxer.probed(own, deep: deep))
    }

    /// The streams, tracks and properties in the vocabulary of players, as `probe --json` prints them in
    /// `"undertext"."content"`.
    ///
    /// `select(video:audio:text:attributes:)` and `setTargetBandwidth(_:segmentOption:targetOption:)` act on it. The
    /// first use reads as much of a file as a probe does, and uses libavformat, if it is installed, for the facts that
    /// only decoding finds.
    public var content: ContentInfo {
        if let content = selection.content { return content }
        return content(probedAs: (try? probedDescription()) ?? description)
    }

    /// The content as the first probe of the input describes it, which selections have changed since.
    func content(probedAs container: ContainerDescription) -> ContentInfo {
        if let content = selection.content { return content }
        return selection.begin(with: content(describedBy: container))
    }

    /// Returns the content of the input by a description, which libavformat may have made.
    func content(describedBy container: ContainerDescription) -> ContentInfo {
        if let content = demuxer.content { return content }
        var container = container
        container.complete(by: description)
        container.isIndexDamaged = container.isIndexDamaged || description.isIndexDamaged
        if container.streams.count == description.streams.count {
            for index in container.streams.indices where container.streams[index].size == nil {
                container.streams[index].size = description.streams[index].size
            }
        }
        let known = container
        // Errors of the input are reported by the readers of packets.
        let examined = try? exclusively { () throws(UndertextError) in
            try demuxer.examined(known)
        }
        var content = ContentInfo(container: examined ?? known)
        content.metadata += services.metadata
        return content
    }

    /// A Boolean value that indicates whether text can be read in a charset, by iconv's name.
    package static func isKnown(charset name: String) -> Bool { DecodedText.isKnown(charset: name) }

    /// Returns the end of the input on its own clock; `nil` if unknown.
    ///
    /// - Throws: `UndertextError` if libavformat has to find it, and cannot.
    func storedEnd() throws(UndertextError) -> Timestamp? {
        if let end = description.storedEnd { return end }
        return try demuxer.measured()?.storedEnd
    }

    /// Returns the frame rate of the first video, if timecodes can count in it.
    ///
    /// - Throws: `UndertextError` if libavformat has to find it, and cannot.
    func timecodeRate() throws(UndertextError) -> FrameRate? {
        let known = description
        if let rate = known.timecodeRate { return rate }
        guard known.streams.contains(where: { $0.kind == .video && $0.frameRate == nil }) else {
            return nil
        }
        return try demuxer.measured()?.timecodeRate
    }

    /// `true` if the input is a text file, whose cues may be in any order.
    package var isTextFile: Bool { demuxer.isTextFile }

    /// The charset of a text file and how it is known; `nil` for other inputs.
    package var charset: TextCharset? { demuxer.charset }

    /// A Boolean value that indicates whether an argument may name an HLS or DASH presentation: a URL, or a file with
    /// such an extension.
    package static func mayBePresentation(_ argument: String) -> Bool {
        PresentationDemuxer.mayBe(MediaInput(argument: argument))
    }

    /// `true` if the input is a live presentation.
    public var isLive: Bool { demuxer.isLive }

    /// The damage and the doubts that were found while the input was opened.
    public var diagnostics: [Diagnostic] { demuxer.diagnostics }

    /// The mapping of stored times to the clock of ``Options/timeline``.
    package var timeline: TimelineMapping {
        TimelineMapping(
            view: options.timeline, container: description, retiming: options.retiming)
    }

    /// The length of the input in bytes; `nil` if unknown.
    package var size: UInt64? { access.size ?? description.size }

    /// The bytes of a file inside the file.
    ///
    /// - Throws: `UndertextError`: reading failed, or it is larger than `Limits/attachmentSize`.
    package func data(of attachment: Attachment) throws(UndertextError) -> [UInt8] {
        try demuxer.data(of: attachment)
    }
}
