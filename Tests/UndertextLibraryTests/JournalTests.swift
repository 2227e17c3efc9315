import Glibc
import TestSupport
import Testing
import UndertextCore
import UndertextIO
import UndertextLibrary

/// A journal knows what was done, and survives damage.
@Suite struct JournalTests {
    let folder = TemporaryDirectory()
    private var path: String { folder / "state/test.journal" }

    private func journal(_ options: String = "[]") throws -> Journal {
        try Journal(path: path, options: options)
    }

    private func found(_ name: String) throws -> FoundFile {
        let path = folder / name
        return FoundFile(
            path: path, relativePath: name,
            status: try FileStatus(of: path, followingLinks: true), kind: .indexed)
    }

    private func finished(
        _ outputs: [String] = [], outcome: RecordedOutcome = .complete, of file: FoundFile? = nil
    ) throws -> FinishedInput {
        FinishedInput(
            outcome: outcome, exitCode: 0,
            fingerprint: try file.map { try Fingerprint.of($0.path) },
            outputs: outputs.map { RecordedOutput(path: $0, size: Int64(fileSize($0) ?? 0)) },
            record: .object([.init("input", .string("x"))]))
    }

    @Test func remembersFinishedInputs() throws {
        folder.write("film", to: "a.mkv")
        let output = folder.write("cues", to: "a.vtt")
        let file = try found("a.mkv")
        let first = try journal()
        #expect(try first.decide(file, retry: []).isWork)
        let claim = try #require(try first.claim(file))
        #expect(try first.decide(file, retry: []) == .claimed)
        try first.finish(claim, finished([output]))
        try first.close()

        let second = try journal()
        #expect(try second.decide(file, retry: []) == .unchanged(.complete))
        #expect(try second.decide(file, retry: [.complete]).isWork)
        let own = FoundFile(
            path: output, relativePath: "a.vtt", status: file.status, kind: .subtitle)
        #expect(try second.decide(own, retry: []) == .isOutput)
        // Another size, other options, a missing output.
        var changed = file
        changed.status.size += 1
        #expect(try second.decide(changed, retry: []).isWork)
        #expect(try journal("[\"--format=srt\"]").decide(file, retry: []).isWork)
        #expect(unsafe unlink(output) == 0)
        #expect(try second.decide(file, retry: []).isWork)
    }

    /// An object with the same size may be replaced within a second.
    @Test func comparesTheTagsOfObjects() throws {
        var object = S3Object(
            location: S3Location(bucket: "films", key: "a b.mkv"), size: 5, modified: 7,
            tag: "\"x\"")
        func file() -> FoundFile {
            FoundFile(
                path: object.location.description, relativePath: "a b.mkv",
                status: FileStatus(object), kind: .indexed)
        }
        let first = try journal()
        let claim = try #require(try first.claim(file()))
        try first.finish(claim, finished())
        try first.close()
        #expect(try journal().decide(file(), retry: []) == .unchanged(.complete))
        // The journal is rebuilt from its log.
        writeFile(Array("SQLite format 3\u{0}damaged".utf8), to: path)
        let rebuilt = try journal()
        #expect(rebuilt.damagedPath != nil)
        #expect(try rebuilt.decide(file(), retry: []) == .unchanged(.complete))
        object.tag = "\"y\""
        #expect(try rebuilt.decide(file(), retry: []).isWork)
        // A copy is another object: nothing is asked of a server.
        object.location.key = "c.mkv"
        #expect(try rebuilt.decide(file(), retry: []).isWork)
    }

    @Test func givesUpAfterThreeRunsThatDied() throws {
        folder.write("film", to: "a.mkv")
        let file = try found("a.mkv")
        for _ in 0..<3 {
            var run: Journal? = try journal()
            #expect(try run?.decide(file, retry: []).isWork == true)
            #expect(try run?.claim(file) != nil)
            run = nil  // Closes the locks, as the end of a process does.
        }
        let last = try journal()
        #expect(try last.decide(file, retry: []) == .givenUp)
        #expect(try last.decide(file, retry: [.failed]).isWork)
    }

    @Test func aReleasedInputCountsNoAttempt() throws {
        folder.write("film", to: "a.mkv")
        let file = try found("a.mkv")
        let run = try journal()
        for _ in 0..<5 {
            let claim = try #require(try run.claim(file))
            try run.release(claim)
        }
        #expect(try run.decide(file, retry: []).isWork)
    }

    @Test func twoRunsShareNoInput() throws {
        folder.write("film", to: "a.mkv")
        let file = try found("a.mkv")
        let (one, other) = (try journal(), try journal())
        #expect(try one.claim(file) != nil)
        #expect(try other.decide(file, retry: []) == .claimed)
        #expect(try other.claim(file) == nil)
        // One that was finished between the decision of the other run and its claim.
        folder.write("film", to: "b.mkv")
        let next = try found("b.mkv")
        #expect(try other.decide(next, retry: []) == .work(revision: 0))
        try one.finish(try #require(try one.claim(next, revision: 0)), finished())
        #expect(try other.claim(next, revision: 0) == nil)
        #expect(try other.decide(next, retry: []) == .unchanged(.complete))
    }

    /// Planned outputs belong to the run after a crash; those of others never do.
    @Test func knowsPlannedOutputs() throws {
        folder.write("film", to: "a.mkv")
        let foreign = folder.write("foreign", to: "foreign.vtt")
        let planned = folder / "a.vtt"
        let file = try found("a.mkv")
        var run: Journal? = try journal()
        let claim = try #require(try run?.claim(file))
        try run?.plan([planned, foreign], of: claim)
        folder.write("half", to: "a.vtt")
        run = nil
        let again = try #require(try journal().claim(file))
        #expect(again.ownOutputs.map(\.path) == [planned])
    }

    /// Outputs that were planned before an input failed still belong to the run, also in a rebuilt journal.
    @Test func keepsPlannedOutputsOfFailedInputs() throws {
        folder.write("film", to: "a.mkv")
        let (planned, missing) = (folder / "a.vtt", folder / "b.vtt")
        let file = try found("a.mkv")
        var run: Journal? = try journal()
        let claim = try #require(try run?.claim(file))
        try run?.plan([planned, missing], of: claim)
        folder.write("half", to: "a.vtt")
        try run?.finish(claim, finished(outcome: .failed))
        let own = FoundFile(
            path: planned, relativePath: "a.vtt", status: file.status, kind: .subtitle)
        #expect(try run?.decide(own, retry: []) == .isOutput)
        #expect(try run?.claim(file)?.ownOutputs.map(\.path) == [planned])
        run = nil

        writeFile(Array("SQLite format 3 but no more".utf8), to: path)
        let rebuilt = try journal()
        #expect(rebuilt.damagedPath != nil)
        #expect(try rebuilt.decide(own, retry: []) == .isOutput)
        #expect(try rebuilt.claim(file)?.ownOutputs.map(\.path) == [planned])
    }

    /// Another machine has only the log: results count, and outputs of interrupted work are known.
    @Test func aNewJournalContinuesFromItsLog() throws {
        let log = folder / "shared.log"
        folder.write("film", to: "a.mkv")
        folder.write("film", to: "b.mkv")
        let (done, begun) = (try found("a.mkv"), try found("b.mkv"))
        let (output, planned) = (folder.write("cues", to: "a.vtt"), folder / "b.vtt")
        var run: Journal? = try Journal(path: path, options: "[]", log: log)
        try run?.finish(try #require(try run?.claim(done)), finished([output]))
        try run?.plan([planned], of: try #require(try run?.claim(begun)))
        folder.write("half", to: "b.vtt")
        run = nil
        // The last line was cut off, and what follows it is not.
        let bytes = try #require(fileBytes(log)) + Array(#"{"path":"/c"#.utf8)
        writeFile(bytes, to: log)
        #expect(!exists(path + ".log"))

        for number in 0..<2 {
            let other = try Journal(path: folder / "other\(number)", options: "[]", log: log)
            #expect(try other.decide(done, retry: []) == .unchanged(.complete))
            let claim = try #require(try other.claim(begun))
            #expect(claim.ownOutputs.map(\.path) == [planned])
            if number == 0 { try other.finish(claim, finished([planned])) }
            try other.close()
        }
        // Joined with a log of earlier work, the result counts.
        writeFile(bytes, to: folder / "earlier.log")
        for (number, logs) in [[log, folder / "earlier.log"], [folder / "earlier.log", log]]
            .enumerated()
        {
            let joined = folder / "joined\(number)"
            try Journal.merge(logs, into: joined)
            let reader = try JournalReader(path: joined)
            #expect(try reader.counts().outcomes == [.complete: 2])
            #expect(try reader.knows(begun.path) && reader.knows(planned))
            #expect(try !reader.knows(folder / "c.mkv"))
        }
        // A film that was named by mistake.
        #expect(throws: UndertextError.self) {
            try Journal(path: folder / "third", options: "[]", log: done.path)
        }
        #expect(fileText(done.path) == "film")
    }

    /// An output that somebody has changed since is no longer ours.
    @Test func leavesEditedOutputs() throws {
        folder.write("film", to: "a.mkv")
        let (kept, edited) = (folder.write("1", to: "a.vtt"), folder.write("2", to: "b.vtt"))
        let file = try found("a.mkv")
        let run = try journal()
        try run.finish(try #require(try run.claim(file)), finished([kept, edited]))
        folder.write("edited", to: "b.vtt")
        #expect(try #require(try run.claim(file)).ownOutputs.map(\.path) == [kept])
    }

    @Test func recognizesRenamedFiles() throws {
        folder.write("film", to: "a.mkv")
        let output = folder.write("cues", to: "a.en.vtt")
        let file = try found("a.mkv")
        let run = try journal()
        try run.finish(try #require(try run.claim(file)), finished([output], of: file))
        #expect(unsafe rename(file.path, folder / "b.mkv") == 0)
        // Its output was not moved, so that a new one is made.
        #expect(try run.decide(found("b.mkv"), retry: []).isWork)
        #expect(unsafe rename(output, folder / "b.en.vtt") == 0)
        #expect(try run.decide(found("b.mkv"), retry: []) == .moved(from: file.path))
        #expect(try run.decide(found("b.mkv"), retry: []) == .unchanged(.complete))
    }

    /// Whatever byte of a journal changes, and wherever it ends: no trap, and the log restores what was done.
    @Test func survivesDamage() throws {
        for number in 0..<20 {
            folder.write("film \(number)", to: "\(number).mkv")
        }
        let files = try (0..<20).map { try found("\($0).mkv") }
        var run: Journal? = try journal()
        for file in files {
            try run?.finish(try #require(try run?.claim(file)), finished())
        }
        try run?.close()
        run = nil
        let whole = try #require(fileBytes(path))
        let log = try #require(fileBytes(path + ".log"))
        var random = SystemRandomNumberGenerator()
        var rebuilt = 0
        for step in 0..<60 {
            var damaged = whole
            if step % 2 == 0 {
                damaged.removeLast(Int.random(in: 1..<damaged.count, using: &random))
            } else {
                for _ in 0..<50 {
                    let offset = Int.random(in: 0..<damaged.count, using: &random)
                    damaged[offset] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
                }
            }
            for name in names(in: folder / "state") { unsafe unlink(folder / "state/\(name)") }
            writeFile(damaged, to: path)
            writeFile(log, to: path + ".log")
            // Undetected damage may be read as anything; it must be read without a trap.
            guard let opened = try? journal() else { continue }
            for file in files {
                let decision = try? opened.decide(file, retry: [])
                if opened.damagedPath != nil { #expect(decision == .unchanged(.complete)) }
            }
            rebuilt += opened.damagedPath == nil ? 0 : 1
        }
        #expect(rebuilt > 10)
    }

    @Test func leavesOtherFilesAlone() throws {
        folder.write("a film that was named by mistake", to: "film.mkv")
        #expect(throws: UndertextError.self) {
            try Journal(path: folder / "film.mkv", options: "")
        }
        #expect(folder.names == ["film.mkv"])
        #expect(fileText(folder / "film.mkv") == "a film that was named by mistake")
    }

    @Test func aLogMayHoldAnything() throws {
        folder.write("film", to: "a.mkv")
        try #require(makeFolder(folder / "state"))
        let lines = [
            "", "{", "[]", #"{"path":"relative","size":1}"#,
            #"{"path":"/x","size":"1","modified":1e999}"#, String(repeating: "[", count: 5000),
        ]
        writeFile(Array("SQLite format 3 but no more".utf8), to: path)
        writeFile(Array(lines.joined(separator: "\n").utf8), to: path + ".log")
        let opened = try journal()
        #expect(opened.damagedPath != nil)
        #expect(try opened.decide(found("a.mkv"), retry: []).isWork)
    }

    /// The log keeps what counts, and a process that is killed while it is shortened loses nothing.
    @Test func shortensALongLog() throws {
        for name in ["a.mkv", "b.mkv", "gone.mkv"] { folder.write("film", to: name) }
        let record = JSON.object([
            .init("text", .string(String(repeating: "x", count: 20_000)))
        ])
        var run: Journal? = try journal()
        func work(_ name: String, _ outputs: [String] = []) throws {
            var result = try finished(outputs)
            result.record = record
            try run?.finish(try #require(try run?.claim(found(name))), result)
        }
        try work("gone.mkv")
        for _ in 0..<60 { try work("a.mkv") }
        let output = folder.write("cues", to: "b.vtt")
        try work("b.mkv", [output])
        let long = try #require(fileSize(path + ".log"))
        #expect(long > 1 << 20)
        // While another run has it open, it stays.
        _ = try journal()
        #expect(fileSize(path + ".log") == long)
        try run?.close()
        run = nil
        // What a process that was killed left is no obstacle.
        folder.write("half", to: "state/.test.journal.log.1.undertext-part")
        let second = try journal()
        let short = try #require(fileText(path + ".log"))
        #expect(short.utf8.count < 100_000)
        #expect(short.split(separator: "\n").count == 3)
        try second.close()

        writeFile(Array("SQLite format 3 but no more".utf8), to: path)
        let rebuilt = try journal()
        #expect(rebuilt.isRebuilt)
        for name in ["a.mkv", "b.mkv", "gone.mkv"] {
            #expect(try rebuilt.decide(found(name), retry: []) == .unchanged(.complete), "\(name)")
        }
        let own = FoundFile(
            path: output, relativePath: "b.vtt", status: try found("b.vtt").status, kind: .subtitle)
        #expect(try rebuilt.decide(own, retry: []) == .isOutput)
    }

    @Test func aMissingJournalIsMadeFromItsLog() throws {
        folder.write("film", to: "a.mkv")
        let file = try found("a.mkv")
        let run = try journal()
        try run.finish(try #require(try run.claim(file)), finished())
        for ending in ["", "-wal", "-shm"] { unsafe unlink(path + ending) }
        // The run would write into files that are no longer there.
        #expect(throws: UndertextError.self) { try run.claim(file) }
        let again = try journal()
        #expect(again.isRebuilt && again.damagedPath == nil)
        #expect(try again.decide(file, retry: []) == .unchanged(.complete))
    }

    /// A file that had gone is done when it is back, whatever its size and time.
    @Test func forgetsTheStateOfFilesThatHadGone() throws {
        folder.write("film", to: "a.mkv")
        let file = try found("a.mkv")
        let run = try journal()
        var result = try finished(outcome: .failed)
        result.isGone = true
        try run.finish(try #require(try run.claim(file)), result)
        #expect(try run.decide(file, retry: []).isWork)
        try run.close()
        writeFile(Array("SQLite format 3 but no more".utf8), to: path)
        #expect(try journal().decide(file, retry: []).isWork)
    }

    /// An entry that was cut off by a full disk spoils only itself.
    @Test func beginsALineAfterOneThatWasCutOff() throws {
        for name in ["a.mkv", "b.mkv"] { folder.write("film", to: name) }
        var run: Journal? = try journal()
        try run?.finish(try #require(try run?.claim(found("a.mkv"))), finished())
        run = nil
        let log = try #require(fileBytes(path + ".log"))
        writeFile(log + Array(#"{"path":"/cut"#.utf8), to: path + ".log")
        run = try journal()
        try run?.finish(try #require(try run?.claim(found("b.mkv"))), finished())
        run = nil
        writeFile(Array("SQLite format 3 but no more".utf8), to: path)
        let rebuilt = try journal()
        for name in ["a.mkv", "b.mkv"] {
            #expect(try rebuilt.decide(found(name), retry: []) == .unchanged(.complete))
        }
    }

    /// Times that a clock set back has given, or that lie in the future, are compared and not ordered.
    @Test func takesAnyTime() throws {
        folder.write("film", to: "a.mkv")
        let run = try journal()
        for modified in [Int64.max, -1, 0, .min, 4_102_444_800_000_000_000] {
            var file = try found("a.mkv")
            file.status.modified = modified
            #expect(try run.decide(file, retry: []).isWork)
            try run.finish(try #require(try run.claim(file)), finished())
            #expect(try run.decide(file, retry: []) == .unchanged(.complete))
        }
    }

    @Test(.requires("bindfs"))
    func isRefusedOnNetworkFileSystems() throws {
        #expect(makeFolder(folder / "below") && makeFolder(folder / "mounted"))
        try #require(TestSupport.run("bindfs", [folder / "below", folder / "mounted"]).status == 0)
        defer { _ = TestSupport.run("umount", ["-l", folder / "mounted"]) }
        let error = #expect(throws: UndertextError.self) {
            try Journal(path: folder / "mounted/x.journal", options: "[]")
        }
        #expect(error?.code == .networkJournal)
        #expect(names(in: folder / "below").isEmpty)
    }
}
