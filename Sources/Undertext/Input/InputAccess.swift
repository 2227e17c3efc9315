internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextIO

/// The access to the bytes of an input: a file, a server with ranges, the caller's source, or a pipe.
final class InputAccess {
    /// Reads at any offset; `nil` for pipes and for servers without ranges.
    let source: (any RandomAccessSource)?
    /// The reason why there is no ``source``.
    let refusal: String?
    /// Length of the input in bytes, where it is known.
    var size: UInt64? { source?.size ?? streamSize }

    /// The open file, if the input is one: all readers use it, even if the path changes later.
    private let file: FileSource?
    /// Additional libavformat options, set after the file has been examined.
    var ffmpegOptions: [String: String] = [:]
    /// Length of the input in bytes when it was opened, where it was known.
    var sizeWhenOpened: UInt64?
    let input: MediaInput
    let options: Media.Options
    /// The rate limiter shared by all connections; `nil` for no limit.
    let limiter: RateLimiter?
    private let cancellation: Cancellation
    private let builder: SourceBuilder
    /// The response of a server without ranges, for the first reader.
    private var stream: HTTPStream?
    private let streamSize: UInt64?

    /// Opens the parts of `input` that can be opened only once.
    init(_ input: MediaInput, options: Media.Options) throws(UndertextError) {
        self.input = input
        self.options = options
        cancellation = options.cancellation ?? Cancellation()
        limiter =
            options.rateLimiter
            ?? options.maxReadRate.map { RateLimiter(bytesPerSecond: $0) }
        let builder = SourceBuilder(
            limiter: limiter, blockSize: options.ioBlock, cancellation: cancellation)
        self.builder = builder
        var file: FileSource?
        var source: (any RandomAccessSource)?
        var stream: HTTPStream?
        if let path = Self.localPath(of: input) {
            file = try Self.file(path, cancellation)
            source = file.map { builder.source($0, path: path) }
        } else if let bytes = Self.bytes(of: input, cancellation) {
            guard bytes.size != 0 else {
                throw UndertextError(
                    .empty, "the input is empty", path: bytes.name)
            }
            source = builder.source(bytes)
        } else if case .url(let url) = input, S3Location.isLocation(url) {
            let opened = try S3Client.open(
                url, options: Self.httpOptions(options, cancellation))
            source = builder.source(opened, policy: .remote, connect: opened.connector)
        } else if case .url(let url) = input, URI(url).isHTTP {
            switch try HTTPInput.open(url, options: Self.httpOptions(options, cancellation)) {
            case .source(let opened):
                source = builder.source(opened, policy: .remote, connect: opened.connector)
            case .stream(let opened): stream = opened
            }
        }
        (self.file, self.source, self.stream) = (file, source, stream)
        streamSize = stream?.size
        refusal = stream.map { _ in
            "the server does not support ranges, so the file is read from its beginning"
        }
    }

    /// Opens another local file that belongs to the input, to be read as the input is.
    func companion(_ path: String) throws(UndertextError) -> any RandomAccessSource {
        guard let file = try Self.file(path, cancellation) else {
            throw UndertextError(.unsupported, "is not a file", path: path)
        }
        return builder.source(file, path: path)
    }

    /// A client for what belongs to the input on the web.
    func webClient() -> any Fetcher {
        HTTPClient(options: Self.httpOptions(options, cancellation))
    }

    /// The path of the input if it is a local file.
    var localPath: String? { Self.localPath(of: input) }

    /// libavformat on the input, from its beginning; it finds out the format if that is `nil`.
    ///
    /// Data already read from a pipe is passed in memory.
    func demuxer(
        depth: DemuxerOptions.ProbeDepth, format: String? = nil, inMemory: [UInt8]? = nil,
        options further: [String: String] = [:]
    ) throws(UndertextError) -> FFmpegDemuxer {
        var demuxing = demuxerOptions(depth: depth)
        demuxing.format = format
        demuxing.options.merge(further) { $1 }
        if source == nil, let inMemory {
            let memory = MemorySource(inMemory, name: input.argument)
            return try FFmpegDemuxer(.source(memory), options: demuxing)
        }
        return try FFmpegDemuxer(demuxInput().0, options: demuxing)
    }

    /// The options with which libavformat opens the input.
    func demuxerOptions(depth: DemuxerOptions.ProbeDepth) -> DemuxerOptions {
        var demuxing = DemuxerOptions()
        demuxing.limits = options.limits
        demuxing.cancellation = options.cancellation
        demuxing.deadline = options.timeLimit.map { ContinuousClock().now + $0 }
        demuxing.probe = depth
        demuxing.options = ffmpegOptions
        return demuxing
    }

    /// The input for libavformat, and the part of it that our own header readers may examine.
    func demuxInput() throws(UndertextError) -> (DemuxInput, (any RandomAccessSource)?) {
        if let source {
            guard !isReadThroughSource, let path = localPath else {
                return (.source(source), source)
            }
            // By its name, because the `.sub` beside it is found by that.
            if Self.isIndex(path) {
                SiblingFile.path(beside: path, extension: "sub").map(InputFiles.note)
                return (.path(path), source)
            }
            return (file.map { .opened($0, path: path) } ?? .source(source), source)
        }
        let pipe: any SequentialSource
        if case .file(let path) = input {
            // A FIFO can be read once and in order only.
            pipe = try PipeSource(path: path, cancellation: cancellation)
        } else if case .url(let url) = input {
            guard URI(url).isHTTP else { return (.url(url), nil) }
            pipe = try answer(url)
        } else if case .pipe(let descriptor) = input {
            pipe = try PipeSource(
                descriptor: descriptor, name: input.argument, cancellation: cancellation)
        } else {
            pipe = PipeSource(standardInput: cancellation)
        }
        let tee = try HeaderTee(
            limiter.map { ThrottledStream(pipe, limiter: $0, cancellation: cancellation) } ?? pipe)
        return (.stream(tee), tee.head)
    }

    /// The combined read statistics of our readers and `demuxer`, which count each byte once.
    func statistics(with demuxer: FFmpegDemuxer?) -> ReadStatistics {
        let own = source?.statistics ?? .init()
        return isReadThroughSource ? own : own + (demuxer?.statistics ?? .init())
    }

    /// `true` if libavformat reads through ``source``.
    ///
    /// It reads an ordinary file directly, which costs less.
    private var isReadThroughSource: Bool {
        guard source != nil else { return false }
        guard let path = localPath else { return true }
        return limiter != nil && !Self.isIndex(path)
    }

    private static func isIndex(_ path: String) -> Bool { path.lowercased().hasSuffix(".idx") }

    private func answer(_ url: String) throws(UndertextError) -> any SequentialSource {
        if let stream {
            self.stream = nil
            return stream
        }
        switch try HTTPInput.open(url, options: Self.httpOptions(options, cancellation)) {
        case .stream(let opened): return opened
        case .source:
            throw UndertextError(
                .io, "the server supports ranges for some requests only", path: url)
        }
    }

    /// Bytes or a source that the caller brings; `nil` for inputs of other kinds.
    private static func bytes(
        of input: MediaInput, _ cancellation: Cancellation
    ) -> (any RandomAccessSource)? {
        switch input {
        case .bytes(let bytes, let name): MemorySource(bytes, name: name)
        case .source(let source): CheckedSource(source, cancellation: cancellation)
        case .file, .url, .standardInput, .pipe: nil
        }
    }

    /// `nil` for a pipe.
    private static func file(
        _ path: String, _ cancellation: Cancellation
    ) throws(UndertextError) -> FileSource? {
        guard try FileKind(of: path) != .pipe else { return nil }
        let file = try FileSource(path: path, cancellation: cancellation)
        guard file.size != 0 else {
            throw UndertextError(
                .empty, "the file is empty; was it copied completely?", path: path)
        }
        return file
    }

    /// The path of a file, also where it is written `file://…`, as libavformat takes that.
    private static func localPath(of input: MediaInput) -> String? {
        switch input {
        case .file(let path): return path
        case .standardInput, .pipe, .bytes, .source: return nil
        case .url(let url): return URI.literalPath(ofFileURL: url)
        }
    }

    private static func httpOptions(
        _ options: Media.Options, _ cancellation: Cancellation
    ) -> HTTPOptions {
        var result = HTTPOptions()
        result.cancellation = cancellation
        result.deadline = options.timeLimit.map { ContinuousClock.now + $0 }
        if let name = options.userAgent { result.userAgent = name }
        return result
    }
}

/// Assembles the layers between a reader and the bytes.
private struct SourceBuilder {
    let limiter: RateLimiter?
    let blockSize: Int?
    let cancellation: Cancellation

    func source(_ file: FileSource, path: String) -> any RandomAccessSource {
        source(file, policy: FileSystem.readPolicy(for: path), connect: file.connector)
    }

    /// Bytes and sources of the caller, which one reader uses at a time: nothing is read ahead.
    func source(_ primary: any RandomAccessSource) -> any RandomAccessSource {
        let blocks = blockSize.flatMap { $0 > 0 ? BlockSource(primary, least: $0) : nil } ?? primary
        return throttled(blocks, limiter, cancellation)
    }

    /// The block size in bytes for unannounced reads if requests are expensive.
    private static let blockWhereDear = 64 << 10

    func source(
        _ primary: any RandomAccessSource, policy: ReadPolicy,
        connect: @escaping PrefetchingSource.Connector
    ) -> any RandomAccessSource {
        var policy = policy
        if let blockSize { policy.blockSize = blockSize }
        let isDear = policy.concurrency > 1
        let block = blockSize ?? (isDear ? Self.blockWhereDear : 0)
        // For a plain file, the index path uses a separate thread, which is faster.
        if !isDear, block == 0, limiter == nil { return primary }
        let limiter = limiter
        return PrefetchingSource(
            throttled(primary, limiter, cancellation), policy: policy, cancellation: cancellation,
            least: block
        ) { (cancellation) throws(UndertextError) in
            throttled(try connect(cancellation), limiter, cancellation)
        }
    }
}

private func throttled(
    _ source: any RandomAccessSource, _ limiter: RateLimiter?, _ cancellation: Cancellation
) -> any RandomAccessSource {
    limiter.map { ThrottledSource(source, limiter: $0, cancellation: cancellation) } ?? source
}
