internal import Containers
internal import Demux
public import MediaCore
public import Streaming
internal import SystemIO

/// Cuts the sound and the pictures of a file into segments of HLS, without encoding them anew.
public struct HLSCopy: Hashable, Sendable {
    /// The codecs as RFC 6381 writes them; empty where not all of them are known.
    public private(set) var codecs: [String] = []
    /// Width and height of the pictures; `nil` for sound alone.
    public private(set) var resolution: PixelSize?
    /// What the segments take; `nil` where there is none.
    public private(set) var rates: SegmentRates?
    /// How many further streams of sound and pictures the file has, which were left out.
    public private(set) var leftOut = 0

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
        try demuxer.copyAsHLS(chosen.map(\.index), to: folder, segmentLength: segmentLength)
        try look(at: folder)
    }

    /// Finds out from what was written what a master playlist tells.
    private mutating func look(at folder: String) throws(MediaError) {
        let playlist = try MediaPlaylist(PlaylistText(Self.bytes(of: Self.playlistName, folder)))
        rates = SegmentRates(
            playlist.segments.map { segment in
                let size = FileSystem.size(of: PathName.joining(folder, segment.uri))
                return (segment.duration, Int64(clamping: size ?? 0))
            }, target: playlist.targetDuration ?? .zero)
        guard let map = playlist.maps.first else { return }
        let names = MP4CodecNames(initialization: try Self.bytes(of: map.uri, folder)).names
        codecs = names.contains(nil) ? [] : names.compactMap { $0 }
    }

    private static func bytes(of name: String, _ folder: String) throws(MediaError) -> [UInt8] {
        try FileSystem.contents(
            of: PathName.joining(folder, name), limit: StreamingLimits().playlistSize)
    }
}
