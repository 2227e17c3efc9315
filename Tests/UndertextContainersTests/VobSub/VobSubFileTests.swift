import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

@Suite struct VobSubFileTests {
    private func lines(_ text: String) -> VobSubIndexText {
        VobSubIndexText(Array(text.utf8), limits: Limits())
    }

    @Test func streamsComeInTheOrderOfTheirFirstTimes() {
        let index = lines(
            """
            # VobSub index file, v7 (do not modify this line!)
            size: 720x576
            langidx: 1
            id: en, index: 0
            id: fr, index: 2
            alt: Version française
            timestamp: 00:00:01:000, filepos: 000000800
            id: de, index: 1
            timestamp: 01:02:03:004, filepos: 00000A000
            id: de, index: 1
            timestamp: 00:00:03:000, filepos: 0
            """)
        #expect(index.streams.map(\.number) == [2, 1])
        #expect(index.streams.map(\.identifier) == ["fr", "de"])
        #expect(index.streams.map(\.name) == ["Version française", nil])
        #expect(index.streams[1].entries.map(\.ticks) == [3000, 3_723_004])
        #expect(index.streams[1].entries.map(\.position) == [0, 0xA000])
        #expect(index.defaultStream == 1)
        #expect(index.size == PixelSize(width: 720, height: 576))
        #expect(String(decoding: index.header, as: UTF8.self) == "size: 720x576\n")
        #expect(index.diagnostics.isEmpty)
    }

    @Test func oddLinesCostThemselves() {
        let index = lines(
            """
            id: english
            timestamp: 00:00:01:000, filepos: 0
            timestamp: 00:00:0x:000, filepos: 0
            timestamp: 00:00:02:000
            timestamp: 99999999999:00:02:000, filepos: 0
            timestamp: 00:00:02:000, filepos: fffffffffffffffffff
            delay: soon
            timestamp: -00:00:02:000, filepos: 1
            """)
        #expect(index.streams.map(\.identifier) == ["und"])
        #expect(index.streams[0].entries.map(\.ticks) == [-2000, 1000])
        #expect(index.diagnostics.map(\.code) == ["bad-line"])
        #expect(index.diagnostics.first?.message.statedNumbers == [6])
    }

    @Test func anOffsetThatCannotBeReadIsReported() {
        let index = lines(
            """
            time offset: 2500
            time offset: later
            id: en, index: 0
            timestamp: 00:00:01:000, filepos: 0
            """)
        #expect(index.streams[0].entries.map(\.ticks) == [3500])
        #expect(index.diagnostics.map(\.code) == ["bad-line"])
    }

    @Test func aBrokenIndexBesideTheUnitsIsReported() throws {
        let units = try fixtureBytes("subtitles/vobsub.sub")
        let index = try fixtureBytes("subtitles/vobsub.idx")
        for bytes in [[], Array("no index at all".utf8), Array(index.dropFirst(3))] {
            let file = try VobSubFile(units: MemorySource(units), index: MemorySource(bytes))
            #expect(file.diagnostics.map(\.code) == ["damaged-index"])
            #expect(file.description.streams.count == 1)
        }
        let good = try VobSubFile(units: MemorySource(units), index: MemorySource(index))
        #expect(good.diagnostics.isEmpty)
    }

    @Test func numbersOfStreamsAreBounded() {
        var limits = Limits()
        limits.streams = 40
        limits.cues = 3
        var text = ""
        for number in 0..<50 {
            text += "id: en, index: \(number)\n"
            for time in 0..<5 { text += "timestamp: 00:00:0\(time):000, filepos: 0\n" }
        }
        let index = VobSubIndexText(Array(text.utf8), limits: limits)
        #expect(index.streams.count == 40)
        #expect(index.streams.allSatisfy { $0.entries.count == 3 })
        #expect(index.diagnostics.map(\.code) == ["limit-exceeded"])
    }

    /// No packet has a number above 31, so a stream beyond is what lies at its places.
    @Test func streamsBeyondTheThirtySecondAreReadByTheirPlaces() throws {
        let units = try fixtureBytes("subtitles/vobsub.sub")
        let text =
            "# VobSub index file, v7\nid: en, index: 35\ntimestamp: 00:00:01:000, filepos: 0\n"
        let file = try VobSubFile(index: MemorySource(Array(text.utf8)), units: MemorySource(units))
        let reader = file.packetReader(for: [0])
        let packet = try #require(try reader.nextPacket())
        #expect(packet.data.count == Int(packet.data[0]) << 8 | Int(packet.data[1]))
        #expect(reader.diagnostics.take().isEmpty)
    }

    @Test func wrongNumberIsReported() throws {
        let units = try fixtureBytes("subtitles/vobsub.sub")
        let text =
            "# VobSub index file, v7\nid: en, index: 5\ntimestamp: 00:00:01:000, filepos: 0\n"
        let file = try VobSubFile(index: MemorySource(Array(text.utf8)), units: MemorySource(units))
        let reader = file.packetReader(for: [0])
        #expect(try reader.nextPacket() != nil)
        #expect(reader.diagnostics.take().map(\.code) == ["wrong-stream"])
    }

    /// Places in bytes that are no packets: each looks no further than its gap, and all of them no
    /// further than their common patience.
    @Test func offsetsInNoiseAreAbandoned() throws {
        var text = "# VobSub index file, v7\nid: en, index: 0\n"
        for time in 0..<4000 {
            let place = String(time, radix: 16)
            text += "timestamp: 00:\(time / 60):\(time % 60):000, filepos: \(place)\n"
        }
        let units = MemorySource([UInt8](repeating: 0x5A, count: 1 << 20))
        let file = try VobSubFile(index: MemorySource(Array(text.utf8)), units: units)
        let reader = file.packetReader(for: [0])
        #expect(try reader.nextPacket() == nil)
        #expect(reader.diagnostics.take().count == 1000)
        #expect(units.statistics.bytesRead < 128 << 20)
    }

    /// One unit listed twenty thousand times: the output is limited by the size of the file.
    @Test func unitsListedOverAndOverAreBounded() throws {
        let units = try fixtureBytes("subtitles/vobsub.sub")
        var text = "# VobSub index file, v7\nid: en, index: 0\n"
        for time in 0..<20_000 {
            text += "timestamp: 0\(time / 36_000):\(time / 600 % 60):\(time / 10 % 60):"
            text += "\(time % 10 * 100), filepos: 0\n"
        }
        let file = try VobSubFile(index: MemorySource(Array(text.utf8)), units: MemorySource(units))
        let reader = file.packetReader(for: [0])
        var (bytes, packets) = (0, 0)
        while let packet = try reader.nextPacket() {
            bytes += packet.data.count
            packets += 1
        }
        #expect(packets > 10 && bytes <= 8 * units.count + 64 << 10)
        #expect(reader.diagnostics.take().map(\.code) == ["limit-exceeded"])
    }

    /// A pack with a part of a unit of stream 0 or another one.
    private func pack(_ pts: Int64?, _ bytes: [UInt8], stream: UInt8 = 0) -> [UInt8] {
        let time = pts.map { pts in
            [
                UInt8(0x21 | pts >> 29 & 0x0E), UInt8(pts >> 22 & 0xFF),
                UInt8(pts >> 14 & 0xFE | 1),
                UInt8(pts >> 7 & 0xFF), UInt8(pts << 1 & 0xFE | 1),
            ]
        }
        let header: [UInt8] = [0x81, pts == nil ? 0 : 0x80, pts == nil ? 0 : 5] + (time ?? [])
        let body = header + [0x20 + stream] + bytes
        let length = UInt16(body.count)
        return [0, 0, 1, 0xBA, 0x44] + [UInt8](repeating: 0, count: 9)
            + [0, 0, 1, 0xBD, UInt8(length >> 8), UInt8(length & 0xFF)] + body
    }

    private static let unit: [UInt8] = [0, 12, 0, 4, 0, 0, 0, 4, 1, 2, 0xFF, 0xFF]

    @Test func unitsWithoutATimeAreReported() throws {
        let unit = Self.unit
        let whole = pack(9000, unit) + pack(nil, [0xFF, 0xFF]) + pack(99_000, unit)
        let good = try VobSubFile(units: MemorySource(whole))
        #expect(good.diagnostics.isEmpty)
        // The second unit, in two parts, has none.
        let timeless =
            pack(9000, unit) + pack(nil, Array(unit[..<6])) + pack(nil, Array(unit[6...]))
            + pack(99_000, unit)
        let file = try VobSubFile(units: MemorySource(timeless))
        #expect(file.diagnostics.map(\.code) == ["missing-time"])
        #expect(file.diagnostics.first?.message.states("1") == true)
        #expect(file.diagnostics.first?.severity == .error)
        var limits = Limits()
        limits.cues = 1
        let limited = try VobSubFile(units: MemorySource(whole), limits: limits)
        #expect(limited.diagnostics.map(\.code) == ["limit-exceeded"])
    }

    @Test func aPairThatDisagreesIsReported() throws {
        let units = pack(9000, Self.unit) + pack(99_000, Self.unit) + pack(0, Self.unit, stream: 1)
        func reported(_ lines: String) throws -> [String] {
            let text = "# VobSub index file, v7\n" + lines
            let file = try VobSubFile(
                units: MemorySource(units), index: MemorySource(Array(text.utf8)))
            #expect(file.diagnostics.allSatisfy { $0.code == "index-mismatch" })
            return file.diagnostics.map(\.message)
        }
        let first = "id: en, index: 0\ntimestamp: 00:00:00:100, filepos: 0\n"
        let second = "timestamp: 00:00:01:100, filepos: 29\n"
        let other = "id: de, index: 1\ntimestamp: 00:00:00:000, filepos: 52\n"
        #expect(try reported(first + second + other).isEmpty)
        let fewer = try reported(first + other)
        // The stream, the subtitles that are listed, those that exist.
        #expect(fewer.map(\.statedNumbers) == [[0, 1, 2]])
        let unlisted = try reported(first + second)
        #expect(unlisted.map(\.statedNumbers) == [[1]])
        let more = "id: fr, index: 2\ntimestamp: 00:00:00:000, filepos: 52\n"
        let absent = try reported(first + second + other + more)
        #expect(absent.map(\.statedNumbers) == [[2]])
        #expect(Set((fewer + unlisted + absent).map(\.withoutNumbers)).count == 3)
    }

    @Test func filmsAreLeftToOthers() throws {
        var bytes = try fixtureBytes("subtitles/vobsub.sub")
        bytes += [0, 0, 1, 0xE0, 0, 4, 0x80, 0, 0, 0]
        let error = #expect(throws: UndertextError.self) {
            try VobSubFile(units: MemorySource(bytes))
        }
        #expect(error?.code == .notMedia)
    }

    /// Everything that damage leaves is read, in bounded time and without a trap.
    @Test func damagedFilesAreRead() throws {
        let index = try fixtureBytes("bitmap/dvd/languages/stream.idx")
        let units = try fixtureBytes("bitmap/dvd/languages/stream.sub")
        var packets = 0
        for cut in truncations(of: index) { packets += drain(cut, units) }
        for cut in truncations(of: units, step: 7) { packets += drain(index, cut) }
        for damaged in bitFlips(of: index, count: 500) { packets += drain(damaged, units) }
        for damaged in bitFlips(of: units, count: 500) { packets += drain(index, damaged) }
        #expect(packets > 2000)
    }

    private func drain(_ index: [UInt8], _ units: [UInt8]) -> Int {
        var count = 0
        let source = MemorySource(units)
        let files = [
            try? VobSubFile(index: MemorySource(index), units: source),
            try? VobSubFile(units: source, index: MemorySource(index)),
        ]
        for file in files.compactMap({ $0 }) {
            let reader = file.packetReader(for: Set(file.description.streams.indices))
            while let packet = try? reader.nextPacket() {
                #expect(packet.data.count <= units.count)
                count += 1
            }
            _ = reader.diagnostics.take()
        }
        // Four times the file and the requests for each entry.
        #expect(source.statistics.bytesRead < UInt64(units.count + 1) * 600 + 1 << 22)
        return count
    }

    @Test(.requiresCorpus("subtitles-rs/vobsub/fuzz/corpus"))
    func damagedPayloadsOfOthersAreRead() throws {
        let folder = try #require(corpusPath("subtitles-rs/vobsub/fuzz/corpus"))
        let payloads = files(below: folder)
        #expect(payloads.count == 113)
        for path in payloads {
            let bytes = try #require(fileBytes(path))
            let index =
                "# VobSub index file, v7\nid: en, index: 0\ntimestamp: 00:00:01:000, filepos: 0\n"
            _ = drain(Array(index.utf8), bytes)
        }
    }

    @Test func informationFilesAreRead() throws {
        let bytes = try fixtureBytes("bitmap/dvd/information-file/VTS_01_0.IFO")
        let information = try #require(DVDInformation(bytes))
        #expect(information.palette.prefix(8) == [0, 16, 128, 128, 0, 235, 128, 128])
        #expect(
            information.languages
                == [0: "en", 1: "he"])
        #expect(information.size == PixelSize(width: 720, height: 576))
        #expect(!information.hasOtherPalettes)
        for cut in truncations(of: bytes, step: 3) {
            // Behind the palette nothing is needed.
            if let read = DVDInformation(cut) { #expect(read.palette == information.palette) }
        }
        for damaged in bitFlips(of: bytes, count: 2000) { _ = DVDInformation(damaged) }
    }
}
