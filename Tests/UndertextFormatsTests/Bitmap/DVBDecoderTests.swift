import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Cases that `Fixtures/bitmap/dvb` does not contain: pages, limits, damage.
@Suite struct DVBDecoderTests {
    private static func stream(_ header: [UInt8] = []) -> StreamDescription {
        StreamDescription(index: 0, kind: .bitmap, codec: .dvb, codecPrivate: header)
    }

    private static func segment(_ type: UInt8, _ body: [UInt8], page: UInt8 = 1) -> [UInt8] {
        [0x0F, type, 0, page, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
    }

    /// A page with region 0 of 8×2 pixels, white.
    private static func shown(_ page: UInt8, width: UInt8 = 8) -> [UInt8] {
        segment(0x10, [30, 0x08, 0, 0, 0, 10, 0, 20], page: page)
            + segment(0x11, [0, 0x0F, 0, width, 0, 2, 0x24, 0, 0, 0x04], page: page)
            + segment(0x80, [], page: page)
    }

    private static func packet(_ data: [UInt8], at milliseconds: Int64?) -> Packet {
        Packet(streamIndex: 0, pts: milliseconds, timeBase: .milliseconds, data: data)
    }

    /// The widths of the images that packets a second apart show.
    private static func widths(_ header: [UInt8], _ packets: [[UInt8]]) -> [Int] {
        var decoder = DVBDecoder(stream: stream(header))
        let events = packets.enumerated().flatMap { number, data in
            decoder.decode(packet(data, at: Int64(number) * 1000))
        }
        return (events + decoder.finish()).compactMap { event in
            guard case .cue(let draft) = event, case .images(let content) = draft.content
            else { return nil }
            return content.images.first?.bitmap.width
        }
    }

    @Test func theHeaderNamesThePage() {
        let packets = [Self.shown(1, width: 4), Self.shown(2, width: 6)]
        #expect(Self.widths([0, 1, 0, 1, 0x10], packets) == [4])
        #expect(Self.widths([0, 2, 0, 2], packets) == [6])
        // The first of two services; the second one's page is another track's.
        #expect(Self.widths([0, 2, 0, 9, 0x10, 0, 1, 0, 9, 0x20], packets) == [6])
        // Without a header the first page that comes.
        #expect(Self.widths([], packets) == [4])
        // A header that names pages which never come is not believed.
        let more = packets + [Self.shown(2, width: 5), Self.shown(2, width: 7)]
        #expect(Self.widths([0, 7, 0, 7, 0x10], more) == [7])
    }

    @Test func aFrameIsTakenAway() {
        #expect(Self.widths([], [[0x20, 0x00] + Self.shown(1) + [0xFF, 0xFF]]) == [8])
        // Two of them in one packet: the second one's page counts.
        let field: [UInt8] = [0x20, 0x00] + Self.shown(1) + [0xFF]
        let next: [UInt8] = [0x20, 0x00] + Self.shown(1, width: 5) + [0xFF]
        #expect(Self.widths([], [field + next]) == [5])
    }

    /// A decoder that begins at an acquisition point without a definition shows the same as any other.
    @Test func aDisplayDefinitionEndsWithItsEpoch() {
        let wide = Self.segment(0x14, [0x10, 0x07, 0x7F, 0x04, 0x37])
        func page(_ state: UInt8, _ region: UInt8) -> [UInt8] {
            Self.segment(0x10, [30, state << 2, 0, 0, 0, 10, 0, 20])
                + Self.segment(0x11, [0, 0x0F | region << 4, 0, 8, 0, 2, 0x24, 0, 0, region])
                + Self.segment(0x80, [])
        }
        func canvases(_ packets: [[UInt8]]) -> [Int?] {
            var decoder = DVBDecoder(stream: Self.stream())
            let events = packets.enumerated().flatMap { number, data in
                decoder.decode(Self.packet(data, at: Int64(number) * 1000))
            }
            return (events + decoder.finish()).compactMap { event in
                guard case .cue(let draft) = event, case .images(let content) = draft.content
                else { return nil }
                return content.canvas?.width
            }
        }
        #expect(canvases([wide + page(2, 4)]) == [1920])
        for state: UInt8 in [1, 2] {
            #expect(canvases([wide + page(2, 4), page(state, 4)]) == [1920, 720])
            #expect(canvases([page(state, 4)]) == [720])
            #expect(canvases([wide + page(2, 4), wide + page(state, 4)]) == [1920, 1920])
        }
        // Two pages of one time share it.
        #expect(canvases([wide + page(2, 4) + page(1, 4)]) == [1920])
    }

    @Test func damageCostsItsSegment() {
        let parts = Self.shown(1)
        var decoder = DVBDecoder(stream: Self.stream())
        // Other bytes before the segments, a truncated segment after them.
        let data = [0x55, 0x0F, 0x99, 0x0F] + parts + [0x0F, 0x13, 0, 1, 1]
        let events = decoder.decode(Self.packet(data, at: 0)) + decoder.finish()
        #expect(events.count == 1)
        #expect(decoder.diagnostics.take().map(\.code) == ["damaged-packet"])
        #expect(decoder.decode(Self.packet(parts, at: nil)).isEmpty)
        #expect(decoder.diagnostics.take().map(\.code) == ["missing-time"])
    }

    @Test func sizesAreChecked() {
        var decoder = DVBDecoder(stream: Self.stream())
        let page = Self.segment(0x10, [30, 0x08, 0, 0, 0, 0, 0, 0])
        for size: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 9], [0x20, 0x01, 0, 1]] {
            let region = Self.segment(0x11, [0, 0x0F] + size + [0x24, 0, 0, 0x04])
            _ = decoder.decode(Self.packet(page + region, at: 0))
            #expect(decoder.finish() == [.clear(at: .zero)])
            #expect(
                decoder.diagnostics.take().map(\.code) == ["image-too-large", "missing-region"])
        }
        let canvas = Self.segment(0x14, [0, 0xFF, 0xFF, 0xFF, 0xFF])
        _ = decoder.decode(Self.packet(canvas, at: 1000))
        #expect(decoder.finish().isEmpty)
        #expect(decoder.diagnostics.take().map(\.code) == ["image-too-large"])
    }

    /// Regions of 8192×8192 again and again: the pixels of each packet are limited.
    @Test func workIsBounded() {
        var limits = Limits()
        limits.canvas = 64
        var decoder = DVBDecoder(
            stream: Self.stream(), options: DecodingOptions(limits: limits))
        var data: [UInt8] = []
        for version: UInt8 in 0..<16 {
            data += Self.segment(0x10, [30, 0x08, 0, 0, 0, 0, 0, 0])
            data += Self.segment(0x11, [0, version << 4 | 0x0F, 0, 64, 0, 64, 0x24, 0, 0, 4])
        }
        _ = decoder.decode(Self.packet(data, at: 0)) + decoder.finish()
        #expect(decoder.diagnostics.take().map(\.code).contains("limit-exceeded"))
    }

    @Test func tooManySegmentsAreReportedOnce() {
        var limits = Limits()
        limits.objects = 4
        var decoder = DVBDecoder(
            stream: Self.stream(), options: DecodingOptions(limits: limits))
        var data = Self.segment(0x10, [30, 0x08])
        for id: UInt8 in 0..<20 { data += Self.segment(0x13, [0, id, 0, 0, 0, 0, 0]) }
        _ = decoder.decode(Self.packet(data, at: 0)) + decoder.finish()
        #expect(decoder.diagnostics.take().map(\.code) == ["too-many-objects"])
    }

    @Test func aResetForgets() {
        var decoder = DVBDecoder(stream: Self.stream())
        _ = decoder.decode(Self.packet(Self.shown(1), at: 0))
        decoder.reset()
        #expect(decoder.finish().isEmpty)
        // A change of a region that is gone.
        _ = decoder.decode(
            Self.packet(Self.segment(0x10, [30, 0, 0, 0, 0, 10, 0, 20]), at: 1000))
        #expect(decoder.finish() == [.clear(at: .seconds(1))])
    }

    @Test func aPageWithoutTimeOutStaysOpen() throws {
        var decoder = DVBDecoder(stream: Self.stream())
        var data = Self.shown(1)
        data[6] = 0
        var input = Self.packet(data, at: 0)
        input.duration = 4000
        _ = decoder.decode(input)
        let draft = try #require(drafts(decoder.finish()).first)
        #expect(draft.end == nil)
        #expect(draft.fallbackEnd == .init(time: .seconds(4), source: .containerDuration))
    }

    @Test func progressiveRowsComeInEveryForm() throws {
        // 5×2 pixels of 4 bits: a byte a pixel; with PNG's filters sub and up, then average and
        // Paeth; two pixels a byte, with a filter and without.
        let pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        for rows: [UInt8] in [
            pixels, [1, 1, 1, 1, 1, 1, 2, 5, 5, 5, 5, 5], [3, 1, 2, 2, 3, 3, 4, 5, 1, 1, 1, 1],
            [0x12, 0x34, 0x50, 0x67, 0x89, 0xA0], [0, 0x12, 0x34, 0x50, 0, 0x67, 0x89, 0xA0],
        ] {
            let plane = try DVBProgressiveBlock.plane(
                Self.stored(rows)[...], width: 5, height: 2, depth: .four, limit: 16)
            #expect(plane.indices == pixels, "\(rows)")
        }
        #expect(throws: DVBProgressiveBlock.Failure.malformed) {
            try DVBProgressiveBlock.plane(
                Self.stored([1, 2, 3])[...], width: 3, height: 2, depth: .four, limit: 16)
        }
        #expect(throws: DVBProgressiveBlock.Failure.tooLarge) {
            try DVBProgressiveBlock.plane(
                Self.stored(Array(repeating: 0, count: 60_000))[...], width: 16, height: 16,
                depth: .eight, limit: 16)
        }
        #expect(throws: DVBProgressiveBlock.Failure.tooLarge) {
            try DVBProgressiveBlock.plane(
                [], width: 17, height: 1, depth: .eight, limit: 16)
        }
    }

    /// An object that every page draws is inflated once, and at most a canvas of pixels is kept.
    @Test func compressedObjectsAreInflatedOnce() throws {
        var limits = Limits()
        limits.canvas = 8
        var composer = DVBComposer(limits: limits, matrix: .bt601)
        func object(_ id: UInt8, _ rows: [UInt8], width: UInt8, height: UInt8) -> [UInt8] {
            let data = Self.stored(rows)
            return [0, id, 0x08, 0, width, 0, height, 0, UInt8(data.count)] + data
        }
        var set = DVBDisplaySet()
        set.page = DVBPageComposition([30, 0x08, 0, 0, 0, 0, 0, 0])
        set.regions = [[0, 0x0F, 0, 4, 0, 2, 0x6C, 0, 0, 0, 0, 1, 0, 0, 0, 0]]
        set.objects = [
            object(1, [UInt8](repeating: 7, count: 48), width: 8, height: 6),
            object(2, [UInt8](repeating: 7, count: 48), width: 8, height: 6),
            object(3, [1, 2, 3], width: 8, height: 6),
        ]
        composer.beginPacket()
        let isChanged = composer.apply(set)
        #expect(isChanged)
        let kept = try #require(composer.objects[1]?.pixels)
        #expect(kept.depth == .eight)
        #expect(try kept.plane.get().indices == [UInt8](repeating: 7, count: 48))
        // A second one would be more than a canvas of 8×8.
        let second = try composer.plane(of: 2, depth: .eight)
        #expect(second?.indices.count == 48)
        #expect(composer.objects[2]?.pixels == nil)
        // A failure is not repeated.
        let third = Result { () throws(DVBProgressiveBlock.Failure) in
            try composer.plane(of: 3, depth: .eight)
        }
        #expect(third == .failure(.malformed))
        #expect(composer.objects[3]?.pixels?.plane == .failure(.malformed))
    }

    /// A zlib stream of one stored block (RFC 1950, RFC 1951).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        let size = UInt16(bytes.count)
        var result: [UInt8] = [0x78, 0x01, 0x01]
        for value in [size, ~size] { result += [UInt8(value & 0xFF), UInt8(value >> 8)] }
        result += bytes
        result.appendBigEndian(high << 16 | low)
        return result
    }

    // MARK: Damage

    /// Packets of the fuzz target's seeds, which the conformance set is made into.
    private static let seeds: [(header: [UInt8], packets: [[UInt8]])] = {
        let folder = Repository.root + "/Tests/Fuzz/Corpus/DVBFuzz"
        return names(in: folder).compactMap { name in
            guard let bytes = fileBytes(folder + "/" + name) else { return nil }
            var reader = ByteReader(bytes)
            let header = reader.uint8().flatMap { reader.slice(Int($0)) } ?? []
            var packets: [[UInt8]] = []
            while let size = reader.uint16(), let data = reader.slice(Int(size)) {
                packets.append(Array(data))
            }
            return (Array(header), packets)
        }
    }()

    @Test func survivesTruncation() {
        #expect(Self.seeds.count > 30)
        for seed in Self.seeds {
            for packet in seed.packets {
                for cut in truncations(of: packet, step: packet.count > 400 ? 7 : 1) {
                    let found = Self.widths(seed.header, [cut] + seed.packets.dropFirst())
                    #expect(found.count <= seed.packets.count)
                }
            }
        }
    }

    @Test func survivesFlippedBits() {
        for (number, seed) in Self.seeds.enumerated() {
            for packet in seed.packets {
                for damaged in bitFlips(of: packet, count: 40, seed: UInt64(number)) {
                    let found = Self.widths(
                        seed.header, [packet, damaged] + seed.packets.dropFirst())
                    #expect(found.count <= seed.packets.count + 2)
                }
            }
        }
    }
}
