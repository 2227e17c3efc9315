import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Our files read by other programs.
@Suite struct ReferenceReaderTests {
    private let cues = [
        textCue(0, 1000, StyledText("One & <two>")),
        textCue(1000, 2500, StyledText("two\n\nlines"), id: "second"),
        textCue(
            3_600_000, 3_601_000, StyledText(runs: [textRun("x") { $0.isItalic = true }])),
    ]

    @Test(.requires("ffprobe"), arguments: ["vtt", "srt"])
    func libavformatReadsEveryCue(_ name: String) throws {
        var vtt = WebVTTWriter()
        var srt = SubRipWriter()
        let bytes = name == "vtt" ? file(&vtt, cues) : file(&srt, cues)
        let folder = TemporaryDirectory()
        let probed = try #require(ProbedStream(folder.write(bytes, to: "out.\(name)")))
        try #require(probed.packets.count == 3)
        for (packet, cue) in zip(probed.packets, cues) {
            #expect(packet.start == cue.start)
            #expect(packet.end == cue.end)
        }
        #expect(probed.packets.last?.data == Array("<i>x</i>".utf8))
        #expect(probed.packets[1].data == Array("two\n\u{A0}\nlines".utf8))
    }

    @Test(.requiresPython("webvtt", of: "webvtt-py")) func webvttPyReadsEveryCue() {
        var writer = WebVTTWriter(header: SubtitleHeader(styleSheets: ["::cue{color:red}"]))
        let folder = TemporaryDirectory()
        let path = folder.write(file(&writer, cues), to: "out.vtt")
        let script = """
            import sys, webvtt
            v = webvtt.read(sys.argv[1])
            print(len(v), len(v.styles), v[1].start, v[1].end, v[1].identifier, repr(v[2].raw_text))
            """
        let result = run("python3", ["-c", script, path])
        #expect(result.text == "3 1 00:00:01.000 00:00:02.500 second '<i>x</i>'\n")
    }
}
