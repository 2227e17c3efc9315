import TestSupport
import Testing
import UndertextContainers
import UndertextCore
import UndertextFFmpeg

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
        return (try drain(reader), reader.diagnostics.take())
    }

    @Test(
        .requiresCorpus(),
        arguments: [
            "bdsup2sub/test.sup", "c0bra5-pgs/sample/sup1.sup", "libpgs-js/tests/files/test.sup",
            "subtitleedit/tests/libse/Files/sample_BDSUP_multi_image.sup",
        ])
    func independentFiles(_ name: String) throws {
        let path = try #require(corpusPath(name))
        try compare(path)
    }

    @Test func fixtures() throws {
        try compare(fixture("subtitles/bitmaps.sup"))
        try compare(fixture("bitmap/pgs/clock-wraps.sup"))
    }

    /// Compares packets with those of libavformat, with one exception.
    ///
    /// A decoding time after the presentation time is kept: libavformat regards it as an error, and a copy of
    /// the file would differ.
    private func compare(_ path: String) throws {
        let bytes = try #require(fileBytes(path))
        let (packets, diagnostics) = try read(bytes)
        #expect(diagnostics.isEmpty)
        let demuxer = try FFmpegDemuxer(.path(path))
        var expected: [Packet] = []
        while let packet = try demuxer.nextPacket() { expected.append(packet) }
        #expect(packets.count == expected.count)
        for (our, their) in zip(packets, expected) {
            var our = our
            if let pts = our.pts, let dts = our.dts, dts > pts { our.dts = pts }
            #expect(our == their)
        }
    }

    /// The presentation times of segments, each stored with 32 bits.
    private func times(_ stored: [UInt32], dts: UInt32 = 0) throws -> ([Int64?], [Int64?]) {
        let bytes = stored.flatMap { Self.segment(0x16, [], pts: $0, dts: dts) }
        let packets = try read(bytes).0
        return (packets.map(\.pts), packets.map(\.dts))
    }

    /// The 32-bit clock wraps after 13.25 hours, regardless of the first time of a file.
    @Test func theClockContinuesAfterItsWrap() throws {
        let period: Int64 = 1 << 32
        let minute: UInt32 = 60 * 90_000
        let high = UInt32.max - 8999
        for first in [0, 5, 59 * 90_000, minute, 10 * minute, high] as [UInt32] {
            let steps = [first, 1 << 30, 1 << 31, 3 << 30, high, 500, 90_000]
            let expected = steps.enumerated().map { Int64($1) + ($0 > 4 ? period : 0) }
            guard first != high else {
                #expect(
                    try times([high, 500, high, 90_000]).0 == [
                        Int64(high), 500 + period, Int64(high), 90_000 + period,
                    ])
                continue
            }
            #expect(try times(steps).0 == expected, "\(first)")
        }
        #expect(try times([0, UInt32.max, 90_000]).0 == [0, -1, 90_000])
        #expect(try times([0], dts: 0xFFFF_F000).1 == [-4096])
        #expect(try times([high], dts: 100).1 == [100 + period])
    }

    /// Two discs in one file: times after the joint are kept.
    @Test func joinedFilesKeepTheirTimes() throws {
        let stored: [UInt32] = [600, 3600, 3700, 7000, 1, 3601, 3605].map { $0 * 90_000 }
        #expect(try times(stored).0 == stored.map { Int64($0) })
    }

    /// A file whose very first byte is damaged.
    @Test func firstMagicIsDamaged() throws {
        let whole = try read(Self.sample).0
        for place in 0..<2 {
            var bytes = Self.sample
            bytes[place] ^= 0x20
            let (packets, diagnostics) = try read(bytes)
            #expect(packets == whole)
            #expect(diagnostics.map(\.code) == ["bad-magic"])
            #expect(diagnostics.first?.byteOffset == 0)
        }
        // Data that lead to no segment, and data with other damage, are not a segment.
        var bytes = Self.sample
        bytes[0] = 0
        bytes[12] += 1
        #expect(throws: UndertextError.self) { try SUPFile(source: MemorySource(bytes)) }
        bytes[12] -= 1
        bytes[10] = 0x18
        #expect(throws: UndertextError.self) { try SUPFile(source: MemorySource(bytes)) }
    }

    @Test func namesThatAreNotSegments() {
        for bytes in [[], [0x50], Array("PG text that only begins so".utf8)] as [[UInt8]] {
            let error = #expect(throws: UndertextError.self) {
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
        #expect(told.first?.message.states("700000") == true)
    }

    @Test func everyTruncation() throws {
        let whole = try read(Self.sample).0
        for cut in truncations(of: Self.sample) where cut.count >= 13 {
            let (packets, diagnostics) = try read(cut)
            let complete = packets.filter { !$0.isCorrupt }
            #expect(complete == Array(whole.prefix(complete.count)))
            // Missing data is reported, unless the cut is between segments.
            let size = packets.reduce(0) { $0 + $1.data.count + 10 }
            #expect(
                size + (diagnostics.first?.code == "truncated" ? cut.count - size : 0) == cut.count)
        }
    }

    @Test func damageIsReported() throws {
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
        let error = #expect(throws: UndertextError.self) { try reader.nextPacket() }
        #expect(error?.code == .cancelled)
    }
}
