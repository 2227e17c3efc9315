import TestSupport
import Testing
import Undertext
import UndertextCore

/// Cues as an asynchronous sequence.
@Suite struct CueSequenceTests {
    private let folder = TemporaryDirectory()

    private func cues(
        _ sequence: some AsyncSequence<Cue, UndertextError>
    ) async throws -> [Cue] {
        var cues: [Cue] = []
        for try await cue in sequence { cues.append(cue) }
        return cues
    }

    @Test(arguments: ["containers/movie.mkv", "containers/movie.mp4", "containers/movie.ts"])
    func givesWhatTheReaderGives(_ name: String) async throws {
        let media = try await Media.open(fixture(name))
        let twin = try Media(fixture(name))
        #expect(media.subtitleTracks.map(\.id) == twin.subtitleTracks.map(\.id))
        for (track, other) in zip(media.subtitleTracks, twin.subtitleTracks) {
            let reader = try other.cueReader()
            var expected: [Cue] = []
            while let cue = try reader.next() { expected.append(cue) }
            #expect(try await cues(track.cues()) == expected)
            // A sequence can be read again, and a part of it.
            let middle = try #require(expected.last).start
            #expect(
                try await cues(track.cues(in: middle...)).map(\.start)
                    == expected.filter { $0.end > middle }.map(\.start))
            #expect(
                try await cues(track.cues(in: .zero..<middle)).map(\.start)
                    == expected.filter { $0.start < middle }.map(\.start))
        }
    }

    @Test func tracksAreReadInTurns() async throws {
        let media = try await Media.open(fixture("containers/movie.mkv"))
        let tracks = media.subtitleTracks
        try #require(tracks.count > 1)
        var one = tracks[0].cues().makeAsyncIterator()
        var other = tracks[1].cues().makeAsyncIterator()
        var counts = (0, 0)
        while true {
            let (first, second) = (try await one.next(), try await other.next())
            if first != nil { counts.0 += 1 }
            if second != nil { counts.1 += 1 }
            if first == nil, second == nil { break }
        }
        #expect(try await cues(tracks[0].cues()).count == counts.0)
        #expect(try await cues(tracks[1].cues()).count == counts.1)
    }

    @Test func damageIsReported() async throws {
        let media = try await Media.open(fixture("containers/invalid-utf8.mkv"))
        let track = try #require(media.subtitleTracks.first)
        let (reports, continuation) = AsyncStream.makeStream(of: Diagnostic.self)
        _ = try await cues(track.cues { continuation.yield($0) })
        continuation.finish()
        var codes: Set<String> = []
        for await report in reports { codes.insert(report.code) }
        #expect(codes.contains("invalid-utf8"))
    }

    @Test func anErrorEndsTheSequence() async throws {
        let error = await #expect(throws: UndertextError.self) {
            try await Media.open(folder / "missing.mkv")
        }
        #expect(error?.code == .notFound)
    }

    private func makeFIFO(_ name: String) -> String {
        let path = folder / name
        #expect(run("mkfifo", [path]).status == 0)
        return path
    }

    @Test func aCancelledTaskWaitsForNothing() async throws {
        // Nothing is ever written to it.
        let path = makeFIFO("fifo")
        let task = Task { () throws -> Int in try await Media.open(path).subtitleTracks.count }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        let error = await #expect(throws: UndertextError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func aCancelledTaskEndsItsSequence() async throws {
        let path = fixture("containers/movie.mkv")
        let task = Task {
            let media = try await Media.open(path)
            while !Task.isCancelled { await Task.yield() }
            for try await _ in media.subtitleTracks[0].cues() {}
        }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        let error = await #expect(throws: UndertextError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    /// More inputs that never answer than a pool has threads keep no other task from its work.
    @Test func blocksNoThreadOfThePool() async throws {
        let silent = (0..<100).map { makeFIFO("fifo\($0)") }
        let tasks = silent.map { path in Task { try await Media.open(path).subtitleTracks.count } }
        let media = try await Media.open(fixture("containers/movie.mkv"))
        #expect(try await !cues(media.subtitleTracks[0].cues()).isEmpty)
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: UndertextError.self) { try await task.value } }
    }
}
