import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Times, services and repairs of RCWT files.
@Suite struct RCWTFileReaderTests {
    private static let header: [UInt8] = [0xCC, 0xCC, 0xED, 0xCC, 0, 0x52, 0, 1, 0, 0, 0]

    /// Captions of a time as CCExtractor writes them.
    private func captions(
        _ time: UInt64, _ triplets: [UInt8], count: Int? = nil
    ) -> [UInt8] {
        let number = count ?? triplets.count / 3
        return (0..<8).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) }
            + [UInt8(number & 0xFF), UInt8(number >> 8)] + triplets
    }

    private func read(_ bytes: [UInt8], limits: Limits = Limits()) throws -> ReadTextFile {
        try ReadTextFile(RCWTFileReader.self, bytes, limits: limits)
    }

    private var digital: [UInt8] {
        channelPacket(0, (1, codes(define(0, isVisible: true), letters("ho"))))
    }

    /// "Hi" in the memory of CC1, then its display; a packet of SERVICE1 in between.
    private var film: [UInt8] {
        Self.header
            + captions(1000, [0xFC, 0x94, 0x20, 0xFC, 0x94, 0x70, 0xFD, 0x80, 0x80])
            + captions(1033, [0xFC, 0xC8, 0xE9] + digital)
            + captions(2500, [0xFC, 0x94, 0x2F])
            + captions(4000, [0xFC, 0x94, 0x2C])
    }

    @Test func services() throws {
        let file = try read(film)
        #expect(file.diagnostics.isEmpty)
        let streams = RCWTFileReader(film, limits: Limits()).streams
        #expect(streams.map(\.service) == ["CC1", "SERVICE1"])
        #expect(file.packets.map(\.pts) == [1000, 1033, 1033, 2500, 4000])
        #expect(file.packets.map(\.streamIndex) == [0, 0, 1, 0, 0])
        #expect(file.packets.allSatisfy { $0.timeBase == .milliseconds && $0.duration == nil })
    }

    @Test func cues() throws {
        let reader = RCWTFileReader(film, limits: Limits())
        var decoders = try reader.streams.map {
            try #require(SubtitleFormat.decoder(of: $0, diagnostics: DiagnosticSink()))
        }
        var events: [[DecodedEvent]] = [[], []]
        while let packet = try reader.nextPacket() {
            events[packet.streamIndex] += decoders[packet.streamIndex].decode(packet)
        }
        for index in decoders.indices { events[index] += decoders[index].finish() }
        let cues = events.map { events in
            events.compactMap { event -> DecodedCue? in
                if case .cue(let cue) = event { cue } else { nil }
            }
        }
        let texts = cues.map {
            $0.map { if case .text(let text) = $0.content { text.plainText } else { "" } }
        }
        #expect(texts == [["Hi"], ["ho"]])
        #expect(cues[0].first?.start == .milliseconds(2500))
        #expect(cues[1].first?.start == .milliseconds(1033))
    }

    @Test func recognition() {
        #expect(SubtitleFormat.recognizedBinary(film[...]) == .rcwt)
        #expect(RCWTFileReader.refusal(of: [0xCC, 0xCC]) != nil)
    }

    /// Whole triplets remain wherever the file ends, and an end within captions is reported.
    @Test func truncation() throws {
        let whole = try read(film).packets
        // The ends of the header and of the captions of each time.
        let ends = [11, 30, 43 + digital.count, 56 + digital.count]
        for count in 0..<film.count {
            let file = try read(Array(film.prefix(count)))
            let isCut = count > Self.header.count && !ends.contains(count)
            #expect(file.diagnostics.map(\.code) == (isCut ? ["truncated"] : []), "\(count)")
            #expect(file.packets.count <= whole.count)
            for packet in file.packets {
                let same = whole.first {
                    $0.pts == packet.pts && $0.streamIndex == packet.streamIndex
                }
                #expect(same?.data.starts(with: packet.data) == true, "\(count)")
            }
        }
    }

    @Test func damage() throws {
        let pair: [UInt8] = [0xFC, 0xC8, 0xE9]
        let mixed =
            [0xCC, 0xCC, 0xED, 0, 0, 0, 0, 2, 0, 0, 0] + captions(.max, pair)
            + captions(500, pair) + captions(100, pair) + captions(50, pair)
            + captions(600, pair, count: 65535)
        let file = try read(mixed)
        #expect(
            file.diagnostics.map(\.code) == [
                "unknown-version", "bad-timing", "time-order", "truncated",
            ])
        #expect(file.packets.map(\.pts) == [500, 100, 50, 600])
        var limits = Limits()
        limits.cues = 2
        let cut = try read(film, limits: limits)
        #expect(cut.diagnostics.map(\.code) == ["too-many-cues"])
        #expect(cut.packets.map(\.pts) == [1000, 1033, 1033])
        #expect(try read(Self.header).packets.isEmpty)
    }
}
