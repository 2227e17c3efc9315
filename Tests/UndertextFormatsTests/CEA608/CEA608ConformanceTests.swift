import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The conformance set in `Fixtures/captions`, whose screens another decoder computed.
@Suite struct CEA608ConformanceTests {
    @Test(arguments: [
        "pop_on", "paint_on", "roll_up", "attributes", "characters", "cursor", "channels",
        "field_2", "wrong_parity", "repetition", "noise",
    ])
    func screens(_ name: String) throws {
        let bytes = try fixtureBytes("captions/\(name).scc")
        var count = 0
        for service in CEA608Service.allCases {
            guard
                let expected = fileText(fixture("captions/\(name).\(service.name).screens"))
            else { continue }
            count += 1
            let found = try screens(of: service, in: bytes)
            let blocks = expected.split(separator: "\n\n").map { $0.trimmingSuffix("\n") }
            for (one, other) in zip(found, blocks) {
                try #require(one == other, "\(name) \(service.name)")
            }
            #expect(found.count == blocks.count, "\(name) \(service.name)")
        }
        #expect(count > 0)
        let reader = SCCFileReader(bytes, limits: Limits())
        #expect(reader.streams.count >= count)
    }

    private func screens(of service: CEA608Service, in bytes: [UInt8]) throws -> [String] {
        let reader = SCCFileReader(bytes, limits: Limits())
        var receiver = CEA608Receiver(service: service)
        var found: [String] = []
        var last = ""
        while let packet = try reader.nextPacket() {
            // A line comes once for each service of its field.
            guard reader.streams[packet.streamIndex].service == service.name else { continue }
            for (index, triplet) in CaptionTriplet.all(in: packet.data).enumerated() {
                _ = receiver.receive(triplet.first, triplet.second)
                let screen = dump(receiver.displayed)
                guard screen != last else { continue }
                last = screen
                let frame = (packet.pts ?? 0) + Int64(index)
                found.append(screen.isEmpty ? "@\(frame)" : "@\(frame)\n\(screen)")
            }
        }
        return found
    }
}

extension Substring {
    /// The text without an end.
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : String(self)
    }
}
