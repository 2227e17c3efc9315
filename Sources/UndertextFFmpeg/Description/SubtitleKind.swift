internal import CFFmpeg
internal import UndertextCore

/// The kind of a stream, including subtitles that FFmpeg reports as data or as unknown.
struct StreamKind: Hashable {
    var kind: MediaKind
    var codec: CodecID

    /// Classifies by FFmpeg's type and codec, and by the sample entry of an MP4.
    ///
    /// `isBitmap` is the codec's `AV_CODEC_PROP_BITMAP_SUB`.
    init(
        type: AVMediaType, codecName: String?, codecTag: String, isBitmap: Bool,
        isAttachedPicture: Bool
    ) {
        codec = codecName.map { CodecID(rawValue: $0) } ?? .unknown
        switch type {
        case AVMEDIA_TYPE_VIDEO: kind = isAttachedPicture ? .attachment : .video
        case AVMEDIA_TYPE_AUDIO: kind = .audio
        case AVMEDIA_TYPE_ATTACHMENT: kind = .attachment
        case AVMEDIA_TYPE_SUBTITLE: kind = isBitmap ? .bitmap : .text
        default: kind = .data
        }
        guard kind == .data || kind == .text, codec == .unknown || kind == .data else { return }
        // ISO 14496-30 and Apple's captions: no FFmpeg up to 7 maps them, none maps `wvtt`.
        switch codecTag {
        case "stpp", "dfxp": (kind, codec) = (.text, .ttml)
        case "wvtt": (kind, codec) = (.text, .webVTT)
        case "c608": (kind, codec) = (.text, .cea608)
        case "c708": (kind, codec) = (.text, .cea708)
        default: break
        }
    }
}
