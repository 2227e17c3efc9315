internal import UndertextCore

/// An entry of a list of codecs (RFC 6381), as manifests have it.
struct CodecParameter {
    /// The media kind; `nil` if the name is unknown.
    let kind: MediaKind?
    /// The codec by FFmpeg's name; an unknown one keeps its four characters.
    let codec: CodecID
    /// The profile as the codec's standard numbers it.
    private(set) var profile: Int?
    /// The level as the codec's standard numbers it.
    private(set) var level: Int?

    /// Parses an entry such as `avc1.64001f`.
    init(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let name = parts.first?.lowercased() ?? ""
        let object = parts.count > 1 ? parts[1].lowercased() : ""
        if name == "mp4a" {
            // ISO/IEC 14496-1, object types: MPEG-2 and MPEG-1 audio.
            let isLayer3 =
                object == "69" || object == "6b" || (object == "40" && parts.last == "34")
            kind = .audio
            let names = ["a5": "ac3", "a6": "eac3"]
            codec = CodecID(rawValue: isLayer3 ? "mp3" : names[object] ?? "aac")
            return
        }
        if name == "mp4v", let type = UInt8(object, radix: 16) {
            // MPEG-2 video by its profile, MPEG-1 video, and MPEG-4 video.
            kind = .video
            codec = CodecID(
                rawValue: 0x60...0x65 ~= type ? "mpeg2video" : type == 0x6A ? "mpeg1video" : "mpeg4"
            )
            return
        }
        guard let known = Self.names[name] else {
            kind = nil
            codec = CodecID(rawValue: name)
            return
        }
        kind = known.kind
        codec = CodecID(rawValue: known.codec)
        if name.hasPrefix("avc"), object.utf8.count == 6, let bits = Int(object, radix: 16) {
            profile = bits >> 16
            level = bits & 0xFF
        }
    }

    private static let names: [String: (kind: MediaKind, codec: String)] = {
        var names: [String: (kind: MediaKind, codec: String)] = [:]
        let table: [(MediaKind, String, String)] = [
            (.video, "h264", "avc1 avc2 avc3 avc4 dva1 dvav"),
            (.video, "hevc", "hvc1 hev1 dvh1 dvhe"), (.video, "vvc", "vvc1 vvi1"),
            (.video, "av1", "av01 dav1"), (.video, "vp8", "vp08 vp8"), (.video, "vp9", "vp09 vp9"),
            (.video, "mpeg4", "mp4v"), (.video, "mjpeg", "mjpg"),
            (.audio, "ac3", "ac-3"), (.audio, "eac3", "ec-3"), (.audio, "ac4", "ac-4"),
            (.audio, "dts", "dtsc dtsh dtse dtsl dtsx"), (.audio, "opus", "opus"),
            (.audio, "flac", "flac"), (.audio, "alac", "alac"), (.audio, "vorbis", "vorbis"),
            (.audio, "mpegh_3d_audio", "mha1 mhm1"), (.audio, "mp3", "mp3"),
            (.text, "webvtt", "wvtt"), (.text, "ttml", "stpp"), (.text, "mov_text", "tx3g"),
            (.text, "eia_608", "c608"), (.text, "eia_708", "c708"),
        ]
        for (kind, codec, spellings) in table {
            for spelling in spellings.split(separator: " ") {
                names[String(spelling)] = (kind, codec)
            }
        }
        return names
    }()
}
