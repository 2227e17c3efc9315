import TestSupport
import Testing
import UndertextCore
import UndertextFormats

private func layout(_ text: String, regions: [Region]? = nil) -> String {
    dump(WebVTTSettings.layout(Array(text.utf8)[...], regions: regions))
}

@Test(
    arguments: [
        ("", ""), ("line:0", "line:0.0,start"), ("line:-1,end", "line:-1.0,end"),
        ("line:1.5", "line:1.5,start"), ("line:50%,center", "line:50.0%,center"),
        ("line:-", ""), ("line:1.", ""), ("line:.5", ""), ("line:1-1", ""), ("line:101%", ""),
        ("line:1,middle", ""), ("line:1,", ""), ("line:5% line:bad", "line:5.0%,start"),
        ("line:5%,end line:2", "line:2.0,end"),
        ("position:10%", "position:10.0%,auto"),
        ("position:10%,line-left", "position:10.0%,lineLeft"),
        ("position:10%,auto", ""), ("position:10", ""), ("position:100.1%", ""),
        ("size:0%", "size:0.0%"), ("size:1e1%", ""), ("size:%", ""), ("size:+5%", ""),
        ("align:start", "align:start"), ("align:middle", ""), ("align:START", ""),
        ("vertical:rl", "vertical:rl"), ("vertical:", ""), ("vertical:tb", ""),
        ("region:a", "region:a"), ("region:a line:1", "line:1.0,start"),
        ("region:a size:50%", "size:50.0%"),
        ("region:a vertical:lr", "vertical:lr"), ("region:a size:100%", "region:a"),
        (":x x: x:y align:end:x", ""), ("align:left\talign:right", "align:right"),
    ] as [(String, String)])
func webVTTSettings(text: String, expected: String) {
    #expect(layout(text) == expected)
}

@Test func onlyKnownRegionsCount() {
    #expect(layout("region:a", regions: [Region(id: "a")]) == "region:a")
    #expect(layout("region:b", regions: [Region(id: "a")]) == "")
    #expect(layout("region:b", regions: []) == "")
}

@Test func fileHeader() {
    let header = WebVTTFileHeader(
        Array(
            """
            \u{FEFF}WEBVTT a title
            X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

            STYLE\u{20}
            ::cue { color: red }
            ::cue(b) { color: blue }

            NOTE
            STYLE

            REGION
            id:fred width:40% lines:4
            regionanchor:10%,20% viewportanchor:30%,40%
            scroll:up

            REGION
            width:40%

            REGION
            id:fred
            lines:5

            STYLED
            nothing

            one
            00:00.000 --> 00:01.000
            text

            STYLE
            ::cue { color: green }
            """.replacing("\n", with: "\r\n").utf8))
    #expect(header.styleSheets == ["::cue { color: red }\n::cue(b) { color: blue }"])
    #expect(header.regions.count == 1)
    #expect(header.regions.first?.lines == 5)
    #expect(header.regions.first?.width == 100)
    #expect(WebVTTFileHeader(Array("WEBVTTx\n\nSTYLE\na".utf8)).styleSheets.isEmpty)
    #expect(WebVTTFileHeader(Array("WEBVTT\nSTYLE\na\n\nSTYLE".utf8)).styleSheets == [""])
    #expect(WebVTTFileHeader([]) == WebVTTFileHeader(Array("WEBVTT".utf8)))
}

@Test func timingLines() {
    func parse(_ text: String) -> WebVTTTimingLine? { WebVTTTimingLine(Array(text.utf8)[...]) }
    #expect(parse("00:00.000-->00:01.000")?.end == .seconds(1))
    let line = parse(" 01:00:00.000 \t--> 00:01.000 line:0")
    #expect(line?.start == .seconds(3600))
    #expect(line.map { String(decoding: $0.settings, as: UTF8.self) } == " line:0")
    #expect(parse("00:00.000 -> 00:01.000") == nil)
    #expect(parse("00:00.000 -->") == nil)
    #expect(parse("x00:00.000 --> 00:01.000") == nil)
}

// MARK: The W3C's tests

/// The timing lines of a file, each at the first or second line of its block.
private func timingLines(_ text: [UInt8]) -> [WebVTTTimingLine] {
    var found: [WebVTTTimingLine] = []
    var place = 0
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
        place = line.isEmpty ? 0 : place + 1
        if place <= 2, let timing = WebVTTTimingLine(line) {
            found.append(timing)
            place = 9
        }
    }
    return found
}

@Test(
    .requiresCorpus(
        "wpt-webvtt/expected/file_parsing.json", "wpt-webvtt/webvtt/parsing/file-parsing/tests"))
func settingsAndRegionsOfTheW3C() throws {
    let files = try CorpusJSON.load("wpt-webvtt/expected/file_parsing.json").members
    let folder = try #require(corpusPath("wpt-webvtt/webvtt/parsing/file-parsing/tests"))
    var checked = 0
    for (name, file) in files where name.hasPrefix("settings-") || name.hasPrefix("regions-") {
        let vtt = try #require(file["vtt"]?.string)
        let bytes = PacketText(try #require(fileBytes(folder + "/" + vtt))).bytes
        let header = WebVTTFileHeader(bytes)
        let layouts = timingLines(bytes).map {
            WebVTTSettings.layout($0.settings, regions: header.regions)
        }
        for item in file["asserts"]?.elements ?? [] {
            // Some compare two results with each other.
            guard let path = item["path"]?.string, let value = item["value"],
                item["op"] == .string("equals"), value.members.isEmpty
            else { continue }
            if path == "cues.length" {
                #expect(.number(Double(layouts.count)) == value, "\(name)")
                checked += 1
                continue
            }
            let parts = path.dropFirst(5).split(separator: "].", maxSplits: 1)
            guard parts.count == 2, let index = Int(parts[0]), index < layouts.count,
                let actual = webVTTProperty(
                    String(parts[1]), of: layouts[index], regions: header.regions)
            else { continue }
            if parts[1] == "region.lines", case .number(let number) = value, number > 9e18 {
                #expect(actual == .number(Double(Int.max)))
            } else {
                #expect(actual == value, "\(name): \(path)")
            }
            checked += 1
        }
    }
    print("W3C settings and regions: \(checked) assertions")
    #expect(checked > 250)
}
