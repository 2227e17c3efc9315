import TestSupport
import Testing
import UndertextCore

@testable import UndertextStreaming

/// Pieces of subtitles of any form, whole and damaged.
@Suite struct TextUnpackerTests {
    private static func piece(_ placement: TextPiece.Placement = .offset(.zero)) -> TextPiece {
        TextPiece(
            stream: 3, parent: "https://example.org/", start: .zero, end: .seconds(10), number: 0,
            placement: placement)
    }

    private static let document = Array(
        "<tt xmlns=\"http://www.w3.org/ns/ttml\"><body><div><p begin=\"1s\" end=\"2s\">x</p></div></body></tt>"
            .utf8)

    private static let samples = MP4Builder(
        "stpp", entry: Array("http://www.w3.org/ns/ttml\0\0\0".utf8)
    ).fragmented([(0, [.init(document, 5000)]), (5000, [.init(document, 5000)])])

    private static let cues = Array(
        "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00.000\n\n00:01.000 --> 00:02.000\n<00:01.500>x\n"
            .utf8)

    @Test func formsAreRecognizedByTheirBytes() {
        #expect(TextForm(Self.cues) == .webVTT)
        #expect(TextForm([0xEF, 0xBB, 0xBF] + Self.cues) == .webVTT)
        #expect(TextForm(Self.document) == .ttml)
        #expect(TextForm(Self.samples) == .samples)
        #expect(TextForm([]) == nil)
        #expect(TextForm(Array("<html></html>".utf8)) == nil)
        #expect(TextSummary(beginning: Self.samples, limits: Limits())?.codec == .ttml)
        #expect(TextSummary(initialization: Self.document, limits: Limits()) == nil)
    }

    @Test func damageCostsNoMoreThanItHits() {
        for whole in [Self.samples, Self.document, Self.cues] {
            let damaged =
                Array(truncations(of: whole, step: 7)) + Array(bitFlips(of: whole, count: 200))
            for bytes in damaged {
                var unpacker = TextUnpacker(stream: 3, header: [], limits: Limits())
                for placement in [TextPiece.Placement.clock(stretch: 0), .offset(.seconds(-5))] {
                    _ = unpacker.packets(
                        of: Self.piece(placement), bytes, initialization: [], clock: nil)
                }
                _ = unpacker.finish()
                #expect(unpacker.takeDiagnostics().allSatisfy { $0.streamIndex == 3 })
                _ = TextSummary(beginning: bytes, limits: Limits())
            }
        }
    }

    @Test func extremeTimesDoNotTrap() {
        for offset in [
            Duration.nanoseconds(Int64.min), .nanoseconds(Int64.max), .seconds(Int64.max),
        ] {
            for bytes in [Self.samples, Self.document, Self.cues] {
                var unpacker = TextUnpacker(stream: 3, header: [], limits: Limits())
                var piece = Self.piece(.offset(offset))
                _ = unpacker.packets(of: piece, bytes, initialization: [], clock: nil)
                piece.bounds = TimeWindow(
                    from: Timestamp(nanoseconds: .min), until: Timestamp(nanoseconds: .max))
                _ = unpacker.packets(of: piece, bytes, initialization: [], clock: nil)
            }
        }
    }

    @Test func aHeaderMayPrecedeSegments() {
        let header = Array("WEBVTT\n\nSTYLE\n::cue{color:red}\n".utf8)
        #expect(TextSummary(initialization: header, limits: Limits())?.codec == .webVTT)
        var unpacker = TextUnpacker(stream: 3, header: header, limits: Limits())
        let packets = unpacker.packets(
            of: Self.piece(.clock(stretch: 0)), Array("00:01.000 --> 00:02.000\nx\n".utf8),
            initialization: header, clock: nil)
        #expect(packets.map(\.start) == [.seconds(1)])
        #expect(unpacker.takeDiagnostics().isEmpty)
    }

    @Test func withoutMediaTheFirstMapIsTaken() {
        var unpacker = TextUnpacker(stream: 3, header: [], limits: Limits())
        let later = Array(
            "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:1800000,LOCAL:00:00.000\n\n00:01.000 --> 00:02.000\ny\n"
                .utf8)
        var starts: [Timestamp?] = []
        for bytes in [Self.cues, later] {
            let packets = unpacker.packets(
                of: Self.piece(.clock(stretch: 0)), bytes, initialization: [], clock: nil)
            starts += packets.map(\.start)
        }
        // Ten seconds of the clock lie between the maps.
        #expect(starts == [.seconds(1), .seconds(11)])
    }

    /// Parts of ten seconds with restarting clocks, beside media without a clock.
    @Test func withoutMediaPartsArePlacedByTheirSegments() {
        func starts(_ cues: [(stretch: Int64, place: Int64, text: String)]) -> ([Int64?], [String])
        {
            var unpacker = TextUnpacker(stream: 3, header: [], limits: Limits())
            var starts: [Int64?] = []
            for cue in cues {
                var piece = Self.piece(.clock(stretch: cue.stretch))
                (piece.start, piece.end) = (.seconds(cue.place), .seconds(cue.place + 10))
                let text = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:126000\n\n" + cue.text
                starts += unpacker.packets(
                    of: piece, Array(text.utf8), initialization: [], clock: nil
                ).map { $0.start?.roundedMilliseconds }
            }
            return (starts, unpacker.takeDiagnostics().map(\.code))
        }
        let early = "00:01.000 --> 00:02.000\nx\n"
        let (moved, none) = starts([
            (0, 0, early), (0, 10, "00:11.000 --> 00:12.000\ny\n"), (1, 20, ""), (1, 20, early),
            (1, 30, "00:11.000 --> 00:12.000\nz\n"),
        ])
        #expect(moved == [1000, 11_000, 21_000, 31_000])
        #expect(none.isEmpty)
        // Times of the presentation stay.
        let (same, nothing) = starts([(0, 0, early), (1, 40, "00:41.000 --> 00:42.000\ny\n")])
        #expect(same == [1000, 41_000])
        #expect(nothing.isEmpty)
        // Neither way leads near.
        let (lost, codes) = starts([(0, 0, early), (1, 600, "01:40.000 --> 01:42.000\ny\n")])
        #expect(lost == [1000, 100_000])
        #expect(codes == ["unknown-clock"])
        // All times are late by the same amount, also after the discontinuity.
        let (late, quiet) = starts([(0, 0, "05:00.000 --> 05:01.000\nx\n"), (1, 10, early)])
        #expect(late == [300_000, 311_000])
        #expect(quiet.isEmpty)
    }

    @Test func anEmptySegmentIsALoss() {
        var unpacker = TextUnpacker(stream: 3, header: [], limits: Limits())
        #expect(unpacker.packets(of: Self.piece(), [], initialization: [], clock: nil).isEmpty)
        let notes = unpacker.takeDiagnostics()
        #expect(notes.map(\.code) == ["no-subtitles"])
        #expect(notes.map(\.severity) == [.error])
    }

    @Test func samplesWithoutATimeThatFitsAreALoss() {
        let late = MP4Builder(
            "stpp", entry: Array("http://www.w3.org/ns/ttml\0\0\0".utf8)
        ).fragmented([(1 << 62, [.init(Self.document, 5000)])])
        var unpacker = TextUnpacker(stream: 3, header: [], limits: Limits())
        #expect(unpacker.packets(of: Self.piece(), late, initialization: [], clock: nil).isEmpty)
        #expect(unpacker.takeDiagnostics().contains { $0.severity == .error })
    }
}
