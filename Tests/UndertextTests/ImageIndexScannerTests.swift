import Testing
import UndertextCore

@testable import Undertext

@Suite struct ImageIndexScannerTests {
    private let document = """
        {
        "track":{"type":"track","track":3,"title":"\\"start\\":1,{[\\""},
        "regions":[],
        "cues":[
        {"type":"cue","id":"\\"}","start":1.5,"end":2.25,"images":[{"file":"0001.png","x":1},{"file":"0001-2.png"}]},
        {"images":[{"x":1,"file":"0002.png"},{"file":"../0003.png"},{"file":"a.png"}],"end":4,"start":3.000000001}
        ],
        "summary":{"type":"summary","cues":2}
        }
        """

    private func entries(_ text: some Sequence<UInt8>) -> [ImageIndexScanner.Entry] {
        var entries: [ImageIndexScanner.Entry] = []
        ImageIndexScanner.scan(Array(text)) { entries.append($0) }
        return entries
    }

    private let expected = [
        ImageIndexScanner.Entry(
            start: .milliseconds(1500), end: .milliseconds(2250), files: ["0001.png", "0001-2.png"]),
        ImageIndexScanner.Entry(
            start: Timestamp(nanoseconds: 3_000_000_001), end: .seconds(4), files: ["0002.png"]),
    ]

    /// Lines, spaces and the order of members do not matter, and only generated names are accepted.
    @Test func everyForm() throws {
        #expect(entries(document.utf8) == expected)
        let json = try JSON(parsing: document.utf8)
        #expect(entries(json.pretty) == expected)
        #expect(entries(json.compact) == expected)
        var lines: [UInt8] = []
        for cue in json["cues"]?.elements ?? [] { lines += cue.compact + [0x0A] }
        #expect(entries(lines) == expected)
    }

    @Test func anyPartOfIt() {
        let bytes = Array(document.utf8)
        for end in bytes.indices {
            #expect(expected.starts(with: entries(bytes[..<end])))
            _ = entries(bytes[end...])
        }
        for text in ["", "}", "]]]]", "\"", "\"\\", "{\"start\":", "{\"file\":\"", "{\"end\": }"] {
            #expect(entries(text.utf8).allSatisfy { $0.files.isEmpty })
        }
    }
}
