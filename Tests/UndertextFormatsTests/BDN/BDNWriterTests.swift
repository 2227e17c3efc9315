import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Suite struct BDNWriterTests {
    private func document(
        _ cues: [(Cue, [JSONCueImage])], rate: FrameRate = .film, title: String = "film",
        language: String? = "en", canvas: PixelSize? = PixelSize(width: 1920, height: 1080)
    ) -> String {
        var writer = BDNWriter(
            title: title, language: language.flatMap { LanguageTag($0) }, frameRate: rate)
        for (cue, images) in cues { writer.add(cue, images: images) }
        return String(decoding: writer.document(canvas: canvas), as: UTF8.self)
    }

    private func image(_ name: String) -> JSONCueImage {
        JSONCueImage(.file(name), x: 660, y: 950, width: 600, height: 80)
    }

    @Test func golden() {
        let text = document([
            (imageCue(1001, 2500, []), [image("0001.png")]),
            (
                imageCue(3000, 5000, [], isForced: true),
                ["a", "b", "c"].map { image("\($0).png") }
            ),
            (imageCue(3_600_000, 3_600_001, []), [image("0003.png")]),
        ])
        expectGolden(text, "index.xml")
    }

    @Test func textFromTheFileIsEscaped() {
        let text = document([], title: "a<b>&\"c\u{1}\"", language: nil, canvas: nil)
        #expect(text.contains("Title=\"a&lt;b&gt;&amp;&quot;c\u{FFFD}&quot;\""))
        #expect(text.contains("Code=\"und\""))
        #expect(text.contains("NumberofEvents=\"0\""))
    }

    @Test(arguments: [
        (1920, 1080, "1080p"), (1280, 720, "720p"), (720, 576, "576i"), (720, 480, "480i"),
        (3840, 2160, "2160p"), (1920, 800, "1920x800"),
    ])
    func formats(_ width: Int, _ height: Int, _ name: String) {
        let text = document([], canvas: PixelSize(width: width, height: height))
        #expect(text.contains("VideoFormat=\"\(name)\""))
    }

    @Test(arguments: [
        ("de", "ger"), ("fr", "fre"), ("en-US", "eng"), ("fil", "fil"), ("xx", "und"),
    ])
    func languages(_ tag: String, _ code: String) {
        #expect(document([], language: tag).contains("Language Code=\"\(code)\""))
    }
}

@Suite struct FrameRateTests {
    /// Frames of the whole rate; a second of NTSC lasts 1.001 s.
    @Test(arguments: [
        (FrameRate.film, 1001, 24), (.film, 1000, 24), (.film, 60_060, 1440), (.pal, 1000, 25),
        (.pal, 20, 1), (.pal, 19, 0), (.ntsc, 1001, 30), (.ntscFields, 3_603_600, 216_000),
        (.cinema, 3_600_000, 86_400), (.palFields, 10, 1), (.film, -5, 0),
    ])
    func frames(_ rate: FrameRate, _ milliseconds: Int64, _ frame: Int64) {
        #expect(rate.frame(at: .milliseconds(milliseconds)) == frame)
    }

    @Test func aFrameComesBackFromItsTime() {
        for rate in FrameRate.allCases {
            for frame in [0, 1, 23, 24, 1000, 86_399, 5_184_001] as [Int64] {
                #expect(rate.frame(at: rate.time(ofFrame: frame)) == frame)
            }
        }
        #expect(FrameRate.film.time(ofFrame: 24) == Timestamp(nanoseconds: 1_001_000_000))
        #expect(FrameRate.film.time(ofFrame: 1) == Timestamp(nanoseconds: 41_708_333))
        #expect(FrameRate.film.frame(at: .distantFuture) > 0)
    }

    @Test func ratesOfContainers() {
        #expect(FrameRate(framesPerSecond: TimeBase(24000, 1001)) == .film)
        #expect(FrameRate(framesPerSecond: TimeBase(2997, 125)) == .film)
        #expect(FrameRate(framesPerSecond: TimeBase(24, 1)) == .cinema)
        #expect(FrameRate(framesPerSecond: TimeBase(1_000_000_000, 41_708_333)) == .film)
        #expect(FrameRate(framesPerSecond: TimeBase(60000, 1001)) == .ntscFields)
        #expect(FrameRate(framesPerSecond: TimeBase(60, 1)) == nil)
        #expect(FrameRate(framesPerSecond: TimeBase(0, 1)) == nil)
        #expect(FrameRate(canvas: PixelSize(width: 720, height: 576)) == .pal)
        #expect(FrameRate(canvas: nil) == .film)
    }

    /// The carry that BDSup2Sub lacks: 0.99 s at 25 frames a second is not `00:00:00:25`.
    @Test func framesCarryIntoSeconds() {
        var writer = BDNWriter(title: "", language: nil, frameRate: .pal)
        writer.add(imageCue(990, 995, []), images: [])
        let text = String(decoding: writer.document(canvas: nil), as: UTF8.self)
        #expect(text.contains("FirstEventInTC=\"00:00:01:00\" LastEventOutTC=\"00:00:01:01\""))
    }
}
