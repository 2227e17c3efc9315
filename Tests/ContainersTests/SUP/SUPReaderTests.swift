import Containers
import Demux
import MediaCore
import TestSupport
import Testing

@Suite struct SUPReaderTests {
    private static func segment(
        _ type: UInt8, _ body: [UInt8], pts: UInt32 = 90_000, dts: UInt32 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = [0x50, 0x47]
        bytes.appendBigEndian(pts)
        bytes.appendBigEndian(dts)
        bytes.append(type)
        bytes.appendBigEndian(UInt16(body.count))
        return bytes + body
    }

    private static let sample =
        segment(0x16, [UInt8](repeating: 1, count: 11)) + segment(0x14, [0, 0, 1, 2, 3, 4, 5])
        + segment(0x15, [UInt8](repeating: 0x50, count: 300)) + segment(0x80, [])

    private func read(_ bytes: [UInt8]) throws -> ([Packet], [Diagnostic]) {
        let reader = try SUPFile(source: MemorySource(bytes)).packetReader()
        return (try drain(reader), reader.takeDiagnostics())
    }

    @Test(arguments: [
        "bdsup2sub/test.sup", "c0bra5-pgs/sample/sup1.sup", "libpgs-js/tests/files/test.sup",
        "subtitleedit/tests/libse/Files/sample_BDSUP_multi_image.sup",
    ])
    func independentFiles(_ name: String) throws {
        guard let path = corpusPath(name) else { return }
        try compare(path)
    }

    @Test func fixtures() throws {
        try compare(fixture("subtitles/bitmaps.sup"))
        try compare(fixture("bitmap/pgs/clock-wraps.sup"))
    }

    /// The packets of libavformat, save for one thing.
    ///
    /// A decoding time behind the presentation time is kept: libavformat takes it for an error and
    /// the file could not be copied as it is.
    private func compare(_ path: String) throws {
        let bytes = try #require(fileBytes(path))
        let (packets, diagnostics) = try read(bytes)
        #expect(diagnostics.isEmpty)
        let demuxer = try Demuxer(.path(path))
        var expected: [Packet] = []
        while let packet = try demuxer.nextPacket() { expected.append(packet) }
        #expect(packets.count == expected.count)
        for (our, their) in zip(packets, expected) {
            var our = our
            if let pts = our.pts, let dts = our.dts, dts > pts { our.dts = pts }
            #expect(our == their)
        }
    }

    @Test func timesOfFilesThatBeginShortlyBeforeTheWrap() throws {
        let bytes =
            Self.segment(0x16, [], pts: 0, dts: 0xFFFF_F000)
            + Self.segment(0x80, [], pts: 0xFFFF_FFFF, dts: 0)
        #expect(try read(bytes).0.map(\.pts) == [0, -1])
        #expect(try read(bytes).0.map(\.dts) == [-4096, -1])
    }

    @Test func whatIsNoSegmentFile() {
        for bytes in [[], [0x50], Array("PG text that only begins so".utf8)] as [[UInt8]] {
            let error = #expect(throws: MediaError.self) {
                try SUPFile(source: MemorySource(bytes))
            }
            #expect(error?.code == .notMedia)
        }
    }

    /// Long segments and blocks that end within them.
    @Test func longFiles() throws {
        var bytes: [UInt8] = []
        var generator = SeededGenerator(seed: 3)
        var sizes: [Int] = []
        for number in 0..<60 {
            let size = Int.random(in: 0...0xFFFF, using: &generator)
            sizes.append(size + 3)
            bytes += Self.segment(0x15, generator.bytes(size), pts: UInt32(number) * 90_000)
        }
        let (packets, diagnostics) = try read(bytes)
        #expect(packets.map(\.data.count) == sizes)
        #expect(diagnostics.isEmpty)
        // The same with a hole of 700,000 bytes in it.
        let hole = generator.bytes(700_000).map { $0 == 0x50 ? 0 : $0 }
        let (rest, told) = try read(
            Array(bytes[..<(sizes[0] + 10)]) + hole + bytes[(sizes[0] + 10)...])
        #expect(
            rest
                == packets.enumerated().map { index, packet in
                    var packet = packet
                    if index > 0 { packet.position = packet.position.map { $0 + 700_000 } }
                    return packet
                })
        #expect(told.map(\.code) == ["lost-sync"])
        #expect(told.first?.message.hasPrefix("700000 bytes") == true)
    }

    @Test func everyTruncation() throws {
        let whole = try read(Self.sample).0
        for cut in truncations(of: Self.sample) where cut.count >= 13 {
            let (packets, diagnostics) = try read(cut)
            let complete = packets.filter { !$0.isCorrupt }
            #expect(complete == Array(whole.prefix(complete.count)))
            // What is missing is told, unless the cut lies between segments.
            let size = packets.reduce(0) { $0 + $1.data.count + 10 }
            #expect(
                size + (diagnostics.first?.code == "truncated" ? cut.count - size : 0) == cut.count)
        }
    }

    @Test func damageIsTold() throws {
        let whole = try read(Self.sample).0
        for damaged in bitFlips(of: Self.sample, count: 3000)
        where damaged.starts(with: [0x50, 0x47]) {
            guard let (packets, diagnostics) = try? read(damaged) else { continue }
            let isHurt = packets.count != whole.count || packets.contains(where: \.isCorrupt)
            #expect(!isHurt || !diagnostics.isEmpty || packets.contains(where: \.isCorrupt))
            #expect(packets.reduce(0) { $0 + $1.data.count } <= damaged.count)
        }
    }

    /// Reading stops where it is asked to.
    @Test func cancelling() throws {
        let cancellation = Cancellation()
        let file = try SUPFile(source: MemorySource(Self.sample), cancellation: cancellation)
        let reader = file.packetReader()
        #expect(try reader.nextPacket() != nil)
        cancellation.cancel()
        let error = #expect(throws: MediaError.self) { try reader.nextPacket() }
        #expect(error?.code == .cancelled)
    }
}
