internal import Glibc
internal import Synchronization

/// The temporary files and folders of a process, so that a stopped one leaves none.
///
/// The library installs no signal handlers; a command calls ``removeAll(refusingNew:)`` from the
/// thread that waits for signals (not from a handler: it takes a lock).
public final class TemporaryRegistry: Sendable {
    /// The one for all outputs that name no other.
    public static let ofProcess = TemporaryRegistry()

    private struct State {
        var files: Set<String> = []
        var folders: Set<String> = []
        var refusesNew = false
    }

    private let state = Mutex(State())

    /// An empty one.
    public init() {}

    /// The temporary paths that exist now, sorted.
    public var paths: [String] {
        state.withLock { ($0.files.union($0.folders)).sorted() }
    }

    /// Removes them all.
    ///
    /// - Parameter refusingNew: whether further outputs fail with code `cancelled`: for a process
    ///   that is about to end while other threads still write.
    public func removeAll(refusingNew: Bool = false) {
        state.withLock { state in
            for path in state.files { unsafe unlink(path) }
            for path in state.folders { Self.removeFolder(path) }
            state.files = []
            state.folders = []
            if refusingNew { state.refusesNew = true }
        }
    }

    /// Makes a file and notes it, in one step for ``removeAll(refusingNew:)``.
    func makeFile(_ path: String) throws(SystemFailure) -> FileDescriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let number = try make { state in
            let number = unsafe open(path, flags, 0o666)
            if number >= 0 { state.files.insert(path) }
            return number
        }
        return FileDescriptor(owning: number)
    }

    /// Makes a folder and notes it, in one step for ``removeAll(refusingNew:)``.
    func makeFolder(_ path: String) throws(SystemFailure) {
        _ = try make { state in
            let result = unsafe mkdir(path, 0o777)
            if result == 0 { state.folders.insert(path) }
            return result
        }
    }

    private func make(_ call: (inout State) -> CInt) throws(SystemFailure) -> CInt {
        let outcome = state.withLock { state -> Result<CInt, SystemFailure> in
            if state.refusesNew { return .failure(SystemFailure(number: ECANCELED)) }
            return Result { () throws(SystemFailure) in try retrying { call(&state) } }
        }
        return try outcome.get()
    }

    /// Removes a temporary file, if it is still there.
    func discardFile(_ path: String) {
        state.withLock { state in
            if state.files.remove(path) != nil { unsafe unlink(path) }
        }
    }

    /// Removes a temporary folder, if it is still there.
    func discardFolder(_ path: String) {
        state.withLock { state in
            if state.folders.remove(path) != nil { Self.removeFolder(path) }
        }
    }

    /// Forgets a path that has its final name now.
    func forget(_ path: String) {
        state.withLock { state in
            state.files.remove(path)
            state.folders.remove(path)
        }
    }

    /// Removes a folder that holds only files, as ours do.
    private static func removeFolder(_ path: String) {
        for name in (try? FileSystem.entries(of: path)) ?? [] {
            unsafe unlink("\(path)/\(name)")
        }
        unsafe rmdir(path)
    }
}
