internal import Glibc
internal import Synchronization
internal import UndertextCore

/// The files that a run reads, which its outputs must never replace.
///
/// Every ``FileSource`` records the file that it opens, by device and inode number, so that links, other
/// spellings of a path, and files opened only for detection are included. ``OutputFile`` and ``OutputFolder``
/// refuse to replace a recorded file. Files are recorded only inside ``record(_:)``, so that an application may
/// later overwrite a file it has read, and concurrent runs do not affect each other. The system reuses the
/// inode numbers of removed files.
package final class InputFiles: Sendable {
    /// The record of the run that the current task belongs to.
    @TaskLocal private static var current: InputFiles?

    private let files = Mutex<Set<FileSystem.FileIdentity>>([])
    /// The UTF-8 of `s3://` URLs.
    private let objects = Mutex<Set<[UInt8]>>([])

    /// Creates an empty record.
    package init() {}

    /// The record of the current run; `nil` outside a run.
    package static var ofThisRun: InputFiles? { current }

    /// Records the files that `body` reads on this thread and on threads it starts.
    ///
    /// A nested call adds to the outer record.
    package static func record<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard current == nil else { return try body() }
        return try InputFiles().record(body)
    }

    /// Adds the files that `body` reads to this record, and protects them from being replaced.
    package func record<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = Self.$current.withValue(self) {
            Result { () throws(Failure) in try body() }
        }
        return try result.get()
    }

    /// Wraps work for another thread so that it belongs to the current run.
    static func inherited(by work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let current else { return work }
        return { $current.withValue(current) { work() } }
    }

    /// Records the file or object at an input path, even if it cannot be read.
    package static func note(_ path: String) {
        guard let current else { return }
        if let object = object(path) {
            current.objects.withLock { _ = $0.insert(object) }
            return
        }
        guard let file = FileSystem.identity(of: path) else { return }
        current.files.withLock { _ = $0.insert(file) }
    }

    static func note(_ info: stat) {
        current?.files.withLock { _ = $0.insert(FileSystem.FileIdentity(info)) }
    }

    /// Returns `true` if `path` refers to a recorded file or object.
    package static func contains(_ path: String) -> Bool {
        guard let current else { return false }
        if let object = object(path) { return current.objects.withLock { $0.contains(object) } }
        guard let file = FileSystem.identity(of: path) else { return false }
        return current.files.withLock { $0.contains(file) }
    }

    private static func object(_ path: String) -> [UInt8]? {
        guard S3Location.isLocation(path) else { return nil }
        return (try? S3Location(path)).map { Array($0.description.utf8) }
    }

    /// - Throws: `UndertextError` with code `output-is-input` if `path` refers to a recorded file.
    static func refuse(_ path: String) throws(UndertextError) {
        guard contains(path) else { return }
        throw UndertextError(
            .outputIsInput, "it is an input and would be overwritten; use another file", path: path
        )
    }
}
