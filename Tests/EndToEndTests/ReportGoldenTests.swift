import TestSupport
import Testing
import Undertext
import UndertextCore

@testable import UndertextCLI

/// The report's members and their order are a contract: programs read it.
@Suite struct ReportGoldenTests {
    static let root = ["version", "avformat", "inputs"]
    static let input = [
        "input", "exitCode", "error", "container", "timeline", "io", "seconds", "tracks",
        "attachments", "diagnostics",
    ]
    static let io = ["path", "proof", "refused", "bytesRead", "requests", "inputSize"]
    static let track = [
        "track", "codec", "language", "title", "forced", "hearingImpaired", "status", "reason",
        "cues", "first", "last", "outputs", "charset", "losses", "diagnostics", "diagnosticCounts",
    ]

    let folder = TemporaryDirectory()

    /// The report of an extraction as a reader of JSON sees it.
    func report(_ path: String) throws -> JSON {
        var options = ExtractionOptions()
        options.destination = .directory(folder.path)
        let report = try Extractor(options: options).extract(path)
        let document = ReportJSON.document([report], avformat: nil) {
            $0.outcome == .failed ? 1 : 0
        }
        return try #require(readJSON(document.pretty))
    }

    @Test func membersAreThoseOfTheContract() throws {
        let json = try report(fixture("containers/movie.mkv"))
        #expect(json.keys == Self.root)
        let input = try #require(json.member("inputs").values.first)
        #expect(input.keys == Self.input)
        #expect(input.member("timeline").keys == ["view", "offset"])
        #expect(input.member("io").keys == Self.io)
        #expect(input.member("error") == .null)
        let tracks = input.member("tracks").values
        #expect(tracks.count == 7)
        #expect(tracks.flatMap { $0.member("losses").values }.count > 3)
        for track in tracks {
            #expect(track.keys == Self.track)
            #expect(track.member("status") == .string("written"))
            #expect(track.member("reason") == .null)
            #expect(track.member("first") != .null && track.member("last") != .null)
            #expect(!track.member("outputs").values.isEmpty)
            for output in track.member("outputs").values {
                #expect(output.keys == ["file", "format", "bytes"])
            }
            for loss in track.member("losses").values {
                #expect(loss.keys == ["kind", "count", "example"])
                #expect(loss.member("example").keys == ["cue", "start"])
            }
        }
    }

    @Test func unknownValuesAreNull() throws {
        let tracks = try #require(
            try report(fixture("containers/movie.mkv")).member("inputs").values.first
        ).member("tracks").values
        #expect(tracks.map { $0.member("title") == .null }.contains(true))
        #expect(tracks.map { $0.member("title") == .null }.contains(false))
        for track in tracks {
            // Images have no characters.
            let isText = [JSON.string("subrip"), .string("ass")].contains(track.member("codec"))
            #expect((track.member("charset") != .null) == isText)
            guard isText else { continue }
            #expect(track.member("charset").keys == ["name", "source", "confidence"])
        }
    }

    @Test func aTrackWithoutCuesHasNoTimes() throws {
        let json = try report(fixture("containers/empty-track.mkv"))
        let tracks = try #require(json.member("inputs").values.first).member("tracks").values
        let empty = try #require(tracks.first { $0.member("status") == .string("empty") })
        #expect(empty.keys == Self.track)
        #expect(empty.member("cues") == .number("0"))
        #expect(empty.member("first") == .null && empty.member("last") == .null)
        #expect(empty.member("outputs") == .array([]))
    }

    @Test func aRefusedIndexHasNoProof() throws {
        let json = try report(fixture("containers/movie-videocues.mkv"))
        let io = try #require(json.member("inputs").values.first).member("io")
        #expect(io.keys == Self.io)
        #expect(io.member("path") == .string("walk"))
        #expect(io.member("proof") == .null)
        let refused = try #require(io.member("refused").values.first)
        #expect(refused.keys == ["path", "reason"])
        #expect(refused.member("path") == .string("index"))
    }

    @Test func aFailedInputHasAllMembersToo() throws {
        let json = try report(folder / "missing.mkv")
        let input = try #require(json.member("inputs").values.first)
        #expect(input.keys == Self.input)
        #expect(input.member("exitCode") == .number("1"))
        #expect(input.member("error").keys == ["code", "message", "offset"])
        for key in ["container", "timeline", "io"] { #expect(input.member(key) == .null, "\(key)") }
        #expect(input.member("tracks") == .array([]))
    }

    @Test func damageIsCounted() throws {
        let json = try report(fixture("containers/invalid-utf8.mkv"))
        let tracks = try #require(json.member("inputs").values.first).member("tracks").values
        let counts = tracks.map { $0.member("diagnosticCounts") }
        #expect(counts.contains { !$0.keys.isEmpty })
        let reported = try #require(tracks.flatMap { $0.member("diagnostics").values }.first)
        #expect(reported.keys == ["severity", "code", "track", "time", "offset", "message"])
    }
}

extension JSON {
    /// The value of an object's member; `null` where there is none.
    fileprivate func member(_ name: String) -> JSON { self[name] ?? .null }
}
