import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The conformance set in `Fixtures/captions`, whose screens another decoder computed.
@Suite struct CEA708ConformanceTests {
    @Test(arguments: [
        "pop_on", "roll_up", "definitions", "styles", "looks", "characters", "wrapping",
        "directions", "delays", "several", "losses", "noise",
    ])
    func screens(_ name: String) throws {
        let bytes = try fixtureBytes("captions/708-\(name).mcc")
        let reader = MCCFileReader(bytes, limits: Limits())
        var packets: [Packet] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        #expect(reader.diagnostics.take().isEmpty, "\(name)")
        var count = 0
        for number in CEA708Service.numbers {
            let service = "SERVICE\(number)"
            guard let expected = fileText(fixture("captions/708-\(name).\(service).screens"))
            else { continue }
            count += 1
            let index = try #require(reader.streams.firstIndex { $0.service == service })
            #expect(reader.streams[index].codec == .cea708)
            let found = screens(of: number, in: packets.filter { $0.streamIndex == index })
            let blocks = expected.split(separator: "\n\n").map {
                $0.hasSuffix("\n") ? String($0.dropLast()) : String($0)
            }
            for (one, other) in zip(found, blocks) {
                try #require(one == other, "\(name) \(service)")
            }
            #expect(found.count == blocks.count, "\(name) \(service)")
        }
        #expect(count > 0)
    }

    /// The screens of a service, with the millisecond in which each appears.
    private func screens(of service: Int, in packets: [Packet]) -> [String] {
        var assembler = DTVCCAssembler()
        var receiver = CEA708Receiver()
        var found: [String] = []
        var last = ""
        func look(_ time: Timestamp) {
            let screen = dump(receiver.windows)
            guard screen != last else { return }
            last = screen
            let start = "@\(time.roundedMilliseconds)"
            found.append(screen.isEmpty ? start : "\(start)\n\(screen)")
        }
        func resume(until time: Timestamp) {
            while let end = receiver.resumption, end <= time {
                receiver.resume(at: end)
                look(end)
            }
        }
        for packet in packets {
            let time = packet.start ?? .zero
            resume(until: time)
            for found in CaptionTriplet.all(in: packet.data).flatMap({ assembler.add($0) }) {
                for block in found.blocks.all where block.service == service {
                    receiver.receive(block.data, at: time)
                }
            }
            look(time)
        }
        resume(until: .distantFuture)
        return found
    }
}
