import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// Damaged and hostile streams: no trap, no endless loop, nothing lost without a word.
@Suite struct TransportDamageTests {
    private static let film = TransportSample.film(events: 8)
    private static let short = TransportSample.film(events: 3)
    /// Opening a stream with libavformat takes long: `UNDERTEXT_DAMAGE=1000` compares more.
    private let damaged = environment("UNDERTEXT_DAMAGE").flatMap { Int($0) } ?? 100

    /// Reads everything that the tables of the bytes themselves name.
    @discardableResult
    private func exercise(_ bytes: [UInt8]) throws -> [Packet] {
        let source = MemorySource(bytes)
        guard let file = try? TransportStreamFile(source: source) else { return [] }
        let streams = subtitles(of: file)
        let reader = try file.packetReader(for: streams)
        let packets = try drain(reader)
        #expect(reader.diagnostics.take().count <= 1000)
        #expect(source.statistics.bytesRead <= 4 * UInt64(bytes.count) + (8 << 20))
        return packets
    }

    @Test func survivesTruncationAtEveryOffset() throws {
        #expect(try exercise(Self.short).count == 9)
        let shortest = TransportSample.film(events: 1)
        for bytes in truncations(of: shortest) { try exercise(bytes) }
        for bytes in truncations(of: Self.short, step: 47) { try exercise(bytes) }
    }

    @Test func survivesFlippedBits() throws {
        var count = 0
        for bytes in bitFlips(of: Self.short, count: 1000) { count += try exercise(bytes).count }
        #expect(count > 1000 * 6 / damageShare)
    }

    /// If synchronization is lost after every packet, nothing is read repeatedly.
    @Test func damageThroughoutIsReadOnce() throws {
        var bytes = Self.short
        var packet = TransportBuilder()
        packet.packet(0x1FFF, payload: [UInt8](repeating: 1, count: 184)[...])
        let broken = packet.bytes + [UInt8](repeating: 2, count: 100) + packet.bytes
        for _ in 0..<3000 { bytes += broken }
        bytes += Self.short
        let source = MemorySource(bytes)
        let file = try TransportStreamFile(source: source)
        let reader = try file.packetReader(for: subtitles(of: file))
        var told = 0
        var count = 0
        while try reader.nextPacket() != nil {
            count += 1
            told += reader.diagnostics.take().filter { $0.code == "lost-sync" }.count
        }
        #expect(count == 18)
        #expect(told > 900)
        #expect(source.statistics.requests <= 10)
    }

    /// Compared with libavformat: common packets are equal, and packets that only libavformat returns were
    /// reported.
    @Test(arguments: [188, 192, 204])
    func flippedBitsAreCompatible(_ distance: Int) throws {
        let film = TransportSample.film(events: 8, distance: distance)
        for (index, bytes) in bitFlips(of: film, count: damaged, seed: 11).enumerated() {
            try TransportComparison(bytes)?.expectCompatible("\(distance), flip \(index)")
        }
    }

    @Test func truncationsAreCompatible() throws {
        for bytes in truncations(of: Self.film, step: 997) {
            try TransportComparison(bytes)?.expectCompatible("\(bytes.count) bytes")
        }
    }

    /// Parts cut out, put in and repeated: what receivers do to recordings.
    @Test func splicesAreCompatible() throws {
        for seed in 0..<damaged {
            var generator = SeededGenerator(seed: UInt64(seed))
            var bytes = Self.film
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 188..<bytes.count, using: &generator)
                let length = Int.random(in: 1...600, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.removeSubrange(place..<min(bytes.count, place + length))
                case 1: bytes.insert(contentsOf: generator.bytes(length), at: place)
                default:
                    let packet = place / 188 * 188
                    let part = bytes[packet..<min(bytes.count, packet + 188 * (1 + length / 188))]
                    bytes.insert(contentsOf: part, at: packet)
                }
            }
            try TransportComparison(bytes)?.expectCompatible("splice \(seed)")
        }
    }
}

/// The subtitle streams that the tables of a file name, as libavformat would describe them.
func subtitles(of file: TransportStreamFile) -> [StreamDescription] {
    var result: [StreamDescription] = []
    for program in file.programs {
        for stream in program.streams {
            guard let codec = stream.subtitleCodec(in: program),
                !result.contains(where: { $0.id == Int64(stream.pid) })
            else { continue }
            let description = StreamDescription(
                index: result.count, kind: .bitmap, codec: codec, id: Int64(stream.pid),
                timeBase: .mpeg)
            if file.refusal(for: [description]) == nil { result.append(description) }
        }
    }
    return result
}
