/// A codec, identified by FFmpeg's canonical name or, if FFmpeg does not know it, by a name of Undertext.
///
/// FFmpeg: `AVCodecDescriptor.name`.
public struct CodecID: RawRepresentable, Hashable, Sendable {
    /// The name, such as `subrip`.
    public let rawValue: String

    /// Creates a codec with a name; unknown names are kept.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// SubRip text.
    package static let subRip = CodecID(rawValue: "subrip")
    /// Advanced SubStation Alpha.
    package static let ass = CodecID(rawValue: "ass")
    /// SubStation Alpha v4; FFmpeg calls it `ass` in most containers.
    package static let ssa = CodecID(rawValue: "ssa")
    /// WebVTT.
    package static let webVTT = CodecID(rawValue: "webvtt")
    /// 3GPP timed text, `tx3g`.
    package static let movText = CodecID(rawValue: "mov_text")
    /// Plain text.
    package static let text = CodecID(rawValue: "text")
    /// Timed Text Markup Language, IMSC.
    package static let ttml = CodecID(rawValue: "ttml")
    /// Universal Subtitle Format.
    package static let usf = CodecID(rawValue: "usf")
    /// Blu-ray Presentation Graphics.
    package static let pgs = CodecID(rawValue: "hdmv_pgs_subtitle")
    /// Blu-ray text subtitles.
    package static let hdmvText = CodecID(rawValue: "hdmv_text_subtitle")
    /// DVD sub-pictures, VobSub.
    package static let dvd = CodecID(rawValue: "dvd_subtitle")
    /// DVB subtitles, EN 300 743.
    package static let dvb = CodecID(rawValue: "dvb_subtitle")
    /// DVB teletext.
    package static let teletext = CodecID(rawValue: "dvb_teletext")
    /// Captions of ARIB STD-B24, Japanese television.
    package static let aribCaption = CodecID(rawValue: "arib_caption")
    /// DivX XSUB.
    package static let xsub = CodecID(rawValue: "xsub")
    /// PNG images listed in BDN XML.
    package static let bdn = CodecID(rawValue: "bdn")
    /// CEA-608 closed captions.
    package static let cea608 = CodecID(rawValue: "eia_608")
    /// CEA-708 closed captions (DTVCC).
    package static let cea708 = CodecID(rawValue: "eia_708")
    /// Synchronized Accessible Media Interchange.
    package static let sami = CodecID(rawValue: "sami")
    /// MicroDVD.
    package static let microDVD = CodecID(rawValue: "microdvd")
    /// MPL2.
    package static let mpl2 = CodecID(rawValue: "mpl2")
    /// SubViewer 2, and YouTube's `.sbv`.
    package static let subViewer = CodecID(rawValue: "subviewer")
    /// EBU STL.
    package static let ebuSTL = CodecID(rawValue: "ebu_stl")
    /// SubViewer 1.
    package static let subViewer1 = CodecID(rawValue: "subviewer1")
    /// JACOsub.
    package static let jacoSub = CodecID(rawValue: "jacosub")
    /// Spruce STL.
    package static let spruce = CodecID(rawValue: "stl")
    /// OGG Kate, text.
    package static let kate = CodecID(rawValue: "kate")
    /// An unknown codec.
    package static let unknown = CodecID(rawValue: "unknown")
}

extension CodecID {
    /// `true` for ASS and SSA, whose private data is a script and whose cues are its events.
    package var isScript: Bool { self == .ass || self == .ssa }
}

extension CodecID: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
