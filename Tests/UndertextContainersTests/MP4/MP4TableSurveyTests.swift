import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// Tables that make much of few bytes are found by reading little.
@Suite struct MP4TableSurveyTests {
    private func survey(_ bytes: [UInt8]) throws -> MP4TableSurvey? {
        let source = MemorySource(bytes)
        let survey = try MP4TableSurvey(source: source)
        // Each table once, and the headers of boxes around them.
        #expect(source.statistics.bytesRead <= 4096 + 2 * UInt64(bytes.count))
        return survey
    }

    private func text(_ value: String) -> [UInt8] {
        [0, UInt8(value.utf8.count)] + Array(value.utf8)
    }

    @Test func usualFilesPass() throws {
        let builder = MP4Builder("tx3g")
        let samples = (0..<500).map { MP4Builder.Sample(text("a\($0)"), 100) }
        for bytes in [builder.file(samples), builder.fragmented([(0, samples)])] {
            let found = try #require(try survey(bytes))
            #expect(found.excess == nil && found.samples == 0 && !found.hasManyEdits)
        }
        for name in ["movie.mp4"] {
            let bytes = try #require(fileBytes(fixture("containers/" + name)))
            #expect(try #require(try survey(bytes)).excess == nil)
        }
    }

    @Test func otherFilesAreNoMP4() throws {
        #expect(try survey([]) == nil)
        #expect(try survey(Array("WEBVTT\n\n00:01.000 --> 00:02.000\nhere\n".utf8)) == nil)
    }

    @Test func samplesOfACommonSizeCount() throws {
        let builder = MP4Builder("tx3g")
        let some = try #require(try survey(builder.crowded(chunks: 1000, samples: 1000)))
        #expect(some.samples == 1_000_000)
        #expect(some.excess == nil)
        let many = try #require(try survey(builder.crowded(chunks: 1000, samples: 1_000_000)))
        #expect(many.samples == 1_000_000_000)
        #expect(many.excess != nil)
    }

    /// libavformat joins at least 160 samples of uncompressed sound to one.
    @Test func uncompressedSoundMayHaveMany() throws {
        var builder = MP4Builder("sowt")
        builder.handler = "soun"
        let hour = try #require(try survey(builder.crowded(chunks: 3600, samples: 48_000)))
        #expect(hour.samples == 48_000 * 3600 / 160)
        let ages = try #require(try survey(builder.crowded(chunks: 3600, samples: 0xFFFF_FFFF)))
        #expect(ages.excess != nil)
    }

    /// libavformat finds tables wherever boxes hold them, and each track adds to the others.
    @Test func nestedBoxesCount() throws {
        let table = MP4Builder.box(
            "stbl",
            MP4Builder.box("stsz", MP4Builder.words(0, 1, 600_000)),
            MP4Builder.box("stsc", MP4Builder.words(0, 1, 1, 600_000, 1)),
            MP4Builder.box("stco", MP4Builder.words(0, 1, 0)))
        let track = MP4Builder.box("trak", MP4Builder.box("udta", MP4Builder.box("stbl", table)))
        for (count, isTooMuch) in [(1, false), (2, true)] {
            let tracks = Array(repeating: track, count: count).flatMap { $0 }
            let found = try #require(try survey(MP4Builder.box("moov", tracks)))
            #expect(found.samples == 600_000 * UInt64(count))
            #expect((found.excess != nil) == isTooMuch)
        }
        var nested = track
        for _ in 0..<40 { nested = MP4Builder.box("udta", nested) }
        #expect(try #require(try survey(MP4Builder.box("moov", nested))).samples == 0)
    }

    /// A run without fields takes no bytes for its samples; only a scan reads fragments after the media.
    @Test func runsOfFragmentsCount() throws {
        func fragment(_ count: Int) -> [UInt8] {
            MP4Builder.box(
                "moof",
                MP4Builder.box(
                    "traf", MP4Builder.box("tfhd", MP4Builder.words(0x2_0000, 1)),
                    MP4Builder.box("trun", MP4Builder.words(1, count, 100))))
        }
        let start = MP4Builder("tx3g").fragmented([])
        let data = MP4Builder.box("mdat", [1, 2, 3])
        let before = start + fragment(4_000_000) + data
        #expect(try #require(try survey(before)).excess != nil)
        let after = start + fragment(10) + data + fragment(4_000_000) + data
        #expect(try #require(try survey(after)).samples == 10)
        let all = try MP4TableSurvey(source: MemorySource(after), allFragments: true)
        #expect(all?.samples == 4_000_010 && all?.excess != nil)
    }

    @Test func longEditListsAreSeen() throws {
        var builder = MP4Builder("tx3g")
        builder.edits = Array(repeating: (1, 0), count: 20_000)
        let bytes = builder.file([.init(text("a"), 1000)])
        let found = try #require(try survey(bytes))
        #expect(found.edits == 20_000 && found.hasManyEdits && found.excess == nil)
        // Our own reader applies the first ones, and reads no more.
        let source = MemorySource(bytes)
        let file = try MP4File(source: source)
        #expect(file.tracks.first?.edits.count == 64)
        #expect(file.tracks.first?.edits.isCut == true)
        #expect(file.diagnostics.map(\.code) == ["too-many-edits"])
        #expect(file.diagnostics.map(\.severity) == [.error])
        #expect(source.statistics.bytesRead < 20_000)
    }

    /// A stream of packets that never ends by itself.
    private final class Endless: PacketReader {
        func nextPacket() throws(UndertextError) -> Packet? {
            Packet(streamIndex: 3, pts: 0, timeBase: .milliseconds, data: [1, 2, 3])
        }
    }

    @Test func aScanEndsWhenTheFileCameOftenEnough() throws {
        let reader = MP4ScanReader(Endless(), size: 1000)
        var bytes: UInt64 = 0
        while let packet = try reader.nextPacket() { bytes += UInt64(packet.data.count) }
        #expect(bytes <= MP4ScanReader.bytesAtMost(ofFile: 1000))
        let reported = reader.diagnostics.take()
        #expect(reported.map(\.code) == ["repeated-samples"] && reported.map(\.streamIndex) == [3])
        #expect(try reader.nextPacket() == nil)
    }

    /// Damage anywhere costs neither a trap nor more reading.
    @Test func damagedFiles() throws {
        let builder = MP4Builder("tx3g")
        let bytes = builder.crowded(chunks: 20, samples: 5)
        for end in bytes.indices { _ = try survey(Array(bytes[..<end])) }
        var random = SeededGenerator(seed: 22)
        for _ in 0..<300 {
            var damaged = bytes
            damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255)
            _ = try survey(damaged)
        }
    }
}
