import TestSupport
import Testing
import UndertextCore

/// `batch run` processes every input once, even if it is interrupted.
@Suite struct BatchTests {
    let folder = TemporaryDirectory()
    private var library: String { folder / "library" }
    private var journal: String { folder / "journal/test.journal" }

    private func makeLibrary(copies: Int = 1) throws {
        try #require(makeFolder(library))
        let movie = try #require(fileBytes(fixture("containers/movie.mkv")))
        for number in 0..<copies { writeFile(movie, to: "\(library)/\(number).mkv") }
    }

    private func batch(_ arguments: String...) -> ToolResult {
        Command.undertext(["batch", "run", library, "--journal", journal] + arguments)
    }

    private func records(_ lines: String) throws -> [JSON] {
        try lines.split(separator: "\n").map { try JSON(parsing: $0.utf8) }
    }

    /// The files below a folder with their bytes, by paths below it.
    private func tree(_ path: String) -> [String: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: files(below: path).map {
                (String($0.dropFirst(path.count + 1)), fileBytes($0) ?? [])
            })
    }

    // MARK: Parts

    private func part(
        _ number: String?, of manifest: String, to output: String,
        environment: [String: String?] = [:]
    ) -> ToolResult {
        var environment = environment
        environment["XDG_STATE_HOME"] = folder / "state"
        return Command.undertext(
            ["batch", "run", "--manifest", manifest, "-o", output, "--format", "srt"]
                + (number.map { ["--shard", $0] } ?? []), environment: environment)
    }

    /// The parts of a manifest write together what a single run writes, and a repeated part has nothing to do.
    @Test func partsAreTheWhole() async throws {
        try makeLibrary(copies: 7)
        try #require(makeFolder(library + "/deep"))
        writeFile(
            Array("1\n00:00:01,000 --> 00:00:02,000\nhello\n".utf8), to: library + "/deep/a.vtt")
        let manifest = folder / "plan.jsonl"
        let plan = ["batch", "plan", library, "--manifest", manifest, "--shards", "3"]
        let planned = Command.undertext(plan)
        #expect(planned.status == 0 && planned.stderr == "8 inputs, 3 parts\n")
        let lines = try #require(fileText(manifest))
        #expect(Command.undertext(plan).status == 1)
        #expect(Command.undertext(plan + ["--force"]).status == 0)
        #expect(fileText(manifest) == lines)

        let (whole, parts) = (folder / "whole", folder / "parts")
        #expect(batch("-o", whole, "--format", "srt").status == 0)
        // A part that was killed continues.
        let killed = try #require(
            spawn(
                Command.path,
                [
                    "undertext", "batch", "run", "--manifest", manifest, "--shard", "1/3", "-o",
                    parts,
                    "--format", "srt", "-j", "1", "--journal", folder / "killed.journal",
                ],
                input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
        for _ in 0..<6000 where !exists(folder / "killed.journal.log") {
            try await Task.sleep(for: .milliseconds(5))
        }
        send(signal: SignalTests.kill, to: killed)
        _ = waitForExit(killed)
        let first = Command.undertext(
            "batch", "run", "--manifest", manifest, "--shard", "1/3", "-o", parts, "--format",
            "srt",
            "--journal", folder / "killed.journal")
        #expect(first.status == 0, "\(first.stderr)")
        // Task IDs of a Slurm array begin and advance as its range states.
        let slurm = [
            "SLURM_ARRAY_TASK_ID": "12", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_MAX": "14",
            "SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "3",
        ]
        #expect(part(nil, of: manifest, to: parts, environment: slurm).status == 0)
        let last = part(nil, of: manifest, to: parts, environment: ["JOB_COMPLETION_INDEX": "2"])
        #expect(last.status == 0, "\(last.stderr)")
        #expect(tree(parts) == tree(whole) && tree(parts).count > 8)
        let sparse = slurm.merging(["SLURM_ARRAY_TASK_COUNT": "2"]) { $1 }
        #expect(part(nil, of: manifest, to: parts, environment: sparse).status == 1)
        let again = part("3/3", of: manifest, to: parts, environment: sparse)
        #expect(again.status == 0 && again.stderr.hasSuffix(" unchanged\n"))
        #expect(part(nil, of: manifest, to: parts).stderr.contains("use --shard I/3"))
    }

    /// The joined journals of parts are the journal of the whole.
    @Test func journalsAreJoined() throws {
        try makeLibrary(copies: 5)
        writeFile(Array("no film".utf8), to: library + "/9.mkv")
        let (manifest, output) = (folder / "plan.jsonl", folder / "out")
        #expect(
            Command.undertext(
                "batch", "plan", library, "--manifest", manifest, "--shards", "2"
            ).status == 0)
        let journals = [folder / "1.journal", folder / "2.journal"]
        for (number, journal) in journals.enumerated() {
            let result = Command.undertext(
                "batch", "run", "--manifest", manifest, "--shard", "\(number + 1)/2", "-o", output,
                "--journal", journal)
            #expect([0, 3].contains(result.status), "\(result.stderr)")
        }
        let merged = Command.undertext(
            ["batch", "merge"] + journals + ["--journal", journal, "--report", "-"])
        #expect(merged.status == 3 && merged.stderr == "5 complete, 1 failed\n")
        let report = try records(merged.text)
        #expect(
            report.map { $0["type"]?.text } == .init(repeating: "input", count: 6) + ["summary"])
        #expect(report.last?["outcomes"]?["failed"]?.wholeNumber == 1)
        let again = batch("-o", output)
        #expect(again.stderr == "6 unchanged\n", "\(again.stderr)")
        // The log of the joined journal is complete, too.
        writeFile([UInt8](repeating: 0x55, count: 4096), to: journal)
        #expect(batch("-o", output).stderr.hasSuffix("6 unchanged\n"))

        let status = Command.undertext("batch", "status", "--journal", journal)
        #expect(status.status == 3)
        #expect(status.text == "failed: \(library)/9.mkv\n5 complete, 1 failed\n")
        let lines = try records(
            Command.undertext("batch", "status", "--journal", journal, "--json").text)
        #expect(lines.count == 2 && lines[0]["outcome"]?.text == "failed")
        #expect(lines[1]["outcomes"]?["complete"]?.wholeNumber == 5)
        #expect(Command.undertext("batch", "merge", journals[0], "--journal", journal).status == 1)
        // Logs may be named; a log that cannot be read leaves no journal.
        let other = folder / "other.journal"
        writeFile([UInt8](repeating: 0x20, count: 65 << 20), to: folder / "long.log")
        let joined = ["batch", "merge"] + journals.map { $0 + ".log" } + ["--journal", other]
        #expect(Command.undertext(joined + [folder / "long.log"]).status == 1)
        #expect(!exists(other) && !exists(other + ".log"))
        #expect(Command.undertext(joined).status == 3)
        #expect(Command.undertext("batch", "status", library + "/none").status == 1)
    }

    /// An input that was deleted after planning is reported; the others are extracted.
    @Test func plannedInputsMayBeGone() throws {
        try makeLibrary(copies: 2)
        let manifest = folder / "plan.jsonl"
        #expect(Command.undertext("batch", "plan", library, "--manifest", manifest).status == 0)
        _ = run("rm", [library + "/0.mkv"])
        let result = part(nil, of: manifest, to: folder / "out")
        #expect(result.status == 3 && result.stderr.contains("1 complete, 1 unreadable"))
        let log = try #require(files(below: folder / "state").first { $0.hasSuffix(".log") })
        let merged = Command.undertext(
            "batch", "merge", log, "--manifest", manifest, "--journal", journal, "--report", "-")
        #expect(merged.status == 3 && merged.stderr.hasSuffix("1 complete, 1 missing\n"))
        #expect(merged.stderr.contains(library + "/0.mkv: no journal has a result of it"))
        #expect(
            try records(merged.text).map { $0["status"]?.text } == ["done", "missing", nil])
        for wrong in [["--manifest", manifest, library], ["--shard", "1/2", library], []] {
            #expect(Command.undertext(["batch", "run"] + wrong).status == 64, "\(wrong)")
        }
    }

    // MARK: Runs

    @Test func doesEverythingOnce() throws {
        try makeLibrary()
        try #require(makeFolder(library + "/sub"))
        writeFile(
            Array("1\n00:00:01,000 --> 00:00:02,000\nhello\n".utf8), to: library + "/sub/a.en.srt")
        let first = batch("--report", "-")
        #expect(first.status == 0, "\(first.stderr)")
        let report = try records(first.text)
        #expect(report.count == 3)
        #expect(report.dropLast().allSatisfy { $0["status"]?.text == "done" })
        #expect(report.last?["type"]?.text == "summary")
        #expect(report.last?["outcomes"]?["complete"]?.wholeNumber == 2)
        #expect(exists(library + "/sub/a.en.vtt"))

        let reference = folder / "reference"
        #expect(Command.undertext("extract", "-o", reference, library + "/0.mkv").status == 0)
        let made = tree(library).filter { $0.key.hasPrefix("0.") && $0.key != "0.mkv" }
        #expect(made == tree(reference))

        let before = tree(library)
        let second = batch("--report", "-")
        #expect(second.status == 0, "\(second.stderr)")
        #expect(second.stderr == "2 unchanged\n")
        #expect(
            try records(second.text).dropLast().allSatisfy { $0["status"]?.text == "unchanged" })
        #expect(tree(library) == before)

        // A changed input and a missing output are done again, and only those.
        writeFile(
            Array("1\n00:00:01,000 --> 00:00:02,000\nchanged\n".utf8),
            to: library + "/sub/a.en.srt")
        let output = try #require(
            before.keys.first { $0.hasSuffix(".en.vtt") && $0.hasPrefix("0") })
        #expect(run("rm", ["\(library)/\(output)"]).status == 0)
        #expect(batch().stderr == "2 complete\n")
        #expect(fileText(library + "/sub/a.en.vtt")?.contains("changed") == true)
        #expect(exists("\(library)/\(output)"))
        // Other options make other outputs; those of the first run are no inputs.
        #expect(batch("--format", "native").status == 0)
        #expect(batch("--format", "native").stderr == "1 unchanged\n")
    }

    @Test func mirrorsTheFoldersOfTheInputs() throws {
        try makeLibrary()
        try #require(makeFolder(library + "/sub"))
        #expect(run("mv", [library + "/0.mkv", library + "/sub"]).status == 0)
        let before = tree(library)
        let result = batch("-o", library + "/out", "--tracks", "en+text")
        #expect(result.stderr == "1 complete\n")
        #expect(files(below: library + "/out").allSatisfy { $0.contains("/out/sub/0.") })
        #expect(!files(below: library + "/out").isEmpty)
        #expect(
            tree(library + "/sub")
                == tree(library + "/sub").filter { before["sub/" + $0.key] != nil })
        // It does not enter its own outputs.
        #expect(batch("-o", library + "/out", "--tracks", "en+text").stderr == "1 unchanged\n")
    }

    @Test func neverReplacesForeignOutputs() throws {
        try makeLibrary()
        let foreign = library + "/0.en.vtt"
        writeFile(Array("mine".utf8), to: foreign)
        let result = batch("--tracks", "en+text")
        #expect(result.status == 3)
        #expect(result.stderr.contains("1 failed"))
        #expect(fileText(foreign) == "mine")
        // Not tried again without being asked.
        #expect(batch("--tracks", "en+text").stderr == "1 unchanged\n")
        #expect(run("rm", [foreign]).status == 0)
        #expect(batch("--tracks", "en+text", "--retry", "failed").stderr == "1 complete\n")
        #expect(fileText(foreign)?.hasPrefix("WEBVTT") == true)
    }

    @Test func recordsFailuresAndContinues() throws {
        try makeLibrary(copies: 3)
        writeFile(Array("no media".utf8), to: library + "/1.mkv")
        let result = batch("--report", folder / "report.jsonl")
        #expect(result.status == 3)
        #expect(result.stderr.hasSuffix("2 complete, 1 failed\n"))
        let report = try records(try #require(fileText(folder / "report.jsonl")))
        let failed = report.filter { $0["outcome"]?.text == "failed" }
        #expect(failed.count == 1)
        #expect(failed.first?["error"]?["code"]?.text == "not-media")
        #expect(failed.first?["exitCode"]?.wholeNumber == 1)
    }

    /// The process is killed five times at random moments; in the end every output exists, once and complete.
    @Test func survivesKills() async throws {
        try makeLibrary(copies: 60)
        for _ in 0..<5 {
            let process = try #require(
                spawn(
                    Command.path,
                    [
                        "undertext", "batch", "run", library, "--journal", journal, "-j", "3",
                    ],
                    input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
            for _ in 0..<6000 where !exists(journal) { try await Task.sleep(for: .milliseconds(5)) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<350)))
            send(signal: SignalTests.kill, to: process)
            _ = waitForExit(process)
        }
        let last = batch("--retry", "failed")
        #expect(last.status == 0, "\(last.stderr)")
        #expect(batch().stderr == "60 unchanged\n")
        let reference = folder / "reference"
        #expect(
            Command.undertext(
                "extract", "-o", reference, library + "/0.mkv"
            ).status == 0)
        let expected = tree(reference)
        var all = tree(library)
        for number in 0..<60 {
            #expect(all.removeValue(forKey: "\(number).mkv") != nil)
            for (name, bytes) in expected where !name.hasSuffix(".html") && !name.hasSuffix(".xml")
            {
                let own = "\(number)." + name.dropFirst(2)
                #expect(all[own] == bytes, "\(own)")
            }
            for name in expected.keys { all["\(number)." + name.dropFirst(2)] = nil }
        }
        #expect(all.isEmpty, "\(all.keys.sorted())")
    }

    @Test func twoRunsAtOnceShareTheWork() throws {
        try makeLibrary(copies: 30)
        let processes = try (0..<2).map { number in
            try #require(
                spawn(
                    Command.path,
                    [
                        "undertext", "batch", "run", library, "--journal", journal, "--report",
                        folder / "report-\(number)",
                    ], input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
        }
        for process in processes { #expect(waitForExit(process) == 0) }
        let reports = try (0..<2).flatMap {
            try records(try #require(fileText(folder / "report-\($0)")))
        }
        let done = reports.filter { $0["status"]?.text == "done" }.compactMap { $0["input"]?.text }
        #expect(done.count == 30)
        #expect(Set(done).count == 30)
    }

    @Test(arguments: [SignalTests.interrupt, SignalTests.terminate])
    func aSignalLeavesTheRestForTheNextRun(_ signal: Int32) async throws {
        try makeLibrary(copies: 60)
        let process = try #require(
            spawn(
                Command.path,
                [
                    "undertext", "batch", "run", library, "--journal", journal,
                    "--max-read-rate", "2K",
                ],
                input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
        // At this rate the run takes minutes, so that it is still in progress whenever the test is resumed.
        for _ in 0..<6000 where !exists(journal) { try await Task.sleep(for: .milliseconds(5)) }
        send(signal: signal, to: process)
        #expect(waitForExit(process) == 128 + signal)
        #expect(!files(below: library).contains { $0.hasSuffix("undertext-part") })
        #expect(batch().status == 0)
        #expect(batch().stderr == "60 unchanged\n")
    }

    @Test func rebuildsADamagedJournal() throws {
        try makeLibrary(copies: 3)
        #expect(batch().status == 0)
        writeFile(Array("SQLite format 3".utf8), to: journal)
        let result = batch()
        #expect(result.status == 0)
        #expect(result.stderr.contains("was damaged"))
        #expect(result.stderr.hasSuffix("3 unchanged\n"))
        #expect(exists(journal + ".damaged-1"))
    }

    @Test func stopsWhatTakesTooLong() throws {
        try #require(makeFolder(library))
        let stream = try #require(fileBytes(fixture("containers/movie.ts")))
        writeFile(stream, to: library + "/slow.ts")
        let result = batch("--max-read-rate", "1000", "--time-limit", "0.3", "--io", "scan")
        #expect(result.status == 3)
        #expect(result.stderr.contains("took longer"), "\(result.stderr)")
        #expect(files(below: library).count == 1)
    }

    @Test func saysHowFarItIs() throws {
        try makeLibrary(copies: 2)
        let result = batch("--progress", "json", "-q")
        let lines = try records(result.stderr)
        #expect(lines.last?["files"]?.wholeNumber == 2)
        #expect(lines.last?["totalFiles"]?.wholeNumber ?? 2 >= 2)
        #expect(batch("-v").stderr.contains("/0.mkv: unchanged\n"))
    }

    @Test(arguments: [
        (["batch", "run"], "specify at least one folder, or --manifest"),
        (["batch", "run", "-"], "standard input"),
        (["batch", "run", ".", "--retry", "complete"], "failed, partial"),
        (["batch", "run", ".", "-j", "0"], "1 to 1024"),
        (["batch", "run", ".", "--format", "nonsense"], "nonsense"),
        (["batch", "rnu", "."], "did you mean 'batch run'?"),
    ])
    func refusesWhatItDoesNotUnderstand(_ arguments: [String], _ text: String) {
        let result = Command.undertext(arguments)
        #expect(result.status == 64)
        #expect(result.stderr.contains(text), "\(result.stderr)")
    }

    @Test func namesAMissingFolder() {
        let result = batch()
        #expect(result.status == 1)
        #expect(result.stderr.contains("there is no such folder"))
    }
}
