import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// `Fixtures/bitmap/xsub`: a case for each rule of XSUB.
@Suite struct XSUBConformanceTests {
    private static let cases = BitmapConformanceCase.all("xsub")

    @Test func thereAreCases() {
        #expect(Self.cases.count > 6)
    }

    @Test(arguments: cases)
    func isShownAsItShouldBe(_ sample: BitmapConformanceCase) throws {
        let (cues, diagnostics) = try PacketTrack(sample.path("xsub"), stream: 0).cues()
        try sample.check(cues, codec: "xsub", tolerance: 0)
        #expect(diagnostics.map(\.code) == sample.diagnostics, "\(sample.name)")
    }

    /// The container's times are nonsense; those in the packets decide what a seek finds.
    @Test(arguments: cases)
    func isTheSameAfterASeek(_ sample: BitmapConformanceCase) throws {
        let track = try PacketTrack(sample.path("xsub"), stream: 0)
        let all = try track.cues().cues
        let times = all.flatMap { [$0.start, $0.end] }
        #expect(!times.isEmpty)
        for start in times.flatMap({ [$0, $0.advanced(by: .milliseconds(-1))] }) {
            let window = TimeWindow(from: start, until: start.advanced(by: .milliseconds(1)))
            let found = try track.cues(in: window).cues
            let expected = all.filter { window.overlaps(from: $0.start, until: $0.end) }
            #expect(found.map(\.content) == expected.map(\.content), "\(sample.name) at \(start)")
            #expect(found.map(\.end) == expected.map(\.end), "\(sample.name) at \(start)")
        }
    }
}
