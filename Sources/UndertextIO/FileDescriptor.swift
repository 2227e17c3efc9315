internal import Glibc
internal import UndertextCore

/// An owned file descriptor that is closed at the end of its lifetime.
struct FileDescriptor: ~Copyable {
    /// The number; C: `int fd`.
    let number: CInt

    /// Takes ownership of an open descriptor.
    init(owning number: CInt) { self.number = number }

    /// Opens a path; C: `open`, with `O_CLOEXEC` added.
    init(path: String, flags: CInt, mode: mode_t = 0) throws(SystemFailure) {
        let systemPath = PathText.systemPath(path)
        number = try retrying { unsafe open(systemPath, flags | O_CLOEXEC, mode) }
    }

    deinit { close(number) }

    /// Closes the descriptor and reports errors of deferred writes; C: `close`.
    consuming func closeChecked() throws(SystemFailure) {
        let number = number
        discard self
        // Linux closes the descriptor even on EINTR; a second attempt could close an unrelated one.
        if close(number) != 0, errno != EINTR { throw .last }
    }

    /// Duplicates the descriptor; the duplicate shares the open file and its lock; C: `F_DUPFD_CLOEXEC`.
    borrowing func duplicate() -> FileDescriptor? {
        let other = fcntl(number, F_DUPFD_CLOEXEC, 0)
        return other >= 0 ? FileDescriptor(owning: other) : nil
    }

    /// Gives up ownership without closing the descriptor.
    consuming func relinquish() { discard self }

    /// The result of `fstat`.
    borrowing func status() throws(SystemFailure) -> stat {
        var info = stat()
        _ = try retrying { unsafe fstat(number, &info) }
        return info
    }

    /// Reads at an offset until `buffer` is full or the file ends; C: `pread`.
    ///
    /// - Returns: The number of bytes read.
    borrowing func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SystemFailure) -> Int {
        var done = 0
        while done < buffer.count {
            guard let position = off_t(exactly: offset &+ UInt64(done)) else { break }
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try retrying {
                unsafe pread(number, rest.baseAddress, rest.count, position)
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Writes all bytes at an offset; C: `pwrite`.
    borrowing func writeAll(
        _ bytes: UnsafeRawBufferPointer, at offset: UInt64
    ) throws(SystemFailure) {
        var done = 0
        while done < bytes.count {
            guard let position = off_t(exactly: offset &+ UInt64(done)) else {
                throw SystemFailure(number: EFBIG)
            }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try retrying { unsafe pwrite(number, rest.baseAddress, rest.count, position) }
        }
    }

    /// Writes all bytes, and waits if the descriptor is non-blocking; C: `write`.
    borrowing func writeAll(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            do {
                done += try retrying { unsafe write(number, rest.baseAddress, rest.count) }
            } catch {
                guard error.number == EAGAIN else { throw error }
                // Standard output may be shared with a program that made it non-blocking.
                var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                _ = try retrying { unsafe poll(&request, 1, 1000) }
            }
        }
    }
}

/// Repeats a system call while it is interrupted by signals; negative results are errors.
func retrying<Number: SignedInteger>(_ call: () -> Number) throws(SystemFailure) -> Number {
    while true {
        let result = call()
        if result >= 0 { return result }
        let failure = SystemFailure.last
        if failure.number != EINTR { throw failure }
    }
}
