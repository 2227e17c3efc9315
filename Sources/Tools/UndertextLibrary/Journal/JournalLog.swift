internal import UndertextCore
internal import UndertextIO
internal import UndertextSQLite

/// The work of a journal as JSON Lines, from which a damaged or lost journal is rebuilt: a line with the planned outputs of
/// each input before they are written, and one with the result.
struct JournalLog: Sendable {
    private let file: AppendedFile
    private let options: String
    /// A record has the first hundred diagnostics of each track.
    private static let lineLimit = 64 << 20
    /// A shorter log is not worth the work.
    private static let compactionSize: UInt64 = 1 << 20

    static func path(for journal: String) -> String { journal + ".log" }

    /// Opens a log, which is created if it is missing.
    init(path: String, options: String) throws(UndertextError) {
        file = try AppendedFile(path: path)
        self.options = options
    }

    /// `true` if a file begins like a log, or is empty or missing.
    static func isLog(_ path: String) -> Bool {
        guard FileSystem.exists(path) else { return true }
        guard let source = try? FileSource(path: path, isInput: false) else { return false }
        let head = Array(#"{"path":"#.utf8)
        return head.starts(with: (try? source.read(at: 0, count: head.count)) ?? [])
    }

    /// Appends a finished input.
    func append(_ found: FoundFile, _ finished: FinishedInput) throws(UndertextError) {
        let entry = Entry(file: found, options: options, work: .finished(finished))
        try file.append(line: entry.json.compact)
    }

    /// Appends the outputs that will be written.
    func append(_ found: FoundFile, planned: [String]) throws(UndertextError) {
        let entry = Entry(file: found, options: options, work: .planned(planned))
        try file.append(line: entry.json.compact)
    }

    /// Drops the entries that later results have superseded, if the log is much larger than its journal.
    ///
    /// No other run may have the log open. The new log replaces the old one in one step, so that a process that is killed
    /// loses nothing.
    static func compact(_ path: String, of journal: String) throws(UndertextError) {
        let size = FileSystem.size(of: path) ?? 0
        // The journal has the record of each input once, as the log would have.
        guard size > compactionSize, size / 4 > FileSystem.size(of: journal) ?? 0 else { return }
        // A collision of hashes would cost the repetition of one input.
        var results: [UInt64: UInt64] = [:]
        try forEachLine(of: path) { entry, position, _ in
            guard case .finished = entry.work else { return }
            results[Fingerprint.hash(of: entry.file.path)] = position
        }
        let file = try OutputFile(path: path)
        try forEachLine(of: path) { entry, position, line throws(UndertextError) in
            // Outputs that were planned after the last result may exist in part.
            guard position >= results[Fingerprint.hash(of: entry.file.path)] ?? 0 else { return }
            try file.write(line)
            try file.write([0x0A])
        }
        try file.commit(replacing: true)
    }

    private static func forEachLine(
        of path: String,
        _ body: (Entry, UInt64, ArraySlice<UInt8>) throws(UndertextError) -> Void
    ) throws(UndertextError) {
        var lines = try LineReader(path: path, limit: lineLimit, isInput: false)
        while true {
            let position = lines.position
            guard let line = try lines.next() else { return }
            guard let json = try? JSON(parsing: line), let entry = Entry(json) else { continue }
            try body(entry, position, line)
        }
    }

    /// Appends the entries of another log for which `isNewer` is `true`.
    func append(
        linesOf path: String, where isNewer: (Entry) throws(UndertextError) -> Bool
    ) throws(UndertextError) {
        var lines = try LineReader(path: path, limit: Self.lineLimit)
        while let line = try lines.next() {
            // A line that was cut off by a crash is no entry.
            guard let json = try? JSON(parsing: line), let entry = Entry(json),
                try isNewer(entry)
            else { continue }
            try file.append(line: Array(line))
        }
    }

    /// Calls `body` with each entry; what is no entry, such as a line that was cut off, is passed over.
    static func forEach(
        in path: String, _ body: (Entry) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        // A log that cannot be read costs repeated work, nothing else.
        guard var lines = try? LineReader(path: path, limit: lineLimit) else { return }
        while let line = (try? lines.next()) ?? nil {
            guard let json = try? JSON(parsing: line), let entry = Entry(json) else { continue }
            try body(entry)
        }
    }

    /// A step of the work on an input.
    struct Entry {
        enum Work {
            case planned([String])
            case finished(FinishedInput)
        }

        let file: FoundFile
        let options: String
        let work: Work
        /// Seconds since 1970; 0 in logs of versions that did not write it.
        let time: Int64

        init(file: FoundFile, options: String, work: Work) {
            time = FileSystem.now.nanoseconds / 1_000_000_000
            self.file = file
            self.options = options
            self.work = work
        }

        /// Reads an entry; `nil` if a member is missing or has the wrong type.
        init?(_ json: JSON) {
            func integer(_ key: String) -> Int64? {
                guard case .number(let text)? = json[key] else { return nil }
                return Int64(text)
            }
            guard let path = json["path"]?.text,
                path.utf8.first == UInt8(ascii: "/") || S3Location.isLocation(path),
                let size = integer("size"), let modified = integer("modified"),
                let device = integer("device"), let inode = integer("inode"),
                let options = json["options"]?.text
            else { return nil }
            file = FoundFile(
                path: path, relativePath: "",
                status: FileStatus(
                    kind: .file, size: size, modified: modified,
                    device: UInt64(bitPattern: device), inode: UInt64(bitPattern: inode)),
                kind: .stream)
            self.options = options
            if case .array(let planned)? = json["planned"] {
                time = integer("time") ?? 0
                work = .planned(planned.compactMap(\.text))
                return
            }
            guard let exitCode = integer("exitCode"), let code = Int32(exactly: exitCode),
                let outcome = json["outcome"]?.text.flatMap(RecordedOutcome.init(rawValue:)),
                let record = json["record"]
            else { return nil }
            time = integer("finished") ?? 0
            let outputs = (json["outputs"]?.elements ?? []).compactMap {
                output -> RecordedOutput? in
                guard let path = output["path"]?.text, let size = output["size"],
                    size == .null || size.wholeNumber != nil
                else { return nil }
                let isCurrent = output["current"]?.flag ?? true
                return RecordedOutput(
                    path: path, size: size.wholeNumber.map { Int64($0) }, isCurrent: isCurrent)
            }
            work = .finished(
                FinishedInput(
                    outcome: outcome, exitCode: code, fingerprint: integer("fingerprint"),
                    outputs: outputs, record: record))
        }

        var json: JSON {
            let status = file.status
            var isGone = false
            if case .finished(let finished) = work { isGone = finished.isGone }
            return .object(
                [
                    .init("path", .string(file.path)),
                    .init("size", .integer(isGone ? -1 : status.size)),
                    .init("modified", .integer(status.modified)),
                    .init("device", .integer(Int64(bitPattern: status.device))),
                    .init("inode", .integer(Int64(bitPattern: status.inode))),
                    .init("options", .string(options)),
                ] + members)
        }

        private var members: [JSON.Member] {
            switch work {
            case .planned(let paths):
                [
                    .init("planned", .array(paths.map { .string($0) })),
                    .init("time", .integer(time)),
                ]
            case .finished(let finished):
                [
                    .init("fingerprint", finished.fingerprint.map { .integer($0) } ?? .null),
                    .init("outcome", .string(finished.outcome.rawValue)),
                    .init("exitCode", .integer(finished.exitCode)),
                    .init(
                        "outputs",
                        .array(
                            finished.outputs.map {
                                .object([
                                    .init("path", .string($0.path)),
                                    .init("size", $0.size.map { .integer($0) } ?? .null),
                                    .init("current", .bool($0.isCurrent)),
                                ])
                            })),
                    .init("finished", .integer(time)),
                    .init("record", finished.record),
                ]
            }
        }
    }
}

extension JournalConnection {
    /// Adds the inputs of a log.
    ///
    /// - Parameters:
    ///   - path: The log.
    ///   - keepingNewer: `true` if the log is one of several: an input that was finished later is kept. In a single
    ///     log the order counts, since a clock may be set back.
    /// - Throws: ``SQLiteError`` if the journal cannot be written.
    func rebuild(from path: String, keepingNewer: Bool = false) throws(SQLiteError) {
        var options: (text: String, id: Int64)?
        try transaction { () throws(SQLiteError) in
            try JournalLog.forEach(in: path) { entry throws(SQLiteError) in
                if keepingNewer, let time = try finishedTime(of: entry.file.path) {
                    // What was begun within the second of a result was begun before it.
                    if case .planned = entry.work, time == entry.time { return }
                    if time > entry.time { return }
                }
                if options?.text != entry.options {
                    options = (entry.options, try identifier(ofOptions: entry.options))
                }
                guard let options else { return }
                let input = try start(entry.file, options: options.id, owner: nil)
                switch entry.work {
                case .planned(let paths):
                    for path in paths { try plan(path, of: input) }
                    // How many runs ended during the work is not in the log.
                    try release(input)
                case .finished(let finished): try finish(input, finished, at: entry.time)
                }
            }
        }
    }
}
