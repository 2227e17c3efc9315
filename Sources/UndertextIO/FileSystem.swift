internal import Glibc
package import UndertextCore

/// Questions to the file system, and folders.
package enum FileSystem {
    /// `true` if something is at `path`, even a link that leads nowhere; C: `lstat`.
    package static func exists(_ path: String) -> Bool {
        var info = stat()
        return unsafe lstat(PathText.systemPath(path), &info) == 0
    }

    /// `true` if `path` leads to a folder, links followed; C: `stat`.
    package static func isDirectory(_ path: String) -> Bool {
        (try? FileKind(of: path)) == .directory
    }

    /// `true` if two paths lead to the same file: an output must not be its own input.
    package static func isSameFile(_ first: String, _ second: String) -> Bool {
        guard let identity = identity(of: first) else { return false }
        return identity == self.identity(of: second)
    }

    /// What tells a file from all others of this machine, whatever its path; links followed.
    package struct FileIdentity: Hashable, Sendable {
        private let device: UInt64
        private let number: UInt64

        init(_ info: stat) {
            device = UInt64(info.st_dev)
            number = UInt64(info.st_ino)
        }
    }

    /// Which file `path` leads to; `nil` if there is none.
    package static func identity(of path: String) -> FileIdentity? {
        var info = stat()
        guard unsafe stat(PathText.systemPath(path), &info) == 0 else { return nil }
        return FileIdentity(info)
    }

    /// The size of a file in bytes, `nil` if there is none.
    package static func size(of path: String) -> UInt64? {
        var info = stat()
        guard unsafe stat(PathText.systemPath(path), &info) == 0 else { return nil }
        return UInt64(exactly: info.st_size)
    }

    /// Whether what `path` leads to, links followed, lies in `folder` or below it; C: `realpath`.
    ///
    /// `false` where either does not exist.
    package static func resolves(_ path: String, into folder: String) -> Bool {
        guard let root = realPath(folder) else { return false }
        return resolves(path, intoCanonical: root)
    }

    /// The same for a folder whose ``canonical(_:)`` path is known: one of many files in it.
    package static func resolves(_ path: String, intoCanonical root: String) -> Bool {
        guard let target = realPath(path) else { return false }
        // By bytes: letters that only look alike are other names.
        return root == "/" || target.utf8.starts(with: (root + "/").utf8)
    }

    /// The path from the root on, links followed; `nil` where nothing is there; C: `realpath`.
    package static func canonical(_ path: String) -> String? { realPath(path) }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = unsafe realpath(PathText.systemPath(path), nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe PathText.text(
            of: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// The names in a folder in the order of their bytes, without `.` and `..`; C: `readdir`.
    package static func names(in folder: String) throws(UndertextError) -> [String] {
        do throws(SystemFailure) {
            return try entries(of: folder)
        } catch {
            throw error.mediaError("listing", path: folder)
        }
    }

    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - limit: bytes at most; a larger file is an error with code `limit-exceeded`.
    ///   - cancellation: stops the reading.
    ///   - isInput: `false` for a file of our own that is going to be replaced, see ``InputFiles``.
    /// - Returns: all its bytes.
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

    /// Replaces bytes in the middle of a file of ours; C: `pwrite`.
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

    /// Makes a folder and those above it that are missing; C: `mkdir`.
    ///
    /// - Returns: the folders that were made, the outermost first; empty if it was there.
    @discardableResult
    package static func createDirectory(_ path: String) throws(UndertextError) -> [String] {
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

    /// Removes folders of ``createDirectory(_:)`` again, where they are still empty.
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
                // Another process may have made it since; what is no folder is an error.
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

    /// The names in a folder that end with `ending`, in the order of their bytes, without `.` and `..`.
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
