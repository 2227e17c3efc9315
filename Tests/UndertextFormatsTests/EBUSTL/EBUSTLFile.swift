import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The content of an EBU STL file after reading.
struct EBUSTLFile {
    let reader: EBUSTLFileReader
    /// The packets of the file.
    private(set) var packets: [Packet] = []
    /// The cues, as the files of the conformance set state them.
    private(set) var cues: [String] = []
    /// The cues as they are decoded.
    private(set) var drafts: [DecodedCue] = []
    /// The reported diagnostics.
    private(set) var diagnostics: [Diagnostic] = []

    /// The codes of ``diagnostics``.
    var codes: [String] { diagnostics.map(\.code) }

    init(_ bytes: [UInt8], limits: Limits = Limits(), frameRate: TimeBase? = nil) throws {
        reader = EBUSTLFileReader(
            bytes, limits: limits, frameRate: frameRate, diagnostics: DiagnosticSink())
        var decoder = try #require(
            SubtitleFormat.decoder(of: reader.stream, diagnostics: DiagnosticSink()))
        let offset = reader.programStart ?? .zero
        let rows = EBUSTLHeader(bytes).rows
        while let packet = try reader.nextPacket() {
            packets.append(packet)
            #expect(reader.position <= bytes.count)
            for case .cue(let draft) in decoder.decode(packet) {
                drafts.append(draft)
                cues.append(Self.line(draft, offset: offset, rows: rows))
            }
        }
        #expect(try reader.nextPacket() == nil)
        diagnostics = reader.diagnostics.take() + decoder.diagnostics.take()
    }

    /// A file of the conformance set.
    init(fixture name: String) throws {
        try self.init(Self.bytes(ofFixture: name))
    }

    static func bytes(ofFixture name: String) throws -> [UInt8] {
        try #require(fileBytes(Repository.root + "/Fixtures/stl/\(name).stl"))
    }

    /// The files of the conformance set.
    static let fixtures = [
        "teletext", "colors", "open", "sides", "extension", "cumulative", "comments",
        "programme_start", "early", "thirty_frames", "latin", "cyrillic", "arabic", "greek",
        "hebrew", "damaged",
    ]

    private static func line(_ cue: DecodedCue, offset: Timestamp, rows: Int) -> String {
        func milliseconds(_ time: Timestamp) -> Int64 {
            Timestamp(nanoseconds: time.nanoseconds - offset.nanoseconds).roundedMilliseconds
        }
        let layout = cue.cue().layout
        var place = "bottom"
        if let line = layout.line {
            let row = EBUSTLScreen(rows: rows).row(atPercent: line).rounded()
            place = (layout.lineAlignment == .start ? "top:" : "end:") + String(Int(row))
        }
        let end = cue.end.map { String(milliseconds($0.time)) } ?? "?"
        return "\(milliseconds(cue.start)) \(end) \(layout.textAlignment) \(place) "
            + text(styledText(cue.cue()))
    }

    private static func text(_ text: StyledText) -> String {
        text.runs.map { run in
            let look = look(run.style)
            let words = run.text.replacing("\n", with: "|")
            return look.isEmpty ? words : "[\(look)]\(words)[/]"
        }.joined()
    }

    private static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    ]

    private static func name(_ color: RGBA) -> String {
        let known = EBUSTLColor(nearest: color)
        return known.value == color ? names[Int(known.rawValue)] : "\(color)"
    }

    private static func look(_ style: TextStyle) -> String {
        var words: [String] = []
        if let color = style.color { words.append(name(color)) }
        if let color = style.background { words.append("on-" + name(color)) }
        if style.isItalic { words.append("i") }
        if style.isUnderlined { words.append("u") }
        return (words + style.classes).joined(separator: " ")
    }
}
