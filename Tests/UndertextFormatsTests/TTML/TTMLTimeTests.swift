import Testing
import UndertextCore

@testable import UndertextFormats

struct TTMLTimeTests {
    /// Nanoseconds of an expression; `nil` where it is none.
    private func time(_ text: String, _ change: (inout TTMLClock) -> Void = { _ in }) -> Int64? {
        var clock = TTMLClock()
        change(&clock)
        return clock.time(text)
    }

    @Test(
        arguments: [
            ("00:00:01", 1_000_000_000), ("00:00:01.5", 1_500_000_000),
            ("01:02:03.004", 3_723_004_000_000),
            ("100:00:00", 360_000_000_000_000), ("00:00:00.0000000014", 1),
            ("00:00:00.0000000015", 2),
            ("0:0:1", 1_000_000_000), ("00:00:01,25", 1_250_000_000), (" 00:00:01 ", 1_000_000_000),
            ("00:00:01:15", 1_500_000_000), ("1.5s", 1_500_000_000), ("0.004h", 14_400_000_000),
            ("0.25m", 15_000_000_000), ("10000ms", 10_000_000_000), ("300f", 10_000_000_000),
            ("1.5f", 50_000_000), ("7t", 7_000_000_000), ("12", 12_000_000_000),
            (".5s", 500_000_000),
            ("99999999999999s", .latest), ("999999999999:00:00", .latest),
            ("99999999999999999999t", -1), ("00:00", -1), ("", -1), ("s", -1), ("1x", -1),
            ("-1s", -1),
            ("1 s", -1), ("00:00:01.2.3", -1), ("00:00:01:2:3", -1), ("1:2:x", -1), ("１s", -1),
            ("wallclock(2020-01-01)", -1), ("9999999999999999:00:00", -1),
        ] as [(String, Int64)])
    func expressions(_ text: String, _ nanoseconds: Int64) {
        #expect(time(text) == (nanoseconds < 0 ? nil : nanoseconds))
    }

    @Test func framesSubFramesAndTicks() {
        func film(_ clock: inout TTMLClock) {
            clock.frameRate = 24
            clock.statesFrameRate = true
            clock.multiplier = (1000, 1001)
        }
        #expect(time("360f", film) == 15_015_000_000)
        #expect(time("00:00:01:12", film) == 1_500_500_000)
        #expect(time("00:00:01:12.3") { $0.subFrameRate = 5 } == 1_420_000_000)
        // More than there are in a frame do not count.
        #expect(time("00:00:00:01.9") { $0.subFrameRate = 2 } == 66_666_667)
        #expect(time("24t", film) == 1_000_000_000)
        #expect(time("1374000000t") { $0.tickRate = 10_000_000 } == 137_400_000_000)
        #expect(time("1t") { $0.tickRate = 3 } == 333_333_333)
    }

    /// Timecodes count frames: 29.97 of them a second.
    @Test func smpteTimeBase() {
        func code(_ clock: inout TTMLClock) {
            clock.base = .smpte
            clock.multiplier = (1000, 1001)
        }
        #expect(time("00:01:00:00", code) == 60_060_000_000)
        #expect(
            time("00:01:00:02") {
                code(&$0)
                $0.drop = .ntsc
            } == 60_060_000_000)
        #expect(
            time("00:10:00:00") {
                code(&$0)
                $0.drop = .ntsc
            } == 599_999_400_000)
        #expect(time("00:00:10.5") { $0.base = .smpte } == 10_500_000_000)
    }

    @Test func parametersOfADocument() {
        let document = ttml(
            "<div><p begin=\"24f\" end=\"00:00:02:12\">a</p></div>",
            attributes: "ttp:frameRate=\"24\" ttp:frameRateMultiplier=\"1000 1001\"")
        #expect(decoded(document).cues.map(line) == ["1001-2501 a"])
        let old = ttml(
            "<div><p begin=\"30f\" dur=\"30f\">a</p></div>",
            attributes: "ttp:frameRateMultiplier=\"1000:1001\"")
        #expect(decoded(old).cues.map(line) == ["1001-2002 a"])
        let bad = decoded(
            ttml(
                "<div><p begin=\"1s\" end=\"x\">a</p><p begin=\"2s\" end=\"3s\">b</p></div>",
                attributes: "ttp:frameRate=\"0\" ttp:tickRate=\"a\" ttp:cellResolution=\"0 0\""))
        #expect(bad.cues.map(line) == ["1000-3000 a", "2000-3000 b"])
        #expect(Set(bad.codes) == ["bad-parameter", "bad-time"])
    }
}
