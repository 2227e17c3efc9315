/// The kind of a file or presentation, by FFmpeg's first short name; an open set.
///
/// NexPlayer: `NXFileFormat`. The MP4 family, which libavformat names as one, is split in two by
/// the major brand.
public struct FileFormat: RawRepresentable, Hashable, Sendable {
    /// The name, such as `matroska`.
    public let rawValue: String

    /// Creates a format with a name; unknown names are kept.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// MP4, 3GPP and their relatives (ISO/IEC 14496-12).
    public static let mp4 = FileFormat(rawValue: "mp4")
    /// QuickTime.
    public static let mov = FileFormat(rawValue: "mov")
    /// Matroska, WebM included.
    public static let matroska = FileFormat(rawValue: "matroska")
    /// Audio Video Interleave.
    public static let avi = FileFormat(rawValue: "avi")
    /// Advanced Systems Format.
    public static let asf = FileFormat(rawValue: "asf")
    /// RealMedia.
    public static let realMedia = FileFormat(rawValue: "rm")
    /// Ogg, OGM included.
    public static let ogg = FileFormat(rawValue: "ogg")
    /// MPEG program stream.
    public static let mpegPS = FileFormat(rawValue: "mpeg")
    /// MPEG transport stream, M2TS included.
    public static let mpegTS = FileFormat(rawValue: "mpegts")
    /// Flash video.
    public static let flv = FileFormat(rawValue: "flv")
    /// Waveform audio.
    public static let wav = FileFormat(rawValue: "wav")
    /// MPEG audio, layer 3.
    public static let mp3 = FileFormat(rawValue: "mp3")
    /// Free Lossless Audio Codec.
    public static let flac = FileFormat(rawValue: "flac")
    /// HTTP Live Streaming.
    public static let hls = FileFormat(rawValue: "hls")
    /// Dynamic adaptive streaming over HTTP.
    public static let dash = FileFormat(rawValue: "dash")
}

extension ContainerDescription {
    /// The kind of the file, or `nil` if its demuxer states none.
    public var fileFormat: FileFormat? {
        guard let name = formatName.split(separator: ",").first else { return nil }
        guard name == "mov" else { return FileFormat(rawValue: String(name)) }
        return tags.first { $0.key == "major_brand" }?.value == "qt  " ? .mov : .mp4
    }
}

extension FileFormat: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}

/// The family of a caption or subtitle stream; an open set.
///
/// NexPlayer: `captionType`, the text part of `NXCodecID`.
public struct CaptionType: RawRepresentable, Hashable, Sendable {
    /// The name, such as `webvtt`.
    public let rawValue: String

    /// Creates a family with a name; unknown names are kept.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// SubRip.
    public static let srt = CaptionType(rawValue: "srt")
    /// Synchronized Accessible Media Interchange.
    public static let smi = CaptionType(rawValue: "smi")
    /// SubStation Alpha and Advanced SubStation Alpha.
    public static let ass = CaptionType(rawValue: "ass")
    /// 3GPP timed text.
    public static let timedText3GPP = CaptionType(rawValue: "3gpp-timed-text")
    /// WebVTT.
    public static let webVTT = CaptionType(rawValue: "webvtt")
    /// Timed Text Markup Language.
    public static let ttml = CaptionType(rawValue: "ttml")
    /// CEA-608 or CEA-708 closed captions.
    public static let cea = CaptionType(rawValue: "cea")
    /// MicroDVD.
    public static let microDVD = CaptionType(rawValue: "microdvd")
    /// DVD sub-pictures.
    public static let vobSub = CaptionType(rawValue: "vobsub")
    /// DivX XSUB.
    public static let xsub = CaptionType(rawValue: "xsub")
    /// Blu-ray Presentation Graphics.
    public static let pgs = CaptionType(rawValue: "pgs")
    /// DVB subtitles.
    public static let dvb = CaptionType(rawValue: "dvb")
    /// DVB teletext.
    public static let teletext = CaptionType(rawValue: "teletext")

    /// Creates the family of `codec`; a codec of no known family keeps its own name.
    public init(codec: CodecID) {
        self = Self.families[codec] ?? CaptionType(rawValue: codec.rawValue)
    }

    private static let families: [CodecID: CaptionType] = [
        .subRip: .srt, .sami: .smi, .ass: .ass, .ssa: .ass, .movText: .timedText3GPP,
        .webVTT: .webVTT, .ttml: .ttml, .cea608: .cea, .cea708: .cea, .microDVD: .microDVD,
        .dvd: .vobSub,
        .xsub: .xsub, .pgs: .pgs, .dvb: .dvb, .teletext: .teletext,
    ]
}

extension CaptionType: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
