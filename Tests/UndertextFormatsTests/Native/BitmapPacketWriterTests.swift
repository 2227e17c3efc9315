import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Suite struct SUPPacketWriterTests {
    private func segment(_ type: UInt8, _ payload: [UInt8], size: Int? = nil) -> [UInt8] {
        var bytes = [type]
        bytes.appendBigEndian(UInt16(size ?? payload.count))
        return bytes + payload
    }

    @Test func prefixesAndCues() {
        let shows = segment(0x16, [7, 128, 4, 56, 16, 0, 0, 128, 0, 0, 1])
        let clears = segment(0x16, [7, 128, 4, 56, 16, 0, 1, 0, 0, 0, 0])
        let end = segment(0x80, [])
        var late = packet(95_443_717, nil, end)
        late.dts = 95_443_716
        var writer = SUPPacketWriter()
        let bytes = files(
            &writer,
            [packet(1000, 5, shows + end), packet(2000, nil, clears + end), late])[0]
        let time: [UInt8] = [0x50, 0x47, 0, 1, 0x5F, 0x90, 0, 0, 0, 0]
        let later: [UInt8] = [0x50, 0x47, 0, 2, 0xBF, 0x20, 0, 0, 0, 0]
        let wrapped: [UInt8] = [0x50, 0x47, 255, 255, 255, 0xC2, 255, 255, 255, 0x68]
        let expected = time + shows + time + end + later + clears + later + end + wrapped + end
        #expect(bytes == expected)
        #expect(writer.cueCount == 1)
        #expect(writer.diagnostics.take().isEmpty)
    }

    /// Of the display set after the end only the clear is kept; later ones are dropped.
    @Test func theEndOfAPartClears() {
        func set(_ time: Int64, _ objects: UInt8, state: UInt8 = 0x80) -> Packet {
            let composition = segment(0x16, [7, 128, 4, 56, 16, 0, 1, state, 0, 0, objects, 9])
            let windows = segment(0x17, [1, 2, 3])
            let rest = objects > 0 ? segment(0x14, [4]) + segment(0x15, [5]) : []
            return packet(time, nil, composition + windows + rest + segment(0x80, []))
        }
        func types(_ packets: [Packet], until end: Int64?) -> [[UInt8]] {
            var writer = SUPPacketWriter(end: end.map { .milliseconds($0) })
            let bytes = files(&writer, packets)[0]
            var found: [[UInt8]] = []
            var place = 0
            while place + 13 <= bytes.count {
                let size = Int(bytes[place + 11]) << 8 | Int(bytes[place + 12])
                let body = bytes[place + 13..<place + 13 + size]
                found.append([bytes[place + 10]] + body)
                place += 13 + size
            }
            return found
        }
        let sets = [set(1000, 1), set(2000, 2), set(3000, 0, state: 0), set(4000, 1)]
        let whole = types(sets, until: nil)
        #expect(whole.count == 5 + 5 + 3 + 5)
        // The second one shows something: it is replaced by a clear at its time.
        let cut = types(sets, until: 1500)
        #expect(cut.prefix(5) == whole.prefix(5))
        #expect(
            Array(cut.dropFirst(5))
                == [[0x16, 7, 128, 4, 56, 16, 0, 1, 0, 0, 0, 0], [0x17, 1, 2, 3], [0x80]])
        // A clear is copied as it is; nothing is needed after it.
        #expect(types(sets, until: 2500) == Array(whole.prefix(13)))
        #expect(types(sets, until: 3500) == Array(whole.prefix(13)))
        #expect(types(sets, until: 4500) == whole)
        // In packets of a segment each, objects are decoded before they are shown.
        let early = packet(1400, nil, segment(0x15, [5]))
        let parts = [
            sets[0], packet(2000, nil, segment(0x16, [7, 128, 4, 56, 16, 0, 1, 0x80, 0, 0, 1])),
            early, packet(2000, nil, segment(0x80, [])),
        ]
        #expect(
            types(parts, until: 1500).map(\.[0]) == [
                0x16, 0x17, 0x14, 0x15, 0x80, 0x16, 0x17, 0x80,
            ])
    }

    @Test func cutOffSegments() {
        var writer = SUPPacketWriter()
        let bytes = files(
            &writer,
            [packet(0, nil, segment(0x15, [1, 2, 3], size: 9)), packet(0, nil, [0x80, 0])])[0]
        #expect(bytes.count == 16 && bytes[10...].elementsEqual([0x15, 0, 3, 1, 2, 3]))
        #expect(writer.diagnostics.take().map(\.severity) == [.error, .warning])
    }
}

@Suite struct VobSubPacketWriterTests {
    /// A unit of `size` bytes of pixels, with a command to stop after `stop` units of time.
    static func unit(_ size: Int, stop: UInt16? = nil) -> [UInt8] {
        let offset = UInt16(4 + size)
        var control: [UInt8] = [0, 0]
        control.appendBigEndian(stop == nil ? offset : offset + 24)
        control += [0x03, 0, 0, 0x04, 0, 0, 0x05, 0, 0, 0, 0, 0, 0, 0x06, 0, 4, 0, 4, 0x01, 0xFF]
        if let stop {
            control.appendBigEndian(stop)
            control.appendBigEndian(offset + 24)
            control += [0x02, 0xFF]
        }
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt16(4 + size + control.count))
        bytes.appendBigEndian(offset)
        return bytes + [UInt8](repeating: 0xAA, count: size) + control
    }

    /// Content on screen at the end of a part stops at the start of the next unit, which is not written.
    @Test func theEndOfAPartStops() throws {
        let units = [
            packet(1000, nil, Self.unit(8, stop: 50)), packet(3000, nil, Self.unit(8)),
            packet(5000, nil, Self.unit(8)),
        ]
        func written(until end: Int64?) -> (lines: Int, sub: [UInt8]) {
            var writer = VobSubPacketWriter(
                codecPrivate: [], end: end.map { .milliseconds($0) })
            let output = files(&writer, units)
            let lines = String(decoding: output[0], as: UTF8.self).split(separator: "\n")
            return (lines.count { $0.hasPrefix("timestamp:") }, output[1])
        }
        let whole = written(until: nil)
        #expect(whole.lines == 3)
        // Behind all of them nothing is changed.
        #expect(written(until: 6000) == whole)
        #expect(written(until: 2000).sub == Array(whole.sub.prefix(2048)))
        let part = written(until: 4000)
        #expect(part.lines == 2)
        #expect(part.sub.prefix(2048) == whole.sub.prefix(2048))
        // Two seconds are 175 units of 1024/90000 s.
        let stop: [UInt8] = [0, 175]
        let second = Array(part.sub.dropFirst(2048))
        #expect(second != Array(whole.sub.dropFirst(2048).prefix(2048)))
        #expect(second.firstRange(of: stop + [0, 36, 0x02, 0xFF]) != nil)
    }

    @Test func indexLines() {
        let stored = """
            # VobSub index file, v7 (do not modify this line!)
            size: 720x480
            # kept
            palette: 000000, ffffff

            langidx: 4
            id: fr, index: 3
            timestamp: 00:00:00:000, filepos: 000000000
            """
        var writer = VobSubPacketWriter(
            codecPrivate: Array(stored.utf8), language: LanguageTag("de-AT"))
        let output = files(
            &writer,
            [packet(1000, nil, Self.unit(3000)), packet(3_723_004, nil, Self.unit(10))])
        #expect(
            String(decoding: output[0], as: UTF8.self) == """
                # VobSub index file, v7 (do not modify this line!)
                size: 720x480
                # kept
                palette: 000000, ffffff
                langidx: 0

                id: de, index: 0
                timestamp: 00:00:01:000, filepos: 000000000
                timestamp: 01:02:03:004, filepos: 000001000

                """)
        #expect(output[1].count == 3 * 2048)
        #expect(writer.cueCount == 2)
    }

    @Test func missingHeaders() {
        var bare = VobSubPacketWriter(
            codecPrivate: [], size: PixelSize(width: 1920, height: 1080))
        let text = text(&bare, [])
        #expect(text.contains("\nsize: 1920x1080\npalette: 000000, f0f0f0, "))
        #expect(text.hasSuffix("\nid: --, index: 0\n"))
        #expect(bare.diagnostics.take().map(\.code) == ["missing-palette"])
        let colors: [UInt8] = [0, 16, 128, 128, 0, 235, 128, 128, 0, 81, 240, 90]
        var mp4 = VobSubPacketWriter(codecPrivate: colors + [UInt8](repeating: 0, count: 52))
        let header = String(decoding: files(&mp4, [])[0], as: UTF8.self)
        #expect(header.contains("\npalette: 000000, ffffff, fe0000, "))
    }

    @Test func stopCommandOnlyWhereThereIsNone() throws {
        func written(_ unit: [UInt8], duration: Int64?) -> [UInt8] {
            var writer = VobSubPacketWriter(codecPrivate: [])
            let pack = files(&writer, [packet(0, duration, unit)])[1]
            let length = Int(pack[18]) << 8 | Int(pack[19])
            return Array(pack[29..<20 + length])
        }
        let open = Self.unit(4)
        let closed = Self.unit(4, stop: 50)
        #expect(written(closed, duration: 9000) == closed)
        #expect(written(open, duration: nil) == open)
        let stopped = written(open, duration: 1138)
        #expect(stopped.count == open.count + 6)
        // 1138 ms are 100 units of 1024/90000 s; the first sequence now leads to the new one.
        #expect(stopped.suffix(6) == [0, 100, 0, 32, 0x02, 0xFF])
        #expect(stopped[..<2].elementsEqual([0, 38]) && stopped[10...11].elementsEqual([0, 32]))
        #expect(Array(stopped[12..<32]) == Array(open[12...]))
    }

    @Test func damagedUnits() {
        var writer = VobSubPacketWriter(codecPrivate: [])
        _ = writer.diagnostics.take()
        let output = files(
            &writer, [packet(0, 5, [0, 0, 0]), packet(0, 5, [9, 9, 0, 4, 1])])
        #expect(output[1].count == 2048)
        #expect(writer.diagnostics.take().map(\.code) == ["truncated-spu", "truncated-spu"])
    }
}

/// Arbitrary bytes through every packet writer: no trap, one buffer a file, bounded output.
@Suite struct PacketWriterRobustnessTests {
    private static let codecs: [CodecID] = [.subRip, .ass, .ssa, .webVTT, .pgs, .dvd]

    private func feed(_ data: [UInt8], private header: [UInt8]) throws {
        for codec in Self.codecs {
            let stream = StreamDescription(
                index: 0, kind: .text, codec: codec, codecPrivate: header)
            var writer = try #require(
                SubtitleFormat.packetWriter(of: stream, diagnostics: DiagnosticSink()))
            var output = [[UInt8]](repeating: [], count: writer.fileExtensions.count)
            writer.begin(into: &output)
            let addition = SideData(.blockAdditional, [0, 0, 0, 0, 0, 0, 0, 1] + data)
            for (pts, duration) in [(Int64(0), Int64(5)), (.min, .max), (.max, -1), (.max, .max)] {
                writer.write(packet(pts, duration, data, [addition]), into: &output)
            }
            writer.write(packet(7, nil, data), into: &output)
            writer.finish(into: &output)
            #expect(output.map(\.count).reduce(0, +) < 64 * (data.count + header.count) + 65536)
            if codec == .webVTT, String(validating: output[0], as: UTF8.self) != nil,
                header.isEmpty
            {
                let arrows = String(decoding: output[0], as: UTF8.self).split(separator: "\n")
                    .filter { $0.contains("-->") }
                // The times at the ends of the range do not fit: those packets were left out.
                #expect(arrows.count == 2)
            }
        }
    }

    @Test func truncationsAndBitFlips() throws {
        let seeds = [
            Array("0,0,Default,,0,0,0,,te<00:00:01.000>xt --> \n\n".utf8),
            VobSubPacketWriterTests.unit(20), VobSubPacketWriterTests.unit(9, stop: 4),
            [0x16, 0, 11, 7, 128, 4, 56, 16, 0, 0, 128, 0, 0, 1, 0x80, 0, 0],
        ]
        let header = Array("[Events]\r\nFormat: Start, End, Text\r\n[Fonts]\npalette: 1".utf8)
        for seed in seeds {
            for damaged in truncations(of: seed) {
                try feed(damaged, private: [])
                try feed(seed, private: damaged)
            }
            for damaged in bitFlips(of: seed, count: 200) { try feed(damaged, private: []) }
        }
        for damaged in truncations(of: header) { try feed(seeds[0], private: damaged) }
        for damaged in bitFlips(of: header, count: 200) { try feed(seeds[0], private: damaged) }
    }

    @Test func codecsWithoutAFileHaveNoWriter() {
        for codec in [CodecID.movText, .dvb, .xsub, .unknown] {
            let stream = StreamDescription(index: 0, kind: .text, codec: codec)
            #expect(SubtitleFormat.packetWriter(of: stream, diagnostics: DiagnosticSink()) == nil)
        }
    }

    @Test func factoryDistinguishesSSAFromASS() {
        let stream = StreamDescription(
            index: 0, kind: .text, codec: .ass, codecPrivate: Array("x\r\n[V4 Styles]\r\n".utf8))
        #expect(
            SubtitleFormat.packetWriter(of: stream, diagnostics: DiagnosticSink())?.fileExtensions
                == ["ssa"])
        let plus = StreamDescription(
            index: 0, kind: .text, codec: .ass, codecPrivate: Array("[V4+ Styles]".utf8))
        #expect(
            SubtitleFormat.packetWriter(of: plus, diagnostics: DiagnosticSink())?.fileExtensions
                == ["ass"])
    }
}
