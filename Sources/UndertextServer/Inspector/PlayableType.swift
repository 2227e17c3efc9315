internal import UndertextCore

/// The media type of a file with its codecs, as browsers are asked for it (RFC 6381).
enum PlayableType {
    /// The type of a container; `nil` for one that browsers do not play.
    ///
    /// The codecs are those of the video and the audio; one that has no name in RFC 6381 goes by FFmpeg's, which
    /// browsers refuse.
    static func type(of container: ContainerDescription) -> String? {
        let streams = container.streams.filter {
            ($0.kind == .video && !$0.disposition.contains(.attachedPicture)) || $0.kind == .audio
        }
        let type: String
        switch container.fileFormat {
        case .mp4?, .mov?: type = "video/mp4"
        case .matroska?:
            let isWebM = streams.allSatisfy { webMCodecs.contains($0.codec.rawValue) }
            type = isWebM ? "video/webm" : "video/x-matroska"
        case .ogg?: type = "video/ogg"
        default: return nil
        }
        let codecs = streams.prefix(8).map(codec).filter { name in
            name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
        }
        return codecs.isEmpty ? type : "\(type); codecs=\"\(codecs.joined(separator: ", "))\""
    }

    private static let webMCodecs: Set<String> = ["vp8", "vp9", "av1", "opus", "vorbis"]

    private static func codec(_ stream: StreamDescription) -> String {
        let name = stream.codec.rawValue
        switch name {
        case "h264":
            // The profile, its constraints and the level (ISO/IEC 14496-15, section 5.3.3.1).
            let header = stream.codecPrivate
            guard header.count >= 4, header[0] == 1 else { return "avc1.640028" }
            return "avc1."
                + header[1...3].map { zeroPadded(UInt64($0), to: 2, radix: 16) }.joined()
        case "hevc": return "hvc1.1.6.L120.B0"
        case "av1": return "av01.0.08M.08"
        case "mpeg4": return "mp4v.20.9"
        case "aac": return "mp4a.40.2"
        case "mp3": return "mp4a.6B"
        case "ac3": return "ac-3"
        case "eac3": return "ec-3"
        default: return name
        }
    }
}
