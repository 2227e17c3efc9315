internal import Glibc
package import UndertextCore

/// The kind of file at a path, after resolving symbolic links.
package enum FileKind: Hashable, Sendable {
    /// A file or block device: readable at any offset, see ``FileSource``.
    case regular
    /// A folder.
    case directory
    /// A FIFO, socket or terminal: readable once and in order, see ``PipeSource``.
    case pipe
    /// Anything else.
    case other

    /// Determines the kind of file at `path`; C: `stat`.
    ///
    /// - Throws: ``UndertextError`` with code `not-found`, `permission-denied` or `io`.
    package init(of path: String) throws(UndertextError) {
        do throws(SystemFailure) {
            var info = stat()
            let systemPath = PathText.systemPath(path)
            _ = try retrying { unsafe stat(systemPath, &info) }
            self.init(mode: info.st_mode)
        } catch {
            throw error.mediaError("looking it up", path: path)
        }
    }

    /// Determines the kind of an open descriptor, such as 0 for standard input; C: `fstat`.
    package init(ofDescriptor descriptor: Int32) throws(UndertextError) {
        do throws(SystemFailure) {
            var info = stat()
            _ = try retrying { unsafe fstat(descriptor, &info) }
            self.init(mode: info.st_mode)
        } catch {
            throw error.mediaError("looking it up", path: "descriptor \(descriptor)")
        }
    }

    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG, S_IFBLK: self = .regular
        case S_IFDIR: self = .directory
        case S_IFIFO, S_IFSOCK, S_IFCHR: self = .pipe
        default: self = .other
        }
    }
}
