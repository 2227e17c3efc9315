internal import Glibc
package import UndertextCore

/// File metadata and operations that a disk cache needs.
extension FileSystem {
    /// The size and modification time of a file.
    package struct FileSummary: Hashable, Sendable {
        /// The size in bytes.
        package var size: UInt64
        /// The modification time since 1970.
        package var modified: Timestamp
    }

    /// Returns the size and modification time of a regular file without following links; C: `lstat`.
    package static func facts(of path: String) -> FileSummary? {
        var info = stat()
        guard unsafe lstat(PathText.systemPath(path), &info) == 0, info.st_mode & S_IFMT == S_IFREG
        else { return nil }
        let seconds = Timestamp.seconds(Int64(info.st_mtim.tv_sec))
        return FileSummary(
            size: UInt64(max(0, info.st_size)),
            modified: seconds.advanced(by: .nanoseconds(Int64(info.st_mtim.tv_nsec))))
    }

    /// Sets a file's modification time to the current time; C: `utimensat`.
    package static func touch(_ path: String) {
        // The file may have been removed.
        unsafe _ = utimensat(AT_FDCWD, PathText.systemPath(path), nil, 0)
    }

    /// Removes a file, and returns `true` if it no longer exists; C: `unlink`.
    @discardableResult
    package static func removeFile(_ path: String) -> Bool {
        unsafe unlink(PathText.systemPath(path)) == 0 || errno == ENOENT
    }

    /// The current time of the clock that modification times use.
    package static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp.seconds(Int64(time.tv_sec)).advanced(
            by: .nanoseconds(Int64(time.tv_nsec)))
    }

    /// The cache folder of the XDG base directory specification.
    ///
    /// This is `$XDG_CACHE_HOME`, or `$HOME/.cache` if that is not set; `nil` if neither is set. Relative paths
    /// are ignored.
    package static var cacheFolder: String? {
        if let folder = absolute("XDG_CACHE_HOME") { return folder }
        return absolute("HOME").map { PathName.joining($0, ".cache") }
    }

    /// The folder for what must last although it is no document, by the XDG base directory specification.
    ///
    /// `$XDG_STATE_HOME`, else `$HOME/.local/state`; `nil` without either. A relative path does not count.
    package static var stateFolder: String? {
        if let folder = absolute("XDG_STATE_HOME") { return folder }
        return absolute("HOME").map { PathName.joining($0, ".local/state") }
    }

    /// The folder for temporary files: `$TMPDIR`, else `/tmp`.
    package static var temporaryFolder: String { absolute("TMPDIR") ?? "/tmp" }

    /// Renames a file of ours, which replaces one of that name; C: `rename`.
    package static func rename(_ path: String, to other: String) throws(UndertextError) {
        do throws(SystemFailure) {
            _ = try retrying {
                unsafe Glibc.rename(PathText.systemPath(path), PathText.systemPath(other))
            }
        } catch {
            throw error.outputError("renaming", path: path)
        }
    }

    private static func absolute(_ variable: String) -> String? {
        guard let path = SystemEnvironment.path(of: variable) else { return nil }
        return path.utf8.first == UInt8(ascii: "/") ? path : nil
    }
}
