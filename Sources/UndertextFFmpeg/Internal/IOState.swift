internal import CFFmpeg
internal import Glibc
internal import UndertextCore

/// The state of FFmpeg's callbacks and their results.
///
/// Referenced by FFmpeg's structures without being retained: the demuxer keeps it for longer than
/// those. Swift errors cannot pass through C, so they are stored here and thrown afterwards.
@safe
final class IOState {
    /// The source of bytes if FFmpeg does not open the input itself.
    enum Reader {
        case none
        case random(any RandomAccessSource)
        case sequential(any SequentialSource)
        /// An open file, read straight into FFmpeg's buffer.
        case descriptor(Int32, of: any RandomAccessSource)

        /// The bytes of an open file.
        static func file(_ source: any RandomAccessSource) -> Reader {
            source.fileDescriptor.map { .descriptor($0, of: source) } ?? .random(source)
        }
    }

    typealias OpenFunction =
        @convention(c) (
            UnsafeMutablePointer<AVFormatContext>?,
            UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?, UnsafePointer<CChar>?,
            Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32

    /// The reader of a custom input.
    let reader: Reader
    /// The input, for messages.
    let name: String
    /// The context that reads through this state, whose progress is checked between two reads.
    var context: UnsafeMutablePointer<AVFormatContext>?
    /// FFmpeg's own way to open.
    var openDefault: OpenFunction?
    /// The error of a callback, which is thrown after the C call.
    private(set) var stored: UndertextError?
    /// Addresses that the input wanted to open, the first few.
    private(set) var refused: [String] = []
    /// The read statistics of a custom input.
    private(set) var statistics = ReadStatistics()

    private let allowsNested: Bool
    private let programLimit: Int
    private let cancellation: Cancellation?
    private let deadline: ContinuousClock.Instant?
    private var hasOpenedInput = false
    private var position: UInt64 = 0

    init(reader: Reader, name: String, options: DemuxerOptions) {
        self.reader = reader
        self.name = name
        allowsNested = options.allowsPlaylists
        programLimit = options.limits.programs
        cancellation = options.cancellation
        deadline = options.deadline
    }

    /// `true` if a callback left an error that was not thrown yet.
    var hasFailed: Bool { stored != nil }

    /// The stored error, once, with the input's name.
    func takeStored() -> UndertextError? {
        defer { stored = nil }
        guard var error = stored else { return nil }
        error.path = error.path ?? name
        return error
    }

    /// The refused addresses, once.
    func takeRefused() -> [String] {
        defer { refused = [] }
        return refused
    }

    /// The error to throw if the caller has cancelled the job or its deadline has passed.
    var interruption: UndertextError? {
        if let cancellation, cancellation.isCancelled {
            return UndertextError(.cancelled, "stopped", path: name)
        }
        if let deadline, ContinuousClock.now >= deadline {
            return UndertextError(.timeout, "took longer than allowed", path: name)
        }
        if let context = unsafe context, unsafe Int(context.pointee.nb_programs) > programLimit {
            return UndertextError(
                .limit, "it has more than \(programLimit) programs, which no broadcast has",
                path: name)
        }
        return nil
    }

    /// Polled by FFmpeg within blocking reads; `true` cancels the read.
    func shouldInterrupt() -> Bool {
        guard let interruption else { return false }
        stored = interruption
        return true
    }

    /// The next bytes for FFmpeg, or a negative error.
    func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
        if shouldInterrupt() { return cffmpeg_exit }
        guard count > 0 else { return cffmpeg_averror(EINVAL) }
        let bytes: [UInt8]
        do throws(UndertextError) {
            switch reader {
            case .descriptor(let descriptor, of: let source):
                defer { source.readPosition?.value = position }
                return unsafe read(descriptor, into: buffer, count: count)
            case .none: return cffmpeg_averror(EINVAL)
            case .random(let source): bytes = try source.read(at: position, count: count)
            case .sequential(let source): bytes = try source.read(upTo: count)
            }
        } catch {
            stored = error
            return error.code == .cancelled ? cffmpeg_exit : cffmpeg_averror(EIO)
        }
        let taken = min(bytes.count, count)
        statistics.requests += 1
        statistics.bytesRead += UInt64(taken)
        guard taken > 0 else { return cffmpeg_eof }
        unsafe bytes.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(start: buffer, count: taken)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<taken]))
        }
        position += UInt64(taken)
        return Int32(clamping: taken)
    }

    /// The next bytes of an open file.
    private func read(
        _ descriptor: Int32, into buffer: UnsafeMutablePointer<UInt8>, count: Int
    ) -> Int32 {
        guard let offset = off_t(exactly: position) else { return cffmpeg_eof }
        var taken = unsafe pread(descriptor, buffer, count, offset)
        while taken < 0, errno == EINTR { taken = unsafe pread(descriptor, buffer, count, offset) }
        guard taken >= 0 else {
            let said = unsafe strerror(errno).map { unsafe String(cString: $0) }
            stored = UndertextError(
                .io, "reading failed", path: name, byteOffset: position, underlying: said)
            return cffmpeg_averror(EIO)
        }
        statistics.requests += 1
        statistics.bytesRead += UInt64(taken)
        position += UInt64(taken)
        return taken > 0 ? Int32(clamping: taken) : cffmpeg_eof
    }

    /// The length of a custom input now: a file may still grow.
    private var size: Int64? {
        switch reader {
        case .none, .sequential: return nil
        case .random(let source): return source.size.flatMap { Int64(exactly: $0) }
        case .descriptor(let descriptor, let source):
            var info = stat()
            guard unsafe fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
                return source.size.flatMap { Int64(exactly: $0) }
            }
            return Int64(info.st_size)
        }
    }

    /// FFmpeg's seek of a custom input: the new position, the size, or a negative error.
    func seek(to offset: Int64, whence: Int32) -> Int64 {
        if case .sequential = reader { return Int64(cffmpeg_averror(ESPIPE)) }
        let size = size
        let base: Int64
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return size ?? Int64(cffmpeg_averror(ENOSYS))
        case SEEK_SET: base = 0
        case SEEK_CUR: base = Int64(clamping: position)
        case SEEK_END:
            guard let size else { return Int64(cffmpeg_averror(ENOSYS)) }
            base = size
        default: return Int64(cffmpeg_averror(EINVAL))
        }
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return Int64(cffmpeg_averror(EINVAL)) }
        position = UInt64(target)
        return target
    }

    /// `true` if FFmpeg may open `url`: the input itself, once; more only for playlists.
    func mayOpen(_ url: String) -> Bool {
        if allowsNested { return true }
        if case .none = reader, !hasOpenedInput {
            hasOpenedInput = true
            return true
        }
        if refused.count < 8 { refused.append(url) }
        return false
    }

    /// The pointer that FFmpeg's callbacks get.
    var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// The state that a callback's pointer refers to.
    static func from(_ opaque: UnsafeMutableRawPointer?) -> IOState? {
        guard let opaque = unsafe opaque else { return nil }
        return unsafe Unmanaged<IOState>.fromOpaque(opaque).takeUnretainedValue()
    }
}
