internal import Glibc
internal import Synchronization

/// The files that runs read, so that no output ever takes the place of one.
///
/// Every ``FileSource`` notes the file that it opens, by device and number: links, other spellings of a path, and
/// files that were only looked at because they lie beside an input count too. ``OutputFile`` and ``OutputFolder``
/// replace none of them. Nothing is noted while nobody records, so that an application may write what it read
/// earlier.
public final class InputFiles: Sendable {
    /// The one of all sources and outputs of the process.
    public static let ofProcess = InputFiles()

    private struct State {
        var recordings = 0
        var files: Set<FileSystem.FileIdentity> = []
    }

    private let state = Mutex(State())

    /// One that notes nothing yet.
    init() {}

    /// Notes what is read from now on until ``endRecording()``; runs at the same time share what they note.
    public func beginRecording() { state.withLock { $0.recordings += 1 } }

    /// Ends what ``beginRecording()`` began; when the last recording ends, everything is forgotten.
    public func endRecording() {
        state.withLock { state in
            state.recordings -= 1
            if state.recordings <= 0 { state = State() }
        }
    }

    /// Notes the file at a path that is named as an input, whether it can be read or not.
    public func note(_ path: String) {
        guard let file = FileSystem.identity(of: path) else { return }
        note(file)
    }

    /// `true` if `path` leads to a file that was noted.
    public func contains(_ path: String) -> Bool {
        guard let file = FileSystem.identity(of: path) else { return false }
        return state.withLock { $0.files.contains(file) }
    }

    func note(_ info: stat) { note(FileSystem.FileIdentity(info)) }

    private func note(_ file: FileSystem.FileIdentity) {
        state.withLock { state in
            if state.recordings > 0 { state.files.insert(file) }
        }
    }

    /// - Throws: ``OutputError`` with code `output-is-input` if `path` leads to a file that was noted.
    func refuse(_ path: String) throws(OutputError) {
        guard contains(path) else { return }
        throw OutputError(
            .isInput, "it is an input and would be overwritten; name another file", path: path)
    }
}
