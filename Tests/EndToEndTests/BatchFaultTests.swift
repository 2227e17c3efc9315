import TestSupport
import Testing
import UndertextCore

/// Whatever fails around `batch run`: no file is lost or half written, and the report names each.
@Suite struct BatchFaultTests {
    static let canMount =
        run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status == 0

    let folder = TemporaryDirectory()
    private var library: String { folder / "library" }
    private var report: String { folder / "report.jsonl" }

    private func makeLibrary(copies: Int = 1) throws {
        try #require(makeFolder(library))
        let movie = try #require(fileBytes(fixture("containers/movie.mkv")))
        for number in 0..<copies { writeFile(movie, to: "\(library)/\(number).mkv") }
    }

    private func batch(_ arguments: String...) -> ToolResult {
        Command.undertext(
            [
                "batch", "run", library, "--journal", folder / "state/test.journal", "--report",
                report, "--force",
            ] + arguments)
    }

    private var records: [JSON] {
        (fileText(report) ?? "").split(separator: "\n").compactMap { try? JSON(parsing: $0.utf8) }
    }

    private func records(_ outcome: String) -> [JSON] {
        records.filter { $0["outcome"]?.text == outcome }
    }

    /// Runs a script in a mount namespace of its own, with the command as `$0`, the folder as `$1` and the options of
    /// all runs as the others.
    private func script(_ lines: String...) -> ToolResult {
        run(
            "unshare",
            [
                "-m", "sh", "-c",
                ([
                    "set -u; cd \"$1\"; shift; mkdir small",
                    "batch() { \"$batch\" batch run \"$@\" library --tracks en+text; echo \"code $?\"; }",
                    "batch=$0",
                ] + lines).joined(separator: "\n"),
                Command.path, folder.path,
            ])
    }

    // MARK: Outputs

    @Test(.enabled(if: canMount, "mounting is not allowed"))
    func fullDisk() throws {
        try makeLibrary(copies: 12)
        let result = script(
            "mount -t tmpfs -o size=32k none small",
            "batch -o small/out --journal full.journal --report report.jsonl -j 2 --format srt",
            "find small -name '*undertext-part*'",
            "mount -o remount,size=10m small",
            "batch -o small/out --journal full.journal --retry failed,partial --format srt",
            "batch -o small/out --journal full.journal --format srt",
            "cp -r small/out copy")
        #expect(result.text == "code 3\ncode 0\ncode 0\n", "\(result.stderr)")
        let failed = records("failed") + records("partial")
        #expect(!failed.isEmpty && failed.count + records("complete").count == 12)
        for record in failed {
            #expect("\(record)".contains("no space left"), "\(record)")
        }
        #expect(result.stderr.hasSuffix("12 unchanged\n"))
        let outputs = files(below: folder / "copy")
        // Four tracks of equal files.
        #expect(outputs.count == 48)
        #expect(Set(outputs.map { fileText($0) ?? "" }).count == 4)
    }

    @Test(.enabled(if: canMount, "mounting is not allowed"))
    func fullDiskOfTheJournal() throws {
        try makeLibrary(copies: 30)
        let result = script(
            "mount -t tmpfs -o size=160k none small",
            "batch -o out --journal small/full.journal --format srt -q",
            "mount -o remount,size=10m small",
            "batch -o out --journal small/full.journal --format srt",
            "batch -o out --journal small/full.journal --format srt")
        #expect(result.text == "code 1\ncode 0\ncode 0\n", "\(result.stderr)")
        #expect(result.stderr.contains("no space left"))
        #expect(result.stderr.hasSuffix("30 unchanged\n"))
        let outputs = files(below: folder / "out")
        #expect(outputs.count == 120 && Set(outputs.map { fileText($0) ?? "" }).count == 4)
    }

    @Test(.enabled(if: canMount, "mounting is not allowed"))
    func fullDiskOfTheReport() throws {
        try makeLibrary(copies: 20)
        let result = script(
            "mount -t tmpfs -o size=8k none small",
            "batch -o out --journal full.journal --report small/report.jsonl",
            "ls -A small")
        #expect(result.text == "code 1\n", "\(result.text) \(result.stderr)")
        #expect(result.stderr.contains("report.jsonl: no space left"))
        #expect(files(below: folder / "out").count == 80)
    }

    @Test(.enabled(if: canMount, "mounting is not allowed"))
    func readOnlyOutputs() throws {
        try makeLibrary(copies: 2)
        let result = script(
            "mount --bind small small && mount -o remount,bind,ro small",
            "batch -o small/out --journal read.journal",
            "mkdir out && mount --bind out out && mount -o remount,bind,ro out",
            "batch -o out --journal read.journal --report report.jsonl",
            "umount out",
            "batch -o out --journal read.journal --retry failed")
        #expect(result.text == "code 1\ncode 3\ncode 0\n", "\(result.stderr)")
        #expect(
            records("failed").compactMap { $0["error"]?["code"]?.text } == [
                "read-only", "read-only",
            ])
        #expect(result.stderr.hasSuffix("2 complete\n"))
    }

    /// An image folder whose replacement was interrupted is replaced by the next run.
    @Test func interruptedImageFolders() throws {
        try makeLibrary()
        #expect(batch("--tracks", "bitmap", "--end", "5").status == 0)
        let images = try #require(
            files(below: library).first { $0.hasSuffix("/index.html") }
        ).dropLast("/index.html".count)
        let page = "\(images)/index.html"
        let before = names(in: String(images))
        #expect(run("rm", [page]).status == 0 && makeFolder(page))
        // New images are in the folder, which no index lists.
        #expect(batch("--tracks", "bitmap").status == 3)
        #expect(names(in: String(images)).count > before.count)
        #expect(run("rmdir", [page]).status == 0)
        let last = batch("--tracks", "bitmap", "--retry", "failed,partial")
        #expect(last.status == 0, "\(last.stderr)")
        let whole = folder / "whole"
        #expect(
            Command.undertext(
                "extract", "--tracks", "bitmap", "-o", whole, library + "/0.mkv"
            ).status == 0)
        let expected = try #require(
            files(below: whole).first { $0.hasSuffix("/index.html") }
        ).dropLast("/index.html".count)
        #expect(names(in: String(images)) == names(in: String(expected)))
    }

    // MARK: Inputs

    /// In a user namespace without users, even root may only read what its mode allows.
    @Test(
        .enabled(
            if: run("unshare", ["--user", "true"]).status == 0, "user namespaces are not allowed"))
    func unreadableFoldersAndFiles() throws {
        try makeLibrary(copies: 3)
        #expect(makeFolder(library + "/closed"))
        #expect(run("chmod", ["0", library + "/closed", library + "/1.mkv"]).status == 0)
        let options = [
            "--user", Command.path, "batch", "run", library, "--journal",
            folder / "state/test.journal", "--report", report, "--force",
        ]
        let result = run("unshare", options)
        #expect(result.status == 3)
        #expect(
            result.stderr.hasSuffix("2 complete, 1 failed, 1 unreadable\n"), "\(result.stderr)")
        #expect(
            records("failed").compactMap { $0["error"]?["code"]?.text } == ["permission-denied"])
        let unreadable = records.filter { $0["type"]?.text == "unreadable" }
        #expect(unreadable.compactMap { $0["path"]?.text } == [library + "/closed"])
        #expect(unreadable.compactMap { $0["code"]?.text } == ["permission-denied"])
        #expect(run("chmod", ["700", library + "/closed", library + "/1.mkv"]).status == 0)
        #expect(batch("--retry", "failed").stderr == "1 complete, 2 unchanged\n")
    }

    /// A file whose reads never return does not hold up the others.
    @Test(.requires("bindfs"))
    func hangingFile() async throws {
        try makeLibrary(copies: 2)
        let (below, slow) = (folder / "below", folder / "slow")
        #expect(makeFolder(below) && makeFolder(slow))
        #expect(run("mv", [library + "/0.mkv", below + "/hangs.mkv"]).status == 0)
        let arguments = ["bindfs", "-f", "--read-rate=1", below, slow]
        let server = try #require(
            spawn(
                "/usr/bin/env", ["env"] + arguments, input: "/dev/null",
                output: folder / "served", error: folder / "served"))
        defer { _ = run("umount", ["-l", slow]) }
        for _ in 0..<6000 where !exists(slow + "/hangs.mkv") {
            try await Task.sleep(for: .milliseconds(5))
        }
        let process = try #require(
            spawn(
                Command.path,
                [
                    "undertext", "batch", "run", slow, library, "--journal",
                    folder / "state/test.journal", "-o", folder / "out", "--report", report,
                    "--tracks", "en+text", "--time-limit", "5", "-j", "2",
                ], input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
        for _ in 0..<6000 where !exists(report) { try await Task.sleep(for: .milliseconds(20)) }
        // The kernel ends a process only after its calls.
        send(signal: SignalTests.kill, to: server)
        _ = waitForExit(server)
        #expect(waitForExit(process) == 3)
        let said = fileText(folder / "stderr") ?? ""
        #expect(said.hasSuffix("1 complete, 1 failed\n"), "\(said)")
        #expect(records("failed").compactMap { $0["error"]?["code"]?.text } == ["timeout"])
        #expect(!files(below: folder / "out").contains { $0.contains("hangs") })
    }

    /// All threads that read have the idle priority; the one that waits for signals was there before.
    @Test(.requires("ionice"))
    func idlePriority() async throws {
        try makeLibrary(copies: 2)
        let journal = folder / "state/test.journal"
        let process = try #require(
            spawn(
                Command.path,
                [
                    "undertext", "batch", "run", library, "--journal", journal, "--io-priority",
                    "idle", "--max-read-rate", "1", "-j", "2",
                ], input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
        for _ in 0..<6000 where !exists(journal) { try await Task.sleep(for: .milliseconds(5)) }
        for _ in 0..<600 {
            let status = Command.undertext("batch", "status", "--journal", journal)
            if status.text.contains("2 in work") { break }
        }
        let priorities = names(in: "/proc/\(process)/task").map { run("ionice", ["-p", $0]).text }
        send(signal: SignalTests.terminate, to: process)
        #expect(waitForExit(process) == 128 + SignalTests.terminate)
        #expect(priorities.count { $0 == "idle\n" } >= 3, "\(priorities)")
        #expect(priorities.count { $0 != "idle\n" } <= 1, "\(priorities)")
    }

    // MARK: Journals

    /// Times that lie in the future, or before 1970, count as they are.
    @Test func clockGoingBackwards() throws {
        try makeLibrary(copies: 2)
        for (name, date) in [("0", "2106-01-01"), ("1", "1950-01-01")] {
            #expect(run("touch", ["-d", date, "\(library)/\(name).mkv"]).status == 0)
        }
        #expect(batch("--tracks", "en+text").stderr == "2 complete\n")
        #expect(batch("--tracks", "en+text").stderr == "2 unchanged\n")
        #expect(run("touch", ["-d", "2000-01-01", library + "/0.mkv"]).status == 0)
        #expect(batch("--tracks", "en+text").stderr == "1 complete, 1 unchanged\n")
    }

    /// Another program that has the journal open for a moment delays the run.
    @Test(.requires("python3"))
    func journalLockedForAMoment() async throws {
        try makeLibrary()
        #expect(batch("--tracks", "en+text").status == 0)
        let script = """
            import sqlite3, sys, time
            base = sqlite3.connect(sys.argv[1], isolation_level=None)
            base.execute("BEGIN EXCLUSIVE")
            open(sys.argv[2], "w").close()
            while not __import__("os").path.exists(sys.argv[3]): time.sleep(0.01)
            time.sleep(0.5)
            """
        let journal = folder / "state/test.journal"
        let python = try #require(
            spawn(
                "/usr/bin/env",
                ["env", "python3", "-c", script, journal, folder / "locked", folder / "free"],
                input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
        for _ in 0..<6000 where !exists(folder / "locked") {
            try await Task.sleep(for: .milliseconds(5))
        }
        writeFile([], to: folder / "free")
        #expect(batch("--tracks", "en+text").stderr == "1 unchanged\n")
        #expect(waitForExit(python) == 0)
    }
}
