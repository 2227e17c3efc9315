import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// A file that comes in order gives what the same file gives that can be read anywhere.
@Suite struct ForwardReadingTests {
    /// Bytes that come some at a time.
    private final class Drip: SequentialSource {
        let name = "drip"
        let bytes: [UInt8]
        let step: Int
        private(set) var taken: Int

        init(_ bytes: [UInt8], step: Int, from start: Int) {
            self.bytes = bytes
            self.step = step
            taken = start
        }

        func read(upTo count: Int) -> [UInt8] {
            let next = bytes[min(taken, bytes.count)...].prefix(min(count, step))
            taken += next.count
            return Array(next)
        }
    }

    private static let files: [SampleFile] = {
        var unknown = SampleFile.plain(12)
        unknown.hasUnknownSize = true
        for index in unknown.clusters.indices { unknown.clusters[index].hasUnknownSize = true }
        var padded = SampleFile.plain(12)
        padded.extra = element(0xEC, [UInt8](repeating: 0, count: 3000))
        padded.trailer = element(0x1941_A469, [UInt8](repeating: 1, count: 70_000))
        return [SampleFile.plain(12), unknown, padded]
    }()

    private func forward(
        _ bytes: [UInt8], step: Int
    ) throws -> (packets: [Packet], diagnostics: [Diagnostic]) {
        let file = try open(bytes)
        let start = Int(file.firstBlocks)
        let reader = try file.forwardReader(
            for: subtitleStreams(file), from: Drip(bytes, step: step, from: start),
            at: UInt64(start))
        return (try drain(reader), reader.diagnostics.take())
    }

    private func walked(
        _ bytes: [UInt8]
    ) throws -> (packets: [Packet], diagnostics: [Diagnostic]) {
        let file = try open(bytes)
        let reader = try file.walkingReader(for: subtitleStreams(file))
        return (try drain(reader), reader.diagnostics.take())
    }

    @Test(arguments: [1, 7, 1000, 1 << 20]) func equalsTheWalk(_ step: Int) throws {
        for file in Self.files {
            let expected = try walked(file.bytes)
            let found = try forward(file.bytes, step: step)
            #expect(expected.packets.count == 24)
            #expect(found.packets == expected.packets)
            #expect(found.diagnostics == expected.diagnostics)
        }
    }

    /// A live sender may pause after each subtitle: it is returned before the next byte is requested.
    @Test func blocksAreHandedOutAsTheyCome() throws {
        let bytes = Self.files[1].bytes
        let file = try open(bytes)
        let start = Int(file.firstBlocks)
        let drip = Drip(bytes, step: 1, from: start)
        let reader = try file.forwardReader(
            for: subtitleStreams(file), from: drip, at: UInt64(start))
        var count = 0
        while let packet = try reader.nextPacket() {
            let text = "cue \(count / 2) of \(count % 2 + 1)"
            #expect(packet.data == Array(text.utf8))
            // The group ends with BlockDuration: a byte each of identifier, eight of size and of value.
            #expect(drip.taken <= Int(packet.position ?? 0) + 4 + text.utf8.count + 17)
            count += 1
        }
        #expect(count == 24)
    }

    @Test func damageCostsNoMoreThanOnAWalk() throws {
        let bytes = Self.files[2].bytes
        for damaged in bitFlips(of: bytes, count: 150, seed: 17) {
            guard let file = try? open(damaged), !subtitleStreams(file).isEmpty else { continue }
            let expected = try walked(damaged)
            let found = try forward(damaged, step: 500)
            let lost = expected.packets.filter { !found.packets.contains($0) }
            #expect(lost.isEmpty || found.diagnostics.contains { $0.severity == .error })
        }
    }

    /// An element without a plausible end must not delay packets.
    @Test func heldContentIsBounded() throws {
        let source = ForwardSource(
            Drip([UInt8](repeating: 7, count: 40 << 20), step: 1 << 20, from: 0), start: 0)
        source.mark = 0
        #expect(try source.read(at: 10, count: 2) == [7, 7])
        #expect(try source.read(at: ForwardSource.lookBack, count: 2).count == 2)
        #expect(try source.read(at: 0, count: 2) == [7, 7])
        #expect(try source.read(at: ForwardSource.lookBack + 1, count: 2).count == 2)
        #expect(try source.read(at: 0, count: 2).isEmpty)
        #expect(source.buffered(at: ForwardSource.lookBack + 1) <= 2 << 20)
        #expect(try source.read(at: 39 << 20, count: 2 << 20).count == 1 << 20)
        #expect(source.size == 40 << 20)
    }
}
