import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextChecks

/// Each rule at its limit and one step beyond.
@Suite struct RuleTests {
    /// A cue with times in milliseconds.
    static func cue(
        _ start: Int64, _ end: Int64, _ text: String = "Hi", number: Int = 1,
        layout: CueLayout = CueLayout(), source: CueSource? = nil
    ) -> CheckedCue {
        CheckedCue(
            Cue(
                order: number - 1, start: .milliseconds(start), end: .milliseconds(end),
                layout: layout, content: .text(StyledText(text)), source: source),
            line: number * 4)
    }

    static func profile(_ rules: String) throws -> CheckProfile {
        try CheckProfile(parsing: Array(#"{"name": "test", "rules": [\#(rules)]}"#.utf8))
    }

    private func findings(
        _ rules: String, _ cues: [CheckedCue], track: TrackCheck.Track = .init()
    ) throws -> [CheckFinding] {
        var check = TrackCheck(try Self.profile(rules), of: track)
        return check.check(cues).findings
    }

    private func messages(
        _ rules: String, _ cues: [CheckedCue], track: TrackCheck.Track = .init()
    ) throws -> [String] {
        try findings(rules, cues, track: track).map(\.message)
    }

    @Test func durations() throws {
        let least = #"{"rule": "min-duration", "limit": 0.8333333}"#
        #expect(try messages(least, [Self.cue(0, 833)]).isEmpty)
        let short = try #require(try findings(least, [Self.cue(1000, 1832, number: 7)]).first)
        #expect(short.message == "is on screen for 0.832 s, less than 0.833 s")
        #expect(short.measured == 0.832 && short.limit == 0.833)
        #expect(short.cue == 7 && short.line == 28 && short.start == .milliseconds(1000))
        let most = #"{"rule": "max-duration", "limit": 7}"#
        #expect(try messages(most, [Self.cue(0, 7000)]).isEmpty)
        #expect(
            try messages(most, [Self.cue(0, 7001)])
                == ["is on screen for 7.001 s, more than 7.000 s"])
        // Frames are those of the video, otherwise those of the profile.
        let frames = #"{"rule": "min-duration", "limit": 20, "unit": "frames"}"#
        var track = TrackCheck.Track()
        #expect(try messages(frames, [Self.cue(0, 1)]).isEmpty)
        track.frameRate = TimeBase(24_000, 1001)
        #expect(try messages(frames, [Self.cue(0, 834)], track: track).isEmpty)
        #expect(try messages(frames, [Self.cue(0, 833)], track: track).count == 1)
        track.frameRate = TimeBase(25, 1)
        #expect(try messages(frames, [Self.cue(0, 800)], track: track).isEmpty)
        #expect(try messages(frames, [Self.cue(0, 799)], track: track).count == 1)
    }

    @Test func endsBeforeStarts() throws {
        let rule = #"{"rule": "duration"}, {"rule": "min-duration", "limit": 1}"#
        #expect(try messages(rule, [Self.cue(500, 500)]) == ["ends when it starts"])
        #expect(try messages(rule, [Self.cue(500, 400)]) == ["ends 0.100 s before it starts"])
    }

    @Test func order() throws {
        let cues = [Self.cue(2000, 3000, number: 1), Self.cue(1000, 1500, number: 2)]
        #expect(
            try messages(#"{"rule": "order"}"#, cues)
                == ["begins 1.000 s before cue 1, which precedes it in the file"])
        let equal = [Self.cue(2000, 3000, number: 1), Self.cue(2000, 3000, number: 2)]
        #expect(try messages(#"{"rule": "order"}"#, equal).isEmpty)
    }

    @Test func overlaps() throws {
        let rule = #"{"rule": "overlap"}"#
        #expect(try messages(rule, [Self.cue(0, 1000), Self.cue(1000, 2000, number: 2)]).isEmpty)
        let found = try findings(rule, [Self.cue(0, 1001), Self.cue(1000, 2000, number: 2)])
        #expect(found.map(\.message) == ["begins 0.001 s before cue 1 ends"])
        #expect(found.map(\.cue) == [2])
        // A long cue overlaps all that follow it.
        let long = [
            Self.cue(0, 9000), Self.cue(1000, 2000, number: 2), Self.cue(3000, 4000, number: 3),
        ]
        #expect(try findings(rule, long).map(\.cue) == [2, 3])
        // Text elsewhere on the screen does not.
        var top = CueLayout()
        (top.line, top.snapToLines) = (10, false)
        #expect(
            try messages(rule, [Self.cue(0, 2000), Self.cue(1000, 3000, number: 2, layout: top)])
                .isEmpty)
    }

    @Test func gaps() throws {
        let rules = #"""
            {"rule": "min-gap", "limit": 2, "unit": "frames"}, {"rule": "short-gap", "limit": 0.5}
            """#
        var track = TrackCheck.Track()
        track.frameRate = TimeBase(24, 1)
        func gap(_ milliseconds: Int64) throws -> [CheckRule] {
            try findings(
                rules, [Self.cue(0, 1000), Self.cue(1000 + milliseconds, 9000, number: 2)],
                track: track
            ).map(\.rule)
        }
        // Two frames are 83⅓ ms, which a file rounds to 83 or 84.
        #expect(try gap(-1) == [] && gap(0) == [.minGap] && gap(82) == [.minGap])
        // Up to half a frame more is rounding.
        #expect(try gap(83) == [] && gap(103) == [] && gap(104) == [.shortGap])
        #expect(try gap(499) == [.shortGap] && gap(500) == [] && gap(2000) == [])
        // Without a minimum, no gap is right, and a short one is wrong.
        let bbc = #"{"rule": "short-gap", "limit": 1}"#
        for (milliseconds, count) in [(0, 0), (10, 0), (11, 1), (999, 1), (1000, 0)] {
            let cues = [Self.cue(0, 1000), Self.cue(1000 + Int64(milliseconds), 9000, number: 2)]
            #expect(try messages(bbc, cues).count == count, "\(milliseconds)")
        }
    }

    @Test func readingSpeed() throws {
        let rule = #"{"rule": "characters-per-second", "limit": 20}"#
        let twenty = String(repeating: "ab cd", count: 4)
        #expect(try messages(rule, [Self.cue(0, 1000, twenty)]).isEmpty)
        #expect(
            try messages(rule, [Self.cue(0, 999, twenty)])
                == ["20.02 characters a second, more than 20 (20 characters in 0.999 s)"])
        // A line break is no character, and a letter with marks is one.
        #expect(try messages(rule, [Self.cue(0, 1000, "ab cdab cd\nab cdab cd")]).isEmpty)
        let marked = String(repeating: "e\u{301}", count: 20)
        #expect(try messages(rule, [Self.cue(0, 1000, marked + "\u{200E}")]).isEmpty)
        #expect(try messages(rule, [Self.cue(0, 1000, marked + "!")]).count == 1)
        let words = #"{"rule": "words-per-minute", "limit": 180}"#
        #expect(try messages(words, [Self.cue(0, 1000, "one two three -")]).isEmpty)
        #expect(
            try messages(words, [Self.cue(0, 1000, "one two\nthree four")])
                == ["240 words a minute, more than 180 (4 words in 1.000 s)"])
        #expect(try messages(words, [Self.cue(0, 100, "これは長い文章です")]).isEmpty)
    }

    @Test func scriptsAndLanguages() throws {
        let rules = #"""
            {"rule": "line-length", "limit": 10},
            {"rule": "line-length", "limit": 4, "scripts": ["Jpan"], "count": "full-width"},
            {"rule": "line-length", "limit": 12, "languages": ["fr"]}
            """#
        func count(_ text: String, language: String? = nil) throws -> Int {
            var track = TrackCheck.Track()
            track.language = language.flatMap { LanguageTag($0) }
            return try messages(rules, [Self.cue(0, 1000, text)], track: track).count
        }
        #expect(try count("ABCDEFGHIJ") == 0 && count("ABCDEFGHIJK") == 1)
        #expect(try count("ABCDEFGHIJK", language: "fr-CA") == 0)
        #expect(try count("これは本") == 0 && count("これは本だ") == 1)
        // Half-width characters count one half.
        #expect(try count("これはAB") == 0 && count("これはABC") == 1)
        #expect(try count("これは本だ", language: "fr") == 0)
    }

    @Test(arguments: [
        ("Hello", WritingSystem.latin), ("Привет", .cyrillic), ("Γειά", .greek), ("שלום", .hebrew),
        ("مرحبا", .arabic), ("नमस्ते", .devanagari), ("สวัสดี", .thai), ("你好", .han),
        ("日本の", .japanese), ("カタカナ", .japanese), ("안녕하세요", .korean), ("OK, 你好吗朋友", .han),
    ])
    func scriptsAreRecognized(_ text: String, _ system: WritingSystem) {
        var counts = WritingSystemCounts()
        counts.add(text)
        #expect(counts.most == system)
    }

    /// In a Japanese track, a line of Chinese characters alone is Japanese, too.
    @Test func chineseCharactersInJapanese() throws {
        let rules =
            #"{"rule": "line-length", "limit": 3, "scripts": ["Jpan"], "count": "full-width"}"#
        let cues = [Self.cue(0, 1000, "これは"), Self.cue(2000, 3000, "東京都内", number: 2)]
        #expect(try findings(rules, cues).map(\.cue) == [2])
        #expect(try findings(rules, [cues[1]]).isEmpty)
    }

    @Test func lines() throws {
        let length = #"{"rule": "line-length", "limit": 5}"#
        #expect(try messages(length, [Self.cue(0, 1000, "12345\nab de")]).isEmpty)
        #expect(
            try messages(length, [Self.cue(0, 1000, "12345\n123456")])
                == ["line 2 has 6 characters, more than 5"])
        let count = #"{"rule": "line-count", "limit": 2}"#
        #expect(try messages(count, [Self.cue(0, 1000, "a\nb\n\n")]).isEmpty)
        #expect(
            try messages(count, [Self.cue(0, 1000, "a\nb\nc")]) == ["has 3 lines, more than 2"])
    }

    @Test func emptyCues() throws {
        let rule = #"{"rule": "empty-cue"}"#
        for text in ["", " \n\u{A0}", "\u{200B}\u{FEFF}"] {
            #expect(try messages(rule, [Self.cue(0, 1000, text)]) == ["has no text"], "\(text)")
        }
        #expect(try messages(rule, [Self.cue(0, 1000, ".")]).isEmpty)
        // A drawing is visible.
        let drawing = CueSource.ass("0,0,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}")
        #expect(try messages(rule, [Self.cue(0, 1000, "", source: drawing)]).isEmpty)
        let tags = CueSource.ass("0,0,Default,,0,0,0,,{\\an8}  ")
        #expect(try messages(rule, [Self.cue(0, 1000, "", source: tags)]).count == 1)
    }

    @Test(arguments: [
        (CueSource.subRip("<i>a</i> <b>b</b>"), [String]()),
        (.subRip("<i><b>a</i></b>"), []), (.subRip("a < b, <3, <x>"), []),
        (.subRip("<i>a"), ["<i> is not closed"]), (.subRip("a</I> b</i>"), ["</i> closes no tag"]),
        (.subRip("<font color=red>a"), ["<font> is not closed"]),
        (.subRip("{\\an8 a"), ["{ is not closed"]), (.subRip("{\\an8}{a"), []),
        (.webVTT("<v Bob>Hi <i.x>a</i>"), []), (.webVTT("<ruby>a<rt>b</ruby>"), []),
        (.webVTT("<c.red>a<00:00:01.000>b"), ["<c> is not closed"]),
        (.webVTT("a</b>"), ["</b> closes no tag"]), (.webVTT("&lt;i>"), []),
        (.ass("0,0,Default,,0,0,0,,{\\i1}a, b{\\i0}"), []),
        (.ass("0,0,Default,,0,0,0,,a {\\i1 b, c"), ["{ is not closed"]),
        (.ass("0,0,{x,,0,0,0,,a \\{ b"), []),
    ])
    func tags(_ source: CueSource, _ expected: [String]) throws {
        #expect(
            try messages(#"{"rule": "unbalanced-tags"}"#, [Self.cue(0, 1000, source: source)])
                == expected)
    }

    @Test func characters() throws {
        let scc = #"{"rule": "unsupported-characters", "limit": "scc"}"#
        #expect(try messages(scc, [Self.cue(0, 1000, "Café, señor ♪")]).isEmpty)
        #expect(
            try messages(scc, [Self.cue(0, 1000, "Ж Ж 漢")]).map {
                $0.hasSuffix(
                    "cannot represent 'Ж' (U+0416), '漢' (U+6F22)")
            } == [true])
        let stl = #"{"rule": "unsupported-characters", "limit": "stl"}"#
        #expect(try messages(stl, [Self.cue(0, 1000, "Łódź, Ærø")]).isEmpty)
        #expect(try messages(stl, [Self.cue(0, 1000, "漢")]).count == 1)
        let vtt = #"{"rule": "unsupported-characters", "limit": "vtt"}"#
        #expect(try messages(vtt, [Self.cue(0, 1000, "漢 <i> & 😀")]).isEmpty)
    }

    @Test func markup() throws {
        let rule = #"{"rule": "markup"}"#
        #expect(try messages(rule, [Self.cue(0, 1000, "a")]).isEmpty)
        #expect(try messages(rule, [Self.cue(0, 1000, "a <3", source: .subRip("a <3"))]).isEmpty)
        #expect(
            try messages(rule, [Self.cue(0, 1000, "a", source: .subRip("{\\an8}a"))])
                == ["has markup"])
        var style = TextStyle()
        style.isItalic = true
        let styled = CheckedCue(
            Cue(
                start: .zero, end: .seconds(1),
                content: .text(StyledText(runs: [TextRun("a", style: style)]))))
        #expect(try messages(rule, [styled]) == ["has markup"])
    }

    @Test func charsets() throws {
        let rule = #"{"rule": "charset", "limit": "UTF-8"}"#
        var track = TrackCheck.Track()
        #expect(try messages(rule, [], track: track).isEmpty)
        for (charset, count) in [("utf-8", 0), ("ascii", 0), ("windows-1252", 1), ("utf-16le", 1)] {
            track.charset = charset
            #expect(try messages(rule, [], track: track).count == count, "\(charset)")
        }
    }

    @Test func textInTheSafeArea() throws {
        let rule = #"{"rule": "safe-area", "limit": 10}"#
        func count(_ change: (inout CueLayout) -> Void) throws -> [String] {
            var layout = CueLayout()
            change(&layout)
            return try messages(rule, [Self.cue(0, 1000, "Hi", layout: layout)])
        }
        #expect(try count { _ in }.isEmpty)
        #expect(try count { ($0.line, $0.snapToLines) = (10, false) }.isEmpty)
        #expect(
            try count { ($0.line, $0.snapToLines) = (9, false) }
                == ["is outside of the safe area of 10 to 90 %: upper edge at 9 %"])
        #expect(
            try count { ($0.line, $0.snapToLines, $0.lineAlignment) = (90, false, .end) }.isEmpty)
        #expect(
            try count { ($0.line, $0.snapToLines, $0.lineAlignment) = (91, false, .end) }.count == 1
        )
        #expect(try count { ($0.position, $0.textAlignment) = (10, .left) }.isEmpty)
        #expect(try count { ($0.position, $0.textAlignment) = (9, .left) }.count == 1)
        #expect(try count { ($0.position, $0.textAlignment) = (91, .right) }.count == 1)
        // Numbered lines are placed by the player.
        #expect(try count { $0.line = 0 }.isEmpty)
    }

    @Test func imagesInTheSafeArea() throws {
        let palette = [
            RGBA(red: 0, green: 0, blue: 0, alpha: 0),
            RGBA(red: 255, green: 255, blue: 255, alpha: 255),
            RGBA(red: 1, green: 1, blue: 1, alpha: 255),
        ]
        func cue(x: Int, y: Int, _ indices: [UInt8]) throws -> CheckedCue {
            let bitmap = try #require(
                IndexedBitmap(width: 4, height: 1, indices: indices, palette: palette))
            return CheckedCue(
                Cue(
                    start: .zero, end: .seconds(1),
                    content: .images(
                        CueImages(
                            canvas: nil, images: [PlacedBitmap(x: x, y: y, bitmap: bitmap)]))),
                canvas: PixelSize(width: 100, height: 100))
        }
        let rules =
            #"{"rule": "safe-area", "limit": 10}, {"rule": "image-colors", "limit": 2}, {"rule": "empty-cue"}"#
        // Transparent pixels do not count.
        #expect(try messages(rules, [cue(x: 9, y: 10, [0, 1, 1, 0])]).isEmpty)
        #expect(
            try messages(rules, [cue(x: 9, y: 90, [1, 1, 1, 0])]) == [
                "is outside of the safe area of 10 to 90 %: left edge at 9 %, lower edge at 91 %"
            ])
        #expect(
            try messages(rules, [cue(x: 50, y: 50, [0, 1, 2, 0])])
                == ["has an image with 3 colors, more than 2"])
        #expect(try messages(rules, [cue(x: 0, y: 0, [0, 0, 0, 0])]) == ["has no visible pixel"])
    }

    @Test func whatReadersReportIsAFinding() throws {
        var track = TrackCheck.Track()
        track.readerFindings = [.init(rule: .emptyCue, line: 9, message: "a cue has no text")]
        let found = try findings(#"{"rule": "empty-cue", "severity": "info"}"#, [], track: track)
        #expect(found.map(\.line) == [9] && found.map(\.severity) == [.info])
        #expect(try findings(#"{"rule": "order"}"#, [], track: track).isEmpty)
    }

    // MARK: Hostile cues

    @Test func manyCues() throws {
        var cues: [CheckedCue] = []
        var generator = SeededGenerator(seed: 3)
        for number in 1...200_000 {
            let start = Int64.random(in: -5000...5000, using: &generator)
            cues.append(
                Self.cue(
                    start, start + .random(in: -10...10, using: &generator), "漢", number: number))
        }
        var check = TrackCheck(try CheckProfile.builtIn("netflix"))
        let result = check.check(cues)
        #expect(result.cueCount == 200_000)
        #expect(result.leftOut > 0 && result.total == result.findings.count + result.leftOut)
        for (rule, count) in result.counts {
            let kept = result.findings.count { $0.rule == rule }
            #expect(kept == min(count, TrackCheck.findingsAtMost), "\(rule)")
        }
    }

    @Test func extremeCues() throws {
        let times: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        var cues: [CheckedCue] = []
        let text = String(repeating: "{<i>\u{301}漢\n", count: 20_000)
        for start in times {
            for end in times {
                cues.append(
                    CheckedCue(
                        Cue(
                            order: cues.count, start: Timestamp(nanoseconds: start),
                            end: Timestamp(nanoseconds: end),
                            content: .text(StyledText(cues.count == 9 ? text : "x")),
                            source: cues.count == 9 ? .subRip(text) : nil)))
            }
        }
        for name in CheckProfile.builtInNames {
            let profile = try CheckProfile.builtIn(name)
            var check = TrackCheck(profile)
            #expect(check.check(cues).total > 0)
            var fixer = CueFixer(profile, of: .init())
            #expect(fixer.fixed(cues).cues.count == cues.count)
        }
    }
}
