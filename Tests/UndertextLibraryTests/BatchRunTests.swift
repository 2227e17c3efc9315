import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextIO
import UndertextLibrary

/// A run gives every file one end.
@Suite struct BatchRunTests {
    let folder = TemporaryDirectory()

    private func journal() throws -> Journal {
        try Journal(path: folder / "state/test.journal", options: "[]")
    }

    private func found(_ name: String) throws -> FoundFile {
        FoundFile(
            path: folder / name, relativePath: name,
            status: try FileStatus(of: folder / name, followingLinks: true), kind: .indexed)
    }

    /// Works on files, and returns the records of the report.
    private func run(
        _ options: BatchOptions, _ journal: Journal, cancellation: Cancellation = Cancellation(),
        _ next: () -> FoundFile?
    ) throws -> (BatchSummary, [JSON]) {
        var records: [JSON] = []
        let batch = try BatchRun(
            options: options, journal: journal, cancellation: cancellation,
            form: { report in
                ReportForm(
                    exitCode: 0,
                    json: .object([
                        .init("input", .string(report.input)),
                        .init("error", .optional(report.error?.code.name)),
                    ]))
            },
            report: { event in
                if case .file(let record) = event { records.append(record.json) }
            })
        return (try batch.perform(next), records)
    }

    private func options() -> BatchOptions {
        var options = BatchOptions(extraction: ExtractionOptions())
        options.outputFolder = folder / "out"
        return options
    }

    /// A file that goes between the listing and the work is recorded, and done when it is back.
    @Test func vanishedFile() throws {
        let movie = try #require(fileBytes(fixture("containers/movie.mkv")))
        folder.write(movie, to: "a.mkv")
        let file = try found("a.mkv")
        #expect(TestSupport.run("mv", [file.path, folder / "away"]).status == 0)
        let journal = try journal()
        var files = [file]
        let (summary, records) = try run(options(), journal) { files.popLast() }
        #expect(summary.outcomes == [.failed: 1])
        #expect(records.map { $0["error"]?.text } == ["not-found"])
        #expect(records.map { $0["changedWhileRead"] } == [.bool(true)])
        #expect(TestSupport.run("mv", [folder / "away", file.path]).status == 0)
        files = [file]
        let (again, _) = try run(options(), journal) { files.popLast() }
        #expect(again.outcomes == [.complete: 1])
        #expect(try journal.decide(file, retry: []) == .unchanged(.complete))
    }

    /// A file that grows during the work is recorded, and done again.
    @Test func growingFile() throws {
        let movie = try #require(fileBytes(fixture("containers/movie.mkv")))
        folder.write(Array(movie.dropLast(1000)), to: "a.mkv")
        let begun = try found("a.mkv")
        folder.write(movie, to: "a.mkv")
        let journal = try journal()
        var files = [begun]
        let (_, records) = try run(options(), journal) { files.popLast() }
        #expect(records.map { $0["changedWhileRead"] } == [.bool(true)])
        files = [try found("a.mkv")]
        let (again, second) = try run(options(), journal) { files.popLast() }
        #expect(again.outcomes == [.complete: 1])
        #expect(second.map { $0["changedWhileRead"] } == [nil])
        #expect(try journal.decide(found("a.mkv"), retry: []) == .unchanged(.complete))
    }

    /// One file at a time is read from a rotating disk, while those of other disks go on.
    @Test func rotatingDisks() throws {
        let movie = try #require(fileBytes(fixture("containers/movie.mkv")))
        let devices: [(String, UInt64)] = [
            ("a1", 1), ("a2", 1), ("b1", 2), ("a3", 1), ("c1", 3), ("c2", 3),
        ]
        var files = try devices.map { name, device in
            folder.write(movie, to: name + ".mkv")
            var file = try found(name + ".mkv")
            file.status.device = device
            return file
        }
        let all = files
        var options = options()
        options.jobs = 10
        options.isRotating = { $0 < 3 }
        // No job ends before the run is stopped.
        let limiter = RateLimiter(bytesPerSecond: 1)
        _ = limiter.reserve(1_000_000)
        options.extraction.reading.rateLimiter = limiter
        let (journal, stop) = (try journal(), Cancellation())
        var claimed: [String] = []
        let (summary, _) = try run(options, journal, cancellation: stop) {
            if !files.isEmpty { return files.removeFirst() }
            claimed = all.filter { (try? journal.decide($0, retry: [])) == .claimed }
                .map(\.relativePath)
            stop.cancel()
            return nil
        }
        #expect(claimed == ["a1.mkv", "b1.mkv", "c1.mkv", "c2.mkv"])
        #expect(summary.isStopped && summary.outcomes.isEmpty)
        // What was stopped is free for the next run.
        for file in all { #expect(try journal.decide(file, retry: []).isWork) }
    }
}
