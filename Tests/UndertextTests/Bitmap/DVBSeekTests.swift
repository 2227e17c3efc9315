import TestSupport
import Testing
import Undertext
import UndertextCore

/// Seeks into an epoch whose regions are unchanged for many pages, by every way of reading.
@Suite struct DVBSeekTests {
    private static func cues(
        _ file: String, _ io: ReadPathPreference, in window: TimeWindow = .all
    ) throws -> [Cue] {
        var options = Media.Options()
        options.timeline = .source
        options.io = io
        return try Media(fixture("bitmap/dvb/\(file)"), options: options)
            .subtitleTrack(id: 0).document(in: window).cues
    }

    @Test(arguments: [
        ("epoch-long.ts", ReadPathPreference.walk), ("epoch-long.ts", .scan),
        ("epoch-long.mkv", .index), ("epoch-long.mkv", .walk), ("epoch-long.mkv", .scan),
    ])
    func showsTheSame(_ file: String, _ io: ReadPathPreference) throws {
        let all = try Self.cues("epoch-long.ts", .scan)
        #expect(all.count > 20)
        for half in stride(from: Int64(19), to: 182, by: 9) {
            let start = Timestamp.milliseconds(half * 500)
            let window = TimeWindow(from: start, until: start.advanced(by: .milliseconds(1)))
            let found = try Self.cues(file, io, in: window)
            let expected = all.filter { window.overlaps(from: $0.start, until: $0.end) }
            let place = Comment(rawValue: "\(file) by \(io) at \(half) halves")
            #expect(found.map(\.content) == expected.map(\.content), place)
            #expect(found.map(\.end) == expected.map(\.end), place)
            #expect(found.map(\.endSource) == expected.map(\.endSource), place)
        }
    }

    /// Matroska has the same pages without their frame.
    @Test func matroskaHasTheSameCues() throws {
        let blocks = try Self.cues("epoch-long.mkv", .index)
        let packets = try Self.cues("epoch-long.ts", .walk)
        #expect(blocks == packets)
    }
}
