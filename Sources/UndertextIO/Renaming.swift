internal import Glibc
internal import UndertextCore

/// Gives a temporary its final name.
enum Renaming {
    /// Renames a file unless something has the new name; atomic.
    static func moveFile(_ old: String, toFree new: String) throws(SystemFailure) {
        if try exclusively(old, new) { return }
        if try linked(old, new) { return }
        try moveByReservation(old, new)
    }

    /// Gives the file its second name by a hard link, which is exclusive too, and takes the first.
    ///
    /// - Returns: whether the file system has hard links.
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

    /// Takes the name with an empty file, then replaces that: for FAT over FUSE and the like.
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

    /// Renames a folder unless something has the new name; atomic but for an empty folder that
    /// appears at the same moment, where the file system lacks `RENAME_NOREPLACE`.
    static func moveFolder(_ old: String, toFree new: String) throws(SystemFailure) {
        if try exclusively(old, new) { return }
        if FileSystem.exists(new) { throw SystemFailure(number: EEXIST) }
        do throws(SystemFailure) {
            try move(old, over: new)
        } catch {
            throw error.number == ENOTDIR ? SystemFailure(number: EEXIST) : error
        }
    }

    /// Renames, replacing a file of the new name; C: `rename`.
    static func move(_ old: String, over new: String) throws(SystemFailure) {
        _ = try retrying { unsafe rename(PathText.systemPath(old), PathText.systemPath(new)) }
    }

    private typealias Renameat2 =
        @convention(c) (
            CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt
        ) -> CInt

    /// C: `renameat2` of glibc 2.28 and later; its declaration asks for `_GNU_SOURCE`, which the
    /// module does not set, hence the look-up.
    private static let renameat2: Renameat2? = {
        guard let address = unsafe dlsym(nil, "renameat2") else { return nil }
        return unsafe unsafeBitCast(address, to: Renameat2.self)
    }()

    private static let currentFolder: CInt = -100  // AT_FDCWD
    private static let noReplace: CUnsignedInt = 1  // RENAME_NOREPLACE

    /// `true` if the file system could do it; throws `EEXIST` where the name is taken.
    static func exclusively(_ old: String, _ new: String) throws(SystemFailure) -> Bool {
        guard let renameat2 = unsafe renameat2 else { return false }
        do throws(SystemFailure) {
            let (from, to) = (PathText.systemPath(old), PathText.systemPath(new))
            _ = try retrying {
                unsafe renameat2(currentFolder, from, currentFolder, to, noReplace)
            }
            return true
        } catch {
            // EINVAL: the file system lacks the flag (NFS, some of FUSE). ENOSYS: the kernel does.
            if error.number == EINVAL || error.number == ENOSYS { return false }
            throw error
        }
    }

    private static func hasNoLinks(_ number: CInt) -> Bool {
        [EPERM, EOPNOTSUPP, ENOSYS, EINVAL, EMLINK, EACCES].contains(number)
    }
}
