import TestSupport
import Testing
import Undertext
import UndertextCore

/// Transport streams are read by our reader, and by libavformat if that is requested or necessary.
@Suite struct TransportReadPathTests {
    @Test func packetsAreEqualOnBothPaths() throws {
        let path = fixture("containers/movie.ts")
        let (walked, reader) = try ReadPathTests.packets(path, .auto)
        let (scanned, scanner) = try ReadPathTests.packets(path, .scan)
        #expect(reader.path == .walk)
        #expect(reader.proof == nil)
        #expect(reader.refused.map(\.path) == [.index])
        #expect(scanner.path == .scan)
        #expect(walked.count > 4)
        #expect(walked == scanned)
    }

    @Test(.requiresCorpus()) func unlistedStreamsAreScanned() throws {
        let name = "subtitleedit/tests/libse/Files/sample_TS_with_graphics.ts"
        let path = try #require(corpusPath(name))
        let (packets, reader) = try ReadPathTests.packets(path, .auto)
        #expect(reader.path != .walk)
        #expect(reader.refused.contains { $0.path == .walk && !$0.reason.isEmpty })
        #expect(!packets.isEmpty)
    }

    /// The cues are equal on both paths.
    @Test func cuesAreEqualOnBothPaths() throws {
        func cues(_ io: ReadPathPreference) throws -> [Cue] {
            var options = Media.Options()
            options.io = io
            let file = try Media(fixture("containers/movie.ts"), options: options)
            return try #require(file.subtitleTracks.first).document().cues
        }
        let walked = try cues(.auto)
        #expect(walked.count > 2)
        #expect(walked.map(\.start) == (try cues(.scan)).map(\.start))
    }
}
