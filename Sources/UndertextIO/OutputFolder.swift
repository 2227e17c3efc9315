internal import Glibc
package import UndertextCore

/// A folder of files that appears under its name only when it is complete: an image folder.
///
/// It grows as `.NAME.PID.undertext-part` beside its final place.
package final class OutputFolder {
    /// The path that it is going to have.
    package let path: String
    /// Where the files are until the commit.
    package let temporaryPath: String
    /// The names of the files written so far, in the order in which they were begun.
    package private(set) var names: [String] = []
    /// Bytes of the files written whole so far.
    package private(set) var bytesWritten: UInt64 = 0
    private let registry: TemporaryRegistry
    private var isOpen = true

    /// Makes the temporary folder.
    ///
    /// - Parameters:
    ///   - path: the path that it is going to have.
    ///   - registry: who removes it if the process is stopped.
    /// - Throws: `UndertextError` as ``OutputFile/init(path:)``.
    package init(path: String, registry: TemporaryRegistry = .ofProcess) throws(UndertextError) {
        let trimmed = Self.withoutSlashes(path)
        self.path = trimmed
        self.registry = registry
        let candidates = try TemporaryName(for: trimmed)
        do throws(SystemFailure) {
            temporaryPath = try candidates.firstFree { (candidate) throws(SystemFailure) in
                try registry.makeFolder(candidate)
            }
        } catch {
            throw error.outputError("making a temporary folder", path: trimmed)
        }
    }

    deinit { abort() }

    /// Writes one file of the folder whole.
    ///
    /// - Parameters:
    ///   - bytes: its content.
    ///   - name: its name, without slashes; a name used before is an error.
    /// - Throws: `UndertextError`.
    package func write(_ bytes: [UInt8], name: String) throws(UndertextError) {
        let descriptor = try begin(name)
        let shown = PathName.joining(path, name)
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

    /// Begins a file of the folder that is written piece by piece; ``finish(_:)`` completes it.
    ///
    /// - Parameter name: its name, without slashes.
    /// - Returns: the file.
    /// - Throws: `UndertextError`.
    package func file(named name: String) throws(UndertextError) -> OutputFile {
        guard isOpen, Self.isPlain(name) else {
            throw UndertextError(
                .io, "it is not a name in an open folder", path: PathName.joining(path, name))
        }
        return try OutputFile(path: "\(temporaryPath)/\(name)", registry: registry)
    }

    /// Completes a file of ``file(named:)``; a name used before is an error.
    ///
    /// - Throws: `UndertextError`.
    package func finish(_ file: OutputFile) throws(UndertextError) {
        try file.commit()
        names.append(PathName.baseName(file.path))
        bytesWritten += file.bytesWritten
    }

    /// Takes files for its own that somebody else wrote into the temporary folder.
    ///
    /// - Throws: `UndertextError` where the folder cannot be listed.
    package func adoptFiles() throws(UndertextError) {
        do throws(SystemFailure) {
            let known = Set(names)
            names += try FileSystem.entries(of: temporaryPath).filter { !known.contains($0) }
        } catch {
            throw error.outputError("listing the temporary folder", path: path)
        }
    }

    /// Gives the folder its name, which must be free.
    ///
    /// - Throws: `UndertextError` with code `output-exists` or another; the temporary is gone then.
    package func commit() throws(UndertextError) {
        do throws(SystemFailure) {
            try Renaming.moveFolder(temporaryPath, toFree: path)
            isOpen = false
            registry.forget(temporaryPath)
        } catch {
            abort()
            throw error.outputError("renaming the temporary folder", path: path)
        }
    }

    /// Gives the folder its name, or moves its files into the folder that has it.
    ///
    /// Only files of that folder that its index lists are replaced or removed; foreign ones stay.
    /// A foreign file that has the name of a new one is an error before anything is changed.
    /// Images go first and the file last written, the index, goes last, so that a folder whose
    /// index is new is complete.
    ///
    /// - Parameter listed: the names that the old index lists, the index itself included; names
    ///   with slashes are passed over.
    /// - Throws: `UndertextError` with code `output-exists`, `output-is-input` or another; the temporary is gone
    ///   then.
    package func commit(replacingListed listed: [String]) throws(UndertextError) {
        guard FileSystem.exists(path) else { return try commit() }
        do throws(UndertextError) {
            try replaceContents(listed: Set(listed.filter(Self.isPlain)))
        } catch {
            abort()
            throw error
        }
        abort()
    }

    /// Gives up: the temporary folder goes with all it holds.
    ///
    /// Without effect after a commit.
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
        for name in names where !listed.contains(name) {
            let target = PathName.joining(path, name)
            if FileSystem.exists(target) {
                throw UndertextError(
                    .outputExists, "the old index does not list it; remove or rename it",
                    path: target)
            }
        }
        for name in listed { try InputFiles.refuse(PathName.joining(path, name)) }
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
        // Listed files without a successor. What cannot be removed, such as a folder, is foreign.
        for name in listed.subtracting(names) {
            unsafe unlink(PathText.systemPath(PathName.joining(path, name)))
        }
    }

    private func begin(_ name: String) throws(UndertextError) -> FileDescriptor {
        let shown = PathName.joining(path, name)
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

    /// `true` if it is a name in the folder and leads nowhere else.
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
