import TestSupport
import Testing
import Undertext
import UndertextCore

/// The output of our WebVTT writer for every text input of the corpus, read by another parser.
@Suite struct SecondParserTests {
    /// Starts, ends and text of the cues of each file, one JSON array a line; an error is text.
    private static let program = """
        import sys, json, webvtt
        for path in sys.stdin.read().splitlines():
            try:
                cues = webvtt.read(path)
                found = [[c.start, c.end, c.raw_text] for c in cues]
            except Exception as error:
                found = repr(error)
            sys.stdout.buffer.write(json.dumps(found, ensure_ascii=False).encode() + b"\\n")
        """

    private static func clock(_ time: Timestamp) -> String {
        let milliseconds = time.roundedMilliseconds
        func padded(_ value: Int64, _ digits: Int) -> String {
            let text = "\(value)"
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        return padded(milliseconds / 3_600_000, 2) + ":" + padded(milliseconds / 60_000 % 60, 2)
            + ":" + padded(milliseconds / 1000 % 60, 2) + "." + padded(milliseconds % 1000, 3)
    }

    /// The cues of a written file as the program prints them.
    private static func expected(_ path: String) throws -> JSON {
        let document = try SubtitleDocument(contentsOf: path)
        return .array(
            document.cues.map { cue in
                guard case .webVTT(let text) = cue.source else { return .null }
                return .array([
                    .string(clock(cue.start)), .string(clock(cue.end)), .string(text),
                ])
            })
    }

    @Test(.requiresPython("webvtt", of: "webvtt-py"), .requiresCorpus()) func sameCues() throws {
        let corpus = try #require(corpusPath(""))
        let folder = TemporaryDirectory()
        var written: [(input: String, output: String)] = []
        for path in files(below: corpus) {
            let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
            guard ["srt", "ass", "ssa", "vtt"].contains(ending),
                case .text(let document)? = try? SubtitleDocument(contentsOf: path),
                !document.cues.isEmpty
            else { continue }
            let file = document.encoded(as: .webVTT)
            written.append((path, folder.write(file.bytes, to: "\(written.count).vtt")))
        }
        #expect(written.count > 100)
        let list = written.map(\.output).joined(separator: "\n")
        let result = run("python3", ["-c", Self.program], stdin: Array(list.utf8))
        let lines = result.text.split(separator: "\n")
        try #require(lines.count == written.count, "\(result.stderr)")
        for (line, file) in zip(lines, written) {
            let theirs = try #require(readJSON(Array(line.utf8)))
            #expect(try theirs == Self.expected(file.output), "\(file.input)")
        }
    }
}
