import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

@Suite struct SubPictureTests {
    /// A unit of 8 × 2 pixels of value 1 that is shown for a second; `more` are later sequences.
    private func unit(more: [(delay: UInt16, commands: [UInt8])] = [(88, [0x02])]) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 8, 0x00, 0x01, 0x00, 0x01]
        let first: [UInt8] = [
            0x03, 0x32, 0x10, 0x04, 0xFF, 0xF0, 0x05, 0, 0, 7, 0, 0, 1, 0x06, 0, 4, 0, 6, 0x01,
        ]
        let sequences = [(delay: UInt16(0), commands: first)] + more
        for (number, sequence) in sequences.enumerated() {
            let here = bytes.count
            bytes.appendBigEndian(sequence.delay)
            let next = number + 1 < sequences.count ? here + 5 + sequence.commands.count : here
            bytes.appendBigEndian(UInt16(next))
            bytes += sequence.commands + [0xFF]
        }
        bytes[0] = UInt8(bytes.count >> 8)
        bytes[1] = UInt8(bytes.count & 255)
        return bytes
    }

    private func decoder(
        _ header: String = "size: 720x576\npalette: 000000, ffffff\n"
    ) -> DVDDecoder {
        var stream = stream(.dvd, header: Array(header.utf8))
        stream.kind = .bitmap
        return DVDDecoder(stream: stream, options: DecodingOptions())
    }

    @Test func containerLengthCountsOnlyWithoutAStop() throws {
        var decoder = decoder()
        let stopped = try #require(drafts(decoder.decode(packet(unit()))).first)
        #expect(stopped.end?.source == .explicit)
        #expect(stopped.cue().end == .init(nanoseconds: 11_001_244_444))
        let open = try #require(drafts(decoder.decode(packet(unit(more: [])))).first)
        #expect(open.end == .init(time: .seconds(12), source: .containerDuration))
        let endless = try #require(
            drafts(decoder.decode(packet(unit(more: []), duration: nil))).first)
        #expect(endless.end == nil)
        #expect(endless.replacesEarlier)
        #expect(decoder.diagnostics.take().isEmpty)
    }

    /// The largest delay is what libavcodec writes for an end that it does not know, and 2³² − 1 ms is
    /// the length that FFmpeg stores then.
    @Test func anUnknownStopIsNone() throws {
        let endless = unit(more: [(.max, [0x02])])
        var decoder = decoder()
        let stated = try #require(drafts(decoder.decode(packet(endless))).first)
        #expect(stated.end == .init(time: .seconds(12), source: .containerDuration))
        for length in [nil, Int64(UInt32.max)] {
            let found = packet(endless, duration: length)
            let open = try #require(drafts(decoder.decode(found)).first)
            #expect(open.end == nil)
            #expect(randomAccess(.dvd).times(of: found).end == nil)
        }
        let long = try #require(
            drafts(decoder.decode(packet(unit(more: [(.max - 1, [0x02])])))).first)
        #expect(long.end?.source == .explicit)
        #expect(SubPictureUnit(endless)?.ownEnd == nil)
        #expect(SubPictureUnit(endless)?.hasStop == true)
        #expect(decoder.diagnostics.take().isEmpty)
    }

    /// Several defects of one unit are reported in the same order in every run.
    @Test func defectsAreReportedInOrder() throws {
        var bytes = unit()
        // Runs of 8 pixels in lines of 4, and no command that starts the display.
        bytes[4] = 0x21
        bytes[6] = 0x21
        let area = try #require(bytes.indices.first { bytes[$0...].starts(with: [5, 0, 0, 7]) })
        bytes[area + 3] = 3
        let start = try #require(
            bytes.indices.first { bytes[$0...].starts(with: [6, 0, 4, 0, 6, 1]) })
        bytes[start + 5] = 0xFF
        for _ in 0..<20 {
            var decoder = decoder()
            #expect(decoder.decode(packet(bytes)).count == 1)
            #expect(decoder.diagnostics.take().map(\.code) == ["clipped-run", "missing-start"])
        }
    }

    @Test func unitsAreJoinedFromPackets() throws {
        let whole = unit()
        for cut in 4..<whole.count {
            var decoder = decoder()
            #expect(decoder.decode(packet(Array(whole[..<cut]))).isEmpty)
            // The rest has no time and is followed by stuffing.
            let rest = Array(whole[cut...]) + [0xFF, 0xFF, 0xFF]
            let found = drafts(decoder.decode(packet(rest, pts: nil, duration: nil)))
            #expect(found.map(\.start) == [.seconds(10)])
            #expect(found.first?.end?.source == .explicit)
            #expect(decoder.diagnostics.take().isEmpty)
        }
    }

    @Test func aWholeUnitEndsTheWaitForTheRestOfAnother() throws {
        var decoder = decoder()
        let whole = unit()
        #expect(decoder.decode(packet(Array(whole[..<10]))).isEmpty)
        let found = drafts(decoder.decode(packet(whole, pts: 20_000)))
        #expect(found.map(\.start) == [.seconds(20)])
        #expect(decoder.diagnostics.take().map(\.code) == ["truncated-spu"])
        // Missing data is reported at the end.
        #expect(decoder.decode(packet(Array(whole[..<10]))).isEmpty)
        _ = decoder.finish()
        #expect(decoder.diagnostics.take().map(\.code) == ["truncated-spu"])
    }

    @Test func afterAResetNothingIsJoined() {
        var decoder = decoder()
        #expect(decoder.decode(packet(Array(unit()[..<10]))).isEmpty)
        decoder.reset()
        #expect(drafts(decoder.decode(packet(unit()))).count == 1)
        #expect(decoder.diagnostics.take().isEmpty)
    }

    @Test func packetWithoutATimeIsReported() {
        var decoder = decoder()
        #expect(decoder.decode(packet(unit(), pts: nil)).isEmpty)
        #expect(decoder.diagnostics.take().map(\.code) == ["missing-time"])
    }

    @Test func unknownCommandCostsItsSequence() throws {
        var decoder = decoder()
        let found = drafts(
            decoder.decode(packet(unit(more: [(20, [0x55, 0x66]), (88, [0x02])]))))
        #expect(found.map { $0.end?.source } == [.explicit])
        #expect(decoder.diagnostics.take().map(\.code) == ["damaged-spu"])
    }

    /// Sequences that lie within each other are read once; each ends where the next one begins.
    @Test func sequencesAreReadOnce() throws {
        var bytes: [UInt8] = [0, 0, 0, 4]
        for number in 0..<6000 {
            let next = 4 + (number + 1) * 6
            bytes += [0, 0, UInt8(next >> 8), UInt8(next & 255), 0x01, 0x01]
        }
        bytes[0] = UInt8(bytes.count >> 8)
        bytes[1] = UInt8(bytes.count & 255)
        let found = try #require(SubPictureUnit(bytes))
        #expect(found.isDamaged)
        #expect(found.sequences.count == 4096)
        #expect(found.sequences.allSatisfy { $0.commands.count == 2 })
        let many = try #require(
            SubPictureUnit(unit(more: [(1, [UInt8](repeating: 0x01, count: 900))])))
        #expect(many.isDamaged)
        #expect(many.sequences.map(\.commands.count) == [5, 64])
    }

    @Test func anImageWithoutAreaIsReported() {
        var decoder = decoder()
        var bytes = unit()
        // The command for the area becomes one more start.
        bytes.replaceSubrange(18..<25, with: [UInt8](repeating: 0x01, count: 7))
        #expect(drafts(decoder.decode(packet(bytes))).isEmpty)
        #expect(decoder.diagnostics.take().map(\.code) == ["missing-image"])
    }

    /// Each step of a fade is stretched separately, which is charged like drawing.
    @Test func stretchedImagesAreBounded() throws {
        var decoder = decoder("size: 720x576\nscale: 1000%, 1000%\npalette: 000000, ffffff\n")
        let fade = (1...200).map { step in
            (delay: UInt16(step), commands: [0x04, UInt8(step % 15 + 1), 0xF0] as [UInt8])
        }
        var bytes = unit(more: fade)
        // 800 × 800; the lines that are not there are transparent.
        bytes.replaceSubrange(19..<25, with: [0x00, 0x03, 0x1F, 0x00, 0x03, 0x1F])
        let found = drafts(decoder.decode(packet(bytes)))
        let pixels = found.reduce(0) { sum, draft in
            guard case .images(let content) = draft.content else { return sum }
            return sum + content.images.reduce(0) { $0 + $1.bitmap.indices.count }
        }
        #expect(pixels <= 1 << 26)
        #expect(decoder.diagnostics.take().map(\.code).contains("limit-exceeded"))
    }

    @Test func forcedOnlyOfAnIndexIsReported() {
        var decoder = decoder("palette: 000000, ffffff\nforced subs: ON\n")
        #expect(decoder.diagnostics.take().map(\.code) == ["forced-only"])
        #expect(drafts(decoder.decode(packet(unit()))).count == 1)
    }

    @Test func settingsAreRead() {
        let settings = VobSubSettings(
            codecPrivate: Array(
                """
                \u{FEFF}# VobSub index file, v7
                Size: 720x480\r
                org: -4, 12
                scale: 50%, 200%
                alpha: 80%
                palette: 0,ffffff, 102030 ,zz
                custom colors: ON, tridx: 1000, colors: 000000, 444444, 888888, cccccc
                forced subs: on
                """.utf8))
        #expect(settings.size == PixelSize(width: 720, height: 480))
        #expect(settings.left == -4 && settings.top == 12)
        #expect(settings.horizontalScale == 50 && settings.verticalScale == 200)
        #expect(settings.alpha == 80)
        #expect(settings.palette?.colors[2] == RGBA(rawValue: 0x1020_30FF))
        #expect(settings.palette?.colors.count == 16)
        #expect(
            settings.customColors?.map(\.rawValue) == [
                0x0000_0000, 0x4444_44FF, 0x8888_88FF, 0xCCCC_CCFF,
            ])
        #expect(settings.showsForcedOnly)
        for value in [
            "size: 99999999999x2", "size: x", "scale: 0%, 0%", "scale: 5000%, 1%", "org: 1",
            "custom colors: ON, tridx: 10, colors: 0", "palette:", "alpha:",
        ] {
            let odd = VobSubSettings(codecPrivate: Array(value.utf8))
            #expect(odd == VobSubSettings(codecPrivate: []), "\(value)")
        }
    }

    @Test func paletteOfAnMP4IsRead() throws {
        var bytes = [UInt8](repeating: 0, count: 64)
        bytes.replaceSubrange(4..<8, with: [0, 235, 128, 128])
        bytes.replaceSubrange(8..<12, with: [0, 81, 240, 90])
        let palette = try #require(VobSubSettings(codecPrivate: bytes).palette)
        #expect(palette.colors[1] == .white)
        #expect(palette.colors[2] == RGBA(red: 254, green: 0, blue: 0))
        #expect(SubPicturePalette(yCrCb: [UInt8](repeating: 0, count: 64)) == nil)
        #expect(SubPicturePalette(yCrCb: Array(bytes.dropLast())) == nil)
    }

    @Test func areasAreBounded() throws {
        // 4096 × 4096 pixels again and again: the budget ends it.
        var steps: [(delay: UInt16, commands: [UInt8])] = []
        for step in 1...200 {
            steps.append((UInt16(step), [0x05, 0, 0x0F, 0xFF, UInt8(step), 0x0F, 0xFF]))
        }
        var decoder = decoder()
        let found = drafts(decoder.decode(packet(unit(more: steps))))
        #expect(found.count < 10)
        #expect(decoder.diagnostics.take().map(\.code).contains("limit-exceeded"))
        var limits = Limits()
        limits.canvas = 100
        var small = DVDDecoder(
            stream: stream(.dvd, header: Array("palette: 0".utf8)),
            options: DecodingOptions(limits: limits))
        #expect(drafts(small.decode(packet(unit(more: steps)))).count == 1)
        #expect(small.diagnostics.take().map(\.code).contains("bad-area"))
    }

    /// Thousands of columns for an image of 8 × 2 pixels, and hundreds of steps that repeat them.
    @Test func manyColumnsAreBounded() throws {
        var table: [UInt8] = []
        for line in 0..<1000 {
            table += [
                UInt8(line >> 8), UInt8(line & 255), 0x80 | UInt8(line >> 8), UInt8(line & 255),
            ]
            for column in 0..<8 as Range<UInt8> { table += [0, column, 0x32, 0x10, 0xFF, 0xF0] }
        }
        table += [0x0F, 0xFF, 0xFF, 0xFF]
        let size = table.count + 2
        var steps: [(delay: UInt16, commands: [UInt8])] = [
            (1, [0x07, UInt8(size >> 8), UInt8(size & 255)] + table)
        ]
        for step in 2..<1000 as Range<UInt16> {
            // The position of the image changes, so that each step shows another one.
            steps.append((step, [0x05, 0, UInt8(step & 1) << 4, 7, 0, 0, 1]))
        }
        var decoder = decoder()
        let found = drafts(decoder.decode(packet(unit(more: steps))))
        #expect(found.count > 50 && found.count < 200)
        #expect(decoder.diagnostics.take().map(\.code) == ["limit-exceeded"])
    }

    @Test func damageNeverTraps() throws {
        var units = [unit(), unit(more: [])]
        for name in ["colcon", "fade", "high-definition", "packs"] {
            let packs = try fixtureBytes("bitmap/dvd/\(name)/stream.sub")
            // Behind the headers of the first pack, which hold 14 and 15 bytes.
            units.append(Array(packs[29...]))
        }
        var cues = 0
        for unit in units {
            for damaged in truncations(of: unit, step: unit.count > 3000 ? 13 : 1) {
                cues += decodeAll(damaged)
            }
            for damaged in bitFlips(of: unit, count: 400) { cues += decodeAll(damaged) }
        }
        #expect(cues > 1000)
    }

    @Test(.requiresCorpus("subtitles-rs/vobsub/fuzz/corpus"))
    func damagedPayloadsOfOthersEndCleanly() throws {
        let folder = try #require(corpusPath("subtitles-rs/vobsub/fuzz/corpus"))
        let payloads = files(below: folder)
        #expect(payloads.count == 113)
        for path in payloads { _ = decodeAll(try #require(fileBytes(path))) }
    }

    private func decodeAll(_ bytes: [UInt8]) -> Int {
        var limits = Limits()
        limits.canvas = 1024
        var decoder = DVDDecoder(
            stream: stream(.dvd, header: Array("palette: 0, ffffff".utf8)),
            options: DecodingOptions(limits: limits))
        let events = decoder.decode(packet(bytes)) + decoder.finish()
        for draft in drafts(events) {
            guard case .images(let content) = draft.content else { continue }
            for placed in content.images {
                #expect(placed.bitmap.width <= 1024 && placed.bitmap.height <= 1024)
            }
            if let end = draft.end { #expect(end.time > draft.start) }
        }
        return drafts(events).count
    }

    @Test func ownEndIsReported() {
        #expect(SubPictureUnit(unit())?.ownEnd == .some(90_112))
        #expect(SubPictureUnit(unit(more: []))?.ownEnd == nil)
        let restarted = unit(more: [(20, [0x02]), (40, [0x01]), (60, [0x02])])
        #expect(SubPictureUnit(restarted)?.ownEnd == .some(61_440))
        #expect(SubPictureUnit(unit(more: [(20, [0x02]), (40, [0x01])]))?.ownEnd == nil)
        #expect(SubPictureUnit(unit())?.firstChange == 0)
        let rule = randomAccess(.dvd)
        #expect(!rule.times(of: packet(unit())).isFinal)
        #expect(!rule.times(of: packet(unit(more: []))).isFinal)
        #expect(rule.times(of: packet([0, 9, 1])).start == nil)
        #expect(rule.isEveryPacketWhole)
        #expect(rule.times(of: packet(unit())).end == .init(nanoseconds: 11_001_244_444))
        #expect(rule.times(of: packet(unit(more: []))).end == .seconds(12))
        #expect(rule.times(of: packet(unit(more: []), duration: nil)).end == nil)
    }
}
