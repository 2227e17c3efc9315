internal import Glibc
internal import UndertextCore

/// Checks a path before libavformat opens it, because libavformat's errors do not distinguish an empty file
/// from one that is not media.
enum LocalFile {
    /// Throws where the path cannot be a readable, non-empty file.
    static func check(_ path: String) throws(UndertextError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw UndertextError(.notFound, "there is no such file; check the path", path: path)
        }
        var info = stat()
        guard unsafe stat(PathText.systemPath(path), &info) == 0 else { throw error(errno, path) }
        switch info.st_mode & S_IFMT {
        case S_IFDIR:
            throw UndertextError(.isDirectory, "is a directory; specify a file in it", path: path)
        case S_IFREG where info.st_size == 0:
            throw UndertextError(.empty, "is empty; was it copied completely?", path: path)
        default:
            guard unsafe access(PathText.systemPath(path), R_OK) == 0 else {
                throw error(errno, path)
            }
        }
    }

    private static func error(_ number: Int32, _ path: String) -> UndertextError {
        let said = unsafe strerror(number).map { unsafe String(cString: $0) }
        switch number {
        case ENOENT, ENOTDIR:
            return UndertextError(
                .notFound, "there is no such file; check the path", path: path, underlying: said)
        case EACCES, EPERM:
            return UndertextError(
                .permission,
                "access was refused; check the permissions of the file and its folders",
                path: path, underlying: said)
        default:
            return UndertextError(.io, "could not be opened", path: path, underlying: said)
        }
    }
}
