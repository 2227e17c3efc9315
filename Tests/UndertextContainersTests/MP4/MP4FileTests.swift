import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

private typealias Sample = MP4Builder.Sample

/// `start+duration text` of each packet.
private func lines(_ bytes: [UInt8], window: TimeWindow = .all) throws -> [String] {
    let file = try MP4File(source: MemorySource(bytes))
    let reader = try file.packetReader(for: [1: 7], window: window)
    var lines: [String] = []
    while let packet = try reader.nextPacket() {
        #expect(packet.streamIndex == 7)
        let duration = packet.duration.map { "\($0)" } ?? "?"
        lines.append(
            "\(packet.pts ?? -1)+\(duration) \(String(decoding: packet.data, as: UTF8.self))"
                + (packet.isCorrupt ? " corrupt" : ""))
    }
    lines += reader.diagnostics.take().map(\.code)
    return lines
}

private func text(_ text: String, _ duration: UInt32, offset: Int32 = 0) -> Sample {
    Sample(Array(text.utf8), duration, offset: offset)
}

/// Returns packets from an array.
private final class ListReader: PacketReader {
    private var packets: ArraySlice<Packet>

    init(_ packets: [Packet]) { self.packets = packets[...] }

    func nextPacket() throws(UndertextError) -> Packet? { packets.popFirst() }
}

@Suite struct MP4FileTests {
    private let samples = [text("a", 1000), text("bb", 500), text("", 500), text("ccc", 250)]

    @Test(arguments: [1, 2, 3, 5]) func tables(perChunk: Int) throws {
        let bytes = MP4Builder("tx3g").file(samples, perChunk: perChunk)
        #expect(try lines(bytes) == ["0+1000 a", "1000+500 bb", "2000+250 ccc"])
        let file = try MP4File(source: MemorySource(bytes))
        #expect(file.tracks.map(\.format) == ["tx3g"] && !file.isFragmented)
        #expect(file.tracks[0].area == nil && file.tracks[0].geometry?.height == 60)
    }

    @Test func onlyWhatIsWantedIsRead() throws {
        let large = Sample(Array(repeating: 0x61, count: 100_000), 1000)
        let source = MemorySource(
            MP4Builder("tx3g").file([large, text("b", 1000), large], perChunk: 1))
        let file = try MP4File(source: source)
        #expect(source.statistics.bytesRead < 2000)
        let window = TimeWindow(from: .seconds(1), until: .milliseconds(1500))
        let reader = try file.packetReader(for: [1: 0], window: window)
        #expect(try reader.nextPacket()?.data == [0x62])
        #expect(try reader.nextPacket() == nil)
        #expect(source.statistics.bytesRead < 3000)
    }

    @Test func fragments() throws {
        let bytes = MP4Builder("wvtt").fragmented([
            (5000, [text("a", 1000), text("b", 500)]), (6500, [text("c", 0)]),
            (9000, [text("d", 10, offset: 5)]),
        ])
        #expect(
            try lines(bytes) == ["5000+1000 a", "6000+500 b", "6500+? c", "9005+10 d"])
        #expect(try MP4File(source: MemorySource(bytes)).isFragmented)
    }

    /// A run without a field of its own may say any number of samples in twelve bytes.
    @Test func samplesOfAFragmentAreBounded() throws {
        func track(_ number: Int) -> [UInt8] {
            MP4Builder.box(
                "traf",
                MP4Builder.box("tfhd", MP4Builder.words(0x2_0018, number, 10, 1)),
                MP4Builder.box("trun", MP4Builder.words(0, 999_999)))
        }
        var tracks = [1, 2, 3].reduce(into: [Int64: MP4FragmentTrack]()) {
            $0[$1] = MP4FragmentTrack(room: 1_000_000)
        }
        let fragment = MP4Fragment(
            (track(1) + track(2) + track(3))[...], at: 0, in: .max, tracks: &tracks)
        #expect(fragment.samples.count == 65536 && fragment.isCut)
        // In a file of 100 bytes no run has more samples than those.
        for index in tracks.keys { tracks[index] = MP4FragmentTrack(room: 1_000_000) }
        let small = MP4Fragment((track(1) + track(2))[...], at: 0, in: 100, tracks: &tracks)
        #expect(small.samples.count == 200 && !small.isCut)
        #expect(small.missing == [1: 999_899, 2: 999_899])
    }

    @Test func samplesOfFragmentsAfterTheEnd() throws {
        let bytes = MP4Builder("tx3g").fragmented([
            (0, [text("aaaa", 10), text("", 5), text("bbbb", 10), text("cccc", 10)])
        ])
        #expect(try lines(bytes) == ["0+10 aaaa", "15+10 bbbb", "25+10 cccc"])
        #expect(
            try lines(Array(bytes.dropLast(6)))
                == ["0+10 aaaa", "15+10 bb corrupt", "missing-samples"])
    }

    /// Packets of a scan by libavformat are moved to the times that the edit list states.
    @Test func editsOfAScan() throws {
        var builder = MP4Builder("tx3g")
        builder.edits = [(300, 0), (600, 1000), (300, 0)]
        let file = try MP4File(source: MemorySource(builder.file(samples)))
        let source = try file.packetReader(for: [1: 7])
        var stored: [Packet] = []
        while let packet = try source.nextPacket() { stored.append(packet) }
        // As libavformat returns them: each sample once for each edit that shows it, with arbitrary times.
        let scan = stored.map { packet in
            var packet = packet
            packet.pts = -77
            packet.duration = nil
            return packet
        }
        let told = DiagnosticSink()
        let reader = try file.editingReader(ListReader(scan), for: [1: 7], diagnostics: told)
        var found: [Packet] = []
        while let packet = try reader.nextPacket() { found.append(packet) }
        #expect(found == stored && found.count == 3)
        #expect(told.take().isEmpty)
        // Missing samples are reported.
        let short = try file.editingReader(
            ListReader(Array(scan.prefix(1))), for: [1: 7], diagnostics: told)
        while try short.nextPacket() != nil {}
        #expect(told.take().map(\.code) == ["missing-samples"])
        // Without an edit list nothing is changed.
        builder.edits = []
        let plain = try MP4File(source: MemorySource(builder.file(samples)))
        #expect(try plain.editingReader(ListReader(scan), for: [1: 7]) is ListReader)
        #expect(plain.editedTracks.isEmpty && file.editedTracks == [1])
        // Fragments are not listed, so libavformat's times stay, with a diagnostic.
        builder.edits = [(300, 0), (600, 1000)]
        let fragments = try MP4File(
            source: MemorySource(builder.fragmented([(0, samples)])))
        let kept = try fragments.editingReader(
            ListReader(scan), for: [1: 7], diagnostics: told)
        #expect(try kept.nextPacket()?.pts == -77)
        #expect(told.take().map(\.code) == ["edit-list"])
    }

    @Test func samplesAreCountedByTables() throws {
        var builder = MP4Builder("tx3g")
        #expect(
            try MP4File(source: MemorySource(builder.file(samples))).shownSamples(ofTrack: 1) == 3)
        builder.edits = [(300, 0), (300, 0)]
        let edited = try MP4File(source: MemorySource(builder.file(samples)))
        #expect(try edited.shownSamples(ofTrack: 1) == 2)
        #expect(try edited.shownSamples(ofTrack: 2) == nil)
    }

    @Test func aFilmWithoutAUnitOfTime() throws {
        var builder = MP4Builder("tx3g")
        builder.edits = [(600, -1), (1350, 0)]
        var bytes = builder.file([text("a", 10)])
        let header = try #require(bytes.indices.first { bytes[$0...].starts(with: "mvhd".utf8) })
        bytes.replaceSubrange(header + 16..<header + 20, with: MP4Builder.words(0))
        #expect(try lines(bytes) == ["0+10 a", "no-time-unit"])
    }

    @Test func mediaInFrontOfTheirList() throws {
        let film = MP4Builder("tx3g").file([text("aaaa", 10)])
        #expect(!MP4Header.hasMediaFirst(MemorySource(film)))
        let start = MP4Builder.box("ftyp", Array("isom".utf8), MP4Builder.words(0))
        let media = MP4Builder.box("mdat", Array("aaaa".utf8))
        let behind = start + media + film.dropFirst(start.count)
        #expect(MP4Header.hasMediaFirst(MemorySource(behind)))
        // A box that is empty holds a place for a longer one.
        let empty = start + MP4Builder.box("mdat") + film.dropFirst(start.count)
        #expect(!MP4Header.hasMediaFirst(MemorySource(empty)))
        #expect(MP4Header.hasMediaFirst(MemorySource(Array((start + media).dropLast(2)))))
        #expect(!MP4Header.hasMediaFirst(MemorySource(Array("no boxes at all".utf8))))
        #expect(!MP4Header.hasMediaFirst(MemorySource([])))
    }

    @Test func timesOfDecodingAndShowing() throws {
        let bytes = MP4Builder("tx3g").file([text("a", 10, offset: 3), text("b", 10, offset: -2)])
        #expect(try lines(bytes) == ["3+10 a", "8+10 b"])
    }

    @Test func edits() throws {
        var builder = MP4Builder("tx3g")
        func edited(_ edits: (length: UInt32, time: Int32)...) throws -> [String] {
            builder.edits = edits
            return try lines(builder.file(samples))
        }
        // A second of nothing, then the media from its beginning.
        #expect(
            try edited((600, -1), (1350, 0)) == ["1000+1000 a", "2000+500 bb", "3000+250 ccc"])
        // From 1.2 s on, for 1 s.
        #expect(try edited((600, 1200)) == ["0+300 bb", "800+200 ccc"])
        // Twice the beginning.
        #expect(try edited((600, 0), (600, 0)) == ["0+1000 a", "1000+1000 a"])
        // No length: to the end.
        #expect(try edited((0, 500)) == ["0+500 a", "500+500 bb", "1500+250 ccc"])
        #expect(try edited((300, -1)) == ["500+1000 a", "1500+500 bb", "2500+250 ccc"])
        builder.edits = (0..<70).map { _ in (1, 0) }
        #expect(try lines(builder.file([text("a", 10)])).last == "too-many-edits")
    }

    @Test func partsOfSamples() throws {
        var builder = MP4Builder("stpp")
        builder.extra = MP4Builder.box(
            "subs", [1, 0, 0, 0], MP4Builder.words(1, 2), [0, 2], MP4Builder.words(1), [0, 0],
            MP4Builder.words(0, 2), [0, 0], MP4Builder.words(0))
        for bytes in [
            builder.file([text("a", 10), text("bbb", 10)]),
            builder.fragmented([(0, [text("a", 10), text("bbb", 10)])]),
        ] {
            let reader = try MP4File(source: MemorySource(bytes)).packetReader(for: [1: 0])
            #expect(try reader.nextPacket()?.sideData.isEmpty == true)
            let second = try reader.nextPacket()
            #expect(second?.sideData(.subsampleSizes) == [0, 0, 0, 1, 0, 0, 0, 2])
        }
    }

    @Test func contentOfSampleEntries() throws {
        let entry = MP4Builder.box("vttC", Array("WEBVTT\n\nSTYLE\n::cue{}".utf8))
        let file = try MP4File(
            source: MemorySource(MP4Builder("wvtt", entry: entry).file([text("a", 1)])))
        #expect(file.tracks[0].entryContent == entry)
    }

    @Test func unreadableInputs() throws {
        #expect(throws: UndertextError.self) { try MP4File(source: MemorySource([1, 2, 3])) }
        var elsewhere = MP4Builder("tx3g").file([text("a", 1)])
        let url = try #require(
            elsewhere.indices.first { elsewhere[$0...].starts(with: "url ".utf8) })
        elsewhere[url + 7] = 0
        let file = try MP4File(source: MemorySource(elsewhere))
        #expect(file.refusal(ofTrack: 1)?.contains("another file") == true)
        #expect(file.refusal(ofTrack: 2) != nil)
        #expect(throws: UndertextError.self) { try file.packetReader(for: [1: 0]) }
    }

    @Test func samplesAfterTheEnd() throws {
        let bytes = MP4Builder("tx3g").file([text("aaaa", 10), text("bbbb", 10)])
        #expect(try lines(bytes.dropLast(2).map { $0 }) == ["0+10 aaaa", "10+10 bb corrupt"])
        #expect(try lines(bytes.dropLast(4).map { $0 }) == ["0+10 aaaa", "missing-samples"])
    }

    @Test func aPlaceIsHandedOutAFewTimesOnly() throws {
        // 100000 samples of the same size in one chunk that lies at the beginning of a small file.
        let builder = MP4Builder("tx3g")
        var bytes = builder.file([Sample(Array(repeating: 0x61, count: 200), 1)], perChunk: 1)
        let sizes = try #require(bytes.indices.first { bytes[$0...].starts(with: "stsz".utf8) })
        bytes.replaceSubrange(sizes + 8..<sizes + 16, with: MP4Builder.words(200, 100_000))
        let chunks = try #require(bytes.indices.first { bytes[$0...].starts(with: "stsc".utf8) })
        bytes.replaceSubrange(chunks + 16..<chunks + 20, with: MP4Builder.words(100_000))
        #expect(try lines(bytes).count < 1000)
    }

    // MARK: Damage

    private var whole: [[UInt8]] {
        var builder = MP4Builder("wvtt", entry: MP4Builder.box("vttC", Array("WEBVTT".utf8)))
        builder.edits = [(600, -1), (1350, 100)]
        builder.extra = MP4Builder.box("subs", MP4Builder.words(0, 1, 1), [0, 0])
        return [
            builder.file(samples), builder.fragmented([(0, samples), (3000, samples)]),
        ]
    }

    private func readAll(_ bytes: [UInt8]) {
        var limits = Limits()
        limits.cues = 1000
        let source = MemorySource(bytes)
        guard let file = try? MP4File(source: source, limits: limits) else { return }
        for track in file.tracks {
            _ = track.entryContent
            guard let reader = try? file.packetReader(for: [track.id: 0]) else { continue }
            var count = 0
            while let packet = try? reader.nextPacket() {
                #expect(packet.data.count <= bytes.count)
                count += 1
            }
            #expect(count <= 64 * limits.cues)
            #expect(reader.diagnostics.take().count <= 1000)
        }
    }

    @Test func truncationAtEveryOffset() {
        for bytes in whole { for cut in truncations(of: bytes) { readAll(cut) } }
    }

    @Test func bitFlipsDoNotHurt() {
        for bytes in whole { for damaged in bitFlips(of: bytes, count: 3000) { readAll(damaged) } }
    }
}
