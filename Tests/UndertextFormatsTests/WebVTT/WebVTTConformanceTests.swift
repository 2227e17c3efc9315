import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// A WebVTT file as the W3C's tests look at it: a list of cues.
private struct ParsedFile {
    struct Cue {
        var id: String
        var start: Timestamp
        var end: Timestamp
        var text: String
        var layout: CueLayout
    }

    var regions: [Region]
    var cues: [Cue] = []

    /// `nil` for a file that must be refused.
    init?(_ bytes: [UInt8]) {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
        guard WebVTTFileReader.refusal(of: text[...]) == nil else { return nil }
        let stream = WebVTTFileReader(text, limits: Limits()).stream
        regions = WebVTTDecoder(stream: stream).header.regions
        var parser = WebVTTFileParser(text)
        func string(_ range: Range<Int>) -> String {
            String(decoding: parser.content(range), as: UTF8.self)
        }
        while let block = parser.next() {
            guard case .cue(let cue) = block.kind else { continue }
            cues.append(
                Cue(
                    id: string(cue.identifier), start: cue.start, end: cue.end,
                    text: string(cue.text),
                    layout: WebVTTSettings.layout(
                        parser.content(cue.settings)[...], regions: regions)))
        }
    }

    /// The value at a path of the W3C's tests, such as `cues[0].region.lines`; `nil` if unknown.
    func value(_ path: String) -> CorpusJSON? {
        // Style sheets of subtitles are none of the page's.
        if path == "document.styleSheets.length" { return .number(0) }
        if path == "cues.length" { return .number(Double(cues.count)) }
        let parts = path.dropFirst(5).split(separator: "].", maxSplits: 1)
        guard parts.count == 2, let index = Int(parts[0]), cues.indices.contains(index) else {
            return nil
        }
        return Self.value(String(parts[1]), of: cues[index], regions)
    }

    private static func value(_ name: String, of cue: Cue, _ regions: [Region]) -> CorpusJSON? {
        switch name {
        case "id": return .string(cue.id)
        case "text": return .string(cue.text)
        case "startTime": return .number(seconds(cue.start))
        case "endTime": return .number(seconds(cue.end))
        default: return webVTTProperty(name, of: cue.layout, regions: regions)
        }
    }

    private static func seconds(_ time: Timestamp) -> Double {
        Double(time.nanoseconds / 1_000_000) / 1000
    }
}

@Suite struct WebVTTConformanceTests {
    @Test(
        .requiresCorpus(
            "wpt-webvtt/expected/file_parsing.json", "wpt-webvtt/webvtt/parsing/file-parsing/tests")
    )
    func assertionsOfTheW3C() throws {
        let tests = try CorpusJSON.load("wpt-webvtt/expected/file_parsing.json").members
        let folder = try #require(corpusPath("wpt-webvtt/webvtt/parsing/file-parsing/tests"))
        var (checked, rejected) = (0, 0)
        for (name, test) in tests {
            for file in test["must_reject"]?.elements ?? [] {
                let file = try #require(file.string)
                let bytes = try #require(fileBytes("\(folder)/../support/\(file)"))
                #expect(ParsedFile(bytes) == nil, "\(file)")
                rejected += 1
            }
            guard let vtt = test["vtt"]?.string else { continue }
            let bytes = try #require(fileBytes("\(folder)/\(vtt)"))
            let file = try #require(ParsedFile(bytes), "\(name) is refused")
            for item in test["asserts"]?.elements ?? [] {
                check(item, of: file, name)
                checked += 1
            }
        }
        print("W3C: \(checked) assertions, \(rejected) refusals")
        #expect(checked == 458 && rejected == 11)
    }

    private func check(_ item: CorpusJSON, of file: ParsedFile, _ name: String) {
        guard let path = item["path"]?.string else {
            #expect(item["a"] == item["b"], "\(name)")
            return
        }
        let actual = file.value(path)
        #expect(actual != nil, "\(name): \(path) is unknown")
        // Some compare two values of the file with each other.
        let expected = item["value"]?["path"]?.string.map { file.value($0) } ?? item["value"]
        if item["op"] == .string("not_equals") {
            #expect(actual != expected, "\(name): \(path)")
        } else if path.hasSuffix("region.lines"), case .number(let number)? = expected,
            number > 9e18
        {
            #expect(actual == .number(Double(Int.max)), "\(name): \(path)")
        } else {
            #expect(actual == expected, "\(name): \(path)")
        }
    }

    /// The reader skips and reports cues that are never shown; all others are packets.
    @Test(.requiresCorpus("wpt-webvtt/webvtt")) func packetsOfTheW3CsFiles() throws {
        let folder = try #require(corpusPath("wpt-webvtt/webvtt"))
        var (cues, packets) = (0, 0)
        for path in files(below: folder) where path.hasSuffix(".vtt") {
            let bytes = try #require(fileBytes(path))
            guard let parsed = ParsedFile(bytes) else { continue }
            let file = try ReadTextFile(WebVTTFileReader.self, bytes)
            let shown = parsed.cues.filter { $0.end > $0.start }
            #expect(file.packets.map(\.start) == shown.map { $0.start }, "\(path)")
            #expect(
                file.packets.map { String(decoding: $0.data, as: UTF8.self) }
                    == shown.map(\.text), "\(path)")
            #expect(
                file.diagnostics.filter { $0.code == "empty-cue" }.count
                    == parsed.cues.count - shown.count, "\(path)")
            cues += parsed.cues.count
            packets += file.packets.count
        }
        print("W3C: \(cues) cues, \(packets) packets")
        #expect(packets > 300)
    }
}
