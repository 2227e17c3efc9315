internal import Glibc
package import UndertextCore

/// A file of lines that several processes may append to.
package final class AppendedFile: Sendable {
    private let descriptor: FileDescriptor
    private let path: String

    /// Opens a file, which is created if it is missing; C: `O_APPEND`.
    package init(path: String) throws(UndertextError) {
        self.path = path
        do throws(SystemFailure) {
            descriptor = try FileDescriptor(
                path: path, flags: O_WRONLY | O_APPEND | O_CREAT, mode: 0o666)
        } catch {
            throw error.outputError("opening", path: path)
        }
    }

    /// Appends a line in one piece.
    package func append(line: [UInt8]) throws(UndertextError) {
        var failure: SystemFailure?
        unsafe (line + [0x0A]).withUnsafeBytes { bytes in
            do throws(SystemFailure) {
                unsafe try descriptor.writeAll(bytes)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure.outputError("writing", path: path) }
    }
}
