import Testing
import UndertextContainers
import UndertextCore

/// Blocks of every form, read by the index.
@Suite struct MatroskaBlockTests {
    private typealias Sample = SampleFile

    /// The packets of a file with one track and one block.
    private func packets(
        _ element: [UInt8], track: [UInt8] = SampleFile.track(), shift: UInt64 = 0,
        cueDuration: UInt64? = nil
    ) throws -> (packets: [Packet], diagnostics: [Diagnostic]) {
        var file = SampleFile()
        file.tracks = [track]
        let block = SampleFile.Block(
            element: element, time: 1000, shift: shift, cueDuration: cueDuration)
        file.clusters = [SampleFile.Cluster(time: 1000, blocks: [block])]
        let reader = try open(file.bytes).packetReader(for: [0])
        let packets = try drain(reader)
        return (packets, reader.diagnostics.take())
    }

    private func texts(_ packets: [Packet]) -> [String] {
        packets.map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test func readsASimpleBlock() throws {
        let data = Sample.block(Array("hello".utf8), flags: 0x80)
        let packets = try packets(element(0xA3, data)).packets
        #expect(texts(packets) == ["hello"])
        #expect(packets[0].pts == 1000 && packets[0].dts == 1000 && packets[0].duration == nil)
        #expect(packets[0].isKey && packets[0].streamIndex == 0)
    }

    @Test func readsABlockGroup() throws {
        let additions = element(
            0x75A1,
            element(0xA6, text(0xA5, "line:0")) + element(0xA6, number(0xEE, 4) + text(0xA5, "b")))
        let group = Sample.group(Sample.block(Array("x".utf8)), duration: 700, additions)
        let packets = try packets(group).packets
        #expect(packets.map(\.duration) == [700])
        #expect(
            packets[0].sideData.map(\.bytes) == [
                [0, 0, 0, 0, 0, 0, 0, 1] + Array("line:0".utf8), [0, 0, 0, 0, 0, 0, 0, 4, 0x62],
            ])
    }

    @Test func splitsFixedLacing() throws {
        let data = Sample.block([2] + Array("aabbcc".utf8), flags: 0x04)
        let packets = try packets(Sample.group(data, duration: 100)).packets
        #expect(texts(packets) == ["aa", "bb", "cc"])
        #expect(packets.map(\.pts) == [1000, 1033, 1066])
        #expect(packets.map(\.duration) == [33, 33, 34])
    }

    @Test func splitsXiphLacing() throws {
        let long = [UInt8](repeating: 0x61, count: 300)
        let data = Sample.block([2, 255, 45, 1] + long + Array("bcc".utf8), flags: 0x02)
        let packets = try packets(element(0xA3, data)).packets
        #expect(packets.map(\.data.count) == [300, 1, 2])
        #expect(packets.map(\.pts) == [1000, nil, nil])
    }

    @Test func splitsEBMLLacing() throws {
        // Sizes 4, then -2, then what is left.
        let data = Sample.block([2, 0x84, 0xBD] + Array("aaaabbc".utf8), flags: 0x06)
        let packets = try packets(element(0xA3, data)).packets
        #expect(texts(packets) == ["aaaa", "bb", "c"])
    }

    @Test func takesTheTracksDefaultDuration() throws {
        let track = Sample.track(number(0x23E383, 40_000_000))
        let data = Sample.block([1] + Array("ab".utf8), flags: 0x04)
        let packets = try packets(element(0xA3, data), track: track).packets
        #expect(packets.map(\.duration) == [40, 40])
        #expect(packets.map(\.pts) == [1000, 1040])
    }

    @Test(
        arguments: [
            [0x02, 3, 255, 255], [0x04, 1, 0x61, 0x62, 0x63], [0x06, 2, 0x84, 0xBA, 0x61], [0x02],
            [0x06, 1, 0x00], [0x06, 1, 0x90, 0x61],
        ] as [[UInt8]])
    func reportsDamagedLacing(_ bytes: [UInt8]) throws {
        let data = Sample.block(Array(bytes.dropFirst()), flags: bytes[0])
        let result = try packets(element(0xA3, data))
        #expect(result.packets == [])
        #expect(result.diagnostics.map(\.code) == ["damaged-block"])
        #expect(result.diagnostics[0].byteOffset != nil)
    }

    @Test func undoesEncodingsInTheirOrder() throws {
        // Stored: "he" stripped of the zlib stream's first two bytes.
        let zlib: [UInt8] = [
            0x78, 0x01, 0x01, 0x05, 0x00, 0xFA, 0xFF, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x06, 0x2C,
            0x02, 0x15,
        ]
        let strip = element(
            0x6240,
            number(0x5031, 1)
                + element(0x5034, number(0x4254, 3) + element(0x4255, [0x78, 0x01])))
        let inflate = element(0x6240, number(0x5031, 0) + element(0x5034, number(0x4254, 0)))
        let track = Sample.track(element(0x6D80, inflate + strip))
        let stored = Sample.block(Array(zlib.dropFirst(2)))
        #expect(try texts(packets(element(0xA3, stored), track: track).packets) == ["hello"])

        let damaged = Sample.block([1, 2, 3])
        let result = try packets(element(0xA3, damaged), track: track)
        #expect(result.packets == [] && result.diagnostics.map(\.code) == ["damaged-block"])
    }

    @Test func undoesEncodingsOfTheCodecsHeader() throws {
        let strip = element(
            0x6240,
            number(0x5032, 2) + element(0x5034, number(0x4254, 3) + text(0x4255, "[Script")))
        let track = Sample.track(
            codec: "S_TEXT/ASS", text(0x63A2, " Info]") + element(0x6D80, strip))
        var file = SampleFile()
        file.tracks = [track]
        let stream = try open(file.bytes).description.streams[0]
        #expect(String(decoding: stream.codecPrivate, as: UTF8.self) == "[Script Info]")
    }

    @Test(arguments: [1, 2, 9] as [UInt64])
    func refusesCompressionThatItCannotUndo(_ algorithm: UInt64) throws {
        let encoding = element(0x6240, element(0x5034, number(0x4254, algorithm)))
        var file = SampleFile.plain()
        file.tracks[0] = Sample.track(element(0x6D80, encoding))
        let opened = try open(file.bytes)
        #expect(opened.diagnostics.map(\.code) == ["unsupported-encoding"])
        #expect(opened.diagnostics[0].streamIndex == 0)
        #expect(throws: UndertextError.self) { try opened.packetReader(for: [0, 1]) }
        #expect(try drain(opened.packetReader(for: [1])).count == 8)
    }

    @Test func toleratesAnIndexThatPointsIntoTheGroup() throws {
        // The Block starts after the group's identifier and size of eight bytes.
        let group = Sample.group(Sample.block(Array("x".utf8)), duration: 700)
        #expect(try packets(group, shift: 9).packets.map(\.duration) == [700])
        let bare = Sample.group(Sample.block(Array("x".utf8)))
        #expect(try packets(bare, shift: 9, cueDuration: 30).packets.map(\.duration) == [30])
    }

    @Test func splitsWebVTTBlocks() throws {
        let track = Sample.track(codec: "D_WEBVTT/SUBTITLES")
        let data = Sample.block(Array("id\r\nline:1\ntwo\nlines\n\n".utf8))
        let packets = try packets(element(0xA3, data), track: track).packets
        #expect(texts(packets) == ["two\nlines"])
        #expect(
            packets[0].sideData == [
                SideData(.webVTTIdentifier, Array("id".utf8)),
                SideData(.webVTTSettings, Array("line:1".utf8)),
            ])
        for damage in ["", "id", "id\n", "id\nline", "id\nline\n", "id\nline\n\n", "id\rx\ny\n"] {
            let result = try self.packets(
                element(0xA3, Sample.block(Array(damage.utf8))), track: track)
            #expect(result.packets == [])
            #expect(result.diagnostics.map(\.code) == ["damaged-block"])
        }
    }

    @Test func marksOverlapsOfUnknownCodecsAsNoKeys() throws {
        var file = SampleFile()
        file.tracks = [Sample.track(codec: "S_TEXT/WEBVTT")]
        let blocks = [(0, 500), (100, 100), (500, 100)].map { time, duration in
            let data = Sample.block([0x61], at: Int16(time))
            return SampleFile.Block(
                element: Sample.group(data, duration: UInt64(duration)), time: UInt64(time))
        }
        file.clusters = [SampleFile.Cluster(time: 0, blocks: blocks)]
        let packets = try drain(open(file.bytes).packetReader(for: [0]))
        #expect(packets.map(\.isKey) == [true, false, true])
    }
}
