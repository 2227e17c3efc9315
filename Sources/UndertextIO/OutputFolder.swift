internal import Glibc
package import UndertextCore

/// A folder that appears under its name only when it is complete, such as an image folder.
///
/// Files are written to `.NAME.PID.undertext-part` in the same parent folder until the commit. The temporary folder of an
/// `s3://` path is in ``FileSystem/temporaryFolder``, and the commit uploads its files, the one written last, the index, at
/// the end: a folder without an index is not complete.
package final class OutputFolder {
    /// The final path.
    package let path: String
    /// The path of the temporary folder.
    package let temporaryPath: String
    /// The names of the files in the order in which they were started.
    package private(set) var names: [String] = []
    /// The total size in bytes of the completed files.
    package private(set) var bytesWritten: UInt64 = 0
    private let registry: TemporaryRegistry
    private let location: S3Location?
    private let cancellation: Cancellation
    private var isOpen = true
    /// The names, separated by zero bytes, that a replacement may put into an existing folder, until it is complete.
    private static let replacementName = ".replacement" + TemporaryName.suffix

    /// Creates the temporary folder.
    ///
    /// - Parameters:
    ///   - path: The final path.
    ///   - registry: The registry that removes the temporary folder if the process is stopped.
    ///   - cancellation: Stops an upload.
    /// - Throws: `UndertextError` as ``OutputFile/init(path:)``.
    package init(
        path: String, registry: TemporaryRegistry = .ofProcess,
        cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) {
        let trimmed = Self.withoutSlashes(path)
        self.path = trimmed
        self.registry = registry
        self.cancellation = cancellation
        location = try S3Location.output(trimmed)
        let candidates = try TemporaryName(
            for: location == nil ? trimmed : TemporaryName.ofUpload())
        do throws(SystemFailure) {
            temporaryPath = try candidates.firstFree { (candidate) throws(SystemFailure) in
                try registry.makeFolder(candidate)
            }
        } catch {
            throw error.outputError(
                "making a temporary folder", path: location == nil ? trimmed : candidates.folder)
        }
    }

    deinit { abort() }

    /// Writes a complete file of the folder.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file.
    ///   - name: The file name, without slashes; a name that was already used is an error.
    /// - Throws: `UndertextError`.
    package func write(_ bytes: [UInt8], name: String) throws(UndertextError) {
        let descriptor = try begin(name)
        let shown = shown(name)
        do throws(SystemFailure) {
            var failure: SystemFailure?
            unsafe bytes.withUnsafeBytes { buffer in
                do throws(SystemFailure) {
                    unsafe try descriptor.writeAll(buffer)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            try descriptor.closeChecked()
        } catch {
            throw error.outputError("writing", path: shown)
        }
        bytesWritten += UInt64(bytes.count)
    }

    /// Creates a file of the folder that is written incrementally; ``finish(_:)`` completes it.
    ///
    /// - Parameter name: The file name, without slashes.
    /// - Returns: The file.
    /// - Throws: `UndertextError`.
    package func file(named name: String) throws(UndertextError) -> OutputFile {
        guard isOpen, Self.isPlain(name) else {
            throw UndertextError(
                .io, "it is not a name in an open folder", path: PathName.joining(path, name))
        }
        return try OutputFile(path: "\(temporaryPath)/\(name)", registry: registry)
    }

    /// Completes a file created by ``file(named:)``; a name that was already used is an error.
    ///
    /// - Throws: `UndertextError`.
    package func finish(_ file: OutputFile) throws(UndertextError) {
        try file.commit()
        names.append(PathName.baseName(file.path))
        bytesWritten += file.bytesWritten
    }

    /// Adds files that other code has written into the temporary folder.
    ///
    /// - Throws: `UndertextError` if the folder cannot be listed.
    package func adoptFiles() throws(UndertextError) {
        do throws(SystemFailure) {
            let known = Set(names)
            names += try FileSystem.entries(of: temporaryPath).filter { !known.contains($0) }
        } catch {
            throw error.outputError("listing the temporary folder", path: path)
        }
    }

    /// Renames the folder to its final path, which must not exist.
    ///
    /// - Throws: `UndertextError` with code `output-exists` or another; the temporary folder is removed.
    package func commit() throws(UndertextError) {
        if let location { return try upload(to: location, replacingListed: nil) }
        do throws(SystemFailure) {
            try Renaming.moveFolder(temporaryPath, toFree: path)
            isOpen = false
            registry.forget(temporaryPath)
        } catch {
            abort()
            throw error.outputError("renaming the temporary folder", path: path)
        }
    }

    /// Renames the folder to its final path, or moves its files into an existing folder there.
    ///
    /// Only files that the existing folder's index lists are replaced or removed; other files remain. If
    /// another file has the name of a new one, the commit fails before anything is changed. The file written
    /// last, the index, is moved last, so that a folder with a new index is complete. If the process is killed in
    /// between, the folder holds a list of the new files, which the next commit may replace, too.
    ///
    /// - Parameter listed: The names that the old index lists, including the index itself; names with slashes
    ///   are ignored.
    /// - Throws: `UndertextError` with code `output-exists`, `output-is-input` or another; the temporary folder
    ///   is removed.
    package func commit(replacingListed listed: [String]) throws(UndertextError) {
        if let location { return try upload(to: location, replacingListed: listed) }
        guard FileSystem.exists(path) else { return try commit() }
        do throws(UndertextError) {
            try replaceContents(listed: Set(listed.filter(Self.isPlain)))
        } catch {
            abort()
            throw error
        }
        abort()
    }

    private func upload(
        to location: S3Location, replacingListed listed: [String]?
    ) throws(UndertextError) {
        defer { abort() }
        try S3FolderUpload(
            folder: location, source: temporaryPath, names: names, cancellation: cancellation,
            registry: registry
        ).perform(replacing: listed.map { Set($0.filter(Self.isPlain)) })
    }

    /// Discards the temporary folder and its contents.
    ///
    /// This has no effect after a commit.
    package func abort() {
        if isOpen { registry.discardFolder(temporaryPath) }
        isOpen = false
    }

    private func replaceContents(listed: Set<String>) throws(UndertextError) {
        guard FileSystem.isDirectory(path) else {
            throw UndertextError(
                .outputExists, "a file is where the folder should be; remove or rename it",
                path: path)
        }
        let list = PathName.joining(path, Self.replacementName)
        let listed = listed.union(Self.names(in: list))
        for name in names where !listed.contains(name) {
            let target = PathName.joining(path, name)
            if FileSystem.exists(target) {
                throw UndertextError(
                    .outputExists, "the old index does not list it; remove or rename it",
                    path: target)
            }
        }
        for name in listed { try InputFiles.refuse(PathName.joining(path, name)) }
        if listed != Set(names) {
            let file = try OutputFile(path: list, registry: registry)
            let all = listed.union(names).sorted().joined(separator: "\0")
            try file.write(Array(all.utf8)[...])
            try file.commit(replacing: true)
        }
        for name in names {
            let target = PathName.joining(path, name)
            do throws(SystemFailure) {
                let source = "\(temporaryPath)/\(name)"
                if listed.contains(name) {
                    try Renaming.move(source, over: target)
                } else {
                    try Renaming.moveFile(source, toFree: target)
                }
            } catch {
                throw error.outputError("replacing", path: target)
            }
        }
        // Remove listed files without a replacement. Entries that cannot be unlinked, such as folders, remain.
        for name in listed.subtracting(names) {
            unsafe unlink(PathText.systemPath(PathName.joining(path, name)))
        }
        unsafe unlink(PathText.systemPath(list))
    }

    /// The names of a replacement that was interrupted.
    private static func names(in list: String) -> [String] {
        let bytes = try? FileSystem.contents(of: list, limit: 64 << 20, isInput: false)
        return (bytes ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .filter(isPlain)
    }

    /// The path that a failure to write a file names: that of the temporary file if the output is elsewhere.
    private func shown(_ name: String) -> String {
        PathName.joining(location == nil ? path : temporaryPath, name)
    }

    private func begin(_ name: String) throws(UndertextError) -> FileDescriptor {
        let shown = shown(name)
        guard isOpen, Self.isPlain(name) else {
            throw UndertextError(.io, "it is not a name in an open folder", path: shown)
        }
        do throws(SystemFailure) {
            let flags = O_WRONLY | O_CREAT | O_EXCL
            let descriptor = try FileDescriptor(
                path: "\(temporaryPath)/\(name)", flags: flags, mode: 0o666)
            names.append(name)
            return descriptor
        } catch {
            throw error.outputError("making the file", path: shown)
        }
    }

    /// Returns `true` if this is a plain file name without path components.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
            && !name.utf8.contains(0)
    }

    private static func withoutSlashes(_ path: String) -> String {
        var rest = path[...]
        while rest.utf8.count > 1, rest.utf8.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        return String(rest)
    }
}
