import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// A seek to each display set shows what decoding from the beginning shows.
@Suite struct PGSSeekTests {
    private static let corpus = [
        "bdsup2sub/test.sup", "c0bra5-pgs/sample/sup1.sup", "libpgs-js/tests/files/test.sup",
        "subtitleedit/tests/libse/Files/sample_BDSUP_multi_image.sup",
    ]

    /// The content on screen, without properties that depend on how it was found: a repeated image may have
    /// begun before the position where reading starts.
    private func look(_ cues: [Cue]) -> [String] {
        cues.map { "\($0.end.nanoseconds) \($0.isForced)" }
    }

    /// Compares windows of a millisecond at each display set, before and after it.
    private func check(_ path: String) throws -> Int {
        let file = try Media(path)
        let all = try file.subtitleTrack(id: 0).document().cues
        let reader = try file.subtitleTrack(id: 0).packetReader()
        var times: Set<Timestamp> = []
        while let packet = try reader.nextPacket() {
            if packet.data.first == 0x16, let start = packet.start { times.insert(start) }
        }
        for time in times.sorted() {
            for shift in [-1, 0, 1] {
                let start = time.advanced(by: .milliseconds(shift))
                let window = TimeWindow(from: start, until: start.advanced(by: .milliseconds(1)))
                let expected = all.filter { window.overlaps(from: $0.start, until: $0.end) }
                let found = try Media(path).subtitleTrack(id: 0).document(in: window).cues
                let place = Comment(rawValue: "\(path) at \(start.nanoseconds) ns")
                #expect(look(found) == look(expected), place)
                #expect(found.map(\.content) == expected.map(\.content), place)
                for (one, other) in zip(found, expected) {
                    #expect(one.start == other.start || other.start < start, place)
                }
            }
        }
        return times.count
    }

    @Test(arguments: PGSConformanceCase.all)
    func everySetOfTheConformanceSet(_ one: PGSConformanceCase) throws {
        // In damaged bytes, only the entire file determines what a segment is.
        guard !one.isFramingDamaged else { return }
        #expect(try check(one.path) > 0)
    }

    @Test func everySetOfTheFixture() throws {
        #expect(try check(fixture("subtitles/bitmaps.sup")) > 10)
    }

    @Test(.requiresCorpus(), arguments: corpus) func everySetOfOthers(_ name: String) throws {
        let path = try #require(corpusPath(name))
        #expect(try check(path) > 1)
    }
}
