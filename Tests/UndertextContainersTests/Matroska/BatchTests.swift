import TestSupport
import Testing
import UndertextContainers
import UndertextCore
import UndertextDeflate

/// Packets waiting between the reading and the decoding thread are limited by their size after decompression.
@Suite struct BatchTests {
    /// Pulls batches as a thread of their own does that has time to decode, and notes how large they are.
    private final class Batches {
        private(set) var sizes: [Int] = []

        func pull(_ make: @escaping BlockBatch.Maker) -> () -> BlockBatch? {
            {
                let batch = make(true)
                if let batch { self.sizes.append(batch.byteCount) }
                return batch
            }
        }
    }

    private static let limits: Limits = {
        var limits = Limits()
        limits.packetSize = 4 << 20
        return limits
    }()

    /// A file of zlib blocks that grow to `size` bytes each.
    private func file(of count: Int, growingTo size: Int, frames: Int = 1) throws -> [UInt8] {
        let frame = try #require(compress([UInt8](repeating: 0x20, count: size), level: 12))
        var file = SampleFile()
        let zlib = element(0x6D80, element(0x6240, element(0x5034, number(0x4254, 0))))
        file.tracks = [SampleFile.track(zlib)]
        file.hasCues = false
        var blocks: [SampleFile.Block] = []
        for index in 0..<count {
            var data = [UInt8](repeating: 0, count: 0)
            if frames > 1 { data = [UInt8(frames - 1)] }
            for _ in 0..<frames { data += frame }
            // Fixed-size lacing.
            let block = SampleFile.block(data, at: Int16(index), flags: frames > 1 ? 4 : 0)
            blocks.append(.init(element: SampleFile.group(block, duration: 1), time: UInt64(index)))
        }
        file.clusters = [.init(time: 0, blocks: blocks)]
        return file.bytes
    }

    @Test func largeFramesAreDecodedWhenTheyAreTaken() throws {
        let bytes = try file(of: 60, growingTo: 1 << 20)
        let opened = try open(bytes, limits: Self.limits)
        let batches = Batches()
        let reader = try opened.walkingReader(for: [0], puller: batches.pull)
        #expect(try drain(reader).allSatisfy { $0.data.count == 1 << 20 })
        #expect(batches.sizes.contains { $0 > 0 })
        #expect(batches.sizes.allSatisfy { $0 <= 512 << 10 })
    }

    @Test func smallFramesAreCountedAsTheyAreDecoded() throws {
        let bytes = try file(of: 64, growingTo: 200 << 10)
        let opened = try open(bytes, limits: Self.limits)
        let batches = Batches()
        let reader = try opened.walkingReader(for: [0], puller: batches.pull)
        #expect(try drain(reader).count == 64)
        #expect(batches.sizes.allSatisfy { $0 <= 512 << 10 })
    }

    /// The frames of one block may not grow beyond what one packet may have.
    @Test func theFramesOfABlockShareOneLimit() throws {
        let bytes = try file(of: 1, growingTo: 1 << 20, frames: 100)
        let opened = try open(bytes, limits: Self.limits)
        let reader = try opened.walkingReader(for: [0])
        let packets = try drain(reader)
        #expect(packets.count == 4)
        #expect(reader.diagnostics.take().contains { $0.code == "damaged-block" })
    }

    /// A few bytes can hold the same letter a thousand times, block after block.
    @Test func theBlocksOfATrackShareOneLimit() throws {
        let bytes = try file(of: 20, growingTo: 1 << 20)
        for (size, perByte, expected) in [(4 << 20, 0, 4), (4 << 20, 1 << 20, 20), (0, 0, 0)] {
            var limits = Limits()
            limits.inflatedSize = size
            limits.inflatedSizePerByte = perByte
            let reader = try open(bytes, limits: limits).walkingReader(for: [0])
            #expect(try drain(reader).count == expected)
            let lost = reader.diagnostics.take().filter { $0.code == "damaged-block" }
            #expect(lost.isEmpty == (expected == 20))
        }
    }
}
