import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// Blocks that lie side by side are read with one request.
@Suite struct JoinedReadingTests {
    /// A file of `count` times two subtitles, `gap` bytes of another track's block after each cluster.
    private func film(_ count: Int, gap: Int = 0, text: Int = 0) -> SampleFile {
        var file = SampleFile.plain(count)
        file.tracks.append(SampleFile.track(number: 3))
        for place in file.clusters.indices {
            if text > 0 {
                let frame = [UInt8](repeating: 0x61, count: text)
                let data = SampleFile.block(frame)
                file.clusters[place].blocks[0].element = SampleFile.group(data, duration: 500)
            }
            guard gap > 0 else { continue }
            let data = SampleFile.block([UInt8](repeating: 0x5A, count: gap), track: 3)
            file.clusters[place].blocks.append(
                SampleFile.Block(
                    element: element(0xA3, data), track: 3, time: file.clusters[place].time,
                    isIndexed: false))
        }
        return file
    }

    private struct Outcome {
        var packets: [Packet] = []
        var reads: [(offset: UInt64, count: Int)] = []
        var failure: UndertextError?
    }

    /// Reads the first two streams by the index.
    private func outcome(
        _ bytes: [UInt8], _ change: (FaultyByteSource) -> Void = { _ in }
    ) throws -> Outcome {
        let source = FaultyByteSource(bytes)
        let file = try MatroskaFile(source: source)
        #expect(try file.index(for: [0, 1]) == .usable(proof: .muxer))
        let before = source.reads.count
        change(source)
        let reader = try file.packetReader(for: [0, 1])
        var outcome = Outcome()
        do throws(UndertextError) {
            while let packet = try reader.nextPacket() { outcome.packets.append(packet) }
        } catch {
            outcome.failure = error
        }
        outcome.reads = Array(source.reads.dropFirst(before))
        return outcome
    }

    /// The text of a packet with the number of its cue.
    private func expected(_ count: Int) -> [String] {
        (0..<count).flatMap { ["cue \($0) of 1", "cue \($0) of 2"] }
    }

    private func texts(_ packets: [Packet]) -> [String] {
        packets.map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test func neighborsShareARequest() throws {
        let film = film(4000).bytes
        let found = try outcome(film)
        #expect(texts(found.packets) == expected(4000))
        let size = found.reads.reduce(0) { $0 + $1.count }
        // A request for each cluster were a thousand.
        #expect(found.reads.count < 60)
        // Together they are read once.
        #expect(size < film.count)
    }

    @Test func requestsStaySmall() throws {
        // Also with text of a quarter of the longest request.
        for text in [0, 16 << 10] {
            let found = try outcome(film(400, text: text).bytes)
            #expect(found.packets.count == 800 && found.failure == nil)
            #expect(found.reads.allSatisfy { $0.count <= 64 << 10 })
        }
    }

    @Test func onlySmallGapsAreRead() throws {
        let near = try outcome(film(400, gap: 300).bytes)
        let far = try outcome(film(400, gap: 4000).bytes)
        #expect(texts(near.packets) == expected(400) && texts(far.packets) == expected(400))
        #expect(near.reads.count < 20)
        // The blocks of a cluster still share one.
        #expect((100...210).contains(far.reads.count))
        #expect(far.reads.reduce(0) { $0 + $1.count } < 100 * 1200)
    }

    /// What is between blocks is read, not looked at.
    @Test func damageInAGapIsNoDamage() throws {
        let file = film(400, gap: 300)
        let bytes = file.bytes
        let damaged = bytes.map { $0 == 0x5A ? 0xFF : $0 }
        #expect(damaged != bytes)
        let found = try outcome(damaged)
        #expect(texts(found.packets) == expected(400) && found.failure == nil)
    }

    @Test func damageOfABlockCostsNoBlockBeforeIt() throws {
        var bytes = film(400).bytes
        let mark = Array("cue 200 of 1".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
        // Track number of the block.
        bytes[place - 4] = 0x85
        let found = try outcome(bytes)
        #expect(texts(found.packets) == Array(expected(400).prefix(400)))
        #expect(found.failure?.code == .indexMismatch)
    }

    @Test func anUnreadablePlaceCostsNoBlockBeforeIt() throws {
        let bytes = film(400).bytes
        let mark = Array("cue 200 of 1".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
        let found = try outcome(bytes) { $0.failingOffset = UInt64(place) }
        #expect(found.failure?.code == .io)
        let texts = texts(found.packets)
        // Guesses of the length of blocks may reach the place from a few blocks before it.
        #expect(texts.count <= 400 && texts.count >= 390)
        #expect(texts == Array(expected(400).prefix(texts.count)))
        // Without end, a source that fails would be asked again and again.
        #expect(found.reads.count < 2000)
    }

    @Test func aFileThatShrinksIsReadUpToItsEnd() throws {
        let bytes = film(400).bytes
        let found = try outcome(bytes) { $0.shortReads = 700 }
        let texts = texts(found.packets)
        #expect(texts == Array(expected(400).prefix(texts.count)))
    }
}
