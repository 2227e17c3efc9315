import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The run-length code of objects, form by form.
@Suite struct PGSRunLengthTests {
    private func decode(_ code: [UInt8], _ width: Int, _ height: Int) -> PGSPixels {
        PGSPixels(decoding: code[...], width: width, height: height)
    }

    @Test func forms() {
        let pixels = decode(
            [7, 0, 0x02, 0, 0x83, 9, 0, 0, 0, 0x40, 6, 0, 0, 0, 0xC0, 6, 5, 0, 0], 6, 3)
        #expect(pixels.indices == [7, 0, 0, 9, 9, 9] + [0, 0, 0, 0, 0, 0] + [5, 5, 5, 5, 5, 5])
        #expect(pixels.damagedLines == 0)
        #expect(pixels.used.indices.filter { pixels.used[$0] } == [0, 5, 7, 9])
    }

    /// A run of no pixels is nothing; only `00 00` ends a line.
    @Test func runsOfNothing() {
        let pixels = decode([1, 0, 0x80, 9, 0, 0x40, 0, 2, 0, 0], 2, 1)
        #expect(pixels.indices == [1, 2])
        #expect(pixels.damagedLines == 0)
    }

    @Test func everyLineBeginsAtItsPlace() {
        let short = decode([1, 0, 0, 2, 2, 2, 0, 0], 3, 2)
        #expect(short.indices == [1, 0xFF, 0xFF, 2, 2, 2])
        #expect(short.damagedLines == 1)
        let long = decode([0, 0x85, 1, 0, 0, 2, 2, 2, 0, 0], 3, 2)
        #expect(long.indices == [1, 1, 1, 2, 2, 2])
        #expect(long.damagedLines == 1)
        let empty = decode([0, 0, 3, 3, 3, 0, 0], 3, 2)
        #expect(empty.indices == [0xFF, 0xFF, 0xFF, 3, 3, 3])
    }

    @Test func linesWithoutEnds() {
        let pixels = decode([0, 0x86, 1, 2, 2, 2, 0, 0], 3, 3)
        #expect(pixels.indices == [1, 1, 1, 1, 1, 1, 2, 2, 2])
        #expect(pixels.damagedLines == 0)
        #expect(decode([0, 0x89, 4], 3, 3).indices == [4, 4, 4, 4, 4, 4, 4, 4, 4])
    }

    @Test func missingContentIsReported() {
        #expect(decode([], 4, 5).damagedLines == 5)
        #expect(decode([1, 1, 1, 1, 0, 0], 4, 5).damagedLines == 4)
        #expect(decode([1, 1, 1, 1, 0, 0], 4, 1).damagedLines == 0)
        // A code that is cut off within a form.
        for tail in [[0], [0, 0x41], [0, 0x81], [0, 0xC1, 2]] as [[UInt8]] {
            #expect(decode([1] + tail, 2, 1).indices == [1, 0xFF])
        }
    }

    @Test func nothingIsWrittenBeyondTheEnd() {
        let pixels = decode([0, 0xFF, 0xFF, 3] + [UInt8](repeating: 4, count: 100), 5, 2)
        #expect(pixels.indices.count == 10)
    }
}

/// Segments on their way through damage and limits.
@Suite struct PGSDecoderTests {
    static func segment(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        var bytes = [type]
        bytes.appendBigEndian(UInt16(body.count))
        return bytes + body
    }

    static func composition(
        objects: [UInt16] = [0], state: UInt8 = 0x80, width: UInt16 = 64, height: UInt16 = 32
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.appendBigEndian(width)
        body.appendBigEndian(height)
        body += [0x10, 0, 0, state, 0, 0, UInt8(objects.count)]
        for object in objects {
            body.appendBigEndian(object)
            body += [0, 0, 0, 4, 0, 6]
        }
        return segment(0x16, body)
    }

    static func object(
        _ number: UInt16, _ code: [UInt8], width: UInt16, height: UInt16, flags: UInt8 = 0xC0
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.appendBigEndian(number)
        body += [0, flags, 0]
        body.appendBigEndian(UInt16(code.count + 4))
        body.appendBigEndian(width)
        body.appendBigEndian(height)
        return segment(0x15, body + code)
    }

    static let palette = segment(0x14, [0, 0, 1, 235, 128, 128, 255, 2, 81, 240, 90, 128])
    static let windows = segment(0x17, [1, 0, 0, 0, 0, 0, 0, 64, 0, 32])
    static let end = segment(0x80, [])
    static let code: [UInt8] = [0, 0x88, 1, 0, 0, 1, 2, 1, 2, 0, 0x84, 2, 0, 0]

    static let set =
        composition() + windows + palette + object(0, code, width: 8, height: 2) + end

    static func packet(_ data: [UInt8], _ seconds: Int64 = 1, lasting: Int64? = nil) -> Packet {
        Packet(
            streamIndex: 2, pts: seconds * 1000, duration: lasting.map { $0 * 1000 },
            timeBase: .milliseconds, position: 77, data: data)
    }

    static func decoder(_ limits: Limits = Limits()) -> PGSDecoder {
        PGSDecoder(
            stream: StreamDescription(index: 2, kind: .bitmap, codec: .pgs),
            options: DecodingOptions(limits: limits))
    }

    /// Neither the canvas nor places on it are larger than allowed.
    @Test func aCanvasBeyondTheLimitIsLeftOut() throws {
        for (width, height) in [(8193, 32), (64, 8193), (65535, 65535)] as [(UInt16, UInt16)] {
            var decoder = PGSDecoder(
                stream: StreamDescription(
                    index: 2, kind: .bitmap, codec: .pgs,
                    size: PixelSize(width: Int(width), height: Int(height))))
            #expect(decoder.header.canvas == nil)
            let composition = Self.composition(width: width, height: height)
            let set =
                composition + Self.windows + Self.palette
                + Self.object(0, Self.code, width: 8, height: 2) + Self.end
            let draft = try #require(drafts(decoder.decode(Self.packet(set))).first)
            guard case .images(let content) = draft.content else { continue }
            #expect(content.canvas == nil)
            #expect(content.images.count == 1)
            #expect(decoder.diagnostics.take().map(\.code) == ["image-too-large"])
        }
    }

    /// Palettes without an image: something is missing, which nothing else would report.
    @Test func aTrackWithoutImagesIsReported() {
        func reported(_ data: [UInt8]) -> [String] {
            var decoder = Self.decoder()
            _ = decoder.decode(Self.packet(data)) + decoder.finish()
            return decoder.diagnostics.take().map(\.code)
        }
        let empty = Self.composition(objects: []) + Self.windows + Self.palette + Self.end
        #expect(reported(empty) == ["no-images"])
        #expect(reported(empty + Self.set).isEmpty)
        // A clear has no colors and needs no images.
        #expect(reported(Self.composition(objects: []) + Self.windows + Self.end).isEmpty)
    }

    @Test func aSet() throws {
        var decoder = Self.decoder()
        let drafts = drafts(decoder.decode(Self.packet(Self.set, lasting: 3)))
        let draft = try #require(drafts.first)
        #expect(drafts.count == 1 && draft.end == nil && draft.replacesEarlier)
        #expect(draft.fallbackEnd == .init(time: .seconds(4), source: .containerDuration))
        guard case .images(let content) = draft.content else { return }
        #expect(content.canvas == PixelSize(width: 64, height: 32))
        let image = try #require(content.images.first)
        #expect(image.x == 4 && image.y == 6)
        #expect(image.bitmap.indices == [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 2, 2, 2, 2, 2])
        #expect(decoder.diagnostics.take().isEmpty)
    }

    @Test func packetsWithoutATime() {
        var decoder = Self.decoder()
        var packet = Self.packet(Self.set)
        packet.pts = nil
        #expect(decoder.decode(packet).isEmpty)
        let reported = decoder.diagnostics.take()
        #expect(reported.map(\.code) == ["missing-time"])
        #expect(reported.first?.streamIndex == 2 && reported.first?.byteOffset == 77)
    }

    @Test func resettingForgets() {
        var decoder = Self.decoder()
        #expect(drafts(decoder.decode(Self.packet(Self.set))).count == 1)
        decoder.reset()
        let again = Self.composition(state: 0) + Self.end
        #expect(decoder.decode(Self.packet(again, 5)) == [.clear(at: .seconds(5))])
        #expect(decoder.diagnostics.take().map(\.code) == ["mid-epoch"])
    }

    /// An object of the largest size that can be stated takes no memory.
    @Test func hugeObjects() {
        var decoder = Self.decoder()
        let data =
            Self.composition() + Self.windows + Self.palette
            + Self.object(0, Self.code, width: 65535, height: 65535) + Self.end
        #expect(decoder.decode(Self.packet(data)) == [.clear(at: .seconds(1))])
        #expect(decoder.diagnostics.take().map(\.code) == ["image-too-large"])
    }

    /// Each of them is within the limits, all together are not.
    @Test func theObjectsOfAnEpochHaveALimit() {
        var limits = Limits()
        limits.packetSize = 100_000
        var decoder = Self.decoder(limits)
        let objects = (0..<9 as Range<UInt16>).flatMap {
            Self.object($0, Self.code, width: 128, height: 128)
        }
        let data =
            Self.composition(objects: Array(0..<9)) + Self.palette + objects + Self.end
        let images = drafts(decoder.decode(Self.packet(data))).flatMap { draft in
            if case .images(let content) = draft.content { return content.images }
            return []
        }
        // Only the first two lines of each exist, and the budget charges 16 KiB for each.
        #expect((1...6).contains(images.count))
        #expect(decoder.diagnostics.take().contains { $0.code == "object-memory" })
        // Code that never becomes images is charged, too.
        var hoarder = Self.decoder(limits)
        for number in 0..<40 as Range<UInt16> {
            let code = [UInt8](repeating: 1, count: 10_000)
            _ = hoarder.decode(
                Self.packet(Self.object(number, code, width: 100, height: 100)))
        }
        #expect(hoarder.diagnostics.take().count { $0.code == "object-memory" } >= 29)
    }

    @Test func moreObjectsThanTheLimit() {
        var limits = Limits()
        limits.objects = 3
        var decoder = Self.decoder(limits)
        let data =
            Self.composition(objects: [0, 0, 0, 0, 0]) + Self.windows + Self.palette
            + Self.object(0, Self.code, width: 8, height: 2) + Self.end
        var count = 0
        for draft in drafts(decoder.decode(Self.packet(data))) {
            if case .images(let content) = draft.content { count += content.images.count }
        }
        #expect(count == 3)
        #expect(decoder.diagnostics.take().map(\.code) == ["too-many-objects"])
    }

    /// A truncated packet costs its end; the next one is unaffected.
    @Test func truncationAtEveryByte() {
        for cut in truncations(of: Self.set) {
            var decoder = Self.decoder()
            var events = decoder.decode(Self.packet(cut))
            events += decoder.decode(Self.packet(Self.set, 5))
            events += decoder.finish()
            let starts = drafts(events).map(\.start)
            #expect(starts.last == .seconds(5), "\(cut.count)")
            #expect(starts.count <= 2)
            if starts.count == 2 { #expect(starts[0] == .seconds(1)) }
            let whole = drafts(events).last.map { $0.content }
            var other = Self.decoder()
            #expect(whole == drafts(other.decode(Self.packet(Self.set, 5))).first?.content)
            if !cut.isEmpty { #expect(!decoder.diagnostics.take().isEmpty, "\(cut.count)") }
        }
    }

    @Test func flippedBits() {
        var limits = Limits()
        limits.canvas = 512
        limits.packetSize = 1 << 20
        var lost = 0
        for damaged in bitFlips(of: Self.set + Self.set, count: 4000) {
            var decoder = Self.decoder(limits)
            var events = decoder.decode(Self.packet(damaged))
            events += decoder.decode(Self.packet(Self.set, 5))
            events += decoder.finish()
            for draft in drafts(events) {
                guard case .images(let content) = draft.content else { continue }
                #expect(content.images.count <= limits.objects)
                #expect(content.images.allSatisfy { $0.x >= 0 && $0.y >= 0 })
            }
            lost += drafts(events).last?.start == .seconds(5) ? 0 : 1
        }
        // The set after the damage is nearly always complete.
        #expect(lost < 40)
    }

    /// The size of a segment is damaged: the set's other segments are found again.
    @Test func sizesThatLeadNowhere() {
        var data = Self.set
        // The low byte of the palette's size, 12.
        data[Self.composition().count + Self.windows.count + 2] = 9
        var decoder = Self.decoder()
        #expect(drafts(decoder.decode(Self.packet(data))).count == 1)
        #expect(decoder.diagnostics.take().contains { $0.code == "damaged-segment" })
    }
}
