internal import Glibc
internal import UndertextCore

/// The number and text of a failed system call; C: `errno`, `strerror`.
struct SystemFailure: Error {
    /// The error number.
    let number: CInt

    /// The failure of the most recent system call.
    static var last: SystemFailure { SystemFailure(number: errno) }

    /// The system's description of the error.
    var text: String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }

    /// Converts the failure to an input error.
    func mediaError(
        _ action: String, path: String, byteOffset: UInt64? = nil
    ) -> UndertextError {
        let (code, message): (UndertextError.Code, String) =
            switch number {
            case ENOENT: (.notFound, "there is no such file; check the path")
            case ENOTDIR: (.notFound, "a part of the path is not a folder; check the path")
            case EACCES, EPERM: (.permission, "no permission to read it; check owner and mode")
            case EISDIR: (.isDirectory, "it is a folder; specify a file in it")
            case ELOOP: (.io, "too many symbolic links")
            case ENAMETOOLONG: (.notFound, "the path is too long for the file system")
            default: (.io, "\(action) failed")
            }
        return UndertextError(code, message, path: path, byteOffset: byteOffset, underlying: text)
    }

    /// Converts the failure to an output error.
    func outputError(_ action: String, path: String) -> UndertextError {
        let (code, message): (UndertextError.Code, String) =
            switch number {
            case EEXIST, ENOTEMPTY:
                (.outputExists, "it exists already; remove it or allow replacing")
            case EISDIR: (.outputExists, "a folder with that name exists; remove or rename it")
            case EACCES, EPERM:
                (.permission, "no permission to write there; choose another folder")
            case EROFS: (.readOnly, "the file system is read-only; choose another folder")
            case ENOSPC: (.noSpace, "no space left; free some or choose another folder")
            case EDQUOT: (.noSpace, "the disk quota is used up; free some space")
            case EFBIG:
                (
                    .noSpace,
                    "the file would be larger than the file system or the process's limit allows"
                )
            case ENOENT: (.notFound, "the folder does not exist; create it first")
            case ENOTDIR: (.notDirectory, "a part of the path is not a folder; check the path")
            case ENAMETOOLONG: (.nameTooLong, "the name is too long for the file system")
            case EPIPE: (.closedPipe, "the reader of the output closed it")
            case ECANCELED: (.cancelled, "the job was stopped")
            default: (.io, "\(action) failed")
            }
        return UndertextError(code, message, path: path, underlying: text)
    }
}
