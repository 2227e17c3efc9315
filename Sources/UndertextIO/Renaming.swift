internal import Glibc
internal import UndertextCore

/// Renames a temporary file or folder to its final path.
enum Renaming {
    /// Renames a file atomically, and fails if the new name exists.
    static func moveFile(_ old: String, toFree new: String) throws(SystemFailure) {
        if try exclusively(old, new) { return }
        if try linked(old, new) { return }
        try moveByReservation(old, new)
    }

    /// Adds the new name as a hard link, which fails if the name exists, and then removes the old name.
    ///
    /// - Returns: `true` if the file system supports hard links.
    static func linked(_ old: String, _ new: String) throws(SystemFailure) -> Bool {
        do throws(SystemFailure) {
            _ = try retrying { unsafe link(PathText.systemPath(old), PathText.systemPath(new)) }
            unsafe unlink(PathText.systemPath(old))
            return true
        } catch {
            if hasNoLinks(error.number) { return false }
            throw error
        }
    }

    /// Creates an empty file with the new name and replaces it, for file systems such as FAT over FUSE.
    static func moveByReservation(_ old: String, _ new: String) throws(SystemFailure) {
        let flags = O_WRONLY | O_CREAT | O_EXCL
        let reservation = try FileDescriptor(path: new, flags: flags, mode: 0o666)
        do throws(SystemFailure) {
            try reservation.closeChecked()
            try move(old, over: new)
        } catch {
            unsafe unlink(PathText.systemPath(new))
            throw error
        }
    }

    /// Renames a folder, and fails if the new name exists.
    ///
    /// Without `RENAME_NOREPLACE`, an empty folder that appears at the same moment may be replaced.
    static func moveFolder(_ old: String, toFree new: String) throws(SystemFailure) {
        if try exclusively(old, new) { return }
        if FileSystem.exists(new) { throw SystemFailure(number: EEXIST) }
        do throws(SystemFailure) {
            try move(old, over: new)
        } catch {
            throw error.number == ENOTDIR ? SystemFailure(number: EEXIST) : error
        }
    }

    /// Renames a file and replaces an existing one; C: `rename`.
    static func move(_ old: String, over new: String) throws(SystemFailure) {
        _ = try retrying { unsafe rename(PathText.systemPath(old), PathText.systemPath(new)) }
    }

    private typealias Renameat2 =
        @convention(c) (
            CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt
        ) -> CInt

    /// The `renameat2` function of glibc 2.28 and later.
    ///
    /// Its declaration requires `_GNU_SOURCE`, which the module does not define, so it is looked up at run
    /// time.
    private static let renameat2: Renameat2? = {
        guard let address = unsafe dlsym(nil, "renameat2") else { return nil }
        return unsafe unsafeBitCast(address, to: Renameat2.self)
    }()

    private static let currentFolder: CInt = -100  // AT_FDCWD
    private static let noReplace: CUnsignedInt = 1  // RENAME_NOREPLACE

    /// Returns `true` if the file system supports an exclusive rename; throws `EEXIST` if the name exists.
    static func exclusively(_ old: String, _ new: String) throws(SystemFailure) -> Bool {
        guard let renameat2 = unsafe renameat2 else { return false }
        do throws(SystemFailure) {
            let (from, to) = (PathText.systemPath(old), PathText.systemPath(new))
            _ = try retrying {
                unsafe renameat2(currentFolder, from, currentFolder, to, noReplace)
            }
            return true
        } catch {
            // EINVAL: the file system does not support the flag (NFS, some FUSE). ENOSYS: the kernel does not.
            if error.number == EINVAL || error.number == ENOSYS { return false }
            throw error
        }
    }

    private static func hasNoLinks(_ number: CInt) -> Bool {
        [EPERM, EOPNOTSUPP, ENOSYS, EINVAL, EMLINK, EACCES].contains(number)
    }
}
