import TestSupport
import Testing
import Undertext
import UndertextCore

/// .sup files that were put together or damaged at their beginning.
@Suite struct PGSJointTests {
    /// A .sup file with all its times moved by `ticks` of 90 kHz.
    private func moved(_ bytes: [UInt8], by ticks: Int) -> [UInt8] {
        var bytes = bytes
        var place = 0
        while place + 13 <= bytes.count {
            let stored = bytes[place + 2..<place + 6].reduce(0) { $0 << 8 | Int($1) }
            for (index, shift) in [24, 16, 8, 0].enumerated() {
                bytes[place + 2 + index] = UInt8(truncatingIfNeeded: (stored + ticks) >> shift)
            }
            place += 13 + Int(bytes[place + 11]) << 8 + Int(bytes[place + 12])
        }
        return bytes
    }

    @Test func theSecondMovieKeepsItsTimes() throws {
        let folder = TemporaryDirectory()
        let film = try fixtureBytes("bitmap/pgs/crop.sup")
        let hour = 3600 * 90_000
        let path = folder.write(moved(film, by: hour) + film, to: "joined.sup")
        let alone = try Media(fixture("bitmap/pgs/crop.sup")).subtitleTrack(id: 0).document().cues
        var reported: [Diagnostic] = []
        let cues = try Media(path).subtitleTrack(id: 0).document { reported.append($0) }.cues
        #expect(!alone.isEmpty)
        #expect(cues.count == 2 * alone.count)
        #expect(cues.prefix(alone.count).map(\.start) == alone.map(\.start))
        #expect(cues.prefix(alone.count).map(\.end) == alone.map(\.end))
        let later = alone.map { $0.start.advanced(by: .seconds(3600)) }
        #expect(cues.suffix(alone.count).map(\.start) == later)
        #expect(reported.map(\.code) == ["time-jump"])
    }

    @Test func theFirstImageOfADamagedBeginningIsThere() throws {
        var bytes = try fixtureBytes("bitmap/pgs/crop.sup")
        bytes[0] = 0
        let folder = TemporaryDirectory()
        let path = folder.write(bytes, to: "damaged.sup")
        let whole = try Media(fixture("bitmap/pgs/crop.sup")).subtitleTrack(id: 0).document().cues
        let found = try Media(path).subtitleTrack(id: 0).document().cues
        #expect(!whole.isEmpty && found == whole)
    }
}
