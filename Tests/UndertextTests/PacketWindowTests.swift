import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// The packets that a window returns, packet by packet.
@Suite struct PacketWindowTests {
    private func packet(_ seconds: Int64, lasting: Int64? = nil) -> Packet {
        Packet(
            streamIndex: 0, pts: seconds * 1000, duration: lasting.map { $0 * 1000 },
            timeBase: .milliseconds, data: [0x41])
    }

    private func passed(_ packets: [Packet], _ window: TimeWindow) -> [Int64] {
        let stream = StreamDescription(
            index: 0, kind: .text, codec: .subRip, timeBase: .milliseconds)
        var filter = PacketWindow(window, streams: [stream], limit: 1 << 20)
        var result: [Packet] = []
        for packet in packets where !filter.isDone { result += filter.add(packet) }
        result += filter.finish()
        return result.compactMap(\.pts).map { $0 / 1000 }
    }

    @Test func cuesThatLastIntoItAreIncluded() {
        let packets = [packet(1, lasting: 2), packet(4, lasting: 9), packet(11, lasting: 1)]
        #expect(passed(packets, TimeWindow(from: .seconds(10))) == [4, 11])
        #expect(passed(packets, TimeWindow(from: .seconds(2), until: .seconds(4))) == [1])
    }

    /// An open packet lasts until the next one of any kind.
    @Test func anOpenOneEndsWithTheNext() {
        let open = TimeWindow(from: .seconds(10))
        #expect(passed([packet(1), packet(12, lasting: 1)], open) == [1, 12])
        #expect(passed([packet(1), packet(2, lasting: 1), packet(12, lasting: 1)], open) == [12])
        // And what ends it comes along.
        let part = TimeWindow(from: .seconds(0), until: .seconds(10))
        #expect(passed([packet(8), packet(30), packet(31)], part) == [8, 30])
    }

    /// Documents continue the content of earlier ones as long as they are consecutive and not empty.
    @Test func documentsContinue() {
        func document(_ seconds: Int64, _ text: String) -> Packet {
            var packet = packet(seconds, lasting: 2)
            packet.data = Array("<tt xmlns='http://www.w3.org/ns/ttml'>\(text)</tt>".utf8)
            return packet
        }
        let shown = "<body><div><p>a</p></div></body>"
        func passed(_ packets: [Packet], _ window: TimeWindow) -> [Int64] {
            let stream = StreamDescription(
                index: 0, kind: .text, codec: .ttml, timeBase: .milliseconds)
            var filter = PacketWindow(window, streams: [stream], limit: 1 << 20)
            var result: [Packet] = []
            for packet in packets where !filter.isDone { result += filter.add(packet) }
            return (result + filter.finish()).compactMap(\.pts).map { $0 / 1000 }
        }
        let track = stride(from: Int64(0), to: 100, by: 2).map { start in
            // 20 to 22 and 70 to 72 are empty, from 30 to 32 there is none.
            document(start, [20, 70].contains(start) ? "" : shown)
        }.filter { $0.pts != 30_000 }
        let window = TimeWindow(from: .seconds(37), until: .seconds(39))
        #expect(passed(track, window) == Array(stride(from: 32, to: 70, by: 2)))
        let early = TimeWindow(from: .seconds(25), until: .seconds(26))
        #expect(passed(track, early) == [22, 24, 26, 28])
        // Nothing of what ended is needed where there is a gap.
        #expect(passed(track, TimeWindow(from: .seconds(31), until: .seconds(33))).first == 32)
        #expect(passed(track, TimeWindow(from: .seconds(20), until: .seconds(21))) == [])
    }

    /// A DVD unit of 8×2 pixels that is shown `delay` · 1024/90000 s after its packet's time.
    private func unit(
        _ seconds: Int64, delay: UInt16 = 0, lasting: Int64? = nil, isDamaged: Bool = false
    ) -> Packet {
        var bytes: [UInt8] = [0, 35, 0, 8, 0x00, 0x01, 0x00, 0x01]
        bytes += [UInt8(delay >> 8), UInt8(delay & 255), 0, 8]
        bytes += [
            0x03, 0x32, 0x10, 0x04, 0xFF, 0xF0, 0x05, 0, 0, 7, 0, 0, 1, 0x06, 0, 4, 0, 6, 0x01,
            0xFF, 0xFF, 0xFF, 0xFF,
        ]
        if isDamaged { bytes.replaceSubrange(2..<4, with: [0xFF, 0xFF]) }
        return Packet(
            streamIndex: 0, pts: seconds * 1000, duration: lasting.map { $0 * 1000 },
            timeBase: .milliseconds, data: bytes)
    }

    private func passedUnits(_ packets: [Packet], _ window: TimeWindow) -> [Int64] {
        let stream = StreamDescription(
            index: 0, kind: .bitmap, codec: .dvd, timeBase: .milliseconds)
        var filter = PacketWindow(window, streams: [stream], limit: 1 << 20)
        var result: [Packet] = []
        for packet in packets where !filter.isDone { result += filter.add(packet) }
        result += filter.finish()
        return result.compactMap(\.pts).map { $0 / 1000 }
    }

    /// 88 · 1024/90000 s are a second.
    @Test func aUnitStaysUntilTheNextIsShown() {
        func window(_ from: Int64, _ until: Int64) -> TimeWindow {
            TimeWindow(from: .milliseconds(from), until: .milliseconds(until))
        }
        let late = [unit(1), unit(3, delay: 88), unit(9)]
        #expect(passedUnits(late, window(3500, 3600)) == [1, 3])
        #expect(passedUnits(late, window(4500, 5000)) == [3, 9])
        let damaged = [unit(1), unit(3, isDamaged: true), unit(9)]
        #expect(passedUnits(damaged, window(5000, 6000)) == [1, 3, 9])
        #expect(passedUnits(damaged, window(1500, 2000)) == [1, 3, 9])
        #expect(passedUnits(damaged, window(9500, 9600)) == [9])
        // A length from the container holds until the next one only.
        let long = [unit(1, lasting: 60), unit(3, lasting: 60), unit(9)]
        #expect(passedUnits(long, window(1500, 2000)) == [1, 3])
    }

    /// A display set of one object, as far as a seek looks at it.
    private func set(_ seconds: Int64, state: UInt8, size: Int = 20) -> Packet {
        let head: [UInt8] = [0x16, 0, 11, 0, 64, 0, 36, 0x10, 0, 1, state, 0, 0, 1]
        return Packet(
            streamIndex: 0, pts: seconds * 1000, timeBase: .milliseconds,
            data: head + [UInt8](repeating: 0, count: size))
    }

    private func passedSets(
        _ packets: [Packet], from second: Int64, limit: Int = 1 << 20
    ) -> [Int64] {
        let stream = StreamDescription(
            index: 0, kind: .bitmap, codec: .pgs, timeBase: .milliseconds)
        var filter = PacketWindow(
            TimeWindow(from: .seconds(second)), streams: [stream], limit: limit)
        let result = packets.flatMap { filter.add($0) } + filter.finish()
        return result.compactMap(\.pts).map { $0 / 1000 }
    }

    /// An acquisition point stands for the epoch's start only where that is too far away.
    @Test func acquisitionPointsAreUsed() {
        let sets = [
            set(1, state: 0x80), set(2, state: 0), set(3, state: 0x40), set(4, state: 0),
            set(5, state: 0),
        ]
        #expect(passedSets(sets, from: 5) == [1, 2, 3, 4, 5])
        #expect(passedSets(sets, from: 5, limit: 120) == [3, 4, 5])
        let next = sets + [set(6, state: 0x80), set(7, state: 0)]
        #expect(passedSets(next, from: 7) == [6, 7])
    }

    @Test func textOutOfOrderIsNotLost() {
        let near = [1, 5, 12, 8, 40].map { packet($0, lasting: 1) }
        #expect(passed(near, TimeWindow(until: .seconds(10))) == [1, 5, 8])
    }
}
