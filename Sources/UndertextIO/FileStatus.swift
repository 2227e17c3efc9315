internal import Glibc
package import UndertextCore

/// The properties of a path in the file system: kind, size, time of change, identity.
package struct FileStatus: Hashable, Sendable {
    /// The kind of a path.
    package enum Kind: Hashable, Sendable {
        /// An ordinary file.
        case file
        /// A folder.
        case folder
        /// A symbolic link that was not followed.
        case link
        /// A device, pipe or socket.
        case other
    }

    /// The kind.
    package var kind: Kind
    /// Bytes.
    package var size: Int64
    /// The time of the last change in nanoseconds since 1970.
    package var modified: Int64
    /// The device of the file system.
    package var device: UInt64
    /// The number of the file on its device.
    package var inode: UInt64

    /// Creates a status.
    package init(kind: Kind, size: Int64, modified: Int64, device: UInt64, inode: UInt64) {
        self.kind = kind
        self.size = size
        self.modified = modified
        self.device = device
        self.inode = inode
    }

    /// Looks a path up; C: `stat`, `lstat`.
    ///
    /// - Throws: ``UndertextError`` with code `not-found`, `permission-denied` or `io`.
    package init(of path: String, followingLinks: Bool) throws(UndertextError) {
        do throws(SystemFailure) {
            var info = stat()
            let systemPath = PathText.systemPath(path)
            _ = try retrying {
                followingLinks
                    ? unsafe stat(systemPath, &info) : unsafe lstat(systemPath, &info)
            }
            self.init(info)
        } catch {
            throw error.mediaError("looking it up", path: path)
        }
    }

    private init(_ info: stat) {
        switch info.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link
        default: kind = .other
        }
        size = Int64(info.st_size)
        // A hostile file system may state any time.
        let seconds = Int64(info.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let sum = seconds.partialValue.addingReportingOverflow(Int64(info.st_mtim.tv_nsec))
        modified = seconds.overflow || sum.overflow ? .max : sum.partialValue
        device = UInt64(info.st_dev)
        inode = UInt64(info.st_ino)
    }

    /// `true` if the device is a rotating disk, as the kernel reports it in `/sys/dev/block`.
    package static func isRotating(device: UInt64) -> Bool {
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        // A partition has no queue of its own.
        return ["queue", "../queue"].contains { queue in
            let path = "/sys/dev/block/\(major):\(minor)/\(queue)/rotational"
            let text = try? FileSystem.contents(of: path, limit: 1 << 16, isInput: false)
            return text?.first == UInt8(ascii: "1")
        }
    }
}
