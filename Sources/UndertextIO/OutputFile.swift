internal import Glibc
package import UndertextCore

/// A file that appears under its name only when it is complete.
///
/// Bytes are written to `.NAME.PID.undertext-part` in the same folder, and ``commit(replacing:)`` renames that
/// file. Without a commit, deinitialization or ``TemporaryRegistry/removeAll(refusingNew:)`` removes it. A pipe
/// or character device such as `/dev/stdout` is written directly. The temporary file of an `s3://` path is in
/// ``FileSystem/temporaryFolder``, and the commit uploads it.
package final class OutputFile: ByteSink {
    /// The final path.
    package let path: String
    /// The number of bytes written so far, including buffered ones.
    package private(set) var bytesWritten: UInt64 = 0
    /// The path of the temporary file; `nil` if bytes are written to `path` directly.
    package let temporaryPath: String?

    private let registry: TemporaryRegistry
    private let location: S3Location?
    private let cancellation: Cancellation
    private var descriptor: FileDescriptor?
    private var buffer = WriteBuffer()
    private var failure: UndertextError?
    /// Keeps the closed temporary file locked until it has its final name.
    private var lock: FileDescriptor?

    /// Creates the temporary file.
    ///
    /// An existing file at `path` is detected only by the commit.
    ///
    /// - Parameters:
    ///   - path: The final path.
    ///   - registry: The registry that removes the temporary file if the process is stopped.
    ///   - cancellation: Stops an upload.
    /// - Throws: `UndertextError` with code `not-found`, `permission-denied`, `read-only`, `no-space`,
    ///   `not-a-directory`, `name-too-long`, `cancelled` or `io`.
    package init(
        path: String, registry: TemporaryRegistry = .ofProcess,
        cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) {
        self.path = path
        self.registry = registry
        self.cancellation = cancellation
        location = try S3Location.output(path)
        do throws(SystemFailure) {
            if Self.isStream(path) {
                temporaryPath = nil
                descriptor = try FileDescriptor(path: path, flags: O_WRONLY | O_NOCTTY)
                return
            }
        } catch {
            throw error.outputError("opening", path: path)
        }
        let names = try TemporaryName(for: location == nil ? path : TemporaryName.ofUpload())
        do throws(SystemFailure) {
            var made: FileDescriptor?
            temporaryPath = try names.firstFree { (candidate) throws(SystemFailure) in
                made = try registry.makeFile(candidate)
            }
            descriptor = made.take()
        } catch {
            throw error.outputError("making a temporary file", path: Self.shown(path, names.folder))
        }
    }

    /// The path that a failure of the temporary file names.
    private static func shown(_ path: String, _ temporaryFolder: String) -> String {
        S3Location.isLocation(path) ? temporaryFolder : path
    }

    deinit { abort() }

    /// Writes bytes, which may remain in a buffer until ``flush()``.
    ///
    /// After a failure, every further call throws the same error.
    package func write(_ bytes: ArraySlice<UInt8>) throws(UndertextError) {
        bytesWritten += UInt64(bytes.count)
        try attempt { (buffer, descriptor) throws(SystemFailure) in
            try buffer.append(bytes, to: descriptor)
        }
    }

    /// Writes all buffered bytes to the system.
    package func flush() throws(UndertextError) {
        try attempt { (buffer, descriptor) throws(SystemFailure) in
            try buffer.drain(to: descriptor)
        }
    }

    /// Completes the file and renames it to its final path.
    ///
    /// If this fails, `path` is unchanged and the temporary file is removed.
    ///
    /// - Parameter replacing: `true` to replace an existing file atomically. Otherwise, an existing file is an
    ///   error with code `output-exists`, even if it has just been created.
    /// - Throws: `UndertextError`, including errors of earlier writes; its code is `output-is-input` if `path`
    ///   refers to a file that the run reads, see ``InputFiles``.
    package func commit(replacing: Bool = false) throws(UndertextError) {
        do throws(UndertextError) {
            if temporaryPath != nil { try InputFiles.refuse(path) }
            try flush()
            try close()
            if let temporaryPath {
                if let location {
                    try S3Upload(
                        location: location, isReplacing: replacing, store: .ofProcess,
                        cancellation: cancellation, registry: registry
                    ).perform(temporaryPath)
                    lock = nil
                    registry.discardFile(temporaryPath)
                } else {
                    try rename(temporaryPath, replacing)
                }
            }
        } catch {
            abort()
            throw error
        }
    }

    /// Discards the temporary file.
    ///
    /// This has no effect after a commit.
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
            let reported = error.outputError(
                "writing",
                path: Self.shown(path, PathName.directoryName(temporaryPath ?? path)))
            failure = reported
            throw reported
        }
        descriptor = consume open
    }

    /// Returns `true` if the path refers to a pipe or device rather than a replaceable file.
    static func isStream(_ path: String) -> Bool {
        !S3Location.isLocation(path) && (try? FileKind(of: path)) == .pipe
    }
}
