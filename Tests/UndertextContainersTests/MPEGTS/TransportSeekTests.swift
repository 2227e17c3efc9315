import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// Reading from a time on: what comes is the end of what reading everything gives, and begins
/// early enough.
@Suite struct TransportSeekTests {
    private static let second: Int64 = 90_000
    private static let subtitles = 0x110

    /// A long media file with a clock every second and DVB subtitles every five; every sixth display set is a
    /// random access point, and one clears the screen.
    private static func film(
        seconds: Int64 = 400, start: Int64 = 900_000, jumpingBackAt jump: Int64? = nil,
        hasClock: Bool = true, distance: Int = 188
    ) -> [UInt8] {
        var builder = TransportBuilder(distance: distance)
        for second in 0..<seconds {
            let shown = jump.map { second >= $0 ? second - $0 : second } ?? second
            let time = (start + shown * Self.second) & ((1 << 33) - 1)
            if second % 2 == 0 {
                builder.association([(1, 0x1000)])
                builder.map(
                    1, pid: 0x1000, clock: 0x100,
                    [
                        .init(type: 6, pid: 0x100, descriptors: TransportSample.ac3),
                        .init(type: 6, pid: subtitles, descriptors: TransportSample.dvb),
                        .init(type: 6, pid: 0x120, descriptors: TransportSample.teletext),
                    ])
            }
            builder.pes(
                0x100, [UInt8](repeating: 1, count: 400), pts: time, clock: hasClock ? time : nil)
            if second % 5 == 0 {
                let isRandomAccessPoint = second % 30 == 0
                builder.pes(
                    subtitles, display(isRandomAccessPoint, shows: second % 35 != 0),
                    pts: time + 9000)
                builder.pes(0x120, [0x10] + [UInt8](repeating: 2, count: 45), pts: time + 18_000)
            }
            for _ in 0..<40 {
                builder.packet(0x1FFF, payload: [UInt8](repeating: 0xFF, count: 184)[...])
            }
        }
        return builder.bytes
    }

    /// A page composition segment, with a region if something is shown.
    private static func display(_ isRandomAccessPoint: Bool, shows: Bool) -> [UInt8] {
        let region: [UInt8] = shows ? [1, 0, 0, 0, 0, 0] : []
        return [0x20, 0x00, 0x0F, 0x10, 0, 1, 0, UInt8(2 + region.count), 5]
            + [isRandomAccessPoint ? 0x04 : 0x00] + region + [0xFF]
    }

    private static func judge(_ packet: Packet) -> (
        isRandomAccessPoint: Bool, isAcquisitionPoint: Bool, shows: Bool?
    ) {
        guard packet.data.count > 7 else { return (false, false, nil) }
        return (packet.data[7] & 0x0C == 0x04, false, packet.data[5] > 2)
    }

    private func read(
        _ bytes: [UInt8], from time: Timestamp?
    ) throws -> (packets: [Packet], bytesRead: UInt64) {
        let source = MemorySource(bytes)
        let file = try TransportStreamFile(source: source)
        let streams = UndertextContainersTests.subtitles(of: file)
        #expect(streams.count == 2)
        let window = time.map {
            IndexWindow(TimeWindow(from: $0), judges: [0: Self.judge])
        }
        let reader = try file.packetReader(for: streams, window: window)
        let packets = try drain(reader)
        #expect(reader.diagnostics.take().isEmpty)
        return (packets, source.statistics.bytesRead)
    }

    /// The packets of the second part are included, and all returned packets are the end of the complete list.
    private func check(_ all: [Packet], _ part: [Packet], _ time: Timestamp) {
        #expect(Array(all.suffix(part.count)) == part, "\(time)")
        for stream in 0..<2 {
            let needed: Int?
            let before = all.indices.filter {
                all[$0].streamIndex == stream && (all[$0].start ?? .zero) <= time
            }
            if stream == 0 {
                let isCleared = before.last.map { Self.judge(all[$0]).shows == false } ?? false
                needed =
                    isCleared
                    ? before.last : before.last { Self.judge(all[$0]).isRandomAccessPoint }
            } else {
                needed = before.last
            }
            #expect(part.count >= all.count - (needed ?? 0), "\(stream) at \(time)")
        }
    }

    @Test(arguments: [188, 192, 204])
    func contentOnScreenIsFound(_ distance: Int) throws {
        let bytes = Self.film(distance: distance)
        let all = try read(bytes, from: nil).packets
        #expect(all.count == 160)
        for second in stride(from: Int64(0), through: 430, by: 7) {
            let time = Timestamp.milliseconds(second * 1000 + 90)
            let part = try read(bytes, from: time)
            check(all, part.packets, time)
            if second > 200 { #expect(part.packets.count < 120, "\(second)") }
        }
    }

    /// The end of a long media file is found with a small part of its bytes.
    @Test func littleIsRead() throws {
        let bytes = Self.film(seconds: 4000)
        let part = try read(bytes, from: .seconds(3950))
        #expect(part.packets.count < 100)
        #expect(part.bytesRead < UInt64(bytes.count) / 3)
    }

    @Test func timesWrap() throws {
        let bytes = Self.film(start: (1 << 33) - 200 * Self.second)
        let all = try read(bytes, from: nil).packets
        for second: Int64 in [150, 190, 200, 210, 300, 380] {
            let time = try #require(
                Timestamp(ticks: (1 << 33) + (second - 200) * Self.second, timeBase: .mpeg))
            let part = try read(bytes, from: time).packets
            check(all, part, time)
            if second >= 300 { #expect(part.count < all.count / 2) }
        }
    }

    /// If times repeat or the clock is missing, reading starts at the beginning.
    @Test func jumpsAndMissingClocksAreReadInFull() throws {
        for bytes in [Self.film(jumpingBackAt: 200), Self.film(hasClock: false)] {
            let all = try read(bytes, from: nil).packets
            let part = try read(bytes, from: .seconds(150)).packets
            #expect(part == all)
        }
    }

    /// A random access point is searched before an acquisition point is used, up to the limit.
    @Test func theStartOfAnEpochIsLookedForThatFar() throws {
        let bytes = Self.film(seconds: 1200)
        let file = try TransportStreamFile(source: MemorySource(bytes))
        let stream = try #require(
            UndertextContainersTests.subtitles(of: file).first { $0.codec == .dvb })
        let chosen = [
            TransportScan.Choice(pid: Self.subtitles, index: stream.index, codec: stream.codec)
        ]
        let all = try drain(file.packetReader(for: [stream]))
        let firstPlace = try #require(all.first?.position)
        /// Only the first display set is a random access point; every sixth is an acquisition point.
        func judge(_ packet: Packet) -> (
            isRandomAccessPoint: Bool, isAcquisitionPoint: Bool, shows: Bool?
        ) {
            (packet.position == firstPlace, Self.judge(packet).isRandomAccessPoint, true)
        }
        func start(lookBack: UInt64?) throws -> TransportStart? {
            var seek = TransportSeek(
                file: file, chosen: chosen, judges: [stream.index: judge], time: .seconds(1100))
            if let lookBack { seek.lookBack = lookBack }
            return try seek.start()
        }
        // The entire file is smaller than the default limit: reading starts at its beginning.
        let far = try start(lookBack: nil)
        #expect(far == nil || far?.firstPlace == Int64(firstPlace))
        let near = try #require(try start(lookBack: 100_000))
        let standIns = all.filter {
            judge($0).isAcquisitionPoint && ($0.start ?? .zero) <= .seconds(1100)
        }
        #expect(near.firstPlace == standIns.last?.position.map { Int64($0) })
        #expect(near.offset > UInt64(bytes.count) / 2)
    }

    @Test func survivesFlippedBits() throws {
        let bytes = Self.film(seconds: 100)
        for damaged in bitFlips(of: bytes, count: 100, seed: 5) {
            let source = MemorySource(damaged)
            guard let file = try? TransportStreamFile(source: source) else { continue }
            let streams = UndertextContainersTests.subtitles(of: file)
            let window = IndexWindow(TimeWindow(from: .seconds(80)), judges: [0: Self.judge])
            let reader = try file.packetReader(for: streams, window: window)
            _ = try drain(reader)
            #expect(source.statistics.bytesRead < 12 * UInt64(bytes.count) + (8 << 20))
        }
    }
}
