internal import CUndertextLinux
internal import Glibc
internal import Synchronization
internal import UndertextCore

/// The temporary files and folders of a process, which are removed when it is stopped.
///
/// The library installs no signal handlers. A command calls ``removeAll(refusingNew:)`` from the thread that
/// waits for signals, not from a signal handler, since the method takes a lock. The temporary files of a killed
/// process are removed by the next process that writes into the folder, see ``AbandonedParts``.
package final class TemporaryRegistry: Sendable {
    /// The default registry of the process.
    package static let ofProcess = TemporaryRegistry()

    private struct State {
        var files: Set<String> = []
        /// The folders with the descriptors that hold their locks, if any.
        var folders: [String: CInt] = [:]
        /// Work that removes what is not in the file system, such as the parts of an upload.
        var removals: [Int: @Sendable () -> Void] = [:]
        var lastRemoval = 0
        /// The folders that were already checked for abandoned files.
        var cleaned: Set<String> = []
        var refusesNew = false
    }

    private let state = Mutex(State())

    /// Creates an empty registry.
    package init() {}

    /// The existing temporary paths, sorted.
    package var paths: [String] {
        state.withLock { $0.files.union($0.folders.keys).sorted() }
    }

    /// Removes all temporary files and folders.
    ///
    /// - Parameter refusingNew: `true` if further outputs must fail with code `cancelled`, for a process that
    ///   is about to end while other threads still write.
    package func removeAll(refusingNew: Bool = false) {
        let removals = state.withLock { state in
            for path in state.files { unsafe unlink(PathText.systemPath(path)) }
            for path in Array(state.folders.keys) {
                Self.removeFolder(path)
                Self.forgetFolder(path, &state)
            }
            state.files = []
            if refusingNew { state.refusesNew = true }
            defer { state.removals = [:] }
            return Array(state.removals.values)
        }
        for remove in removals { remove() }
    }

    /// Registers work that ``removeAll(refusingNew:)`` does.
    ///
    /// - Returns: The number of the work for ``run(_:)`` and ``cancel(_:)``; `nil` if further outputs are refused.
    func register(_ removal: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard !state.refusesNew else { return nil }
            state.lastRemoval += 1
            state.removals[state.lastRemoval] = removal
            return state.lastRemoval
        }
    }

    /// Does registered work now, unless it was done.
    func run(_ number: Int) {
        let removal = state.withLock { $0.removals.removeValue(forKey: number) }
        removal?()
    }

    /// Forgets registered work.
    func cancel(_ number: Int) { state.withLock { $0.removals[number] = nil } }

    /// Creates and registers a file atomically with respect to ``removeAll(refusingNew:)``; the descriptor
    /// holds its lock.
    func makeFile(_ path: String) throws(SystemFailure) -> FileDescriptor {
        removeAbandoned(beside: path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let number = try make { state in
            let number = unsafe open(PathText.systemPath(path), flags, 0o666)
            guard number >= 0 else { return number }
            guard Self.locked(number) else {
                close(number)
                errno = EEXIST
                return -1
            }
            state.files.insert(path)
            return number
        }
        return FileDescriptor(owning: number)
    }

    /// Creates and registers a folder atomically with respect to ``removeAll(refusingNew:)``.
    func makeFolder(_ path: String) throws(SystemFailure) {
        removeAbandoned(beside: path)
        let place = PathText.systemPath(path)
        _ = try make { state in
            let result = unsafe mkdir(place, 0o777)
            guard result == 0 else { return result }
            let number = unsafe open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard number < 0 || Self.locked(number) else {
                close(number)
                errno = EEXIST
                return -1
            }
            state.folders[path] = number
            return result
        }
    }

    /// Locks a new file or folder; returns `false` if another process has removed it as abandoned.
    ///
    /// File systems without locks need none, because parts that cannot be locked are never removed.
    private static func locked(_ number: CInt) -> Bool {
        guard clinux_lock(number) == 0 else { return errno != EWOULDBLOCK }
        var info = stat()
        return unsafe fstat(number, &info) != 0 || info.st_nlink > 0
    }

    /// Removes abandoned files from the folder of `path`, once for each folder.
    private func removeAbandoned(beside path: String) {
        let folder = PathName.directoryName(path)
        guard state.withLock({ $0.cleaned.insert(folder).inserted }) else { return }
        AbandonedParts.remove(from: folder) { part in
            state.withLock { $0.files.contains(part) || $0.folders[part] != nil }
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
            if state.files.remove(path) != nil { unsafe unlink(PathText.systemPath(path)) }
        }
    }

    /// Removes a temporary folder, if it is still there.
    func discardFolder(_ path: String) {
        state.withLock { state in
            guard state.folders[path] != nil else { return }
            Self.removeFolder(path)
            Self.forgetFolder(path, &state)
        }
    }

    /// Unregisters a path that has its final name.
    func forget(_ path: String) {
        state.withLock { state in
            state.files.remove(path)
            Self.forgetFolder(path, &state)
        }
    }

    private static func forgetFolder(_ path: String, _ state: inout State) {
        guard let number = state.folders.removeValue(forKey: path), number >= 0 else { return }
        close(number)
    }

    /// Removes a folder that contains only files.
    static func removeFolder(_ path: String) {
        for name in (try? FileSystem.entries(of: path)) ?? [] {
            unsafe unlink(PathText.systemPath("\(path)/\(name)"))
        }
        unsafe rmdir(PathText.systemPath(path))
    }
}
