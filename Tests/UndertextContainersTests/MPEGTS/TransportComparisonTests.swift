import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// Our packets against libavformat's, on whole files.
@Suite struct TransportComparisonTests {
    @Test func fixtureIsEqual() throws {
        let bytes = try fixtureBytes("containers/movie.ts")
        let comparison = try #require(try TransportComparison(bytes))
        #expect(comparison.expectEqual("movie.ts") > 4)
        #expect(comparison.diagnostics.isEmpty)
        #expect(comparison.bytesRead <= UInt64(bytes.count) + (2 << 20))
    }

    /// Files whose streams libavformat only guesses are left to it: two have no tables, in one all
    /// tables are damaged.
    @Test(.requiresCorpus()) func independentFilesAreLeftWhereTablesLack() throws {
        let corpus = try #require(corpusPath(""))
        let paths = files(below: corpus).filter { $0.hasSuffix(".ts") || $0.hasSuffix(".m2ts") }
        #expect(paths.count > 5)
        var refused: [String] = []
        for path in paths {
            let bytes = try #require(fileBytes(path))
            // TypeScript has the same extension.
            guard let comparison = try TransportComparison(bytes) else { continue }
            if comparison.refusal != nil {
                refused.append(path)
            } else {
                comparison.expectEqual(path)
            }
        }
        #expect(refused.count == 3, "\(refused)")
    }

    /// The same streams, with tables of our own in front.
    @Test(
        .requiresCorpus(),
        arguments: [
            ("subtitleedit/tests/libse/Files/sample_TS_with_graphics.ts", 0x29, 0, 3),
            ("subtitleedit/tests/libse/Files/sample_TS_with_teletext.ts", 0x13F0, 0, 100),
            ("tsduck-test/input/test-143.ts", 0x3E, 0x3D, 20),
        ])
    func independentStreamsAreEqual(_ name: String, _ pid: Int, _ clock: Int, _ least: Int) throws {
        let path = try #require(corpusPath(name))
        let bytes = try #require(fileBytes(path))
        var builder = TransportBuilder()
        builder.association([(1, 0x1FF0)])
        let isTeletext = pid != 0x29
        var streams = [
            TransportBuilder.Stream(
                type: 6, pid: pid,
                descriptors: isTeletext ? TransportSample.teletext : TransportSample.dvb)
        ]
        if clock != 0 { streams.append(.init(type: 0x1B, pid: clock)) }
        if clock != 0 {
            for dvb in [0x3F] + Array(0x46...0x4C) {
                streams.append(.init(type: 6, pid: dvb, descriptors: TransportSample.dvb))
            }
        }
        builder.map(1, pid: 0x1FF0, clock: clock == 0 ? pid : clock, streams)
        for start in stride(from: 0, to: bytes.count - 187, by: 188) {
            let found = Int(bytes[start + 1] & 0x1F) << 8 | Int(bytes[start + 2])
            if found != 0, found != 60 { builder.raw(Array(bytes[start..<start + 188])) }
        }
        let comparison = try #require(try TransportComparison(builder.bytes))
        #expect(comparison.expectEqual(name) >= least)
    }

    @Test(arguments: [188, 192, 204])
    func builtFilmIsEqual(_ distance: Int) throws {
        for bounded in [true, false] {
            let bytes = TransportSample.film(distance: distance, bounded: bounded)
            let comparison = try #require(try TransportComparison(bytes))
            #expect(comparison.expectEqual("\(distance), \(bounded)") == 36)
            #expect(comparison.diagnostics.isEmpty)
        }
    }

    /// Times around the wrap of 33 bits, a minute before which libavformat changes its mind.
    @Test func wrapsAreEqual() throws {
        let wrap: Int64 = 1 << 33
        let minute: Int64 = 60 * 90_000
        for start in [
            0, 1, minute, wrap - 45_000, wrap - 3 * 45_000, wrap - minute, wrap - minute - 1,
            wrap - minute + 1, wrap - 2 * minute, wrap - (1 << 30), wrap / 2,
        ] {
            let comparison = try #require(
                try TransportComparison(TransportSample.film(start: start, events: 16)))
            #expect(comparison.expectEqual("start \(start)") == 48)
        }
    }
}
