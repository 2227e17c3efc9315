import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextFormats

/// SubViewer (and .sbv), MicroDVD, MPL2 and LRC files: our own readers, and libavformat for their kin.
@Suite struct TimedTextFileTests {
    let folder = TemporaryDirectory()

    private struct Read {
        var cues: [String]
        var codes: [String]
        var losses: [ConversionLosses.Kind]
        var outcome: InputOutcome
    }

    /// Converts to WebVTT with warnings and losses as failures, and reads the file's cues.
    private func read(
        _ text: String, _ name: String, change: (inout ExtractionOptions) -> Void = { _ in }
    ) throws -> Read {
        var options = ExtractionOptions()
        options.isStrict = true
        options.existing = .replace
        options.destination = .file(folder / "out.vtt")
        change(&options)
        let report = try Extractor(options: options).extract(folder.write(text, to: name))
        let track = try #require(report.tracks.first, "\(String(describing: report.error))")
        var reading = Media.Options()
        reading.frameRate = options.reading.frameRate
        let document = try SubtitleDocument(contentsOf: folder / name, options: reading)
        return Read(
            cues: document.cues.map {
                let start = $0.start.roundedMilliseconds
                let end = $0.end.roundedMilliseconds
                return "\(start)-\(end) \($0.endSource) \($0.plainText ?? "")"
            },
            codes: track.diagnostics.map(\.code), losses: track.losses.entries.map(\.kind),
            outcome: report.outcome)
    }

    private static let backwards: [(name: String, text: String)] = [
        (
            "a.sbv",
            "0:00:01.000,0:00:02.000\none\n\n0:00:05.000,0:00:04.000\ntwo\n\n"
                + "0:00:07.000,0:00:08.000\nthree\n\n0:00:09.000,0:00:08.500\nfour\n"
        ),
        (
            "a.sub",
            "{1}{1}10\n{10}{20}one\n{50}{40}two\n{70}{80}three\n{90}{85}four\n"
        ),
        ("a.txt", "[10][20]one\n[50][40]two\n[70][80]three\n[90][85]four\n"),
        (
            "a.srt",
            "1\n00:00:01,000 --> 00:00:02,000\none\n\n2\n00:00:05,000 --> 00:00:04,000\ntwo\n\n"
                + "3\n00:00:07,000 --> 00:00:08,000\nthree\n\n4\n00:00:09,000 --> 00:00:08,500\nfour\n"
        ),
    ]

    /// A cue that ends before it starts lasts until the next one, at any position in the file, with a
    /// diagnostic.
    @Test(arguments: backwards.indices) func endsBeforeStarts(_ index: Int) throws {
        let (name, text) = Self.backwards[index]
        let found = try read(text, name)
        #expect(
            found.cues == [
                "1000-2000 explicit one", "5000-7000 nextEvent two", "7000-8000 explicit three",
                "9000-19000 clamped four",
            ])
        #expect(found.codes.filter { $0 == "negative-duration" }.count == 2)
        #expect(found.outcome == .incomplete)
    }

    @Test func endsBeforeStartsInSpruceText() throws {
        let found = try read(
            "//Font select\n00:00:01:00 , 00:00:02:00 , one\n00:00:09:00 , 00:00:08:00 , two\n",
            "a.stl")
        #expect(
            found.cues == [
                "1000-2000 explicit one", "9000-19000 clamped two",
            ])
        #expect(found.codes == ["frame-rate-assumed", "negative-duration"])
        #expect(found.losses.isEmpty)
    }

    private static let clean: [(name: String, text: String, cues: [String])] = [
        (
            "a.sbv", "0:00:01.000,0:00:02.000\none\nmore\n\n0:00:02.000,0:00:03.000\ntwo",
            ["1000-2000 explicit one\nmore", "2000-3000 explicit two"]
        ),
        (
            "v.sub",
            "[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n[SUBTITLE]\n"
                + "[COLF]&HFFFFFF,[STYLE]no,[SIZE]18,[FONT]Arial\n"
                + "00:00:01.05,00:00:02.50\r\none[br]more\r\n\r\n00:00:03.00,00:00:04.00\r\ntwo\r\n",
            ["1050-2500 explicit one\nmore", "3000-4000 explicit two"]
        ),
        (
            "m.sub", "{1}{1}25.000\n{25}{50}one|more\n{75}{}two\n{100}{125}three",
            [
                "1000-2000 explicit one\nmore", "3000-4000 nextEvent two",
                "4000-5000 explicit three",
            ]
        ),
        (
            "m.txt", "[10][20]one|/more\n[20][]two\n[35][40]three\n",
            [
                "1000-2000 explicit one\nmore", "2000-3500 nextEvent two",
                "3500-4000 explicit three",
            ]
        ),
        (
            "l.lrc", "[ti:Song]\n[offset:+500]\n[00:01.50][00:06.50]one\n[00:03.00]\n[00:05]two\n",
            ["1000-2500 explicit one", "4500-6000 nextEvent two", "6000-16000 clamped one"]
        ),
        (
            "o.sub",
            "[TITLE]\nOld one\n[AUTHOR]\n\n[BEGIN]\n******** START SCRIPT ********\n[DELAY]2\n[00:00:10]\none|more\n"
                + "[00:00:12]\n\n[00:00:20]\ntwo\n[00:00:22]\nthree\n[00:00:25]\n\n[END]\n******** END SCRIPT ********\n",
            [
                "12000-14000 explicit one\nmore", "22000-24000 explicit two",
                "24000-27000 explicit three",
            ]
        ),
        (
            "j.jss",
            "# A script\n#TIMERES 25\n0:00:01.00 0:00:02.05 D one\\nmore {aside}\n@75 @100 VB two~words\n"
                + "#SHIFT 0:00:10.00\n0:00:01.00 0:00:02.00 {no directives} three \\\n goes on\n#S-0:00:01.00\n"
                + "1:00:06.00 1:00:07.00 JC four\n",
            [
                "1000-2200 explicit one\nmore", "3000-4000 explicit two\u{A0}words",
                "11000-12000 explicit three goes on", "3605000-3606000 explicit four",
            ]
        ),
    ]

    /// Nothing is wrong with these, and no format invents a look for them.
    @Test(arguments: clean.indices) func nothingIsLost(_ index: Int) throws {
        let (name, text, cues) = Self.clean[index]
        let found = try read(text, name)
        #expect(found.cues == cues)
        #expect(found.codes.filter { $0 != "frame-rate" } == [])
        #expect(found.losses.isEmpty)
        #expect(found.outcome == .complete)
    }

    /// libavcodec's default font and size are no losses, either.
    @Test func libavcodecInventsNoLook() throws {
        let found = try read("100,200,\"one\"\n300,400,\"two\"\n", "a.pjs")
        #expect(found.cues.count == 2)
        #expect(found.losses.isEmpty && found.outcome == .complete)
    }

    /// The caller's frame rate goes before the file's, and that before what players assume.
    @Test func frameRates() throws {
        let cue = "{100}{200}one\n"
        let assumed = try read(cue, "a.sub")
        #expect(assumed.cues == ["4171-8342 explicit one"])
        #expect(assumed.codes == ["frame-rate-assumed"])
        #expect(assumed.outcome == .incomplete)
        for stated in [
            "{1}{1}25.000\n", "{0}{0}25\n", "{1}{1}25,00\n", "{DEFAULT}{}{y:i}\n{1}{}25\n",
        ] {
            let found = try read(stated + cue, "b.sub")
            #expect(found.cues == ["4000-8000 explicit one"], "\(stated)")
            #expect(found.codes == ["frame-rate"])
        }
        let named = try read("{1}{1}25\n" + cue, "c.sub") { $0.reading.frameRate = TimeBase(50, 1) }
        #expect(named.cues == ["2000-4000 explicit one"])
        #expect(named.outcome == .complete)
        // No rate, but words.
        let words = try read("{1}{1}2001\n{2}{3}12 angry men\n", "d.sub")
        #expect(words.codes.contains("frame-rate-assumed"))
        #expect(words.cues.count == 2)
    }

    /// A file whose first time is too large is still LRC.
    @Test func timesThatAreTooLarge() throws {
        let lyrics = try read(
            "[99999999999999999999:01.00]lost\n[00:02.00]two\n[00:03.00]three\n", "a.lrc")
        #expect(lyrics.cues == ["2000-3000 nextEvent two", "3000-13000 clamped three"])
        #expect(lyrics.codes == ["bad-timing"])
        for (name, open, close) in [("b.sub", "{", "}"), ("b.txt", "[", "]")] {
            let text = ["1", "99999999999", "1", "99999999999"].enumerated().map { index, number in
                "\(open)\(number)\(close)\(open)\(index == 3 ? number : "20")\(close)text\n"
            }
            let found = try read("\(open)1\(close)\(open)1\(close)25\n" + text.joined(), name)
            #expect(found.codes.filter { $0 == "bad-timing" }.count == 2, "\(name)")
            #expect(!found.codes.contains("stray-text"))
        }
    }

    @Test func framesOfSpruce() throws {
        let cues = "00:00:01:05 , 00:00:02:12 , one | more\n"
        let pal = try read(cues, "a.stl")
        #expect(pal.cues == ["1200-2480 explicit one\nmore"])
        let ntsc = try read(cues + "00:00:03:00 , 00:00:04:29 , two\n", "b.stl")
        #expect(ntsc.cues.last == "3003-4972 explicit two")
        #expect(ntsc.codes == ["frame-rate-assumed"])
        let named = try read(cues, "c.stl") { $0.reading.frameRate = TimeBase(50, 1) }
        #expect(named.cues == ["1100-2240 explicit one\nmore"] && named.codes.isEmpty)
    }

    @Test func framesOfJACOsub() throws {
        let cues = "0:00:01.15 0:00:02.00 D one\n@30 @60 D two\n"
        #expect(
            try read(cues, "a.jss").cues == ["1000-2000 explicit two", "1500-2000 explicit one"])
        let named = try read("#T50\n" + cues, "b.jss") { $0.reading.frameRate = TimeBase(60, 1) }
        #expect(named.cues == ["500-1000 explicit two", "1250-2000 explicit one"])
    }

    /// Settings hold for the cues after them; codes switch.
    @Test func looksOfSpruceAndJACOsub() throws {
        func vtt(_ name: String, _ text: String) throws -> String {
            let media = try Media(folder.write(text, to: name))
            let document = try media.subtitleTracks[0].textDocument()
            return String(decoding: document.encoded(as: .webVTT).bytes, as: UTF8.self)
        }
        let spruce = try vtt(
            "a.stl",
            "//Font\n$VertAlign = Top\n$Italic = TRUE\n00:00:01:00,00:00:02:00,one\n$VertAlign = Bottom\n"
                + "$HorzAlign = Left\n$Italic = False\n$TextContrast = 15\n00:00:03:00,00:00:04:00,^Btwo^B and ^ithree\n"
        )
        #expect(spruce.contains(" line:0\n<i>one</i>\n"), "\(spruce)")
        #expect(
            spruce.contains("position:5% align:start\n<b>two</b> and <i>three</i>\n"), "\(spruce)")
        let jaco = try vtt(
            "a.jss",
            "0:00:01.00 0:00:02.00 VTJR \\Ione\\i \\Btwo\\N three\n0:00:03.00 0:00:04.00 D \\C1four \\{}\n"
        )
        #expect(
            jaco.contains(" line:0 position:95% align:end\n<i>one</i> <b>two</b> three\n"),
            "\(jaco)")
        #expect(jaco.contains("\nfour {}\n"), "\(jaco)")
    }

    /// As libavformat and libavcodec read them, which interpret the frames of Spruce STL as hundredths of a
    /// second and keep the comments of JACOsub.
    @Test(.requires("ffmpeg"), arguments: ["subviewer1", "jacosub", "stl"])
    func libavformat(_ format: String) throws {
        let texts = [
            "subviewer1":
                "[TITLE]\nx\n[BEGIN]\n******** START SCRIPT ********\n[00:00:10]\none|more\n[00:00:12]\n\n"
                + "[00:00:20]\ntwo\n[00:00:22]\n\n[END]\n",
            "jacosub":
                "#T25\n0:00:01.00 0:00:02.10 D one\\nmore\n0:00:03.05 0:00:04.00 JC two\n@125 @150 D three\n",
            "stl":
                "//x\n$FontName = Arial\n00:00:01:00 , 00:00:02:00 , one|more\n00:01:03:00 , 01:00:04:00 , two\n",
        ]
        let text = try #require(texts[format])
        let file = folder.write(text, to: "x.txt")
        let result = run("ffmpeg", ["-v", "error", "-f", format, "-i", file, "-f", "srt", "-"])
        #expect(result.status == 0, "\(result.stderr)")
        let theirs = try SubtitleDocument(
            contentsOf: folder.write(result.stdout, to: "theirs.srt"))
        let ours = try SubtitleDocument(contentsOf: file)
        func lines(_ document: SubtitleDocument) -> [String] {
            document.cues.map {
                let words = ($0.plainText ?? "").split(separator: "\n").map { line in
                    line.drop { $0 == " " }
                }
                return "\($0.start.roundedMilliseconds)-\($0.end.roundedMilliseconds) "
                    + words.joined(separator: "|")
            }
        }
        #expect(ours.header.codec.rawValue == format)
        #expect(lines(ours) == lines(theirs) && ours.cues.count >= 2)
    }

    @Test func codesOfMicroDVD() throws {
        let path = folder.write(
            "{1}{1}25\n{DEFAULT}{}{c:$0000FF}\n{25}{50}{y:b}one|{Y:i}{f:Serif}two|three {x:y}\n"
                + "{50}{75}{P:0}{o:1,2}four", to: "a.sub")
        var reported: [String] = []
        let media = try Media(path)
        reported += media.diagnostics.map(\.code)
        let document = try media.subtitleTracks[0].textDocument { reported.append($0.code) }
        let vtt = document.encoded(as: .webVTT)
        let text = String(decoding: vtt.bytes, as: UTF8.self)
        #expect(
            text.contains("\n<c.red><b>one\n</b><i>two\nthree {x:y}</i></c>\n"), "\(text)")
        #expect(text.contains(" line:0\n<c.red>four</c>\n"), "\(text)")
        #expect(reported == ["frame-rate", "ignored-code"])
    }

    /// Braces that hold no code are text.
    @Test func emptyBracesOfMicroDVD() throws {
        let path = folder.write("{1}{1}25\n{25}{50}one|{}:i}two\n{50}{75}{}:i}\n", to: "a.sub")
        let cues = try Media(path).subtitleTracks[0].document().cues
        #expect(cues.map(\.plainText) == ["one\n{}:i}two", "{}:i}"])
    }

    /// Damage costs only its own cue.
    @Test func damage() throws {
        let sbv = try read(
            "stray\n0:00:01.000,0:00:02.000\none\n\n0:00:03.x00,0:00:04.000\nlost\n\n"
                + "0:00:05.000,0:00:06.000\n\n0:00:07.000,0:00:08.000\ntwo\n\nmore\n",
            "a.sbv"
        ) { $0.reading.inputFormat = .subViewer }
        #expect(sbv.codes == ["stray-text", "bad-timing", "empty-cue", "blank-line"])
        let mpl = try read("[10][20]one\nstray\n[99999999999][1]no\n[30][40]\n[50][60]two", "a.txt")
        #expect(mpl.cues.count == 2)
        #expect(mpl.codes == ["stray-text", "bad-timing", "empty-cue"])
        // SubViewer 1 is not LRC.
        let old = try read(
            "[TITLE]\n[BEGIN]\n******** START SCRIPT ********\n[00:00:10]\none\n[00:00:12]\n\n"
                + "[00:00:20]\ntwo\n[00:00:22]\n\n[END]\n", "b.sub")
        #expect(old.cues.count == 2)
    }

    /// Truncated and altered files have cues with valid times, or are refused.
    @Test(arguments: [
        ("a.sub", "{1}{1}25\n{25}{50}{y:b}one|two\n{60}{80}three\n"),
        ("a.txt", "[10][20]/one|two\n[30][40]three\n"),
        ("a.sbv", "0:00:01.000,0:00:02.000\none\n\n0:00:05.000,0:00:06.000\ntwo\n"),
        (
            "b.sub",
            "[TITLE]\n[BEGIN]\n******** START SCRIPT ********\n[00:00:10]\none\n[00:00:12]\n\n"
                + "[00:00:20]\ntwo\n[00:00:22]\n\n[END]\n"
        ),
        (
            "a.jss",
            "#TIMERES 25\n0:00:01.00 0:00:02.05 D one\\nmore {aside}\n@75 @100 VB two~words\n#S-0:00:01.00\n"
        ),
        (
            "a.stl",
            "//Font select\n00:00:01:00 , 00:00:02:00 , one\n00:00:03:00 , 00:00:04:29 , two\n"
        ),
        ("a.lrc", "[offset:500]\n[00:01.00][00:03.00]one\n[00:05.00]two <00:05.50>more\n"),
    ])
    func anyDamage(name: String, text: String) throws {
        func cues(_ bytes: [UInt8]) throws -> [Cue] {
            let media = try Media(.bytes(bytes, name: name))
            return try #require(media.subtitleTracks.first).textDocument().cues
        }
        let whole = Array(text.utf8)
        #expect(try cues(whole).count >= 2)
        for copies in [
            Array(truncations(of: whole)), Array(bitFlips(of: whole, count: 300, seed: 20)),
        ] {
            var readable = 0
            for copy in copies {
                do {
                    let found = try cues(copy)
                    #expect(found.allSatisfy { $0.start < $0.end } && found.count <= 20)
                    readable += 1
                } catch is UndertextError {}
            }
            // A few bits or bytes do not make a file unreadable.
            #expect(readable > copies.count / 4, "\(readable) of \(copies.count)")
        }
    }

    /// Lines that are longer than they may be are cut, and cost no more than themselves.
    @Test func longLines() throws {
        var options = Media.Options()
        options.limits.lineLength = 100
        let long = String(repeating: "{y:b}ä|", count: 100)
        for (name, text) in [
            ("a.sub", "{1}{1}25\n{25}{50}\(long)\n"), ("b.txt", "[10][20]\(long)\n"),
            ("c.sbv", "0:00:01.000,0:00:02.000\n\(long)\n"),
            ("e.sub", "[00:00:10]\n\(long)\n[00:00:12]\n"),
            ("f.jss", "0:00:01.00 0:00:02.00 D \(long)\n"),
            ("g.stl", "00:00:01:00,00:00:02:00,\(long)\n"),
            ("d.lrc", "[00:01.00]\(long)\n"),
        ] {
            var reported: [String] = []
            let document = try SubtitleDocument(
                contentsOf: folder.write(text, to: name), options: options
            ) { reported.append($0.code) }
            #expect(reported.contains("long-line"), "\(name)")
            #expect((document.cues.first?.plainText?.utf8.count ?? 1000) <= 100, "\(name)")
        }
    }

    /// A line of LRC may have many times, but not any number of them with any text.
    @Test func repeatedTextIsBounded() throws {
        let times = (0..<5000).map { "[\(10 + $0 / 50):\(10 + $0 % 50).00]" }
        let text = times.joined() + String(repeating: "t", count: 40_000) + "\n"
        var reported: [String] = []
        let document = try SubtitleDocument(
            contentsOf: folder.write(text, to: "a.lrc")
        ) { reported.append($0.code) }
        #expect(reported.contains("too-much-text"))
        let size = document.cues.reduce(0) { $0 + ($1.plainText?.utf8.count ?? 0) }
        #expect(size <= (1 << 20) + 16 * text.utf8.count)
    }

    /// FFmpeg writes a length of −1 s into Matroska as 2³² − 1000 ms.
    @Test(.requires("ffmpeg")) func negativeLengthsInMatroska() throws {
        let source = folder.write(
            "0:00:01.000,0:00:02.000\na\n\n0:00:17.484,0:00:16.543\nb\n", to: "b.sbv")
        let made = run(
            "ffmpeg",
            ["-v", "error", "-f", "subviewer", "-i", source, "-c:s", "srt", folder / "b.mkv"])
        #expect(made.status == 0, "\(made.stderr)")
        var reported: [String] = []
        let document = try SubtitleDocument(contentsOf: folder / "b.mkv") {
            reported.append($0.code)
        }
        #expect(reported.contains("negative-duration"))
        #expect(document.cues.map(\.end) == [.seconds(2), .milliseconds(27_484)])
    }
}
