package import UndertextCore

/// A subtitle format: its names, and the code that recognizes, decodes and writes it.
///
/// The folder of a format describes it in an extension, and ``all`` lists it. The rest of the engine uses
/// abilities and never names a format. The description is `package` because the fuzz target of the format
/// refers to it.
package struct SubtitleFormat: Sendable {
    /// The name for users and reports, such as `vtt`; unique.
    package let name: String
    /// The name in prose, such as `WebVTT`.
    package let title: String
    /// The extensions of its files without the dot, the main one first.
    package let fileExtensions: [String]

    /// FFmpeg's short names of the containers of this format, the main one first.
    ///
    /// `probe` reports the main one. Formats that FFmpeg does not know have a name of their own.
    package let containerNames: [String]
    /// The codecs of its streams.
    package let codecs: [CodecID]
    /// `true` if packets contain only text, whose charset a caller may state.
    package let hasTextPackets: Bool
    /// The position of text in packets that contain other data, too; `nil` if it cannot be changed before decoding.
    let packetText: (any PacketTextRule)?
    /// `true` if its times are numbers of frames.
    package let countsFrames: Bool
    /// The frame rates among which a caller may choose for what is written, the usual one first; empty if there is
    /// no choice.
    package let writtenFrameRates: [TimeBase]
    /// `true` if a file may hold several tracks.
    package let holdsSeveralTracks: Bool
    /// `true` if single cues of a track can be forced.
    package let forcesSingleCues: Bool
    /// The canvas of images where neither the stream nor its packets state one.
    package let defaultCanvas: PixelSize
    /// The rule for times within packets when those of the track change; `nil` if there are none.
    package let inlineTimes: (any InlineTimeRule)?
    /// The recognition and the reader of text files; `nil` for other formats.
    package let textFile: TextFile?
    /// Makes a decoder for a stream; `nil` if the format is only written or read as another.
    package let decoder: DecoderMaker?
    /// The rule by which decoding of a stream may start within it.
    package let randomAccess: @Sendable (StreamDescription) -> any RandomAccessRule
    /// The form in which cues are written; `nil` if the format is only read.
    package let output: Output?
    /// The unpacker of its samples in MP4; `nil` if they are packets of the format already.
    package let sampleUnpacker: (any SampleUnpacker.Type)?
    /// The rule for copying packets to an output of this format.
    package let copying: Copying
    /// Creates a writer that copies packets; `nil` if the format has no file format.
    package let packetWriter: PacketWriterMaker?
    /// The name of the format that a copy of a track becomes; `nil` = this one, if it is written.
    package let nativeName: String?

    /// Makes a decoder for a stream of the format.
    package typealias DecoderMaker =
        @Sendable (StreamDescription, DecodingOptions, DiagnosticSink) -> any SubtitleDecoder
    /// Makes a writer of the packets of a stream of the format.
    package typealias PacketWriterMaker =
        @Sendable (StreamDescription, PacketWriterOptions, DiagnosticSink) -> any PacketWriter

    /// The form in which the cues of a track are written.
    package enum Output: Sendable {
        /// A text file.
        case text(@Sendable (SubtitleHeader, CueWriterOptions) -> any CueWriter)
        /// Binary files of images.
        case images(@Sendable (ImageWriterOptions, DiagnosticSink) -> any ImageCueWriter)
        /// A folder of PNG files with an index.
        case imageFolder
        /// JSON cues: text, and images as a folder or within the records.
        case records(JSONCueWriter.Form)
    }

    /// The rule for copying packets instead of decoding and encoding them.
    package enum Copying: Sendable {
        /// Never.
        case never
        /// If the caller requests the stored form; otherwise cues are rewritten, which repairs them.
        case onRequest
        /// Like ``onRequest``, if all cues keep their times, which are stored within the packets.
        case withSameTimes
        /// If the track is stored in this format: a copy loses nothing.
        case always
        /// Like ``always``, if all cues keep their times, which are stored within the packets.
        case alwaysWithSameTimes
    }

    /// The recognition and the reader of a text file.
    package struct TextFile: Sendable {
        /// The stage at which recognition tries a format.
        package enum Recognition: Sendable {
            /// First: files begin with a signature.
            case signature
            /// After those with a signature, by the first lines; within a stage by the order of ``SubtitleFormat/all``.
            ///
            /// A format with weak rules therefore follows those whose files it would accept.
            case firstLines
            /// Only if the caller names the format.
            case named
        }

        let recognition: Recognition
        /// `true` if the error for a file of unknown format explains why it is not of this one.
        let isCommon: Bool
        /// `true` if files are not text in a charset: the reader gets their bytes as they are.
        package let isBinary: Bool
        /// Returns why the beginning of a file is not of this format, or `nil` if it is.
        let refusal: @Sendable (ArraySlice<UInt8>) -> String?
        /// Makes a reader of valid UTF-8 without a byte order mark, or of the bytes of a binary file.
        ///
        /// The rate is for times in frames.
        package let reader:
            @Sendable ([UInt8], Limits, _ frameRate: TimeBase?, DiagnosticSink) ->
                any TextFileReader
        /// Returns the charset that the file itself names, if it can.
        package let statedCharset: @Sendable (ArraySlice<UInt8>) -> String?

        /// Describes the files that `type` reads.
        init<Reader: TextFileReader & SendableMetatype>(
            _ type: Reader.Type, recognition: Recognition = .signature, isCommon: Bool = true,
            isBinary: Bool = false,
            reader:
                @escaping @Sendable ([UInt8], Limits, TimeBase?, DiagnosticSink) ->
                any TextFileReader = { text, limits, _, diagnostics in
                    Reader(text, limits: limits, diagnostics: diagnostics)
                },
            statedCharset: @escaping @Sendable (ArraySlice<UInt8>) -> String? = { _ in nil }
        ) {
            self.recognition = recognition
            self.isCommon = isCommon
            self.isBinary = isBinary
            refusal = { Reader.refusal(of: $0) }
            self.reader = reader
            self.statedCharset = statedCharset
        }
    }

    init(
        _ name: String, title: String, fileExtensions: [String] = [],
        containerNames: [String] = [], codecs: [CodecID] = [], hasTextPackets: Bool = false,
        packetText: (any PacketTextRule)? = nil, countsFrames: Bool = false,
        writtenFrameRates: [TimeBase] = [],
        holdsSeveralTracks: Bool = false,
        forcesSingleCues: Bool = false,
        defaultCanvas: PixelSize = PixelSize(width: 720, height: 576),
        inlineTimes: (any InlineTimeRule)? = nil, textFile: TextFile? = nil,
        decoder: DecoderMaker? = nil,
        randomAccess: @escaping @Sendable (StreamDescription) -> any RandomAccessRule = { _ in
            IndependentPackets()
        }, sampleUnpacker: (any SampleUnpacker.Type)? = nil, output: Output? = nil,
        copying: Copying = .never,
        packetWriter: PacketWriterMaker? = nil, nativeName: String? = nil
    ) {
        self.name = name
        self.title = title
        self.fileExtensions = fileExtensions
        self.containerNames = containerNames
        self.codecs = codecs
        self.hasTextPackets = hasTextPackets
        self.packetText = packetText
        self.countsFrames = countsFrames
        self.writtenFrameRates = writtenFrameRates
        self.holdsSeveralTracks = holdsSeveralTracks
        self.forcesSingleCues = forcesSingleCues
        self.defaultCanvas = defaultCanvas
        self.inlineTimes = inlineTimes
        self.textFile = textFile
        self.decoder = decoder
        self.randomAccess = randomAccess
        self.sampleUnpacker = sampleUnpacker
        self.output = output
        self.copying = copying
        self.packetWriter = packetWriter
        self.nativeName = nativeName
    }
}

extension SubtitleFormat: Hashable {
    /// Compares names.
    package static func == (one: SubtitleFormat, other: SubtitleFormat) -> Bool {
        one.name == other.name
    }

    /// Hashes the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension SubtitleFormat: CustomStringConvertible {
    /// The name.
    package var description: String { name }
}

/// The caller's options for decoding.
package struct DecodingOptions: Sendable {
    /// The color matrix of bitmaps; `nil` = as the height of the canvas suggests.
    package var colorMatrix: ColorMatrix?
    /// The limits for a stream.
    package var limits: Limits
    /// The pixels that decoding may cost, shared with the encoders; `nil` = a budget of the decoder's own.
    package var budget: PixelBudget?
    /// `true` if each line of roll-up captions becomes one cue; `false` if each screen does.
    package var rollUpLines: Bool

    /// Creates options.
    package init(
        colorMatrix: ColorMatrix? = nil, limits: Limits = Limits(), budget: PixelBudget? = nil,
        rollUpLines: Bool = false
    ) {
        self.rollUpLines = rollUpLines
        self.colorMatrix = colorMatrix
        self.limits = limits
        self.budget = budget
    }

    /// The budget of a decoder with these options.
    var spending: PixelBudget { budget ?? PixelBudget(limits: limits) }
}

/// The caller's options for writing text.
package struct CueWriterOptions: Sendable {
    /// `true` if each cue is to be written at once.
    package var isStreaming: Bool
    /// `true` for drop-frame time codes, where a format has both kinds.
    package var dropsFrames: Bool
    /// The rate that times are to count frames in, where a format has several; `nil` = the usual one.
    package var frameRate: TimeBase?

    /// Creates options.
    package init(
        isStreaming: Bool = false, dropsFrames: Bool = true, frameRate: TimeBase? = nil
    ) {
        self.isStreaming = isStreaming
        self.dropsFrames = dropsFrames
        self.frameRate = frameRate
    }
}

/// The properties of the input for a writer of packets.
package struct PacketWriterOptions: Sendable {
    /// The time at which a last cue without a duration ends; `nil` if it is not known.
    package var inputEnd: Timestamp?
    /// The end of the part that is written; `nil` = the end of the input.
    package var windowEnd: Timestamp?
    /// `true` for drop-frame time codes, where a format has both kinds.
    package var dropsFrames: Bool

    /// Creates options.
    package init(
        inputEnd: Timestamp? = nil, windowEnd: Timestamp? = nil, dropsFrames: Bool = true
    ) {
        self.inputEnd = inputEnd
        self.windowEnd = windowEnd
        self.dropsFrames = dropsFrames
    }
}

/// The properties of the track for a writer of images.
package struct ImageWriterOptions: Sendable {
    /// The canvas of cues that state none; `nil` if it is not known.
    package var canvas: PixelSize?
    /// The frame rate of the video.
    package var frameRate: FrameRate
    /// The language of the track.
    package var language: LanguageTag?
    /// The pixels that drawing may cost.
    package var budget: PixelBudget

    /// Creates options.
    package init(
        canvas: PixelSize?, frameRate: FrameRate, language: LanguageTag?, budget: PixelBudget
    ) {
        self.canvas = canvas
        self.frameRate = frameRate
        self.language = language
        self.budget = budget
    }
}
