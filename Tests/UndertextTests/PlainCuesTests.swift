import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextFormats

/// The short way that plain cues of text files take gives what decoding each of them gives.
@Suite struct PlainCuesTests {
    let folder = TemporaryDirectory()

    /// The result of an extraction: bytes, and its report.
    private struct Outcome: Equatable {
        var bytes: String?
        var cues: Int?
        var first: Timestamp?
        var last: Timestamp?
        var losses: ConversionLosses?
        var diagnostics: [String: Int]?
    }

    /// Extracts `file`; a window of everything keeps cues from the short way.
    private func outcome(
        of file: String, as format: SubtitleFormat, taking isShort: Bool
    ) throws -> Outcome {
        var options = ExtractionOptions()
        let output = folder / (isShort ? "short" : "long")
        options.destination = .file(output)
        options.format = FormatRequest(text: format, bitmap: .png)
        options.existing = .replace
        if !isShort { options.window = TimeWindow(from: .milliseconds(-4_000_000_000_000)) }
        let track = try #require(
            try Extractor(options: options).extract(file).tracks.first)
        return Outcome(
            bytes: track.outputs.isEmpty ? nil : fileText(output), cues: track.cues,
            first: track.first, last: track.last, losses: track.losses,
            diagnostics: track.diagnosticCounts)
    }

    private func expectEqual(_ text: String, _ format: SubtitleFormat) throws {
        let file = folder.write(text, to: "random.srt")
        let short = try outcome(of: file, as: format, taking: true)
        let long = try outcome(of: file, as: format, taking: false)
        #expect(short == long, "\(text.debugDescription)")
    }

    @Test(arguments: [SubtitleFormat.webVTT, .ass])
    func randomFilesAreEqual(_ format: SubtitleFormat) throws {
        for seed in 0..<250 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            try expectEqual(Self.randomFile(&generator), format)
        }
    }

    @Test func cuesThatAreNotPlainKeepTheirPlace() throws {
        let text =
            "1\n00:00:01,000 --> 00:00:01,000\nopen\n\n2\n00:00:03,000 --> 00:00:04,000\nplain\n\n"
            + "3\n00:00:05,000 --> 00:00:09,000\n<font color=\"red\">red</font>\n\n"
            + "4\n00:00:06,000 --> 00:00:07,000\na & b\n\n5\n00:00:06,000 --> 00:00:07,000\na & b\n\n"
            + "6\n100:00:00,000 --> 1000:00:01,500\n<i>late</i>\n"
        try expectEqual(text, .webVTT)
        let file = folder.write(text, to: "six.srt")
        let found = try outcome(of: file, as: .webVTT, taking: true)
        #expect(found.cues == 5 || found.cues == 6)
        #expect(found.last == .milliseconds(3_600_001_500))
        let vtt = try #require(found.bytes)
        #expect(vtt.contains("00:00:01.000 --> 00:00:03.000\nopen\n"))
        #expect(vtt.contains("100:00:00.000 --> 1000:00:01.500\n<i>late</i>\n"))
        #expect(vtt.split(separator: "a &amp; b").count == 2)
    }

    @Test(arguments: [SubtitleFormat.webVTT, .subRip, .ass])
    func stylesAreStripped(_ format: SubtitleFormat) throws {
        var options = ExtractionOptions()
        let output = folder / "stripped"
        options.destination = .file(output)
        options.format = FormatRequest(text: format, bitmap: .png)
        options.stripsStyling = true
        let file = folder.write("1\n00:00:01,000 --> 00:00:02,000\n<i>a</i> & b\n", to: "i.srt")
        let report = try Extractor(options: options).extract(file)
        #expect(report.outcome == .complete)
        let text = try #require(fileText(output))
        #expect(!text.contains("<i>") && !text.contains("\\i1"))
    }

    @Test func notesComeInTheOrderOfTheFile() throws {
        let text =
            "1\n00:00:01,000 --> 00:00:01,000\nzero\n\n2\n00:00:03,000 --> 00:00:04,000\nfine\n\n"
            + "3\n00:00:05,000 --> 00:00:04,000\nback\n\n4\n00:00:06,000 --> 00:00:07,000\nend\n\n5\n"
        var options = ExtractionOptions()
        options.destination = .file(folder / "notes.vtt")
        let track = try #require(
            try Extractor(options: options).extract(folder.write(text, to: "n.srt")).tracks.first)
        let codes = track.diagnostics.map(\.code)
        #expect(codes == ["zero-duration", "negative-duration", "cut-off"])
    }

    // MARK: Files as people have them

    private static let words = [
        "fog", "Straße", "маяк", "灯台", "<i>rope</i>", "<b>", "</b>", "<u>x</u>", "a & b", "x > y",
        "{\\an8}", "--> ", "<3", "1984", "<i></i>", "<i> a</i>", "<I>A</I>", "<i>b</i><i>c</i>",
        "<i>d</i><b>e</b>", "<i><b>f</b></i>", "\u{FEFF}", "\t", "\u{1}", "&amp;", "<i>two",
        "lines</i>",
    ]

    private static func randomFile(_ generator: inout SeededGenerator) -> String {
        func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &generator) == 0 }
        let end = chance(3) ? "\r\n" : "\n"
        let isOdd = chance(2)
        var text = ""
        var time = 0
        for number in 1...Int.random(in: 1...12, using: &generator) {
            if !(isOdd && chance(8)) { text += "\(isOdd && chance(9) ? 7 : number)" + end }
            time += isOdd && chance(8) ? -500 : isOdd && chance(6) ? 0 : 700
            let length = isOdd && chance(8) ? 0 : isOdd && chance(9) ? -40 : chance(4) ? 1500 : 600
            text += clock(time, &generator) + (isOdd && chance(12) ? " -> " : " --> ")
            text += clock(time + length, &generator)
            if isOdd, chance(12) { text += " X1:10 X2:20 Y1:30 Y2:40" }
            text += end
            for _ in 0..<Int.random(in: isOdd ? 0...3 : 1...3, using: &generator) {
                text += (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                    chance(isOdd ? 2 : 8)
                        ? words.randomElement(using: &generator) ?? "" : words[0]
                }.joined(separator: " ")
                text += isOdd && chance(9) ? " " + end : end
                if isOdd, chance(12) { text += end }
            }
            if !(isOdd && chance(9)) { text += end }
        }
        return chance(4) ? String(text.dropLast(2)) : text
    }

    private static func clock(_ time: Int, _ generator: inout SeededGenerator) -> String {
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(abs(value))
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let sign = time < 0 ? "-" : ""
        let value = abs(time)
        return sign + padded(value / 3_600_000, 2) + ":" + padded(value / 60_000 % 60, 2) + ":"
            + padded(value / 1000 % 60, 2) + "," + padded(value % 1000, 3)
    }
}
