internal import CUndertextLinux
package import UndertextCore

extension FileSystem {
    /// The read policy for a file, chosen by its file system; C: `statfs`.
    ///
    /// If the file system is unknown, the policy is the one for local files.
    package static func readPolicy(for path: String) -> ReadPolicy {
        let type = unsafe clinux_file_system(PathText.systemPath(path))
        return UInt32(exactly: type).map(isNetwork(type:)) == true ? .networkFile : .local
    }

    /// Returns `true` if a magic number identifies a network file system; C: `linux/magic.h`.
    ///
    /// FUSE is regarded as a network because sshfs, rclone and virtiofs use it, and even a local FUSE file
    /// system adds latency.
    static func isNetwork(type: UInt32) -> Bool {
        switch type {
        case 0x6969,  // NFS
            0x517B, 0xFF53_4D42, 0xFE53_4D42,  // SMB, CIFS, SMB 2
            0x6573_5546,  // FUSE
            0x0102_1997,  // 9P
            0x7375_7245,  // Coda
            0x5346_414F, 0x6B41_4653,  // AFS
            0x00C3_6400,  // Ceph
            0x0BD0_0BD0,  // Lustre
            0x786F_4256:  // shared folders of VirtualBox
            true
        default: false
        }
    }
}
