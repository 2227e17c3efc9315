import TestSupport
import Testing
import UndertextContainers
import UndertextCore
import UndertextFormats

@testable import Undertext

/// The conformance set for presentation graphics, read as a file and in every form of packets.
@Suite struct PGSConformanceTests {
    @Test func theSetIsThere() { #expect(PGSConformanceCase.all.count >= 50) }

    @Test(arguments: PGSConformanceCase.all)
    func asAFile(_ one: PGSConformanceCase) throws {
        let file = try Media(one.path)
        var codes: Set<String> = []
        let cues = try file.subtitleTrack(id: 0).document { codes.insert($0.code) }.cues
        try one.check(cues, against: one.shown, "as a file")
        #expect(codes.sorted() == one.diagnostics, "\(one.name)")
        #expect((file.demuxer as? ScanningDemuxer)?.describer == nil, "libavformat was not needed")
    }

    /// Matroska: a display set a packet.
    @Test(arguments: PGSConformanceCase.all)
    func aSetAPacket(_ one: PGSConformanceCase) throws {
        guard !one.isFramingDamaged else { return }
        let (cues, codes) = try Self.decode(try Self.sets(of: one))
        try one.check(cues, against: one.shown, "a set a packet")
        #expect(codes.sorted() == one.diagnostics, "\(one.name)")
    }

    /// Transport streams: segments split anywhere, all parts with the time of their set.
    @Test(arguments: PGSConformanceCase.all)
    func splitAnywhere(_ one: PGSConformanceCase) throws {
        // An unknown type or a damaged size is visible only if a segment is in one packet.
        guard !one.isFramingDamaged, one.name != "unknown-segments" else { return }
        for seed in 1...8 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var parts: [Packet] = []
            for set in try Self.sets(of: one) {
                var rest = set.data[...]
                while !rest.isEmpty {
                    var part = set
                    part.data = Array(rest.prefix(Int.random(in: 1...40, using: &generator)))
                    rest = rest.dropFirst(part.data.count)
                    parts.append(part)
                }
            }
            let (cues, codes) = try Self.decode(parts)
            try one.check(cues, against: one.shown, "split, seed \(seed)")
            #expect(codes.sorted() == one.diagnostics, "\(one.name), seed \(seed)")
        }
    }

    @Test func fadesAreFolded() throws {
        for one in PGSConformanceCase.all where one.shown.contains(where: { $0.fold > 0 }) {
            var expected: [PGSConformanceCase.Shown] = []
            for shown in one.shown {
                if let last = expected.last, last.fold == shown.fold {
                    expected[expected.count - 1].end = shown.end
                } else {
                    var first = shown
                    first.image = one.shown[shown.fold - 1].image
                    expected.append(first)
                }
            }
            var options = Media.Options()
            options.decoding.mergesFades = true
            let cues = try Media(one.path, options: options).subtitleTrack(id: 0).document().cues
            try one.check(cues, against: expected, "folded")
            #expect(cues.map(\.order) == Array(cues.indices))
        }
    }

    @Test func theMatrixCanBeChosen() throws {
        let path = fixture("bitmap/pgs/plain.sup")
        func colors(_ matrix: ColorMatrix?) throws -> [RGBA] {
            var options = Media.Options()
            options.decoding.colorMatrix = matrix
            let cue = try #require(
                try Media(path, options: options).subtitleTrack(id: 0).document().cues.first)
            guard case .images(let content) = cue.content else { return [] }
            return content.images[0].bitmap.palette
        }
        #expect(try colors(.bt601)[1] == RGBA(red: 254, green: 0, blue: 0))
        #expect(try colors(nil) == colors(.bt601))
        #expect(try colors(.bt709)[1] == RGBA(red: 255, green: 24, blue: 0))
        #expect(try colors(.bt2020)[1] == RGBA(red: 255, green: 10, blue: 0))
    }

    /// The sets of a case, each put together to one packet.
    static func sets(of one: PGSConformanceCase) throws -> [Packet] {
        let source = MemorySource(try #require(fileBytes(one.path)))
        let reader = try SUPFile(source: source).packetReader()
        var sets: [Packet] = []
        while let packet = try reader.nextPacket() {
            if packet.data.first == 0x16 || sets.isEmpty {
                sets.append(packet)
            } else {
                sets[sets.count - 1].data += packet.data
            }
        }
        return sets
    }

    static func decode(_ packets: [Packet]) throws -> ([Cue], Set<String>) {
        let stream = StreamDescription(index: 0, kind: .bitmap, codec: .pgs, timeBase: .mpeg)
        let container = ContainerDescription(formatName: "matroska,webm", streams: [stream])
        let found = DiagnosticSink()
        var decoder = try TrackDecoder(
            stream: stream, mapping: TimelineMapping(view: .player, container: container),
            container: container, forcedOnly: false, limits: Limits(), diagnostics: found)
        var cues = packets.flatMap { decoder.decode($0) }
        cues += decoder.finish()
        return (cues, Set(found.take().map(\.code)))
    }
}
