internal import Glibc
package import UndertextCore

/// What a folder that keeps files for later asks.
extension FileSystem {
    /// Size and age of a file.
    package struct FileSummary: Hashable, Sendable {
        /// Bytes.
        package var size: UInt64
        /// When it was changed or touched last, since 1970.
        package var modified: Timestamp
    }

    /// Size and age of what is at `path` itself, if that is an ordinary file; C: `lstat`.
    package static func facts(of path: String) -> FileSummary? {
        var info = stat()
        guard unsafe lstat(PathText.systemPath(path), &info) == 0, info.st_mode & S_IFMT == S_IFREG
        else { return nil }
        let seconds = Timestamp.seconds(Int64(info.st_mtim.tv_sec))
        return FileSummary(
            size: UInt64(max(0, info.st_size)),
            modified: seconds.advanced(by: .nanoseconds(Int64(info.st_mtim.tv_nsec))))
    }

    /// Makes a file count as changed now; C: `utimensat`.
    package static func touch(_ path: String) {
        // A file that is gone needs no age.
        unsafe _ = utimensat(AT_FDCWD, PathText.systemPath(path), nil, 0)
    }

    /// Removes a file; whether it is gone; C: `unlink`.
    @discardableResult
    package static func removeFile(_ path: String) -> Bool {
        unsafe unlink(PathText.systemPath(path)) == 0 || errno == ENOENT
    }

    /// The time by the clock that ages are told on.
    package static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp.seconds(Int64(time.tv_sec)).advanced(
            by: .nanoseconds(Int64(time.tv_nsec)))
    }

    /// The folder for what may be lost, by the XDG base directory specification.
    ///
    /// `$XDG_CACHE_HOME`, else `$HOME/.cache`; `nil` without either. A relative path does not count.
    package static var cacheFolder: String? {
        if let folder = absolute("XDG_CACHE_HOME") { return folder }
        return absolute("HOME").map { PathName.joining($0, ".cache") }
    }

    private static func absolute(_ variable: String) -> String? {
        guard let path = SystemEnvironment.path(of: variable) else { return nil }
        return path.utf8.first == UInt8(ascii: "/") ? path : nil
    }
}
