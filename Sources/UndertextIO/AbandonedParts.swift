internal import CUndertextLinux
internal import Glibc
internal import UndertextCore

/// Temporary files and folders of processes that were killed.
///
/// A part counts as abandoned if the process in its name is gone *and* nobody holds the lock (C: `flock`) that its
/// maker keeps on it until it has its final name. The number alone proves nothing: it is given again to other
/// processes, and one of another container or, on a share, of another host cannot be looked up here. The lock alone
/// proves nothing where a file system keeps locks on each host by itself, so on network file systems a part has to
/// be a day old besides. What cannot be locked is left alone.
enum AbandonedParts {
    /// How long a part on a network file system was not written to, at least.
    private static let networkAge = Duration.seconds(24 * 60 * 60)

    /// Removes them from a folder.
    static func remove(from folder: String, except isOurs: (String) -> Bool) {
        let names = (try? FileSystem.entries(of: folder, ending: TemporaryName.suffix)) ?? []
        var isShared: Bool?
        for name in names {
            let path = PathName.joining(folder, name)
            guard let process = TemporaryName.process(in: name), !isOurs(path),
                process == getpid() || !isAlive(process)
            else { continue }
            let onNetwork = isShared ?? (FileSystem.readPolicy(for: folder) == .networkFile)
            isShared = onNetwork
            remove(path, leastAge: onNetwork ? networkAge : .zero)
        }
    }

    /// `true` also if it belongs to somebody else; C: `kill` with signal 0.
    private static func isAlive(_ process: pid_t) -> Bool {
        kill(process, 0) == 0 || errno != ESRCH
    }

    private static func remove(_ path: String, leastAge: Duration) {
        let place = PathText.systemPath(path)
        var info = stat()
        guard unsafe lstat(place, &info) == 0, info.st_uid == geteuid() else { return }
        let kind = info.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else { return }
        let modified = Timestamp.seconds(Int64(info.st_mtim.tv_sec))
        guard leastAge == .zero || modified.duration(to: FileSystem.now) >= leastAge else { return }
        // NFS locks only what is open for writing.
        let flags = kind == S_IFDIR ? O_RDONLY | O_DIRECTORY : O_RDWR | O_NONBLOCK
        guard let descriptor = try? FileDescriptor(path: path, flags: flags | O_NOFOLLOW),
            clinux_lock(descriptor.number) == 0
        else { return }
        if kind == S_IFDIR {
            TemporaryRegistry.removeFolder(path)
        } else {
            unsafe unlink(place)
        }
        _ = consume descriptor
    }
}
