internal import Glibc
package import UndertextCore

/// A file or block device, read at any offset.
package final class FileSource: RandomAccessSource {
    /// The expected access pattern; C: `posix_fadvise`.
    package enum Access: Sendable {
        /// Random access: the system does not read ahead.
        case random
        /// Sequential access: the system reads ahead.
        case sequential
    }

    /// The path, for messages.
    package let name: String
    /// The requests so far.
    package private(set) var statistics = ReadStatistics()

    private let handle: Handle
    private let cancellation: Cancellation
    private let isDevice: Bool
    private let recordsPosition: Bool
    private var knownSize: UInt64
    /// The number of bytes read between checks for cancellation.
    private static let chunkSize = 8 << 20
    private static let pageSize = 4096

    /// Opens a file for reading.
    ///
    /// An empty file has the ``size`` 0. Pipes, sockets and terminals are rejected without opening them,
    /// because a FIFO's writer would notice; see ``FileKind`` and ``PipeSource``.
    ///
    ///   - path: The path of the file.
    ///   - access: The expected access pattern.
    ///   - cancellation: Stops reads.
    ///   - isInput: `false` for one of our own files that will be replaced, see ``InputFiles``.
    /// - Throws: ``UndertextError`` with code `not-found`, `permission-denied`, `is-directory`, `unsupported`
    ///   (not a file) or `io`.
    package init(
        path: String, access: Access = .random, cancellation: Cancellation = Cancellation(),
        isInput: Bool = true
    ) throws(UndertextError) {
        try Self.requireFile(FileKind(of: path), path)
        name = path
        recordsPosition = true
        self.cancellation = cancellation
        do throws(SystemFailure) {
            let descriptor = try FileDescriptor(
                path: path, flags: O_RDONLY | O_NOCTTY | O_NONBLOCK)
            let info = try descriptor.status()
            if isInput { InputFiles.note(info) }
            isDevice = info.st_mode & S_IFMT == S_IFBLK
            knownSize = try Self.length(of: descriptor, info)
            handle = Handle(descriptor)
        } catch {
            throw error.mediaError("opening", path: path)
        }
        advise(access)
    }

    private init(sharing other: Shared, cancellation: Cancellation, recordsPosition: Bool) {
        name = other.name
        self.recordsPosition = recordsPosition
        handle = other.handle
        isDevice = other.isDevice
        knownSize = other.size
        self.cancellation = cancellation
    }

    /// Opens additional sources of the same file, each for one thread.
    package var connector: PrefetchingSource.Connector { connector(recordsPosition: true) }

    /// Opens additional sources, whose reads move the ``readPosition`` only if `recordsPosition` is `true`.
    package func connector(recordsPosition: Bool) -> PrefetchingSource.Connector {
        let shared = Shared(name: name, handle: handle, isDevice: isDevice, size: knownSize)
        return { cancellation in
            FileSource(
                sharing: shared, cancellation: cancellation, recordsPosition: recordsPosition)
        }
    }

    private struct Shared: Sendable {
        let name: String
        let handle: Handle
        let isDevice: Bool
        let size: UInt64
    }

    /// The open file; reads at an offset are safe from any thread.
    private final class Handle: Sendable {
        let descriptor: FileDescriptor
        let position = ReadPosition()
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    /// The length in bytes; a file that is still being written grows.
    ///
    /// Only reads that reach the end update it, because a system call for each read would be too slow.
    package var size: UInt64? { knownSize }

    /// The current length of the file in bytes.
    package var currentSize: UInt64 {
        lookUpSize()
        return knownSize
    }

    private func lookUpSize() {
        guard !isDevice, let info = try? handle.descriptor.status() else { return }
        knownSize = UInt64(max(0, info.st_size))
    }

    /// The position shared by this source and the sources of its ``connector``.
    package var readPosition: ReadPosition? { handle.position }

    /// The open file; C: `int fd`.
    package var fileDescriptor: Int32? { handle.descriptor.number }

    /// Declares the expected access pattern to the system.
    package func advise(_ access: Access) {
        let advice = access == .random ? POSIX_FADV_RANDOM : POSIX_FADV_SEQUENTIAL
        // A failure affects only performance.
        _ = posix_fadvise(handle.descriptor.number, 0, 0, advice)
    }

    /// Starts reading `ranges` into the page cache; C: `posix_fadvise`.
    ///
    /// The call does not wait, so that the disk can serve many requests at the same time.
    package func prepare(_ ranges: [ByteRange], first: Bool) {
        for range in ranges {
            guard let start = off_t(exactly: range.offset), range.count > 0 else { continue }
            _ = posix_fadvise(
                handle.descriptor.number, start, off_t(range.count), POSIX_FADV_WILLNEED)
        }
    }

    /// Reads `count` bytes at `offset`; fewer only at the end of the file.
    ///
    /// The allocation is limited to the bytes that the file has at `offset`.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        let wanted = available(at: offset, count: count)
        guard wanted > 0 else { return [] }
        var failure: UndertextError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, done in
            unsafe failure = fill(UnsafeMutableRawBufferPointer(buffer), from: offset, &done)
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads `count` bytes at `offset` into `buffer`, at the same offset within a page as in the file.
    ///
    /// Copying between pages is several times slower if the offsets within the pages differ by a few bytes, as
    /// they do after an array's header.
    package func read(
        at offset: UInt64, count: Int, into buffer: inout [UInt8]
    ) throws(UndertextError) -> Range<Int> {
        let wanted = available(at: offset, count: count)
        guard wanted > 0 else { return 0..<0 }
        if buffer.count < wanted + Self.pageSize {
            buffer = []
            buffer = [UInt8](repeating: 0, count: wanted + Self.pageSize)
        }
        var start = 0
        var done = 0
        let failure = unsafe buffer.withUnsafeMutableBytes { memory in
            let page = UInt(Self.pageSize)
            let place = UInt(bitPattern: memory.baseAddress) % page
            start = Int((UInt(offset % UInt64(page)) + page - place) % page)
            let part = unsafe UnsafeMutableRawBufferPointer(
                rebasing: memory[start..<start + wanted])
            return unsafe fill(part, from: offset, &done)
        }
        if let failure { throw failure }
        return start..<start + done
    }

    /// Returns how many of the requested bytes exist, and counts the request.
    private func available(at offset: UInt64, count: Int) -> Int {
        guard count > 0 else { return 0 }
        if offset >= knownSize || knownSize - offset < UInt64(count) { lookUpSize() }
        guard offset < knownSize else { return 0 }
        let wanted = Int(min(UInt64(count), knownSize - offset))
        statistics.bytesRead += UInt64(wanted)
        statistics.requests += 1
        if recordsPosition { handle.position.value = offset + UInt64(wanted) }
        return wanted
    }

    /// Reads in chunks, and returns the error that ended reading, if any.
    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64, _ done: inout Int
    ) -> UndertextError? {
        while done < buffer.count {
            if cancellation.isCancelled {
                return UndertextError(.cancelled, "reading was stopped", path: name)
            }
            let end = min(buffer.count, done + Self.chunkSize)
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done..<end])
            let position = offset + UInt64(done)
            do throws(SystemFailure) {
                let count = try unsafe handle.descriptor.read(into: part, at: position)
                done += count
                if count < part.count { return nil }
            } catch {
                return error.mediaError("reading", path: name, byteOffset: position)
            }
        }
        return nil
    }

    private static func requireFile(_ kind: FileKind, _ path: String) throws(UndertextError) {
        switch kind {
        case .regular: return
        case .directory:
            throw UndertextError(.isDirectory, "it is a folder; specify a file in it", path: path)
        case .pipe:
            throw UndertextError(.unsupported, "it is a pipe or device, not a file", path: path)
        case .other: throw UndertextError(.unsupported, "it is not a file", path: path)
        }
    }

    private static func length(
        of descriptor: borrowing FileDescriptor, _ info: stat
    ) throws(SystemFailure) -> UInt64 {
        guard info.st_mode & S_IFMT == S_IFBLK else { return UInt64(max(0, info.st_size)) }
        let number = descriptor.number
        return UInt64(try retrying { lseek(number, 0, SEEK_END) })
    }
}
