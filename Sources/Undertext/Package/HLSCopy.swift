internal import UndertextContainers
package import UndertextCore
internal import UndertextFFmpeg
internal import UndertextIO
package import UndertextStreaming

/// Segments the audio and video of a file for HLS without reencoding.
package struct HLSCopy: Hashable, Sendable {
    /// The codecs as RFC 6381 writes them; empty where not all of them are known.
    package private(set) var codecs: [String] = []
    /// The width and height of the video; `nil` for audio alone.
    package private(set) var resolution: PixelSize?
    /// Frames per second as a fraction; `nil` if the file does not say, and for sound alone.
    package private(set) var frameRate: TimeBase?
    /// The start of the segments on the file's own timeline as players see it; negative if audio begins with
    /// samples that are not played (ISO/IEC 14496-12, 8.6.6).
    package private(set) var start = Timestamp.zero
    /// The bit rates of the segments; `nil` if there are no segments.
    package private(set) var rates: SegmentRates?
    /// Diagnostics about omitted streams and problems of the file.
    package private(set) var diagnostics: [Diagnostic] = []

    /// The name of the media playlist in the folder.
    package static let playlistName = HLSNames.playlist
    /// The name of the file that precedes all segments.
    package static let headerName = HLSNames.header
    /// The prefix of segment names; a number and `.m4s` follow.
    package static let segmentPrefix = HLSNames.segmentPrefix

    /// Copies the first video stream and the first audio stream.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - folder: the folder for the output.
    ///   - segmentLength: the target duration of segments in seconds; they begin with key frames.
    ///   - cancellation: cancels the copying.
    /// - Throws: `UndertextError`: `unsupported` if no stream can be put into segments.
    package init(
        _ path: String, to folder: String, segmentLength: Double, cancellation: Cancellation
    ) throws(UndertextError) {
        var options = DemuxerOptions()
        options.cancellation = cancellation
        options.probe = .full
        var reading = Media.Options()
        reading.cancellation = cancellation
        // Looks at what libavformat should not be given.
        let file = try Media(path, options: reading)
        options.options = file.access.ffmpegOptions
        let demuxer = try FFmpegDemuxer(.path(path), options: options)
        defer { demuxer.close() }
        let all = demuxer.description.streams
        let pictures = all.filter {
            $0.kind == .video && !$0.disposition.contains(.attachedPicture)
        }
        let sound = all.filter { $0.kind == .audio }
        let chosen = [pictures.first, sound.first].compactMap { $0 }
        guard !chosen.isEmpty else {
            throw UndertextError(.unsupported, "has neither video nor audio", path: path)
        }
        let leftOut = pictures.count + sound.count - chosen.count
        if leftOut > 0 {
            diagnostics.append(
                Diagnostic(
                    .warning, "streams-left-out",
                    "\(leftOut) further audio or video \(leftOut == 1 ? "stream is" : "streams are") not "
                        + "in the presentation"))
        }
        resolution = pictures.first?.size
        frameRate = pictures.first?.frameRate
        let first = try demuxer.copyAsHLS(
            chosen.map(\.index), to: folder, segmentLength: segmentLength)
        let timeline = TimelineMapping(view: .player, container: demuxer.description)
        start = first.map(timeline.mapped) ?? .zero
        diagnostics += file.diagnostics + demuxer.diagnostics.take()
        try look(at: folder, path)
    }

    /// Determines the attributes for a master playlist from the written files.
    private mutating func look(at folder: String, _ path: String) throws(UndertextError) {
        var playlist = try MediaPlaylist(PlaylistText(Self.bytes(of: Self.playlistName, folder)))
        guard let map = playlist.maps.first else {
            throw UndertextError(.malformed, "libavformat's playlist has no EXT-X-MAP", path: path)
        }
        let header = try Self.bytes(of: map.uri, folder)
        try Self.removeEdits(header, map.uri, playlist, folder)
        guard let lengths = try Self.lengths(of: playlist, map.uri, folder) else {
            throw UndertextError(
                .unsupported,
                "has no presentation times, so segments would have no duration; encode it again (ffmpeg "
                    + "-i FILE new.mkv) and package the result",
                path: path)
        }
        let text = playlist.text(lengths: lengths)
        try Self.replace(Self.playlistName, with: text.bytes, folder)
        playlist = try MediaPlaylist(text)
        rates = SegmentRates(
            playlist.segments.map { segment in
                let size = FileSystem.size(of: PathName.joining(folder, segment.uri))
                return (segment.duration, Int64(clamping: size ?? 0))
            }, target: playlist.targetDuration ?? .zero)
        let names = MP4CodecNames(initialization: header).names
        codecs = names.contains(nil) ? [] : names.compactMap { $0 }
    }

    /// Moves the delays of tracks to their fragments, where browsers apply them.
    private static func removeEdits(
        _ header: [UInt8], _ headerName: String, _ playlist: MediaPlaylist, _ folder: String
    ) throws(UndertextError) {
        let removal = try MP4EditRemoval(initialization: header)
        for segment in playlist.segments {
            let path = PathName.joining(folder, segment.uri)
            for patch in try removal.patches(of: FileSource(path: path, isInput: false)) {
                try FileSystem.overwrite(path, at: patch.offset, with: patch.bytes)
            }
        }
        try FileSystem.overwrite(
            PathName.joining(folder, headerName), at: 0, with: removal.initialization)
    }

    /// The durations of segments: each lasts until the next one begins, the last one until all tracks end.
    ///
    /// libavformat writes the duration of a segment's video into the playlist, regardless of audio that begins
    /// earlier or ends later.
    /// is before, beside and after them.
    ///
    /// - Returns: the lengths; `nil` where one of them would be none.
    private static func lengths(
        of playlist: MediaPlaylist, _ headerName: String, _ folder: String
    ) throws(UndertextError) -> [Duration]? {
        let spans = try MP4SegmentSpans(initialization: bytes(of: headerName, folder))
        var starts: [Timestamp] = []
        var end: Timestamp?
        for segment in playlist.segments {
            let source = try FileSource(
                path: PathName.joining(folder, segment.uri), isInput: false)
            guard let span = try spans.span(of: source) else { return nil }
            starts.append(span.lowerBound)
            end = max(end ?? span.upperBound, span.upperBound)
        }
        guard let end else { return nil }
        let lengths = zip(starts, starts.dropFirst() + [end]).map { $0.duration(to: $1) }
        return lengths.allSatisfy { $0 > .zero } ? lengths : nil
    }

    private static func replace(
        _ name: String, with bytes: [UInt8], _ folder: String
    ) throws(UndertextError) {
        let file = try OutputFile(path: PathName.joining(folder, name))
        try file.write(bytes[...])
        try file.commit(replacing: true)
    }

    private static func bytes(of name: String, _ folder: String) throws(UndertextError) -> [UInt8] {
        try FileSystem.contents(
            of: PathName.joining(folder, name), limit: StreamingLimits().playlistSize,
            isInput: false)
    }
}
