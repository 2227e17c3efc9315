internal import Containers
internal import Demux
internal import SystemIO

/// Opens what the user named with the readers it needs.
enum InputOpener {
    /// A source for regular files; `nil` for URLs, pipes and standard input.
    static func source(
        of input: MediaInput, options: MediaFile.Options
    ) throws(MediaError) -> (any ByteSource)? {
        guard case .file(let path) = input else { return nil }
        guard try FileKind(of: path) != .pipe else { return nil }
        let cancellation = options.cancellation ?? Cancellation()
        let source = try FileSource(path: path, cancellation: cancellation)
        guard source.size != 0 else {
            throw MediaError(
                .empty, "the file is empty; nothing can be extracted from it", path: path)
        }
        return source
    }

    /// Our Matroska reader where the input is Matroska, or why it cannot be used.
    static func matroska(
        in source: (any ByteSource)?, options: MediaFile.Options
    ) throws(MediaError) -> (MatroskaFile?, String?) {
        guard let source, try source.read(at: 0, count: 4) == [0x1A, 0x45, 0xDF, 0xA3] else {
            return (nil, nil)
        }
        do throws(MediaError) {
            let file = try MatroskaFile(
                source: source, limits: options.limits,
                cancellation: options.cancellation ?? Cancellation())
            return (file, nil)
        } catch {
            if error.code == .cancelled || error.code == .io { throw error }
            return (nil, error.message)
        }
    }

    /// libavformat on an input that can be opened again.
    static func demuxer(
        for input: MediaInput, source: (any ByteSource)?, options: MediaFile.Options,
        depth: DemuxerOptions.ProbeDepth
    ) throws(MediaError) -> Demuxer {
        let (input, _) = try demuxInput(for: input, source, options)
        return try Demuxer(input, options: demuxerOptions(options, depth: depth))
    }

    static func demuxerOptions(
        _ options: MediaFile.Options, depth: DemuxerOptions.ProbeDepth
    ) -> DemuxerOptions {
        var demuxing = DemuxerOptions()
        demuxing.limits = options.limits
        demuxing.cancellation = options.cancellation
        demuxing.deadline = options.timeLimit.map { ContinuousClock().now + $0 }
        demuxing.probe = depth
        return demuxing
    }

    /// What libavformat reads, and the part of it that our own header readers may look at.
    static func demuxInput(
        for input: MediaInput, _ source: (any ByteSource)?, _ options: MediaFile.Options
    ) throws(MediaError) -> (DemuxInput, (any ByteSource)?) {
        let cancellation = options.cancellation ?? Cancellation()
        let pipe: PipeSource
        switch input {
        case .url(let url): return (.url(url), nil)
        case .standardInput: pipe = PipeSource(standardInput: cancellation)
        case .file(let path):
            if let source { return (.path(path), source) }
            // A FIFO can be read once and in order only.
            pipe = try PipeSource(path: path, cancellation: cancellation)
        }
        let tee = try HeaderTee(pipe)
        return (.stream(tee), tee.head)
    }
}
