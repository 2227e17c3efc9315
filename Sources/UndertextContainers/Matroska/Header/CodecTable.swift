internal import UndertextCore

/// Matroska's codec identifiers and our names.
///
/// Identifiers are compared by their beginning, the first that fits counts: the way libavformat
/// compares them. Matroska codec specifications, sections 4 to 7.
enum CodecTable {
    /// The codec of a track; `unknown` where neither FFmpeg nor we have a name.
    static func codec(of track: TrackEntry) -> CodecID {
        guard let id = track.codecID else { return .unknown }
        if id == "A_PCM/INT/LIT" || id == "A_PCM/INT/BIG" || id == "A_PCM/FLOAT/IEEE" {
            return pcm(id, bits: track.bitDepth ?? 0)
        }
        return entries.first { id.hasPrefix($0.prefix) }?.codec ?? .unknown
    }

    /// Returns `true` if FFmpeg supports the codec ID; it marks packets of supported codecs as keys.
    static func isKnownToFFmpeg(_ codecID: String) -> Bool {
        guard let entry = entries.first(where: { codecID.hasPrefix($0.prefix) }) else {
            return false
        }
        return !entry.isOurs
    }

    /// The media kind of a track, which distinguishes text and bitmap subtitles.
    static func kind(of track: TrackEntry, codec: CodecID) -> MediaKind {
        if codec == .webVTT { return .text }
        switch track.kind {
        case .video: return .video
        case .audio: return .audio
        case .subtitle:
            let isBitmap = [.pgs, .dvd, .dvb].contains(codec)
            return isBitmap || track.codecID?.hasPrefix("S_IMAGE") == true ? .bitmap : .text
        default: return .data
        }
    }

    /// The codec and kind of an attachment by its media type.
    ///
    /// Images become video streams with the disposition "attached picture".
    static func attachment(mimeType: String) -> (codec: CodecID, isPicture: Bool) {
        for (prefix, name) in pictures where mimeType.hasPrefix(prefix) {
            return (CodecID(rawValue: name), true)
        }
        for (prefix, name) in files where mimeType.hasPrefix(prefix) {
            return (CodecID(rawValue: name), false)
        }
        return (.unknown, false)
    }

    private struct Entry: Sendable {
        var prefix: String
        var codec: CodecID
        var isOurs = false

        init(_ prefix: String, _ codec: CodecID, isOurs: Bool = false) {
            self.prefix = prefix
            self.codec = codec
            self.isOurs = isOurs
        }

        init(_ prefix: String, _ name: String) { self.init(prefix, CodecID(rawValue: name)) }
    }

    private static let entries: [Entry] = subtitles + audio + video

    private static let subtitles: [Entry] = [
        Entry("D_WEBVTT/SUBTITLES", .webVTT), Entry("D_WEBVTT/CAPTIONS", .webVTT),
        Entry("D_WEBVTT/DESCRIPTIONS", .webVTT), Entry("D_WEBVTT/METADATA", .webVTT),
        Entry("S_TEXT/UTF8", .subRip), Entry("S_TEXT/ASCII", .text),
        Entry("S_TEXT/ASS", .ass), Entry("S_ASS", .ass),
        // FFmpeg calls both "ass"; the native writer has to know which it is.
        Entry("S_TEXT/SSA", .ssa), Entry("S_SSA", .ssa),
        Entry("S_VOBSUB", .dvd), Entry("S_DVBSUB", .dvb),
        Entry("S_HDMV/PGS", .pgs), Entry("S_HDMV/TEXTST", .hdmvText),
        Entry("S_TEXT/WEBVTT", .webVTT, isOurs: true), Entry("S_TEXT/USF", .usf, isOurs: true),
        Entry("S_KATE", .kate, isOurs: true),
        Entry("S_ARIBSUB", CodecID(rawValue: "arib_caption"), isOurs: true),
    ]

    private static let audio: [Entry] = [
        Entry("A_AAC", "aac"), Entry("A_AC3", "ac3"), Entry("A_ALAC", "alac"),
        Entry("A_DTS", "dts"), Entry("A_EAC3", "eac3"), Entry("A_FLAC", "flac"),
        Entry("A_MLP", "mlp"), Entry("A_MPEG/L2", "mp2"), Entry("A_MPEG/L1", "mp1"),
        Entry("A_MPEG/L3", "mp3"), Entry("A_OPUS", "opus"), Entry("A_QUICKTIME/QDMC", "qdmc"),
        Entry("A_QUICKTIME/QDM2", "qdm2"), Entry("A_REAL/14_4", "ra_144"),
        Entry("A_REAL/28_8", "ra_288"), Entry("A_REAL/ATRC", "atrac3"),
        Entry("A_REAL/COOK", "cook"), Entry("A_REAL/SIPR", "sipr"), Entry("A_TRUEHD", "truehd"),
        Entry("A_TTA1", "tta"), Entry("A_VORBIS", "vorbis"), Entry("A_WAVPACK4", "wavpack"),
    ]

    private static let video: [Entry] = [
        Entry("V_AV1", "av1"), Entry("V_AVS2", "avs2"), Entry("V_AVS3", "avs3"),
        Entry("V_DIRAC", "dirac"), Entry("V_FFV1", "ffv1"), Entry("V_MJPEG", "mjpeg"),
        Entry("V_MPEG1", "mpeg1video"), Entry("V_MPEG2", "mpeg2video"),
        Entry("V_MPEG4/ISO/ASP", "mpeg4"), Entry("V_MPEG4/ISO/AP", "mpeg4"),
        Entry("V_MPEG4/ISO/SP", "mpeg4"), Entry("V_MPEG4/ISO/AVC", "h264"),
        Entry("V_MPEGH/ISO/HEVC", "hevc"), Entry("V_MPEG4/MS/V3", "msmpeg4v3"),
        Entry("V_PRORES", "prores"), Entry("V_REAL/RV10", "rv10"), Entry("V_REAL/RV20", "rv20"),
        Entry("V_REAL/RV30", "rv30"), Entry("V_REAL/RV40", "rv40"), Entry("V_SNOW", "snow"),
        Entry("V_THEORA", "theora"), Entry("V_UNCOMPRESSED", "rawvideo"), Entry("V_VP8", "vp8"),
        Entry("V_VP9", "vp9"),
    ]

    private static let pictures = [
        ("image/gif", "gif"), ("image/jpeg", "mjpeg"), ("image/png", "png"),
        ("image/tiff", "tiff"),
    ]

    private static let files = [
        ("text/plain", "text"), ("application/x-truetype-font", "ttf"),
        ("application/x-font", "ttf"), ("application/vnd.ms-opentype", "otf"),
        ("binary", "bin_data"),
    ]

    private static func pcm(_ id: String, bits: UInt64) -> CodecID {
        let name: String? =
            switch (id, bits) {
            case ("A_PCM/FLOAT/IEEE", 32): "pcm_f32le"
            case ("A_PCM/FLOAT/IEEE", 64): "pcm_f64le"
            case ("A_PCM/INT/LIT", 8), ("A_PCM/INT/BIG", 8): "pcm_u8"
            case ("A_PCM/INT/LIT", 16): "pcm_s16le"
            case ("A_PCM/INT/LIT", 24): "pcm_s24le"
            case ("A_PCM/INT/LIT", 32): "pcm_s32le"
            case ("A_PCM/INT/BIG", 16): "pcm_s16be"
            case ("A_PCM/INT/BIG", 24): "pcm_s24be"
            case ("A_PCM/INT/BIG", 32): "pcm_s32be"
            default: nil
            }
        return name.map { CodecID(rawValue: $0) } ?? .unknown
    }
}
