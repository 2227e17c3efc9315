import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

@testable import Undertext

/// Our decoder of XSUB against libavcodec's, on the same packets.
@Suite struct XSUBComparisonTests {
    /// The deviations of libavcodec, with reasons.
    private static let explained: [String: String] = [:]

    @Test(arguments: BitmapConformanceCase.all("xsub"))
    func conformanceSet(_ sample: BitmapConformanceCase) throws {
        let track = try PacketTrack(sample.path("xsub"), stream: 0)
        var packets = track.packets
        // libavcodec counts from the packet's time; that of the container means nothing here.
        for index in packets.indices { (packets[index].pts, packets[index].dts) = (0, 0) }
        let comparison = try BitmapComparison(track, packets: packets)
        let isExplained = Self.explained[sample.name] != nil
        #expect(
            comparison.differing.isEmpty != isExplained,
            "\(sample.name): \(comparison.differing.map(\.roundedMilliseconds))")
        compared(comparison.count, sample.name)
    }

    private func compared(_ count: Int, _ name: String) {
        #expect(count > 0, "\(name): libavcodec shows nothing")
    }
}
