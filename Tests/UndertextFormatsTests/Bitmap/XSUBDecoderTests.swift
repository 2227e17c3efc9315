import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Cases that `Fixtures/bitmap/xsub` does not contain: damage.
@Suite struct XSUBDecoderTests {
    private static let stream = StreamDescription(
        index: 0, kind: .bitmap, codec: .xsub, size: PixelSize(width: 720, height: 400))

    /// 8×4 pixels at 3, 4; each line is one run of its number.
    private static func data(
        _ head: String = "[01:00:04.000-01:00:05.250]", size: [UInt8] = [8, 0, 4, 0],
        second: UInt8 = 4, runs: [UInt8] = [0, 1, 0, 3, 0, 2, 0, 1]
    ) -> [UInt8] {
        let palette: [UInt8] = [0, 0, 0, 0xFF, 0xFF, 0xFF, 0x10, 0x20, 0x30, 0, 0, 0]
        return Array(head.utf8) + size + [3, 0, 4, 0, 10, 0, 7, 0, second, 0] + palette + runs
    }

    private static func decoded(_ data: [UInt8]) -> (events: [DecodedEvent], codes: [String]) {
        var decoder = XSUBDecoder(stream: stream)
        let packet = Packet(
            streamIndex: 0, pts: 40, timeBase: TimeBase(1, 25), data: data)
        let events = decoder.decode(packet)
        return (events, decoder.diagnostics.take().map(\.code))
    }

    @Test func timesComeFromThePacket() throws {
        let draft = try #require(drafts(Self.decoded(Self.data()).events).first)
        #expect(draft.start == .milliseconds(3_604_000))
        #expect(draft.end == .init(time: .milliseconds(3_605_250), source: .explicit))
        for head in [
            "[01:00:04.000_01:00:05.250]", "[01:00:04.000-01:00:0x.250]",
            "(01:00:04.000-01:00:05.250]", "[01.00:04.000-01:00:05.250]",
        ] {
            let found = Self.decoded(Self.data(head))
            #expect(found.events.isEmpty && found.codes == ["truncated-packet"])
        }
    }

    /// Lines of 16-bit codes of length 0: to the end of the line.
    @Test func fieldsAreWoven() throws {
        let found = Self.decoded(Self.data(runs: [0, 1, 0, 3, 0, 2, 0, 1]))
        guard case .images(let content) = drafts(found.events).first?.content else {
            Issue.record("no image")
            return
        }
        let rows = content.images.first?.bitmap.indices ?? []
        #expect(stride(from: 0, to: rows.count, by: 8).map { rows[$0] } == [1, 2, 3, 1])
        #expect(content.canvas == PixelSize(width: 720, height: 400))
        #expect(found.codes == [])
    }

    @Test func damagedLinesAreReported() {
        // A run of 9 in a line of 8; the lower field's place still counts.
        let found = Self.decoded(Self.data(second: 2, runs: [0x25, 0, 0, 2, 0, 1]))
        #expect(found.codes == ["damaged-image"] && found.events.count == 1)
        #expect(Self.decoded(Self.data(runs: [0, 1])).codes == ["damaged-image"])
        let huge = Self.decoded(Self.data(size: [0xFF, 0xFF, 0xFF, 0xFF]))
        #expect(huge.codes == ["image-too-large"] && huge.events.isEmpty)
    }

    @Test func survivesDamage() {
        let whole = Self.data()
        for cut in truncations(of: whole) {
            let found = Self.decoded(cut)
            #expect(cut.isEmpty == found.codes.isEmpty, "\(cut.count)")
        }
        for damaged in bitFlips(of: whole, count: 2000) {
            for case .cue(let draft) in Self.decoded(damaged).events {
                guard case .images(let content) = draft.content else { continue }
                #expect(content.images.allSatisfy { $0.bitmap.palette.count == 4 })
            }
        }
    }
}
