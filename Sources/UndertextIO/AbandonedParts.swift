internal import CUndertextLinux
internal import Glibc
internal import UndertextCore

/// Temporary files and folders of processes that were killed.
///
/// A part is abandoned if the process in its name no longer exists *and* no process holds the lock (C: `flock`)
/// that a part's creator keeps until the part has its final name. The process ID is not sufficient: the system
/// reuses IDs, and processes of other containers or hosts are not visible here. The lock is not sufficient
/// either, because some network file systems keep locks separately on each host; there, a part must also be at
/// least a day old. Parts that cannot be locked are never removed.
enum AbandonedParts {
    /// The minimum time since the last write to a part on a network file system.
    private static let networkAge = Duration.seconds(24 * 60 * 60)

    /// Removes abandoned parts from a folder.
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

    /// Returns `true` if the process exists, even if another user owns it; C: `kill` with signal 0.
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
        // NFS requires write access for a lock.
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
