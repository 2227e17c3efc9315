import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// The distance over which a seek by the index searches back for a random access point.
@Suite struct MatroskaLookBackTests {
    /// One block per second: `E` is a random access point, `s` an acquisition point, `-` neither.
    private func file(_ kinds: String) -> SampleFile {
        var file = SampleFile()
        file.tracks = [SampleFile.track(codec: "S_HDMV/PGS")]
        for (index, kind) in kinds.utf8.enumerated() {
            let time = UInt64(index) * 1000
            let data = SampleFile.block([kind])
            file.clusters.append(
                .init(
                    time: time,
                    blocks: [.init(element: SampleFile.group(data, duration: 500), time: time)]))
        }
        return file
    }

    /// The number of the block with which reading starts for what is shown at `second`.
    private func first(_ kinds: String, at second: Int64) throws -> Int64? {
        let judge: IndexWindow.Judge = { packet in
            let kind = packet.data.first
            return (kind == 0x45, kind == 0x73, nil)
        }
        let start = Timestamp.milliseconds(second * 1000 + 500)
        let window = IndexWindow(
            TimeWindow(from: start, until: start.advanced(by: .milliseconds(1))), judges: [0: judge]
        )
        let opened = try open(file(kinds).bytes)
        #expect(try opened.index(for: [0]) == .usable(proof: .muxer))
        let packets = try drain(opened.packetReader(for: [0], window: window))
        return try #require(packets.first?.pts) / 1000
    }

    @Test func theStartOfAnEpochIsLookedForThatFar() throws {
        let ordinary = String(repeating: "-", count: 10)
        // Within 64 packets before the acquisition point.
        let near = "E" + String(repeating: "s", count: 60) + ordinary
        #expect(try first(near, at: 65) == 0)
        let edge = "E" + String(repeating: "-", count: 63) + "s" + ordinary
        #expect(try first(edge, at: 70) == 0)
        // One packet more, and the acquisition point is used.
        let far = "E" + String(repeating: "-", count: 64) + "s" + ordinary
        #expect(try first(far, at: 70) == 65)
        let many = "E" + String(repeating: "s", count: 200) + ordinary
        #expect(try first(many, at: 150) == 150)
        #expect(try first(many, at: 209) == 200)
    }

    /// Without an acquisition point there is no limit, because the image would be wrong.
    @Test func withoutAnAcquisitionPointTheEpochIsRead() throws {
        let long = "E" + String(repeating: "-", count: 300)
        #expect(try first(long, at: 290) == 0)
        #expect(try first("E" + long, at: 290) == 1)
    }
}
