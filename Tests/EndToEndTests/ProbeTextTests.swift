import TestSupport
import Testing
import Undertext
import UndertextCore

@testable import UndertextCLI

@Suite struct ProbeTextTests {
    /// The text about a file with one of everything.
    private func text(width: Int = 80, color: Bool = false) -> String {
        let report = ProbeReport(
            input: "film.mkv", container: probeContainer(),
            facts: [
                2: ExtractionSummary(
                    kind: .text, indexed: true, packets: 312, cues: 312,
                    first: .milliseconds(1001), last: .milliseconds(5_398_200), coverage: 0.4284,
                    outputs: ["vtt", "srt", "json"]),
                3: ExtractionSummary(kind: .bitmap, packets: 1, outputs: ["png", "sup"]),
                4: ExtractionSummary(kind: .bitmap, indexed: true, outputs: ["png", "vobsub"]),
            ])
        return ProbeText(report, width: width, color: color).text
    }

    @Test func oneBlockForEachStream() {
        let text = text()
        #expect(
            text == """
                film.mkv
                   format      Matroska / WebM
                   duration    1:30:00.250
                   size        4.51 GB
                   title       A film\\u{1B}[2J
                   program     7, One, #0 #1 #99

                #0 video       h264, 1920x800, 23.976 fps, 4000 kbit/s, default

                #1 audio       aac, 48000 Hz, 5.1(side), en, default

                #2 text        webvtt, pt-BR, default, SDH
                   title       Para todos: uma legenda com um título muito longo, que não cabe
                               numa linha
                   extracts    pt-BR.sdh.vtt, pt-BR.sdh.srt, pt-BR.sdh.json
                   indexed     yes, 312 packets
                   cues        312, 0:00:01.001 to 1:29:58.200, on screen 43 % of the time

                #3 bitmap      hdmv_pgs_subtitle, 1920x1080, de, forced
                   extracts    de.forced.images/, de.forced.sup
                   indexed     no, 1 packet

                #4 bitmap      dvd_subtitle, de, forced
                   extracts    2.de.forced.images/, 2.de.forced.idx, 2.de.forced.sub
                   indexed     yes

                #5 data        unknown

                   chapters    0:00:00.000 Opening
                               0:10:00.500

                   attachments #6, Sans\\u{202E}.ttf, font/ttf, 120 kB

                """, "\(text)")
    }

    @Test(arguments: [20, 40, 60, 80, 132])
    func linesKeepToTheWidth(width: Int) {
        let lines = text(width: width).split(separator: "\n").dropFirst()
        let longest = lines.map { displayWidth($0) }.max() ?? 0
        #expect(longest <= max(width, 25))
        #expect(longest > min(width, 70) / 2)
    }

    @Test func colorOnlyOnRequest() {
        let plain = text(color: false)
        let colored = text(color: true)
        #expect(!plain.contains("\u{1B}"))
        #expect(colored.contains("\u{1B}[1m#0 video\u{1B}[0m       h264"))
        #expect(
            colored.split(separator: "\u{1B}[1m").joined().split(separator: "\u{1B}[0m").joined()
                == plain)
    }

    @Test func aCutFileIsDamaged() throws {
        let report = try Media(fixture("containers/truncated.mkv")).probe()
        #expect(ProbeText(report, width: 80, color: false).text.contains("damaged"))
    }

    @Test func anEmptyContainerIsReported() {
        let report = ProbeReport(input: "x", container: ContainerDescription(formatName: "srt"))
        #expect(
            ProbeText(report, width: 80, color: false).text
                == "x\n   format      srt\n   streams     none\n")
    }

    @Test func wrapsAtSpacesAndInsideLongWords() {
        #expect(wrapped("a bb ccc", to: 4) == ["a bb", "ccc"])
        #expect(wrapped("abcdefghij kl", to: 4) == ["abcd", "efgh", "ij", "kl"])
        #expect(wrapped("漢字漢字漢", to: 4) == ["漢字", "漢字", "漢"])
        #expect(wrapped("", to: 4) == [""])
        #expect(displayWidth("e\u{301}漢") == 3)
    }

    @Test(
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.00 kB"),
            (9_999, "9.99 kB"),
            (1_254_756, "1.25 MB"), (64_100_000_000, "64.1 GB"), (999_999_999, "999 MB"),
            (.max, "18.4 EB"),
        ] as [(UInt64, String)])
    func sizesHaveThreeDigits(bytes: UInt64, text: String) {
        #expect(sizeText(bytes) == text)
    }
}
