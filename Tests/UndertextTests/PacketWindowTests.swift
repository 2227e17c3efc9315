import MediaCore
import TestSupport
import Testing

@testable import Undertext

/// Which packets come out of a window, packet by packet.
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

    @Test func whatLastsIntoItComes() {
        let packets = [packet(1, lasting: 2), packet(4, lasting: 9), packet(11, lasting: 1)]
        #expect(passed(packets, TimeWindow(from: .seconds(10))) == [4, 11])
        #expect(passed(packets, TimeWindow(from: .seconds(2), until: .seconds(4))) == [1])
    }

    /// An open one lasts until the next, whatever that is.
    @Test func anOpenOneEndsWithTheNext() {
        let open = TimeWindow(from: .seconds(10))
        #expect(passed([packet(1), packet(12, lasting: 1)], open) == [1, 12])
        #expect(passed([packet(1), packet(2, lasting: 1), packet(12, lasting: 1)], open) == [12])
        // And what ends it comes along.
        let part = TimeWindow(from: .seconds(0), until: .seconds(10))
        #expect(passed([packet(8), packet(30), packet(31)], part) == [8, 30])
    }

    @Test func textOutOfOrderIsNotLost() {
        let near = [1, 5, 12, 8, 40].map { packet($0, lasting: 1) }
        #expect(passed(near, TimeWindow(until: .seconds(10))) == [1, 5, 8])
    }
}
