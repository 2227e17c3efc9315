import TestSupport
import Testing
import UndertextCore
import UndertextFormats

private let storedHeader = """
    WEBVTT - a title

    STYLE
    ::cue(.red) { color: red }

    REGION
    id:fred
    width:40%
    """

/// A BlockAdditional as libavformat gives it: the id, then the data.
private func addition(_ text: String) -> SideData {
    SideData(.blockAdditional, [0, 0, 0, 0, 0, 0, 0, 1] + Array(text.utf8))
}

private func decode(
    _ text: String, header: String = "", sideData: [SideData] = []
) -> Cue? {
    var decoder = WebVTTDecoder(stream: stream(.webVTT, header: Array(header.utf8)))
    return drafts(decoder.decode(packet(text, sideData: sideData))).first?.cue()
}

@Test func libavformatSideData() throws {
    let cue = try #require(
        decode(
            "<00:00:11.000>a <c.red>b</c>",
            sideData: [
                SideData(.webVTTIdentifier, Array("one".utf8)),
                SideData(.webVTTSettings, Array("line:0 region:fred align:end".utf8)),
            ]))
    #expect(cue.identifier == "one")
    #expect(dump(cue.layout) == "line:0.0,start align:end")
    #expect(cue.source == .webVTT("<00:00:11.000>a <c.red>b</c>"))
    #expect(dump(styledText(cue)) == "a [at=11.0]|b[color=ff0000ff class=red at=11.0]")
    // Without a header the regions are unknown, so any region is kept.
    let region = decode("x", sideData: [SideData(.webVTTSettings, Array("region:who".utf8))])
    #expect(region?.layout.region == "who")
}

@Test func matroskaBlockAddition() throws {
    let cue = try #require(
        decode(
            "Hello <00:00:02.000>world <-00:00:04.500>now",
            header: storedHeader, sideData: [addition("region:fred align:start\none\nNOTE x\ny")]))
    #expect(cue.identifier == "one")
    #expect(dump(cue.layout) == "align:start region:fred")
    #expect(cue.source == .webVTT("Hello <00:00:12.000>world <00:00:05.500>now"))
    #expect(dump(styledText(cue)) == "Hello |world [at=12.0]|now[at=5.5]")
    // A region that the header does not have.
    #expect(
        decode("x", header: storedHeader, sideData: [addition("region:who\n\n")])?.layout.region
            == nil)
    // A cue without settings has no addition; its timestamps are relative all the same.
    #expect(
        decode("a<00:00:01.000>b", header: storedHeader)?.source == .webVTT("a<00:00:11.000>b"))
    // An addition also determines the mapping.
    #expect(
        decode("a<00:01.000>b", sideData: [addition("")])?.source == .webVTT("a<00:00:11.000>b"))
}

@Test func partsOfABlockAddition() {
    func parts(_ text: String) -> [String] {
        let addition = WebVTTBlockAddition(Array(text.utf8)[...])
        return [addition.settings, addition.identifier, addition.comment].map {
            String(decoding: $0, as: UTF8.self)
        }
    }
    #expect(parts("line:0\none\n") == ["line:0", "one", ""])
    #expect(parts("\ntwo words\n") == ["", "two words", ""])
    #expect(parts("\n\nNOTE\nmulti\nline") == ["", "", "NOTE\nmulti\nline"])
    #expect(parts("line:0") == ["line:0", "", ""])
    #expect(parts("") == ["", "", ""])
    #expect(WebVTTBlockAddition(packet: packet("x")) == nil)
    #expect(
        WebVTTBlockAddition(packet: packet("x", sideData: [SideData(.blockAdditional, [0, 1])]))
            == nil)
}

@Test func inlineTimestampsAreMoved() {
    func moved(_ text: String, by start: Timestamp) -> String {
        String(
            decoding: WebVTTInlineTimestamps.absolute(Array(text.utf8), from: start),
            as: UTF8.self)
    }
    #expect(moved("<00:00:01.500>a<b>c</b>", by: .seconds(60)) == "<00:01:01.500>a<b>c</b>")
    #expect(moved("a <-00:02:00.000>b", by: .seconds(3720)) == "a <01:00:00.000>b")
    #expect(moved("<-00:00:09.000>", by: .seconds(1)) == "<00:00:00.000>")
    #expect(
        moved("<1> < <- <00:01> <00:00:01.000 >", by: .seconds(1))
            == "<1> < <- <00:01> <00:00:01.000 >")
    #expect(moved("a<00:01.000", by: .seconds(1)) == "a<00:01.000")
    #expect(moved("", by: .seconds(1)) == "")
    #expect(moved("<00:01.000><00:02.000>", by: .seconds(1)) == "<00:00:02.000><00:00:03.000>")
}

@Test func headerOfAWebVTTStream() {
    let decoder = WebVTTDecoder(stream: stream(.webVTT, header: Array(storedHeader.utf8)))
    #expect(decoder.header.styleSheets == ["::cue(.red) { color: red }"])
    #expect(decoder.header.regions.map(\.id) == ["fred"])
    #expect(decoder.header.regions.first?.width == 40)
    #expect(decoder.header.codecPrivate == Array(storedHeader.utf8))
}

@Test func inlineTimesOfAFile() throws {
    // A header alone indicates Matroska; the reader of a file states that it is one.
    var file = stream(.webVTT, header: Array(storedHeader.utf8))
    file.inlineTimeOrigin = .timeline
    var decoder = WebVTTDecoder(stream: file)
    let cue = try #require(drafts(decoder.decode(packet("a<00:00:11.000>b"))).first?.cue())
    #expect(cue.source == .webVTT("a<00:00:11.000>b"))
    #expect(WebVTTInlineTimestamps.origin(stated: nil, header: file.codecPrivate) == .packet)
    #expect(WebVTTInlineTimestamps.origin(stated: nil, header: []) == .timeline)
    #expect(WebVTTInlineTimestamps.origin(stated: .packet, header: []) == .packet)
}

@Test(arguments: [
    ("align:middle", true), ("line:0 foo", true), ("region:who", true), ("line:5,mid", true),
    ("position:5", true), ("size:101%", true), ("vertical:tb", true), ("align:", true),
    ("line:0 position:5%,center size:9% align:end vertical:rl region:fred", false), ("  ", false),
])
func settingsWithoutEffectAreReported(settings: String, isTold: Bool) {
    var decoder = WebVTTDecoder(stream: stream(.webVTT, header: Array(storedHeader.utf8)))
    let side = SideData(.webVTTSettings, Array(settings.utf8))
    for _ in 0..<2 { _ = decoder.decode(packet("x", sideData: [side])) }
    let diagnostics = decoder.diagnostics.take()
    #expect(diagnostics.map(\.code) == (isTold ? ["ignored-setting"] : []))
    #expect(diagnostics.allSatisfy { $0.severity == .warning && $0.time == .seconds(10) })
}

@Test func emptyWebVTTCues() {
    #expect(decode("") == nil)
    #expect(decode("", sideData: [SideData(.webVTTIdentifier, [0x61])])?.identifier == "a")
}

@Test(.requires("mkvmerge", "mkvextract")) func outputOfMkvmerge() throws {
    // The facts above come from mkvmerge 74: here its file is made and its blocks are looked for.
    let folder = TemporaryDirectory()
    folder.write(
        storedHeader + "\n\none\n00:01:00.000 --> 00:01:04.000 line:0\nHello <01:02.000>world\n",
        to: "in.vtt")
    let made = run("mkvmerge", ["-q", "-o", folder / "out.mkv", folder / "in.vtt"])
    #expect(made.status == 0)
    let bytes = try #require(fileBytes(folder / "out.mkv"))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("Hello <00:00:02.000>world"))
    #expect(text.contains("line:0\none\n"))
    #expect(text.contains(storedHeader))
}
