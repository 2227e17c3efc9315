package import UndertextCore
internal import UndertextFormats
internal import UndertextIO
internal import UndertextSQLite

/// The outcome of an input, as the journal names it.
package enum RecordedOutcome: String, Hashable, Sendable, CaseIterable {
    /// Everything that was asked for is there.
    case complete
    /// No subtitle track matched, or none exists.
    case noTrack = "no-track"
    /// Input was lost; the rest is there.
    case partial
    /// There is not one output.
    case failed
}

/// An output of an input.
package struct RecordedOutput: Hashable, Sendable {
    /// Its path.
    package var path: String
    /// Bytes; `nil` for an output that was planned and may not be complete.
    package var size: Int64?
    /// `false` if an earlier run made it that the last one would not make: it may be deleted without a repetition.
    package var isCurrent: Bool

    /// Creates an output.
    package init(path: String, size: Int64?, isCurrent: Bool = true) {
        self.path = path
        self.size = size
        self.isCurrent = isCurrent
    }

    /// `true` for a folder of images.
    var isFolder: Bool { PathName.fileExtension(path) == SubtitleFormat.folderExtension }

    /// `true` if something is at the path.
    func exists(in store: OutputStore) throws(UndertextError) -> Bool {
        try store.exists(path, isFolder: isFolder)
    }

    /// `true` if what is at the path was written by an earlier run and not changed since.
    func isOurs(in store: OutputStore) throws(UndertextError) -> Bool {
        guard let size else { return true }
        let state = try store.state(of: path, isFolder: isFolder)
        return state.isFolder || state.exists && state.size == size
    }
}

/// An input that a run may work on: no other run does until it is finished or released.
package struct Claim: Hashable, Sendable {
    /// The row of the input.
    package let input: Int64
    /// The file as it was found.
    package let file: FoundFile
    /// Outputs of earlier runs, which may be replaced.
    package let ownOutputs: [RecordedOutput]
}

/// What is to be done about a file.
package enum JournalDecision: Hashable, Sendable {
    /// It is new or changed, or its outputs are missing; the revision is that of its row, 0 without one.
    case work(revision: Int64)
    /// It is as an earlier run left it.
    case unchanged(RecordedOutcome)
    /// Another run works on it.
    case claimed
    /// It was renamed, and its outputs were renamed with it.
    case moved(from: String)
    /// It is an output of another input.
    case isOutput
    /// It was in work in several runs that did not end properly.
    case givenUp

    /// `true` if there is work to do.
    package var isWork: Bool {
        if case .work = self { return true }
        return false
    }
}

/// A finished input.
package struct FinishedInput: Sendable {
    /// The outcome.
    package var outcome: RecordedOutcome
    /// The exit code of a command with that input only.
    package var exitCode: Int32
    /// The hash of the beginning and the end of the file; `nil` if it could not be read.
    package var fingerprint: Int64?
    /// The outputs that were written.
    package var outputs: [RecordedOutput]
    /// The record of the report.
    package var record: JSON
    /// `true` if the file had gone; it is done again when it is back, even if it is the same.
    package var isGone: Bool

    /// Creates a finished input.
    package init(
        outcome: RecordedOutcome, exitCode: Int32, fingerprint: Int64?, outputs: [RecordedOutput],
        record: JSON, isGone: Bool = false
    ) {
        self.outcome = outcome
        self.exitCode = exitCode
        self.fingerprint = fingerprint
        self.outputs = outputs
        self.record = record
        self.isGone = isGone
    }
}

/// The columns of a row that decisions need.
struct JournalRow {
    static let columns =
        "id, path, size, modified, options, state, owner, attempts, outcome, fingerprint, revision, inode"

    let id: Int64
    let path: String
    let size: Int64
    let modified: Int64
    let options: Int64
    let isDone: Bool
    let owner: Int64?
    let attempts: Int64
    /// How often work on it began, so that a run notices what another one did in the meantime.
    let revision: Int64
    let outcome: RecordedOutcome?
    let fingerprint: Int64?
    private let inode: Int64

    /// `true` if a file is as it was.
    ///
    /// The number of a file says nothing, since network file systems may change it; that of an object is its content.
    func isSame(_ file: FoundFile) -> Bool {
        size == file.status.size && modified == file.status.modified
            && (!S3Location.isLocation(path) || inode == Int64(bitPattern: file.status.inode))
    }

    /// Reads a row; `nil` if its values are not those of a journal.
    init?(_ values: [SQLiteValue]) {
        guard values.count == 12, let id = values[0].integer, let path = values[1].blob,
            let size = values[2].integer, let modified = values[3].integer,
            let options = values[4].integer, let state = values[5].text,
            let attempts = values[7].integer, let revision = values[10].integer,
            let inode = values[11].integer
        else { return nil }
        self.id = id
        self.path = PathText.text(of: path)
        self.size = size
        self.modified = modified
        self.options = options
        isDone = state == "done"
        owner = values[6].integer
        self.attempts = attempts
        self.revision = revision
        outcome = values[8].text.flatMap(RecordedOutcome.init(rawValue:))
        fingerprint = values[9].integer
        self.inode = inode
    }
}

extension SQLiteValue {
    /// The bytes of a path.
    static func path(_ path: String) -> SQLiteValue {
        .blob(PathText.systemPath(path).dropLast().map { UInt8(bitPattern: $0) })
    }

    /// A number, or no value.
    static func optional(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
}
