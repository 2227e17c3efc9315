internal import Glibc
package import UndertextCore

/// File metadata, whole-file operations and folders.
package enum FileSystem {
    /// Returns `true` if `path` exists, including broken symbolic links; C: `lstat`.
    package static func exists(_ path: String) -> Bool {
        var info = stat()
        return unsafe lstat(PathText.systemPath(path), &info) == 0
    }

    /// Returns `true` if `path` is a folder after resolving symbolic links; C: `stat`.
    package static func isDirectory(_ path: String) -> Bool {
        (try? FileKind(of: path)) == .directory
    }

    /// Returns `true` if two paths refer to the same file; an output must not replace its own input.
    package static func isSameFile(_ first: String, _ second: String) -> Bool {
        guard let identity = identity(of: first) else { return false }
        return identity == self.identity(of: second)
    }

    /// The identity of a file on this machine, independent of its path.
    package struct FileIdentity: Hashable, Sendable {
        private let device: UInt64
        private let number: UInt64

        init(_ info: stat) {
            device = UInt64(info.st_dev)
            number = UInt64(info.st_ino)
        }
    }

    /// The identity of the file at `path` after resolving symbolic links; `nil` if it does not exist.
    package static func identity(of path: String) -> FileIdentity? {
        var info = stat()
        guard unsafe stat(PathText.systemPath(path), &info) == 0 else { return nil }
        return FileIdentity(info)
    }

    /// The size of a file in bytes; `nil` if it does not exist.
    package static func size(of path: String) -> UInt64? {
        var info = stat()
        guard unsafe stat(PathText.systemPath(path), &info) == 0 else { return nil }
        return UInt64(exactly: info.st_size)
    }

    /// Returns `true` if `path` resolves to a file in `folder` or one of its subfolders; C: `realpath`.
    ///
    /// The result is `false` if either does not exist.
    package static func resolves(_ path: String, into folder: String) -> Bool {
        guard let root = realPath(folder) else { return false }
        return resolves(path, intoCanonical: root)
    }

    /// Returns `true` if `path` resolves into a folder whose ``canonical(_:)`` path is already known.
    package static func resolves(_ path: String, intoCanonical root: String) -> Bool {
        guard let target = realPath(path) else { return false }
        // Compare bytes: canonically equivalent Unicode strings are different file names.
        return root == "/" || target.utf8.starts(with: (root + "/").utf8)
    }

    /// The absolute path without symbolic links; `nil` if the file does not exist; C: `realpath`.
    package static func canonical(_ path: String) -> String? { realPath(path) }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = unsafe realpath(PathText.systemPath(path), nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe PathText.text(
            of: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// The names in a folder in byte order, without `.` and `..`; C: `readdir`.
    package static func names(in folder: String) throws(UndertextError) -> [String] {
        do throws(SystemFailure) {
            return try entries(of: folder)
        } catch {
            throw error.mediaError("listing", path: folder)
        }
    }

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The maximum size in bytes; a larger file is an error with code `limit-exceeded`.
    ///   - cancellation: Stops the reading.
    ///   - isInput: `false` for one of our own files that will be replaced, see ``InputFiles``.
    /// - Returns: The contents of the file.
    /// - Throws: ``UndertextError`` as ``FileSource`` does, or with code `limit-exceeded`.
    package static func contents(
        of path: String, limit: Int, cancellation: Cancellation = Cancellation(),
        isInput: Bool = true
    ) throws(UndertextError) -> [UInt8] {
        let source = try FileSource(
            path: path, access: .sequential, cancellation: cancellation, isInput: isInput)
        let size = source.size ?? 0
        guard size <= UInt64(max(0, limit)), let count = Int(exactly: size) else {
            throw UndertextError(
                .limit, "it has \(size) bytes, more than the \(limit) allowed", path: path)
        }
        return try source.read(at: 0, count: count)
    }

    /// `true` if `path` leads to a file that this process may run; C: `access`.
    package static func isExecutable(_ path: String) -> Bool {
        guard (try? FileKind(of: path)) == .regular else { return false }
        return unsafe access(PathText.systemPath(path), X_OK) == 0
    }

    /// Writes a file in place: one that exists keeps its owner, mode and links, as with other programs' outputs.
    ///
    /// Where readers must never see a part of a file, use ``OutputFile``.
    package static func write(_ bytes: [UInt8], to path: String) throws(UndertextError) {
        do throws(SystemFailure) {
            let descriptor = try FileDescriptor(
                path: path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, mode: 0o666)
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
            throw error.outputError("writing", path: path)
        }
    }

    /// Overwrites bytes at an offset of a file that Undertext has written; C: `pwrite`.
    package static func overwrite(
        _ path: String, at offset: UInt64, with bytes: [UInt8]
    ) throws(UndertextError) {
        do throws(SystemFailure) {
            let descriptor = try FileDescriptor(path: path, flags: O_WRONLY)
            var failure: SystemFailure?
            unsafe bytes.withUnsafeBytes { buffer in
                do throws(SystemFailure) {
                    unsafe try descriptor.writeAll(buffer, at: offset)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            try descriptor.closeChecked()
        } catch {
            throw error.outputError("changing", path: path)
        }
    }

    /// Creates a folder and its missing parents; C: `mkdir`.
    ///
    /// - Returns: The created folders, outermost first; empty if the folder already exists.
    @discardableResult
    package static func createDirectory(_ path: String) throws(UndertextError) -> [String] {
        try S3Location.refuseOutput(path)
        var created: [String] = []
        do throws(SystemFailure) {
            try create(path, &created)
        } catch {
            let made = error.outputError("making the folder", path: path)
            removeDirectories(created)
            throw made
        }
        return created
    }

    /// Removes folders created by ``createDirectory(_:)`` that are still empty.
    package static func removeDirectories(_ created: [String]) {
        for path in created.reversed() { unsafe rmdir(PathText.systemPath(path)) }
    }

    private static func create(_ path: String, _ created: inout [String]) throws(SystemFailure) {
        var missing: [String] = []
        var next = path
        while true {
            if isDirectory(next) { break }
            do throws(SystemFailure) {
                _ = try retrying { unsafe mkdir(PathText.systemPath(next), 0o777) }
                created.append(next)
                break
            } catch {
                // Another process may have created the folder; any other file is an error.
                if error.number == EEXIST {
                    if isDirectory(next) { break }
                    throw SystemFailure(number: ENOTDIR)
                }
                let parent = PathName.directoryName(next)
                guard error.number == ENOENT, parent != next else { throw error }
                missing.append(next)
                next = parent
            }
        }
        for path in missing.reversed() where PathName.baseName(path) != "" {
            do throws(SystemFailure) {
                _ = try retrying { unsafe mkdir(PathText.systemPath(path), 0o777) }
                created.append(path)
            } catch {
                guard error.number == EEXIST, isDirectory(path) else { throw error }
            }
        }
    }

    /// The names in a folder that end with `ending`, in byte order, without `.` and `..`.
    static func entries(
        of folder: String, ending: String = ""
    ) throws(SystemFailure) -> [String] {
        let ending = Array(ending.utf8)
        guard let directory = unsafe opendir(PathText.systemPath(folder)) else { throw .last }
        defer { unsafe _ = closedir(directory) }
        var result: [String] = []
        errno = 0
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes -> String? in
                let name = unsafe bytes.prefix { $0 != 0 }
                let isWanted = unsafe name.suffix(ending.count).elementsEqual(ending)
                return isWanted ? unsafe PathText.text(of: name) : nil
            }
            if let name, name != ".", name != ".." { result.append(name) }
            errno = 0
        }
        if errno != 0 { throw .last }
        return result.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
