import TestSupport
import Testing
import UndertextCore

/// `batch run --watch` stays and processes what is added.
@Suite struct BatchWatchTests {
    let folder = TemporaryDirectory()
    private var library: String { folder / "library" }
    private var report: String { folder / "report.jsonl" }
    private var said: String { fileText(folder / "stderr") ?? "" }

    private func makeLibrary() throws {
        try #require(makeFolder(library))
        try addMovie("0.mkv")
    }

    private func addMovie(_ name: String) throws {
        let movie = try #require(fileBytes(fixture("containers/movie.mkv")))
        #expect(writeFile(movie, to: "\(library)/\(name)"))
    }

    private func arguments(_ more: [String]) -> [String] {
        [
            "undertext", "batch", "run", library, "--journal", folder / "state/test.journal",
            "--tracks", "en+text", "--watch", "--settle", "0.1", "--report", report,
        ] + more
    }

    /// Starts a watch, and waits until it has done everything that is there.
    private func begin(_ more: String..., by launcher: [String] = []) async throws -> Int32 {
        let command = launcher + [Command.path] + arguments(more).dropFirst()
        let process = try #require(
            spawn(
                "/usr/bin/env", ["env"] + command, input: "/dev/null", output: folder / "stdout",
                error: folder / "stderr"))
        try await eventually("it watches") { said.contains("watching ") }
        return process
    }

    private func eventually(_ fact: String, _ condition: () throws -> Bool) async throws {
        for _ in 0..<6000 {
            if try condition() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("not within two minutes: \(fact); \(said)")
    }

    private func end(_ process: Int32, by signal: Int32 = SignalTests.terminate) {
        send(signal: signal, to: process)
        #expect(waitForExit(process) == 128 + signal, "\(said)")
    }

    private var records: [JSON] {
        (fileText(report) ?? "").split(separator: "\n").compactMap { try? JSON(parsing: $0.utf8) }
    }

    /// The inputs that were worked on, without their folder.
    private var done: [String] {
        records.filter { $0["status"]?.text == "done" }.compactMap { record in
            record["input"]?.text.flatMap { $0.split(separator: "/").last }.map(String.init)
        }
    }

    /// All that a process did so far: the times at which its threads began and ended to wait, and their time.
    private func activity(of process: Int32) -> [String] {
        names(in: "/proc/\(process)/task").flatMap { task in
            (fileText("/proc/\(process)/task/\(task)/status") ?? "").split(separator: "\n")
                .filter { $0.contains("ctxt_switches") }.map { "\(task) \($0)" }
        }
    }

    @Test func processesWhatIsAddedAndRests() async throws {
        try makeLibrary()
        var process = try await begin("-v", "--progress", "json")
        #expect(done == ["0.mkv"])
        // A run that waits uses no time: its threads do not even wake.
        try await eventually("it rests") {
            let before = activity(of: process)
            pause(milliseconds: 700)
            return !before.isEmpty && activity(of: process) == before
        }
        try addMovie("1.mkv")
        try await eventually("a file is done") { done.count == 2 }
        #expect(exists(library + "/1.en.vtt"))
        #expect(makeFolder(library + "/sub"))
        try addMovie("sub/2.mkv")
        try await eventually("a file of a new folder is done") { done.count == 3 }
        // A file that is no media, and one that is changed.
        writeFile(Array("no film".utf8), to: library + "/3.mkv")
        try await eventually("a failure is reported") { said.contains("3.mkv: ") }
        try addMovie("3.mkv")
        try await eventually("a changed file is done") { done.count == 5 }
        try addMovie("4.mkv")
        try await eventually("the last file is done") { done.count == 6 }
        // Its own outputs, of which there are four now, are none of its inputs.
        #expect(records.count == 6, "\(records)")
        end(process)
        let summary = records.last
        #expect(summary?["type"]?.text == "summary")
        #expect(summary?["stopped"] == .bool(true))
        #expect(summary?["outcomes"]?["complete"]?.wholeNumber == 5)
        #expect(summary?["outcomes"]?["failed"]?.wholeNumber == 1)
        #expect(said.contains("stopped; 5 complete, 1 failed"))

        // What is added in between is done at the next start, and the report is continued.
        try addMovie("5.mkv")
        process = try await begin()
        #expect(said.contains("1 complete, 5 unchanged\n"))
        #expect(records.filter { $0["status"]?.text == "unchanged" }.count == 5)
        #expect(done.count == 7)
        end(process, by: SignalTests.interrupt)
        #expect(records.filter { $0["type"]?.text == "summary" }.count == 2)
    }

    /// A watch that is killed during the work continues it at the next start.
    @Test func survivesAKill() async throws {
        try makeLibrary()
        end(try await begin())
        let process = try await begin("--max-read-rate", "1")
        for number in 1...3 { try addMovie("\(number).mkv") }
        let journal = folder / "state/test.journal"
        try await eventually("files are in work") {
            Command.undertext("batch", "status", "--journal", journal).text.contains("in work")
        }
        send(signal: SignalTests.kill, to: process)
        _ = waitForExit(process)
        let second = try await begin()
        #expect(Set(done) == ["0.mkv", "1.mkv", "2.mkv", "3.mkv"])
        #expect(!files(below: library).contains { $0.hasSuffix("undertext-part") })
        end(second)
    }

    /// Where the kernel allows too few watches, folders are scanned, and a message names the setting.
    @Test(
        .enabled(
            if: run(
                "unshare",
                [
                    "--user", "--map-root-user", "sh", "-c",
                    "echo 3 > /proc/sys/user/max_inotify_watches",
                ]
            ).status == 0, "user namespaces are not allowed"))
    func scansWithoutWatches() async throws {
        try makeLibrary()
        for number in 0..<6 { #expect(makeFolder("\(library)/\(number)")) }
        let script = "echo \"$0\" > /proc/sys/user/max_inotify_watches; exec \"$@\""
        for limit in ["3", "0"] {
            let process = try await begin(
                "--scan-interval", "1",
                by: ["unshare", "--user", "--map-root-user", "sh", "-c", script, limit])
            #expect(said.contains("fs.inotify.max_user_watches"))
            for number in [0, 5] {
                try addMovie("\(number)/\(limit).mkv")
                try await eventually("\(number) is done") { done.last == "\(limit).mkv" }
                #expect(exists("\(library)/\(number)/\(limit).en.vtt"))
                writeFile([], to: report)
            }
            end(process)
        }
    }

    /// Without its journal, a run would lose what it does.
    @Test func endsIfItsJournalIsRemoved() async throws {
        try makeLibrary()
        let process = try await begin()
        _ = run("rm", ["-r", folder / "state"])
        try addMovie("1.mkv")
        #expect(waitForExit(process) == 1)
        #expect(said.contains("the journal was removed"))
    }

    @Test(arguments: [
        (["--manifest", "x"], 64, "leave out --manifest"),
        (["s3://bucket/films"], 64, "object storage reports no changes"),
        ([".", "--settle", "0"], 64, "--settle"),
        ([".", "--scan-interval", "0"], 64, "--scan-interval"),
        ([fixture("containers/movie.mkv")], 1, "--watch follows folders"),
    ])
    func refusesWhatCannotBeWatched(
        _ arguments: [String], _ code: Int32, _ text: String
    ) {
        let result = Command.undertext(
            ["batch", "run", "--watch", "--journal", folder / "x.journal"] + arguments)
        #expect(result.status == code)
        #expect(result.stderr.contains(text), "\(result.stderr)")
        let alone = Command.undertext("batch", "run", ".", "--settle", "1")
        #expect(alone.status == 64 && alone.stderr.contains("need --watch"))
    }
}
