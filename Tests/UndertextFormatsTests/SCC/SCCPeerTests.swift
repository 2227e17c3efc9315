import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Other programs read what Undertext reads, and what it writes.
@Suite struct SCCPeerTests {
    /// Pop-on captions in all rows, with looks, and a dense one.
    private static func written() -> [UInt8] {
        var italic = TextStyle()
        italic.isItalic = true
        var yellow = TextStyle()
        yellow.color = CEA608Pen.Color.yellow.value
        var top = CueLayout()
        top.line = 0
        var writer = SCCWriter()
        var output: [UInt8] = []
        writer.begin(into: &output)
        let cues: [(StyledText, CueLayout)] = [
            (StyledText("Plain words"), CueLayout()),
            (StyledText("Two lines,\none of them longer"), CueLayout()),
            (StyledText(runs: [TextRun("Hello "), TextRun("you", style: italic)]), top),
            (StyledText(runs: [TextRun("yellow", style: yellow), TextRun(" and white")]), top),
            (StyledText("é ñ ♪ “quoted” Ä ß £"), CueLayout()),
        ]
        for (index, (text, layout)) in cues.enumerated() {
            let start = Int64(index + 1) * 4000
            let cue = Cue(
                order: index, start: .milliseconds(start), end: .milliseconds(start + 2000),
                layout: layout, content: .text(text))
            writer.write(cue, into: &output)
        }
        writer.finish(into: &output)
        return output
    }

    /// `milliseconds rows` of each cue, rows without spaces at their ends.
    private static func ours(_ bytes: [UInt8]) throws -> [(start: Int64, rows: [String])] {
        let reader = SCCFileReader(bytes, limits: Limits())
        var decoder = CEA608Decoder(stream: reader.streams[0])
        var events: [DecodedEvent] = []
        while let packet = try reader.nextPacket() {
            guard packet.streamIndex == 0 else { continue }
            events += decoder.decode(packet)
        }
        events += decoder.finish()
        var cues: [(start: Int64, rows: [String])] = []
        for draft in drafts(events) {
            let start = draft.start.roundedMilliseconds
            let rows = rows(draft.cue().plainText ?? "", separator: "\n")
            if cues.last?.start == start {
                cues[cues.count - 1].rows += rows
            } else {
                cues.append((start, rows))
            }
        }
        return cues
    }

    private static func rows(_ text: String, separator: String) -> [String] {
        text.split(separator: separator).map { row in
            let words = row.split { $0 == " " || $0 == "\u{A0}" }
            // The standard's apostrophe looks like a quotation mark, and so libavcodec has it.
            return words.joined(separator: " ").replacing("’", with: "'")
        }.filter { !$0.isEmpty }
    }

    /// libavcodec's `cc_dec`, which starts pop-on captions at the time of the line that ends them.
    ///
    /// Of a line with several captions it makes one event, and it shows paint-on captions only when they are complete;
    /// the conformance set is not for it.
    @Test(.requires("ffmpeg")) func libavcodec() throws {
        let folder = TemporaryDirectory()
        let bytes = Self.written()
        let file = folder.write(bytes, to: "x.scc")
        let result = run(
            "ffmpeg", ["-v", "error", "-i", file, "-c:s", "ass", "-f", "ass", "-"])
        #expect(result.status == 0)
        let theirs = result.text.split(whereSeparator: \.isNewline).filter {
            $0.hasPrefix("Dialogue")
        }
        .compactMap { line -> [String]? in
            let fields = line.split(
                separator: ",", maxSplits: 9, omittingEmptySubsequences: false)
            guard fields.count == 10 else { return nil }
            var text = ""
            var isTag = false
            for character in fields[9].replacing("\\h", with: " ").replacing("\\N", with: "\n") {
                if character == "{" { isTag = true }
                if !isTag { text.append(character) }
                if character == "}" { isTag = false }
            }
            return Self.rows(text, separator: "\n")
        }.filter { !$0.isEmpty }
        #expect(!theirs.isEmpty)
        let ours = try Self.ours(bytes).map(\.rows)
        #expect(ours == theirs)
    }

    /// pycaption, which counts a line's frames from its time code as Undertext does.
    @Test(.requiresPython("pycaption")) func pycaption() throws {
        let folder = TemporaryDirectory()
        let bytes = Self.written()
        let file = folder.write(bytes, to: "x.scc")
        let script = """
            import sys, pycaption
            captions = pycaption.SCCReader().read(open(sys.argv[1], encoding="utf-8").read())
            for caption in captions.get_captions("en-US"):
                print(int(caption.start / 1000), "|".join(caption.get_text().split("\\n")))
            """
        let result = run("python3", ["-c", script, file])
        #expect(result.status == 0, "\(result.stderr)")
        let theirs = result.text.split(whereSeparator: \.isNewline).map {
            line -> (Int64, [String]) in
            let parts = line.split(separator: " ", maxSplits: 1)
            return (
                parts.first.flatMap { Int64($0) } ?? -1,
                Self.rows(parts.count > 1 ? String(parts[1]) : "", separator: "|")
            )
        }
        let ours = try Self.ours(bytes)
        #expect(ours.map(\.rows) == theirs.map(\.1))
        for (one, other) in zip(ours, theirs) { #expect(abs(one.start - other.0) <= 40) }
    }
}
