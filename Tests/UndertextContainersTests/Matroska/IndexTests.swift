import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// The assessment of the index, and reading with a wrong index.
@Suite struct MatroskaIndexTests {
    private func packets(_ file: SampleFile, _ streams: Set<Int> = [0, 1]) throws -> [Packet] {
        try drain(open(file.bytes).packetReader(for: streams))
    }

    @Test func readsChosenTracksInTheOrderOfTheFile() throws {
        let file = SampleFile.plain()
        #expect(try packets(file).map(\.streamIndex) == (0..<16).map { $0 % 2 })
        #expect(try packets(file, [1]).map(\.pts) == (0..<8).map { $0 * 1000 })
        #expect(try packets(file, []) == [])
        #expect(try open(file.bytes).index(for: [0, 1]) == .usable(proof: .muxer))
    }

    @Test func readsUnknownSizes() throws {
        var file = SampleFile.plain()
        let expected = try packets(file)
        file.hasUnknownSize = true
        for place in file.clusters.indices { file.clusters[place].hasUnknownSize = true }
        let opened = try open(file.bytes)
        #expect(try opened.index(for: [0, 1]) == .usable(proof: .muxer))
        let found = try drain(opened.packetReader(for: [0, 1]))
        #expect(found.map(\.data) == expected.map(\.data))
        #expect(found.map(\.pts) == expected.map(\.pts))
    }

    @Test func findsABlockThatTheIndexLacks() throws {
        for cluster in 0..<2 {
            var file = SampleFile.plain()
            file.clusters[cluster].blocks[3].isIndexed = false
            guard case .refused(let reason) = try open(file.bytes).index(for: [0, 1]) else {
                Issue.record("not refused")
                continue
            }
            #expect(reason.hasPrefix("The index lacks a block of track 2, at byte "))
            // Nothing is missing of the other track.
            #expect(try open(file.bytes).index(for: [0]) == .usable(proof: .muxer))
        }
    }

    @Test func looksIntoThreeClustersOnly() throws {
        var file = SampleFile.plain(40)
        file.clusters[1].blocks[0].isIndexed = false
        #expect(try open(file.bytes).index(for: [0]) == .usable(proof: .muxer))
        file.clusters[5].blocks[0].isIndexed = false
        #expect(try open(file.bytes).index(for: [0]) != .usable(proof: .muxer))
    }

    @Test(arguments: [
        (
            "libebml v1.4.4 + libmatroska v1.7.1", "mkvmerge v74.0.0 ('You Oughta Know') 64-bit",
            true
        ),
        ("libebml v1.2.3 + libmatroska v1.3.0", "mkvmerge v5.9.0 ('On The Loose')", true),
        ("libebml v1.2.3 + libmatroska v1.3.0", "mkvmerge v5.8.0 ('No Sleep / Pillow')", false),
        ("libebml v1.2.3 + libmatroska v1.3.0", "mkvmerge v4.9.1 ('Ich will')", false),
        ("Lavf59.27.100", "HandBrake 1.6.1", true),
        ("libmakemkv v1.17.5 (1.3.10/1.5.2) win", "MakeMKV v1.17.5 win(x64-release)", false),
        ("", "", false),
    ])
    func knowsItsMuxers(_ muxing: String, _ writing: String, _ isProof: Bool) throws {
        var file = SampleFile.plain()
        (file.muxingApp, file.writingApp) = (muxing, writing)
        let assessment = try open(file.bytes).index(for: [0, 1])
        #expect((assessment == .usable(proof: .muxer)) == isProof)
    }

    @Test func refusesWithReasons() throws {
        let opened = try open(SampleFile.plain().bytes)
        #expect(try opened.index(for: [7]) == .refused(reason: "Stream 7 is not a track."))

        var scaled = SampleFile.plain()
        let two: [UInt8] = [0x40, 0, 0, 0]
        scaled.tracks[0] = SampleFile.track(element(0x23314F, two))
        #expect(
            try open(scaled.bytes).index(for: [0])
                == .refused(reason: "Stream 0 has a time scale of its own."))

        var twins = SampleFile.plain()
        twins.tracks[1] = SampleFile.track()
        for cluster in twins.clusters.indices {
            for place in twins.clusters[cluster].blocks.indices {
                twins.clusters[cluster].blocks[place].track = 1
            }
        }
        #expect(
            try open(twins.bytes).index(for: [0])
                == .refused(reason: "Several tracks have the number of stream 0."))

        var bare = SampleFile.plain()
        bare.hasCues = false
        #expect(
            try open(bare.bytes).index(for: [0]) == .refused(reason: "The file has no index."))

        var coarse = SampleFile.plain()
        coarse.cueData = SampleFile.cue(time: 0, track: 1, cluster: 0, relative: nil)
        let assessment = try open(coarse.bytes).index(for: [0])
        #expect(
            assessment
                == .refused(
                    reason: "The index of stream 0 has no positions within clusters."))

        var limits = Limits()
        limits.cues = 15
        #expect(
            try open(SampleFile.plain().bytes, limits: limits).index(for: [0])
                == .refused(reason: "The index has more than 15 entries."))
    }

    @Test func namesABlockOnceOnly() throws {
        let expected = try packets(SampleFile.plain())
        func packetsWithSecondEntry(shift: UInt64) throws -> [Packet] {
            var file = SampleFile.plain()
            var copy = SampleFile.Block(element: [], track: 1, time: 0, shift: shift)
            copy.element = []
            file.clusters[0].blocks.insert(copy, at: 0)
            return try packets(file)
        }
        #expect(try packetsWithSecondEntry(shift: 0).map(\.data) == expected.map(\.data))
        // At the group and at the Block within it: then entries do not count blocks.
        let error = #expect(throws: UndertextError.self) { try packetsWithSecondEntry(shift: 9) }
        #expect(error?.code == .indexMismatch)
    }

    @Test func noticesWrongEntries() throws {
        for (track, time, shift) in [(2, 0, 0), (1, 1, 0), (1, 0, 1), (1, 0, 10), (1, 0, 1 << 40)]
            as [(UInt64, UInt64, UInt64)]
        {
            var file = SampleFile.plain()
            file.clusters[0].blocks[0].track = track
            file.clusters[0].blocks[0].time = time
            file.clusters[0].blocks[0].shift = shift
            let error = #expect(throws: UndertextError.self) { try packets(file) }
            #expect(error?.code == .indexMismatch)
            #expect(error?.byteOffset != nil)
        }
    }

    @Test func givesFactsOfTheIndex() throws {
        var file = SampleFile.plain()
        for place in 0..<8 { file.clusters[0].blocks[place].cueDuration = 500 }
        for place in 0..<8 { file.clusters[1].blocks[place].cueDuration = 1500 }
        let facts = try #require(try open(file.bytes).indexFacts(ofStream: 1))
        #expect(facts.cues == 8)
        #expect(facts.first == .zero && facts.last == .milliseconds(8500))
        #expect(facts.shown == .milliseconds(4 * 500 + 4500))
        #expect(facts.coverage == nil)
        #expect(try open(SampleFile.plain().bytes).indexFacts(ofStream: 1)?.shown == nil)
        #expect(try open(file.bytes).indexFacts(ofStream: 2) == nil)
    }

    @Test func reportsWhatACutOffFileLacks() throws {
        let whole = SampleFile.plain().bytes
        #expect(
            try open(Array(whole.dropLast())).index(for: [0])
                == .refused(reason: "The file ends within its index."))

        // With the index before the clusters, as `-cues_to_front` writes it, a part can be read.
        let bytes = indexedInFront()
        #expect(try drain(open(bytes).packetReader(for: [0, 1])).count == 4)
        for lost in 1...200 {
            let reader = try open(Array(bytes.dropLast(lost))).packetReader(for: [0, 1])
            let packets = try drain(reader)
            let diagnostics = reader.diagnostics.take()
            #expect(packets.count + diagnostics.count == 4)
            #expect(!diagnostics.isEmpty)
            #expect(diagnostics.allSatisfy { $0.code == "truncated" && $0.byteOffset != nil })
        }
    }

    /// Four blocks in one cluster after their index.
    private func indexedInFront() -> [UInt8] {
        var file = SampleFile.plain(2)
        file.hasCues = false
        func index(_ cluster: UInt64) -> [UInt8] {
            var cues: [UInt8] = []
            var place = UInt64(number(0xE7, 0).count)
            for block in file.clusters[0].blocks {
                cues += SampleFile.cue(
                    time: block.time, track: block.track, cluster: cluster, relative: place)
                place += UInt64(block.element.count)
            }
            return element(0x1C53_BB6B, cues)
        }
        file.extra = index(0)
        let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
        let bytes = file.bytes
        let found = bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == mark } ?? 0
        file.extra = index(UInt64(found - file.header.count - 12))
        return file.bytes
    }
}
