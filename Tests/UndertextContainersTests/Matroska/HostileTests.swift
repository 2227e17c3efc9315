import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// Damaged and malicious files: no trap, no endless loop, no reading without bound.
@Suite struct MatroskaHostileTests {
    /// Asks everything of a file; the number of packets.
    @discardableResult
    private func exercise(_ bytes: [UInt8]) -> Int {
        let source = MemorySource(bytes)
        guard let file = try? MatroskaFile(source: source) else { return 0 }
        for attachment in file.description.attachments { _ = try? file.data(of: attachment) }
        let tracks = Set(
            file.description.streams.map(\.index).filter {
                file.codecIdentifier(ofStream: $0) != nil
            })
        _ = try? file.index(for: tracks)
        for track in tracks { _ = try? file.indexFacts(ofStream: track) }
        var count = 0
        if let reader = try? file.packetReader(for: tracks) {
            while let packet = try? reader.nextPacket() { count += packet.data.isEmpty ? 0 : 1 }
        }
        #expect(source.statistics.bytesRead < 200_000 + UInt64(bytes.count) * 64)
        return count
    }

    /// A file that has everything: tags, attachments, chapters, encodings, lacing.
    private static let rich: [UInt8] = {
        var file = SampleFile.plain()
        file.tracks.append(
            SampleFile.track(
                number: 3, codec: "D_WEBVTT/SUBTITLES",
                element(0x6D80, element(0x6240, element(0x5034, number(0x4254, 3))))))
        let tag = element(
            0x7373,
            element(0x63C0, number(0x63C5, 101))
                + element(0x67C8, text(0x45A3, "BPS") + text(0x4487, "1")))
        let attachment = element(
            0x61A7, text(0x466E, "a.ttf") + text(0x4660, "font/ttf") + text(0x465C, "data"))
        let atom = element(
            0xB6, number(0x73C4, 1) + number(0x91, 0) + element(0x80, text(0x85, "one")))
        file.extra =
            element(0x1254_C367, tag) + element(0x1941_A469, attachment)
            + element(0x1043_A770, element(0x45B9, atom)) + element(0xEC, [0, 0])
        let laced = SampleFile.block([1, 0x81, 0x61, 0x62], track: 3, flags: 0x06)
        file.clusters[0].blocks.append(
            SampleFile.Block(element: element(0xA3, laced), track: 3, time: 0))
        return file.bytes
    }()

    @Test func survivesTruncationAtEveryOffset() {
        #expect(exercise(Self.rich) == 16)
        for bytes in truncations(of: Self.rich) { exercise(bytes) }
    }

    @Test func survivesFlippedBits() {
        var found = 0
        for bytes in bitFlips(of: Self.rich, count: 10_000) { found += exercise(bytes) }
        // Most of the flips hit something harmless.
        #expect(found > 10_000 / damageShare)
    }

    @Test func survivesAnIndexThatPointsEverywhere() {
        let bytes = SampleFile.plain().bytes
        for position in 0..<UInt64(bytes.count + 16) {
            var file = SampleFile.plain()
            file.clusters[0].blocks[0].shift = position
            exercise(file.bytes)
            var second = SampleFile.plain(0)
            second.cueData = SampleFile.cue(
                time: 0, track: 1, cluster: position, relative: 0)
            exercise(second.bytes)
        }
    }

    @Test(arguments: [UInt64.max, 1 << 63, 1 << 55, (1 << 56) - 2, UInt64(UInt32.max)] as [UInt64])
    func survivesHugeNumbers(_ value: UInt64) throws {
        var file = SampleFile.plain()
        file.cueData =
            SampleFile.cue(time: value, track: value, cluster: value, relative: value)
            + SampleFile.cue(time: value, track: 1, cluster: value, relative: value)
            + SampleFile.cue(time: value, track: 1, cluster: 0, relative: value, duration: value)
        exercise(file.bytes)
        file.cueData = nil
        file.extra = SampleFile.seekHead([(0x1254_C367, value), (0x114D_9B74, value)])
        exercise(file.bytes)
        file.tracks[0] = SampleFile.track(
            number: value, number(0x56AA, value) + number(0x23E383, value))
        file.clusters[0].time = value
        file.clusters[1].blocks[0].element = SampleFile.group(
            SampleFile.block([0x61]), duration: value)
        exercise(file.bytes)
        for scale in [value, 0, 1] {
            var scaled = SampleFile.plain()
            scaled.extra = element(0x1549_A966, number(0x2AD7B1, scale))
            exercise(scaled.bytes)
        }
    }

    @Test func survivesHugeSizes() {
        for id in [0x1549_A966, 0x1654_AE6B, 0x1254_C367, 0x1941_A469, 0x1C53_BB6B] as [UInt32] {
            for size in [0x01, 0x08, 0x80] as [UInt8] {
                var file = SampleFile.plain(0)
                var extra = element(id, [])
                extra[extra.count - 7] = size
                file.extra = extra
                exercise(file.bytes)
            }
        }
    }

    @Test func followsNoLoops() throws {
        var file = SampleFile.plain()
        let first = SampleFile.seekHead([(0, 0)]).count
        // A SeekHead that names itself and the one before it, and tags that are not there.
        file.extra = SampleFile.seekHead(
            (0..<500).map { (0x114D_9B74, UInt64($0) * 3) } + [(0x1254_C367, UInt64(first))])
        let source = MemorySource(file.bytes)
        let opened = try MatroskaFile(source: source)
        #expect(opened.diagnostics.contains { $0.code == "wrong-seek-entry" })
        #expect(source.statistics.requests < 1000)
    }

    @Test func boundsNesting() {
        var nested = element(0x67C8, text(0x45A3, "deep") + text(0x4487, "x"))
        for _ in 0..<3000 { nested = element(0x67C8, text(0x45A3, "n") + nested) }
        var file = SampleFile.plain(0)
        file.extra = element(0x1254_C367, element(0x7373, nested))
        exercise(file.bytes)
    }

    @Test func refusesWhatItDoesNotKnow() {
        func code(_ bytes: [UInt8]) -> UndertextError.Code? {
            do {
                _ = try open(bytes)
                return nil
            } catch {
                return (error as? UndertextError)?.code
            }
        }
        let body = Array(SampleFile.plain().bytes.dropFirst(SampleFile.ebmlHeader().count))
        #expect(code([]) == .empty)
        #expect(code(Array("WEBVTT\n\n".utf8)) == .notMedia)
        #expect(code(SampleFile.ebmlHeader(docType: "other") + body) == .notMedia)
        #expect(code(SampleFile.ebmlHeader(number(0x42F2, 5)) + body) == .unsupported)
        #expect(code(SampleFile.ebmlHeader(number(0x42F3, 9)) + body) == .unsupported)
        #expect(code(SampleFile.ebmlHeader(number(0x42F7, 2)) + body) == .unsupported)
        #expect(code(SampleFile.ebmlHeader()) == .malformed)
        #expect(code(SampleFile.ebmlHeader() + body) == nil)
        #expect(code(SampleFile.ebmlHeader(docType: "webm") + body) == nil)
    }

    @Test func passesFailuresOfTheSourceOn() throws {
        let bytes = SampleFile.plain().bytes
        var isDone = false
        for allowed in 0..<200 where !isDone {
            let source = FaultyByteSource(bytes)
            source.failsAfter = allowed
            do {
                let file = try MatroskaFile(source: source)
                _ = try file.index(for: [0])
                isDone = try drain(file.packetReader(for: [0])).count == 8
            } catch {
                #expect((error as? UndertextError)?.code == .io)
            }
        }
        #expect(isDone)
    }

    @Test func stopsOnCancellation() throws {
        let cancellation = Cancellation()
        let source = MemorySource(SampleFile.plain().bytes)
        let file = try MatroskaFile(source: source, cancellation: cancellation)
        let reader = try file.packetReader(for: [0])
        cancellation.cancel()
        let error = #expect(throws: UndertextError.self) { try drain(reader) }
        #expect(error?.code == .cancelled)
    }
}
