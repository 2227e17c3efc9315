internal import CUndertextLinux
internal import Glibc
package import UndertextCore

/// Numbered locks in a file, which the kernel releases when their process ends, however it ends.
///
/// C: `fcntl` with `F_OFD_SETLK`.
package final class ProcessLocks: Sendable {
    private let descriptor: FileDescriptor
    /// The file.
    package let path: String

    /// Opens the file of locks, which is created if it is missing.
    package init(path: String) throws(UndertextError) {
        self.path = path
        do throws(SystemFailure) {
            descriptor = try FileDescriptor(path: path, flags: O_RDWR | O_CREAT, mode: 0o666)
        } catch {
            throw error.outputError("opening the locks", path: path)
        }
    }

    /// Takes a lock; `false` if another process has it.
    package func lock(_ number: Int64) -> Bool {
        clinux_lock_byte(descriptor.number, number, 1) == 0
    }

    /// Releases a lock.
    package func unlock(_ number: Int64) { _ = clinux_lock_byte(descriptor.number, number, 0) }

    /// `true` if another process has that lock.
    package func isLockedElsewhere(_ number: Int64) -> Bool {
        clinux_byte_is_locked(descriptor.number, number) != 0
    }
}
