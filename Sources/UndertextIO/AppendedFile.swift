internal import Glibc
internal import Synchronization
package import UndertextCore

/// A file of lines that several processes may append to.
package final class AppendedFile: Sendable {
    private let descriptor: FileDescriptor
    private let path: String
    /// `true` if the file ends within a line, since a process was killed or the disk was full.
    private let isCutOff: Atomic<Bool>

    /// Opens a file, which is created if it is missing; C: `O_APPEND`.
    package init(path: String) throws(UndertextError) {
        try S3Location.refuseOutput(path)
        self.path = path
        do throws(SystemFailure) {
            let opened = try FileDescriptor(
                path: path, flags: O_RDWR | O_APPEND | O_CREAT, mode: 0o666)
            let size = try opened.status().st_size
            var last: [UInt8] = [0x0A]
            var failure: SystemFailure?
            if size > 0 {
                unsafe last.withUnsafeMutableBytes { byte in
                    do throws(SystemFailure) {
                        _ = unsafe try opened.read(into: byte, at: UInt64(size - 1))
                    } catch {
                        failure = error
                    }
                }
            }
            if let failure { throw failure }
            descriptor = opened
            isCutOff = Atomic(last != [0x0A])
        } catch {
            throw error.outputError("opening", path: path)
        }
    }

    /// Appends a line in one piece.
    package func append(line: [UInt8]) throws(UndertextError) {
        var failure: SystemFailure?
        let start: [UInt8] = isCutOff.load(ordering: .relaxed) ? [0x0A] : []
        unsafe (start + line + [0x0A]).withUnsafeBytes { bytes in
            do throws(SystemFailure) {
                unsafe try descriptor.writeAll(bytes)
            } catch {
                failure = error
            }
        }
        isCutOff.store(failure != nil, ordering: .relaxed)
        if let failure { throw failure.outputError("writing", path: path) }
    }
}
