internal import Glibc
internal import Synchronization
internal import UndertextCore

/// The temporary name of an output until it is complete.
struct TemporaryName {
    /// The folder of the output and its temporary file.
    let folder: String
    /// The final name.
    let name: String
    private let limit: Int
    /// The suffix of all temporary names.
    static let suffix = ".undertext-part"
    /// The number of names to try, since a crashed process with the same ID may have left files.
    static let attempts = 100

    /// Creates the names for an output at `path`.
    ///
    /// - Throws: `UndertextError` with code `name-too-long`, `output-exists` or `not-found`, before any file is
    ///   created.
    init(for path: String) throws(UndertextError) {
        folder = PathName.directoryName(path)
        name = PathName.baseName(path)
        if name.isEmpty || name == "." || name == ".." {
            throw UndertextError(.outputExists, "it is a folder; specify a file in it", path: path)
        }
        if path.utf8.contains(0) {
            throw UndertextError(.io, "the name has a zero byte", path: path)
        }
        let reported = unsafe pathconf(PathText.systemPath(folder), CInt(_PC_NAME_MAX))
        limit = reported > 0 ? reported : 255
        if name.utf8.count > limit {
            let failure = SystemFailure(number: ENAMETOOLONG)
            throw failure.outputError("naming", path: path)
        }
    }

    /// The path for an attempt, `.NAME.PID.undertext-part` in the same folder; a name that is too long for the
    /// file system is truncated.
    func path(attempt: Int) -> String {
        let number = attempt == 0 ? "\(getpid())" : "\(getpid())-\(attempt + 1)"
        let ending = ".\(number)\(Self.suffix)"
        let kept = PathName.prefix(of: name, bytes: limit - 1 - ending.utf8.count)
        return PathName.joining(folder, ".\(kept)\(ending)")
    }

    /// The path of a file or folder that is uploaded when it is complete; each call returns another one.
    static func ofUpload() -> String {
        let number = uploads.wrappingAdd(1, ordering: .relaxed).newValue
        return PathName.joining(FileSystem.temporaryFolder, "undertext-upload-\(number)")
    }

    private static let uploads = Atomic<Int>(0)

    /// The process ID in a temporary name created by ``path(attempt:)``.
    static func process(in name: String) -> pid_t? {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return nil }
        let head = name.dropLast(suffix.count)
        guard let dot = head.lastIndex(of: "."), dot != head.startIndex else { return nil }
        let parts = head[head.index(after: dot)...].split(
            separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0.isDigit } })
        else { return nil }
        // For `kill`, zero means every process of the group.
        return pid_t(parts[0]).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Calls `make` with successive names until one is unused.
    ///
    /// - Returns: The unused name.
    func firstFree(
        _ make: (String) throws(SystemFailure) -> Void
    ) throws(SystemFailure) -> String {
        var attempt = 0
        while true {
            let candidate = path(attempt: attempt)
            do throws(SystemFailure) {
                try make(candidate)
                return candidate
            } catch {
                attempt += 1
                if error.number != EEXIST || attempt == Self.attempts { throw error }
            }
        }
    }
}
