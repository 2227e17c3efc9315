internal import Glibc
package import UndertextCore

/// A file that appears under its name only when it is complete.
///
/// It grows as `.NAME.PID.undertext-part` in the same folder. ``commit(replacing:)`` gives it its
/// name; without that the end of the object removes it, and so does
/// ``TemporaryRegistry/removeAll(refusingNew:)``. A path that leads to a pipe or a character device
/// (`/dev/stdout`) is written directly: there is nothing to rename.
package final class OutputFile: ByteSink {
    /// The path that it is going to have.
    package let path: String
    /// Bytes taken so far.
    package private(set) var bytesWritten: UInt64 = 0
    /// Where the bytes are now; `nil` if they go to `path` directly.
    package let temporaryPath: String?

    private let registry: TemporaryRegistry
    private var descriptor: FileDescriptor?
    private var buffer = WriteBuffer()
    private var failure: UndertextError?
    /// Keeps the lock of the closed temporary until it has its final name.
    private var lock: FileDescriptor?

    /// Makes the temporary file.
    ///
    /// `true` if `path` is taken is not looked at before the commit.
    ///
    /// - Parameters:
    ///   - path: the path that it is going to have.
    ///   - registry: who removes it if the process is stopped.
    /// - Throws: `UndertextError` with code `not-found`, `permission-denied`, `read-only`,
    ///   `no-space`, `not-a-directory`, `name-too-long`, `cancelled` or `io`.
    package init(path: String, registry: TemporaryRegistry = .ofProcess) throws(UndertextError) {
        self.path = path
        self.registry = registry
        do throws(SystemFailure) {
            if Self.isStream(path) {
                temporaryPath = nil
                descriptor = try FileDescriptor(path: path, flags: O_WRONLY | O_NOCTTY)
                return
            }
        } catch {
            throw error.outputError("opening", path: path)
        }
        let names = try TemporaryName(for: path)
        do throws(SystemFailure) {
            var made: FileDescriptor?
            temporaryPath = try names.firstFree { (candidate) throws(SystemFailure) in
                made = try registry.makeFile(candidate)
            }
            descriptor = made.take()
        } catch {
            throw error.outputError("making a temporary file", path: path)
        }
    }

    deinit { abort() }

    /// Takes bytes, which may wait in a buffer.
    ///
    /// After a failure each further call reports it again.
    package func write(_ bytes: ArraySlice<UInt8>) throws(UndertextError) {
        bytesWritten += UInt64(bytes.count)
        try attempt { (buffer, descriptor) throws(SystemFailure) in
            try buffer.append(bytes, to: descriptor)
        }
    }

    /// Hands all bytes to the system.
    package func flush() throws(UndertextError) {
        try attempt { (buffer, descriptor) throws(SystemFailure) in
            try buffer.drain(to: descriptor)
        }
    }

    /// Completes the file and gives it its name.
    ///
    /// On failure nothing is at `path` that was not there before, and the temporary is gone.
    ///
    /// - Parameter replacing: whether a file of that name is replaced, atomically. Without it such
    ///   a file is an error with code `output-exists`, also one that has just appeared.
    /// - Throws: `UndertextError`, from an earlier write too; with code `output-is-input` if `path` leads to a file
    ///   that is read, see ``InputFiles``.
    package func commit(replacing: Bool = false) throws(UndertextError) {
        do throws(UndertextError) {
            if temporaryPath != nil { try InputFiles.refuse(path) }
            try flush()
            try close()
            if let temporaryPath { try rename(temporaryPath, replacing) }
        } catch {
            abort()
            throw error
        }
    }

    /// Gives up: the temporary file goes.
    ///
    /// Without effect after a commit.
    package func abort() {
        descriptor = nil
        lock = nil
        if let temporaryPath { registry.discardFile(temporaryPath) }
        if failure == nil {
            failure = UndertextError(.io, "it is closed", path: path)
        }
    }

    private func rename(_ temporary: String, _ replacing: Bool) throws(UndertextError) {
        do throws(SystemFailure) {
            if replacing {
                try Renaming.move(temporary, over: path)
            } else {
                try Renaming.moveFile(temporary, toFree: path)
            }
            registry.forget(temporary)
            lock = nil
        } catch {
            throw error.outputError("renaming the temporary file", path: path)
        }
    }

    private func close() throws(UndertextError) {
        guard let open = descriptor.take() else { return }
        failure = UndertextError(.io, "it is closed", path: path)
        lock = open.duplicate()
        do throws(SystemFailure) {
            try open.closeChecked()
        } catch {
            throw error.outputError("closing", path: path)
        }
    }

    private func attempt(
        _ body: (inout WriteBuffer, borrowing FileDescriptor) throws(SystemFailure) -> Void
    ) throws(UndertextError) {
        if let failure { throw failure }
        guard let open = descriptor.take() else {
            throw UndertextError(.io, "it is closed", path: path)
        }
        do throws(SystemFailure) {
            try body(&buffer, open)
        } catch {
            let reported = error.outputError("writing", path: path)
            failure = reported
            throw reported
        }
        descriptor = consume open
    }

    /// `true` if the path leads to something that has no file to replace.
    static func isStream(_ path: String) -> Bool {
        (try? FileKind(of: path)) == .pipe
    }
}
