import TestSupport
import Testing
import UndertextCore

/// SAMI files by the command: a track for each language.
@Suite struct SAMIConversionTests {
    let folder = TemporaryDirectory()

    private var file: String {
        folder.write(
            """
            <SAMI><HEAD><STYLE TYPE="text/css"><!--
            P { color: white; } .KRCC { Name: 한국어; lang: ko-KR; } .ENCC { Name: English; lang: en-US; }
            --></STYLE></HEAD><BODY>
            <SYNC Start=1000><P Class=KRCC>하나<P Class=ENCC>one <i>and</i> a half
            <SYNC Start=2000><P Class=ENCC>&nbsp;
            <SYNC Start=3000><P Class=KRCC>&nbsp;<P Class=ENCC><font color=yellow>three</font>
            <SYNC Start=4000><P Class=ENCC>&nbsp;
            </BODY></SAMI>
            """, to: "film.smi")
    }

    @Test func eachLanguageIsAFile() throws {
        let result = Command.undertext("extract", "-o", folder / "out", file)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(names(in: folder / "out") == ["film.en-US.vtt", "film.ko-KR.vtt"])
        #expect(
            fileText(folder / "out/film.ko-KR.vtt")
                == "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\n하나\n")
        let english = try #require(fileText(folder / "out/film.en-US.vtt"))
        #expect(english.contains("00:00:01.000 --> 00:00:02.000\none <i>and</i> a half\n"))
        #expect(english.contains("00:00:03.000 --> 00:00:04.000\n<c.yellow>three</c>\n"))
    }

    @Test func aLanguageIsChosen() {
        let several = Command.undertext("convert", file, folder / "x.srt")
        #expect(several.status == 64 && several.states("--tracks"))
        let one = Command.undertext(
            "convert", "--from", "sami", "--tracks", "ko", file, folder / "x.srt")
        #expect(one.status == 0, "\(one.stderr)")
        #expect(fileText(folder / "x.srt") == "1\n00:00:01,000 --> 00:00:03,000\n하나\n\n")
        let part = Command.undertext(
            "extract", "--start", "2.5", "--format", "json", "-o", "-", "--tracks", "en", file)
        #expect(part.text.contains("three") && !part.text.contains("one"))
        #expect(part.records("cue").contains { $0["endSource"]?.text == "nextEvent" })
        #expect(
            Command.undertext("convert", "--from", "sami", fixture("subtitles/en.srt"), "-").status
                != 0)
    }

    @Test func probing() {
        let streams = Command.probed([file])["streams"]?.elements.compactMap { $0["undertext"] }
        #expect(streams?.map { $0["codec"]?.text } == ["sami", "sami"])
        #expect(Set(streams?.map { $0["language"]?.text } ?? []) == ["ko-KR", "en-US"])
    }

    @Test func legacyCharacters() throws {
        // "안녕하세요" and more in the charset that Korean files have.
        let text: [UInt8] = [
            0xBE, 0xC8, 0xB3, 0xE7, 0xC7, 0xCF, 0xBC, 0xBC, 0xBF, 0xE4,
        ]
        let line = Array("<SYNC Start=1000><P Class=KRCC>".utf8) + text
        let path = folder.write(
            Array("<SAMI><BODY>".utf8) + line + Array("<SYNC Start=2000><P Class=KRCC>&nbsp;".utf8),
            to: "old.smi")
        let result = Command.undertext("convert", "--charset", "cp949", path, folder / "old.srt")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(fileText(folder / "old.srt")?.contains("안녕하세요") == true)
    }
}

/// USF in Matroska, as mkvmerge stores it.
@Suite struct USFTrackTests {
    @Test(.requires("mkvmerge")) func textsOfATrack() throws {
        let folder = TemporaryDirectory()
        let usf = folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <USFSubtitles version="1.0"><metadata><title>T</title><language code="eng">English</language></metadata>
            <styles><style name="Default"><fontstyle face="Arial" size="24" color="#FFFFFF"/></style>
            <style name="Sign"><fontstyle color="#FFFF00" italic="yes"/><position alignment="TopRight"/></style></styles>
            <subtitles><subtitle start="00:00:01.000" stop="00:00:02.000">
            <text style="Sign">Hello <b>bold</b><br/>x &amp; y</text></subtitle>
            <subtitle start="00:00:03.000" stop="00:00:04.500"><text alignment="TopLeft">a</text><text>b</text></subtitle>
            </subtitles></USFSubtitles>
            """, to: "x.usf")
        let film = folder / "x.mkv"
        #expect(run("mkvmerge", ["-q", "-o", film, usf]).status == 0)
        let result = Command.undertext("extract", "--format", "json", "-o", "-", film)
        #expect(result.status == 0, "\(result.stderr)")
        let cues = result.text.split(separator: "\n").filter { jsonValue("type", in: $0) == "cue" }
        #expect(cues.map { jsonValue("text", in: $0) } == ["Hello bold\nx & y", "a", "b"])
        #expect(cues.map { jsonMilliseconds("end", in: $0) } == [2000, 4500, 4500])
        #expect(cues.first?.contains("<c.yellow><i>Hello <b>bold</b>") == true)
    }
}
