import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// `Fixtures/bitmap/dvb`: a case for each rule of EN 300 743.
@Suite struct DVBConformanceTests {
    private static let cases = BitmapConformanceCase.all("dvb")

    @Test func thereAreCases() {
        #expect(Self.cases.count > 45)
    }

    @Test(arguments: cases)
    func isShownAsTheStandardSays(_ sample: BitmapConformanceCase) throws {
        let track = try PacketTrack(sample.path("dvb"), stream: 0)
        let (cues, diagnostics) = try track.cues()
        try sample.check(cues, codec: "dvb")
        #expect(
            Set(diagnostics.map(\.code)) == Set(sample.diagnostics), "\(sample.name)")
        #expect(track.stream.isHearingImpaired == sample.isHearingImpaired)
    }

    /// The packets of libavformat, ours, and Matroska's, which have no frame.
    @Test(arguments: cases)
    func isTheSameFromOtherReaders(_ sample: BitmapConformanceCase) throws {
        let ours = try PacketTrack(sample.path("dvb"), stream: 0)
        let theirs = try PacketTrack(sample.path("dvb"), stream: 0, io: .scan)
        #expect(try ours.cues().cues == theirs.cues().cues, "\(sample.name)")
    }

    /// The screen at a time does not depend on where decoding began.
    @Test(arguments: cases)
    func isTheSameAfterASeek(_ sample: BitmapConformanceCase) throws {
        let track = try PacketTrack(sample.path("dvb"), stream: 0)
        let all = try track.cues().cues
        for tenth in stride(from: Int64(75), to: 220, by: 7) {
            let start = Timestamp.milliseconds(tenth * 100)
            let window = TimeWindow(from: start, until: start.advanced(by: .milliseconds(1)))
            let found = try track.cues(in: window).cues
            let expected = all.filter { window.overlaps(from: $0.start, until: $0.end) }
            #expect(
                found.map(\.content) == expected.map(\.content)
                    && found.map(\.end) == expected.map(\.end),
                "\(sample.name) at \(start)")
        }
    }
}
