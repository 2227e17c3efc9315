import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// The walk over block headers of well-formed files, and its requests to the source.
@Suite struct MatroskaWalkTests {
    private func walk(
        _ bytes: [UInt8], _ streams: Set<Int>? = nil
    ) throws -> (packets: [Packet], diagnostics: [Diagnostic]) {
        let file = try open(bytes)
        let reader = try file.walkingReader(for: streams ?? subtitleStreams(file))
        let packets = try drain(reader)
        return (packets, reader.diagnostics.take())
    }

    private func indexed(_ file: SampleFile, _ streams: Set<Int> = [0, 1]) throws -> [Packet] {
        try drain(open(file.bytes).packetReader(for: streams))
    }

    @Test func readsWhatTheIndexNames() throws {
        let file = SampleFile.plain()
        for streams in [[0], [1], [0, 1], []] as [Set<Int>] {
            let walked = try walk(file.bytes, streams)
            #expect(try walked.packets == indexed(file, streams))
            #expect(walked.diagnostics == [])
        }
    }

    @Test func needsNoIndex() throws {
        var file = SampleFile.plain()
        let expected = try indexed(file)
        file.hasCues = false
        #expect(try walk(file.bytes).packets == expected)
    }

    @Test func readsUnknownSizes() throws {
        var file = SampleFile.plain()
        file.hasUnknownSize = true
        for place in file.clusters.indices { file.clusters[place].hasUnknownSize = true }
        file.trailer = element(0x1254_C367, []) + element(0xEC, [0, 0, 0])
        let expected = try indexed(file)
        let walked = try walk(file.bytes)
        #expect(walked.packets == expected)
        #expect(walked.packets.count == 16)
        #expect(walked.diagnostics == [])
    }

    @Test func skipsElementsBetweenBlocksAndClusters() throws {
        var file = SampleFile.plain(4)
        let expected = try indexed(file).map(\.data)
        let padding =
            element(0xEC, [1, 2, 3]) + element(0xBF, [0, 0, 0, 0]) + number(0xAB, 7)
            + number(0xA7, 9) + element(0x5854, number(0x58D7, 1)) + element(0x4DAA, [5])
        for place in file.clusters[0].blocks.indices {
            file.clusters[0].blocks[place].element =
                padding + file.clusters[0].blocks[place].element
        }
        file.trailer =
            element(0x1C53_BB6B, SampleFile.cue(time: 0, track: 1, cluster: 0, relative: 0))
            + SampleFile.seekHead([(0x1C53_BB6B, 0)]) + element(0xBF, [0, 0, 0, 0])
            + element(0x1254_C367, []) + cluster(50_000, "late") + element(0xEC, [0])
        let walked = try walk(file.bytes)
        #expect(walked.packets.map(\.data) == expected + [Array("late".utf8)])
        // Known elements are not reported; an unknown one may have been a block.
        let count = file.clusters[0].blocks.count
        #expect(
            walked.diagnostics.map(\.code) == Array(repeating: "damaged-container", count: count))
    }

    /// A cluster with one SimpleBlock of the first track.
    private func cluster(_ time: UInt64, _ frame: String) -> [UInt8] {
        element(
            0x1F43_B675,
            number(0xE7, time) + element(0xA3, SampleFile.block(Array(frame.utf8), flags: 0x80)))
    }

    @Test func readsASecondSegment() throws {
        let first = SampleFile.plain()
        let walked = try walk(first.bytes + first.bytes)
        #expect(
            try walked.packets.map(\.data) == indexed(first).map(\.data)
                + indexed(first).map(\.data))
        #expect(walked.diagnostics.map(\.code) == ["second-segment"])
        #expect(walked.diagnostics.first?.byteOffset != nil)
    }

    @Test func readsClustersAfterTheSegment() throws {
        let file = SampleFile.plain()
        let walked = try walk(file.bytes + cluster(9000, "stray"))
        #expect(walked.packets.count == 17)
        #expect(walked.diagnostics.map(\.code) == ["stray-cluster"])
        let trailing = try walk(file.bytes + Array("ID3 and so on".utf8))
        #expect(trailing.packets.count == 16)
        #expect(trailing.diagnostics.map(\.code) == ["trailing-bytes"])
    }

    @Test func findsTheNextClusterAfterGarbage() throws {
        var generator = SeededGenerator(seed: 3)
        for size in [1, 2, 5, 100, 70_000, 200_000] {
            var file = SampleFile.plain()
            let expected = try indexed(file)
            // No byte of it belongs to an element of a segment.
            file.clusters[0].blocks.append(
                SampleFile.Block(element: [], track: 1, time: 0, isIndexed: false))
            file.trailer = generator.bytes(size).map { $0 & 0x0F } + cluster(60_000, "behind")
            file.hasCues = false
            let walked = try walk(file.bytes)
            #expect(walked.packets.dropLast() == expected[...])
            #expect(walked.packets.last?.data == Array("behind".utf8))
            #expect(walked.diagnostics.map(\.code) == ["damaged-container"])
            #expect(walked.diagnostics.first?.message.states("\(size)") == true)
        }
    }

    @Test func continuesAfterDamageInACluster() throws {
        var file = SampleFile.plain(12)
        // A block of a size beyond its cluster: the next cluster is known.
        file.clusters[0].blocks[2].element[1...8] = [1, 0, 0, 0, 0, 1, 0, 0]
        let walked = try walk(file.bytes, [0, 1])
        #expect(walked.packets.count == 24 - 6)
        #expect(walked.diagnostics.map(\.code) == ["damaged-container"])
    }

    @Test func readsClustersWithinAClusterThatStatesTooMuch() throws {
        var file = SampleFile.plain(12)
        file.hasCues = false
        var bytes = file.bytes
        let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
        let place = try #require(
            bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == mark })
        bytes[place + 10] &+= 4
        let walked = try walk(bytes)
        #expect(walked.packets.count == 24)
        #expect(walked.diagnostics.map(\.code) == ["damaged-container"])
    }

    @Test func tellsEncryptedBlocks() throws {
        var file = SampleFile.plain()
        let encrypted = element(0xAF, SampleFile.block([1, 2, 3]))
        for cluster in 0..<2 {
            file.clusters[cluster].blocks.append(
                SampleFile.Block(element: encrypted, track: 1, time: 0, isIndexed: false))
        }
        let walked = try walk(file.bytes)
        #expect(walked.packets.count == 16)
        #expect(walked.diagnostics.map(\.code) == ["encrypted-block"])
    }

    @Test func refusesWhatItCannotRead() throws {
        func refusal(_ file: SampleFile, _ stream: Int) throws -> UndertextError? {
            #expect(throws: UndertextError.self) {
                _ = try open(file.bytes).walkingReader(for: [stream])
            }
        }
        var file = SampleFile.plain()
        let absent = try refusal(file, 7)
        #expect(absent?.code == .unsupported && absent?.streamIndex == 7)
        for (algorithm, name) in [(1, "bzip2"), (2, "LZO")] {
            let encoding = element(
                0x6D80, element(0x6240, element(0x5034, number(0x4254, UInt64(algorithm)))))
            file.tracks[0] = SampleFile.track(encoding)
            let error = try refusal(file, 0)
            #expect(error?.code == .unsupported && error?.streamIndex == 0)
            #expect(error?.message.states(name) == true)
        }
        file.tracks[0] = SampleFile.track(number: 2)
        let ambiguous = try refusal(file, 0)
        #expect(ambiguous?.code == .unsupported && ambiguous?.streamIndex == 0)
        let ambiguity = try open(file.bytes).ambiguity(ofStream: 0)
        #expect(ambiguous?.message == ambiguity && ambiguity != nil)
    }

    @Test func reportsEveryLostBlockOfATruncatedFile() throws {
        for isLive in [false, true] {
            var file = SampleFile.plain()
            file.hasCues = false
            file.hasUnknownSize = isLive
            for place in file.clusters.indices { file.clusters[place].hasUnknownSize = isLive }
            let whole = file.bytes
            let expected = try walk(whole).packets
            #expect(expected.count == 16)
            for count in 0..<whole.count {
                guard let cut = try? open(Array(whole[..<count])),
                    let reader = try? cut.walkingReader(for: [0, 1])
                else { continue }
                let packets = try drain(reader)
                #expect(packets[...] == expected.prefix(packets.count))
                let diagnostics = cut.diagnostics + reader.diagnostics.take()
                // Without any size a cut between two blocks does not show.
                let mayBeSilent = isLive && endsWithWholeElement(whole, count)
                #expect(mayBeSilent || diagnostics.contains { $0.code == "truncated" }, "\(count)")
            }
        }
    }

    /// Returns `true` if a block, a timestamp or an empty cluster ends there.
    private func endsWithWholeElement(_ bytes: [UInt8], _ count: Int) -> Bool {
        let rest = bytes[count...]
        return [[0xA0, 0x01], [0xE7, 0x01], [0x1F, 0x43, 0xB6, 0x75]].contains {
            rest.starts(with: $0)
        }
    }

    @Test func readsLacedBlocks() throws {
        var file = SampleFile.plain(4)
        let laced = SampleFile.block([1, 0x81, 0x61, 0x62], flags: 0x06)
        let overrun = SampleFile.block([1, 0x89, 0x61], flags: 0x06)
        for block in [laced, overrun] {
            file.clusters[0].blocks.append(
                SampleFile.Block(
                    element: element(0xA3, block), track: 1, time: 0, isIndexed: false))
        }
        let walked = try walk(file.bytes, [0])
        #expect(walked.packets.suffix(2).map(\.data) == [[0x61], [0x62]])
        #expect(walked.packets.count == 6)
        #expect(walked.diagnostics.map(\.code) == ["damaged-block"])
    }

    @Test func losesBlocksWithoutATime() throws {
        var file = SampleFile.plain()
        file.hasCues = false
        var bytes = file.bytes
        let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
        let place = try #require(
            bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == mark })
        try #require(bytes[place + 12] == 0xE7)
        bytes[place + 12] = 0xEC
        let walked = try walk(bytes)
        #expect(walked.packets.count == 8)
        #expect(walked.diagnostics.map(\.code) == ["damaged-block"])
    }
}
