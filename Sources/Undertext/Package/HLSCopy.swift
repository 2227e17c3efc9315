internal import Demux
public import MediaCore
internal import SystemIO

/// Cuts the sound and the pictures of a file into segments of HLS, without encoding them anew.
public struct HLSCopy: Hashable, Sendable {
    /// The codecs as RFC 6381 writes them; empty where not all of them are known.
    public var codecs: [String] = []
    /// Width and height of the pictures; `nil` for sound alone.
    public var resolution: PixelSize?
    /// How many further streams of sound and pictures the file has, which were left out.
    public var leftOut = 0

    /// The name of the media playlist in the folder.
    public static let playlistName = "media.m3u8"

    /// Copies the first stream of pictures and the first of sound.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - folder: where the files are written.
    ///   - segmentLength: how many seconds segments are to have; they begin with key frames.
    ///   - cancellation: stops it.
    /// - Throws: ``MediaError``: `unsupported` where nothing in it can be put into segments.
    public init(
        _ path: String, to folder: String, segmentLength: Double, cancellation: Cancellation
    ) throws(MediaError) {
        var options = DemuxerOptions()
        options.cancellation = cancellation
        options.probe = .full
        let demuxer = try Demuxer(.path(path), options: options)
        defer { demuxer.close() }
        let all = demuxer.description.streams
        let pictures = all.filter {
            $0.kind == .video && !$0.disposition.contains(.attachedPicture)
        }
        let sound = all.filter { $0.kind == .audio }
        let chosen = [pictures.first, sound.first].compactMap { $0 }
        guard !chosen.isEmpty else {
            throw MediaError(.unsupported, "has neither pictures nor sound", path: path)
        }
        leftOut = pictures.count + sound.count - chosen.count
        resolution = pictures.first?.size
        let names = chosen.map(Self.codec)
        codecs = names.contains(nil) ? [] : names.compactMap { $0 }
        try demuxer.copyAsHLS(chosen.map(\.index), to: folder, segmentLength: segmentLength)
    }

    /// `avc1.64001f`, `mp4a.40.2`: the codecs that need no more than a glance.
    private static func codec(_ stream: StreamDescription) -> String? {
        switch stream.details?.codecName {
        case "h264":
            let record = stream.codecPrivate
            guard record.count >= 4, record[0] == 1 else { return nil }
            return "avc1."
                + record[1...3].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined()
        case "aac": return "mp4a.40.2"
        case "ac3": return "ac-3"
        case "eac3": return "ec-3"
        case "mp3": return "mp4a.40.34"
        case "opus": return "opus"
        case "flac": return "fLaC"
        default: return nil
        }
    }
}
