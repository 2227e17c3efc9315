internal import Glibc
internal import Synchronization
internal import UndertextCore

/// The files that a run reads, so that no output of it ever takes the place of one.
///
/// Every ``FileSource`` notes the file that it opens, by device and number: links, other spellings of a path, and
/// files that were only looked at because they lie beside an input count too. ``OutputFile`` and ``OutputFolder``
/// replace none of them. Nothing is noted outside of ``record(_:)``, so that an application may write what it read
/// earlier, and runs at the same time do not see each other's: the number of a file that is removed goes to the
/// next new one.
package final class InputFiles: Sendable {
    /// The files of the run that the calling thread works for.
    @TaskLocal private static var current: InputFiles?

    private let files = Mutex<Set<FileSystem.FileIdentity>>([])

    /// Creates a record without files.
    package init() {}

    /// The record of the run that the calling thread works for; `nil` outside of runs.
    package static var ofThisRun: InputFiles? { current }

    /// Records the files that `body` reads, on this thread and on threads that it starts.
    ///
    /// A nested call records into the outer one.
    package static func record<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard current == nil else { return try body() }
        return try InputFiles().record(body)
    }

    /// Adds the files that `body` reads to this record, and lets outputs replace none of them.
    package func record<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = Self.$current.withValue(self) {
            Result { () throws(Failure) in try body() }
        }
        return try result.get()
    }

    /// Work for another thread that is part of the calling thread's run.
    static func inherited(by work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let current else { return work }
        return { $current.withValue(current) { work() } }
    }

    /// Notes the file at a path that is named as an input, whether it can be read or not.
    package static func note(_ path: String) {
        guard let current, let file = FileSystem.identity(of: path) else { return }
        current.files.withLock { _ = $0.insert(file) }
    }

    static func note(_ info: stat) {
        current?.files.withLock { _ = $0.insert(FileSystem.FileIdentity(info)) }
    }

    /// `true` if `path` leads to a file that was noted.
    package static func contains(_ path: String) -> Bool {
        guard let current, let file = FileSystem.identity(of: path) else { return false }
        return current.files.withLock { $0.contains(file) }
    }

    /// - Throws: `UndertextError` with code `output-is-input` if `path` leads to a file that was noted.
    static func refuse(_ path: String) throws(UndertextError) {
        guard contains(path) else { return }
        throw UndertextError(
            .outputIsInput, "it is an input and would be overwritten; use another file", path: path
        )
    }
}
