import TestSupport
import Testing
import Undertext
import UndertextCore

/// Extraction from an open input.
@Suite struct MediaExtractTests {
    private let folder = TemporaryDirectory()

    private func outputs(_ report: InputReport) -> [String: [UInt8]] {
        var outputs: [String: [UInt8]] = [:]
        for output in report.tracks.flatMap(\.outputs) {
            let name = output.file.split(separator: "/").last.map(String.init) ?? ""
            outputs[name] = fileBytes(output.file) ?? []
        }
        return outputs
    }

    /// The outputs are those of an `Extractor`, which opens the file itself.
    @Test(arguments: ["containers/movie.mkv", "containers/movie.mp4", "containers/movie.ts"])
    func equalsTheExtractor(_ name: String) async throws {
        var options = ExtractionOptions()
        options.format = .native
        options.destination = .directory(folder / "a")
        let expected = try Extractor(options: options).extract(fixture(name))
        let media = try await Media.open(fixture(name))
        let report = try await media.extract(as: .native, to: folder / "b")
        #expect(report.outcome == expected.outcome)
        #expect(report.tracks.map(\.status) == expected.tracks.map(\.status))
        #expect(report.tracks.map(\.cues) == expected.tracks.map(\.cues))
        #expect(outputs(report).count > 0)
        #expect(outputs(report) == outputs(expected))
        // The synchronous form, with the same input again.
        func blocking() throws -> InputReport { try media.extract(as: .native, to: folder / "c") }
        #expect(outputs(try blocking()) == outputs(expected))
    }

    @Test func selectsTracks() async throws {
        let media = try await Media.open(fixture("containers/movie.mkv"))
        let report = try await media.extract(.language("pt"), to: folder.path)
        #expect(report.tracks.count == 1)
        #expect(report.tracks.first?.stream.language == "pt-BR")
        let id = try #require(media.subtitleTracks.last).id
        let last = try await media.extract(.stream(id), as: .native, to: folder.path)
        #expect(last.tracks.map(\.stream.index) == [id])
        let none = try await media.extract(.language("ja"), to: folder.path)
        #expect(none.outcome == .noTrack)
    }

    /// An open input is not opened again, not even looked at by its name.
    @Test func readsTheOpenInput() async throws {
        let path = folder.write(try fixtureBytes("containers/movie.mkv"), to: "movie.mkv")
        let media = try await Media.open(path)
        #expect(run("mv", [path, folder / "moved.mkv"]).status == 0)
        let report = try await media.extract(as: .native, to: folder / "out")
        #expect(report.outcome == .complete)
        let source = HostileSource(try fixtureBytes("containers/movie.mkv"), .none)
        let bytes = try await Media.open(.source(source))
        let requests = source.requests
        let first = try await bytes.extract(.language("pt"), as: .native, to: folder / "source")
        #expect(first.outcome == .complete)
        #expect(source.requests > requests)
        // The pipe has been read to its end by then; a second run reports this.
        #expect(outputs(first).keys.sorted() == ["source.pt-BR.srt"])
    }

    /// No output takes the place of the input.
    @Test func theInputIsProtected() async throws {
        let text = try fixtureBytes("subtitles/captions.vtt")
        let path = folder.write(text, to: "a.und.vtt")
        _ = run("ln", [path, folder / "b.vtt"])
        let media = try await Media.open(folder / "b.vtt")
        var options = ExtractionOptions()
        options.destination = .file(path)
        options.existing = .replace
        let request = options
        let error = await #expect(throws: UndertextError.self) { try await media.extract(request) }
        #expect(error?.code == .invalidRequest)
        #expect(fileBytes(path) == text)
    }

    @Test func progressIsReported() async throws {
        let media = try await Media.open(fixture("containers/movie.mkv"))
        let (reports, continuation) = AsyncStream.makeStream(of: ExtractionProgress.self)
        let report = try await media.extract(as: .standard, to: folder.path) {
            continuation.yield($0)
        }
        continuation.finish()
        for await progress in reports {
            #expect(progress.inputCount == 1 && progress.inputIndex == 0)
            #expect(progress.input == media.input.argument)
        }
        #expect(report.outcome == .complete)
    }

    /// Cancellation of the task stops a run that would take minutes, and nothing of it stays.
    @Test func cancellationOfTheTask() async throws {
        var options = Media.Options()
        options.maxReadRate = 20_000
        options.io = .scan
        let path = folder.write(try fixtureBytes("containers/movie.ts"), to: "movie.ts")
        let opening = options
        let out = folder / "out"
        let task = Task {
            let media = try await Media.open(path, options: opening)
            return try await media.extract(to: out)
        }
        try await Task.sleep(for: .milliseconds(300))
        task.cancel()
        let error = await #expect(throws: UndertextError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        for _ in 0..<200 where exists(out) && !names(in: out).isEmpty {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(!exists(out) || names(in: out).isEmpty)
    }
}
