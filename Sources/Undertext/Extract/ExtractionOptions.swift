public import UndertextCore
internal import UndertextFormats
package import UndertextIO

/// The details of an extraction: changes of cues, and what is done about files that exist.
public struct ExtractionOptions: Sendable {
    /// The treatment of existing outputs.
    package enum Existing: Hashable, Sendable {
        /// Fail their input before anything of it is written; the whole run if it is strict.
        case refuse
        /// Replace them.
        case replace
        /// Leave those tracks alone.
        case skip
    }

    /// The destination of outputs.
    package enum Destination: Hashable, Sendable {
        /// Beside the input; for URLs and standard input the current folder.
        case besideInput
        /// A folder, made if it is missing.
        case directory(String)
        /// This very file, of the one track that is selected; images make a folder of that name. A path that
        /// ends in `/` is a folder, made if it is missing.
        case file(String)
        /// Standard output: one text track, or JSON of any.
        case standardOutput
    }

    /// The options with which inputs are opened and read.
    ///
    /// An ``Extractor`` uses its own cancellation and live reading token.
    package var reading = Media.Options()
    /// The selected tracks.
    package var tracks: TrackSelection = .all
    /// Only cues that are forced.
    public var forcedOnly = false
    /// In which formats.
    package var format: FormatRequest = .standard
    /// The destination.
    package var destination: Destination = .besideInput
    /// `true` to copy WebVTT and SubRip tracks that keep their format; otherwise their cues are written again,
    /// which repairs them.
    package var copiesText = false
    /// `true` to allow an output file whose name has the extension of another format.
    package var allowsOtherExtensions = false
    /// A folder for fonts and covers; `nil` = none are written.
    public var attachments: String?
    /// The path of the caller's report, which is checked with the other outputs and not written.
    package var report: String?
    /// The changes that are made to images before they are written.
    package var images = ImageOptions()
    /// `true` to remove styles: words, lines, times and positions remain.
    public var stripsStyling = false
    /// `true` for drop-frame time codes in SCC files.
    package var dropsFrames = true
    /// Only what is on screen in this part, on the clock of ``Media/Options/timeline``.
    package var window: TimeWindow = .all
    /// The options for recognizing text in images; `nil` to disable recognition.
    ///
    /// Then bitmap tracks can become WebVTT and SubRip, and JSON and pages carry their text.
    package var recognition: RecognitionOptions?
    /// The languages in which the text of images is recognized, the main one first; images stay images without one.
    ///
    /// Recognized tracks can become any format of text. It takes the package trait `Recognition`.
    public var recognizedLanguages: [LanguageTag] = []
    /// The treatment of existing outputs.
    package var existing: Existing = .refuse
    /// Outputs of an earlier run that may be replaced although ``existing`` refuses those of others.
    package var ownOutputs: Set<String> = []
    /// The existing outputs.
    package var outputs = OutputStore()
    /// Called with every output that an input may make, before anything of it is written; an error fails the run.
    package var willWrite: (@Sendable (_ paths: [String]) throws(UndertextError) -> Void)?
    /// `true` to replace outputs that exist; otherwise they are an error.
    public var replacesOutputs: Bool {
        get { existing == .replace }
        set { existing = newValue ? .replace : .refuse }
    }
    /// `true` to treat warnings and losses as lost input, and to refuse the run if an input cannot be written.
    package var isStrict = false

    /// The defaults: all tracks as WebVTT and PNG beside the input.
    public init() {}

    /// `true` if an output at one of these paths is replaced.
    func replaces(_ paths: [String]) -> Bool {
        existing == .replace || paths.contains(where: ownOutputs.contains)
    }

    /// `true` if any track becomes JSON.
    var writesJSON: Bool { format.text?.isRecords == true || format.bitmap?.isRecords == true }
}

/// The changes that are made to images before they are written.
package struct ImageOptions: Hashable, Sendable {
    /// The rate that timecodes of BDN XML count in, and that .sup files state.
    ///
    /// `nil` = that of the video where it is one of these, else by the canvas:
    /// `FrameRate(canvas:)`.
    package var frameRate: FrameRate?
    /// The canvas to which images and their positions are scaled; `nil` for no scaling.
    package var scale: PixelSize?
    /// `true` if each cue becomes one image of the whole canvas.
    package var fillsCanvas = false

    /// `true` if each cue of an image folder becomes one image, on the smallest rectangle that holds its
    /// images: programs that read BDN XML expect one image in an event, and BDSup2Sub drops others.
    package var joinsImages = true

    /// Images as they are.
    package init() {}

    /// `true` if pixels change, so that packets cannot be copied.
    var changesPixels: Bool { scale != nil || fillsCanvas }
}

extension ContainerDescription {
    /// The frame rate of the first video, if timecodes can count in it.
    var timecodeRate: FrameRate? {
        let videos = streams.filter {
            $0.kind == .video && !$0.disposition.contains(.attachedPicture)
        }
        return videos.first?.frameRate.flatMap(FrameRate.init(framesPerSecond:))
    }
}
