package import UndertextCore

/// Reads a WebVTT file as packets: cue text, with identifier, settings and comments as side data.
///
/// The private data of the stream is the content before the first cue, as Matroska's
/// `S_TEXT/WEBVTT` has it: the header with its time map, STYLE and REGION blocks, and the comments
/// between them. Times within the text are the file's. A cue that does not end after its start is
/// left out, because it is not visible.
package final class WebVTTFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file.
    package let stream: StreamDescription
    private var parser: WebVTTFileParser
    private let limits: Limits
    private var notes: TextFileNotes
    /// The block of the first cue, which ended the header.
    private var first: WebVTTFileBlock?
    /// Comments that no packet has yet.
    private var comments: [UInt8] = []
    /// The last packet, held back until it is known whether it is the file's last one.
    private var held: Packet?
    private var count = 0
    private var isAtEnd = false

    /// Parses `text`: valid UTF-8 without a byte order mark.
    package init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()) {
        self.limits = limits
        self.diagnostics = diagnostics
        notes = TextFileNotes(diagnostics)
        parser = WebVTTFileParser(text, longestLine: limits.lineLength)
        var stream = StreamDescription(index: 0, kind: .text, codec: .webVTT)
        stream.inlineTimeOrigin = .timeline
        if let refusal = Self.refusal(of: text[...]) {
            notes.add(.error, "no-signature", at: .init(line: 1), refusal)
        }
        var header = WebVTTFileHeaderBuilder()
        while let block = parser.next() {
            Self.note(block, &notes)
            if case .cue = block.kind {
                first = block
                break
            }
            header.add(block, of: parser)
        }
        stream.codecPrivate = header.bytes
        stream.language = header.language
        comments = header.comments
        self.stream = stream
    }

    /// The number of bytes of the text that have been parsed.
    package var position: Int { parser.position }

    /// The reason why `text` is not WebVTT; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        WebVTTFileParser.hasSignature(text) ? nil : "the first line does not begin with WEBVTT"
    }

    /// The next cue's packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while !isAtEnd {
            guard let block = nextBlock() else { break }
            guard case .cue(let cue) = block.kind else {
                if block.kind == .comment { append(parser.content(block.lines), to: &comments) }
                continue
            }
            guard count < limits.cues else {
                notes.add(
                    .error, "too-many-cues", at: .init(line: cue.timingLine),
                    "more than \(limits.cues) cues: the rest of the file is left out")
                break
            }
            guard cue.start < .distantFuture else {
                notes.add(
                    .error, "time-overflow", at: .init(line: cue.timingLine),
                    "a cue begins after the latest time that can be represented (292 years): it is left out"
                )
                continue
            }
            guard cue.end > cue.start else {
                notes.add(
                    .warning, "empty-cue", at: .init(line: cue.timingLine),
                    "a cue that does not end after its start is never shown and is left out")
                continue
            }
            count += 1
            let packet = packet(of: cue)
            guard let earlier = held else {
                held = packet
                continue
            }
            held = packet
            return earlier
        }
        isAtEnd = true
        notes.finish()
        guard var last = held else { return nil }
        held = nil
        if !comments.isEmpty { last.sideData.append(SideData(.webVTTTrailer, comments)) }
        comments = []
        return last
    }

    private func nextBlock() -> WebVTTFileBlock? {
        if let block = first {
            first = nil
            return block
        }
        guard let block = parser.next() else { return nil }
        Self.note(block, &notes)
        return block
    }

    private func packet(of cue: WebVTTFileCue) -> Packet {
        var range = cue.text
        if range.count > limits.packetSize {
            range = range.lowerBound..<range.lowerBound + limits.packetSize
            notes.add(
                .error, "long-cue", at: .init(line: cue.timingLine),
                "the text of a cue is cut to \(limits.packetSize) bytes")
        }
        var sideData: [SideData] = []
        if !cue.identifier.isEmpty {
            sideData.append(SideData(.webVTTIdentifier, parser.content(cue.identifier)))
        }
        if !cue.settings.isEmpty {
            sideData.append(SideData(.webVTTSettings, parser.content(cue.settings)))
        }
        if !comments.isEmpty {
            sideData.append(SideData(.webVTTComment, comments))
            comments = []
        }
        let start = cue.start.nanoseconds / 1_000_000
        return Packet(
            streamIndex: 0, pts: start, duration: cue.end.nanoseconds / 1_000_000 - start,
            timeBase: .milliseconds,
            position: UInt64(range.isEmpty ? cue.timingOffset : range.lowerBound),
            data: parser.content(range), sideData: sideData)
    }

    // MARK: Notes

    private static func note(_ block: WebVTTFileBlock, _ notes: inout TextFileNotes) {
        switch block.kind {
        case .badTiming(let fault):
            notes.add(
                .error, "bad-timing", at: .init(line: fault.line, column: fault.column),
                "the times before or after the arrow cannot be read; the block is left out"
            )
        case .misplaced:
            notes.add(
                .error, "misplaced-block", at: .init(line: block.firstLine),
                "a STYLE or REGION block after a cue is ignored")
        case .stray:
            notes.add(
                .error, "stray-block", at: .init(line: block.firstLine),
                "a block without times is left out")
        case .header, .style, .region, .comment, .cue: break
        }
        if let line = block.endingArrow {
            notes.add(
                .warning, "missing-blank-line", at: .init(line: line),
                "a line with an arrow ends the block before it without an empty line")
        }
        if let line = block.longLine {
            notes.add(.error, "long-line", at: .init(line: line), "the line is too long: it is cut")
        }
        if let line = block.nullLine {
            notes.add(.warning, "nul", at: .init(line: line), kept: 1, "NUL became U+FFFD")
        }
    }
}

/// Appends a block, an empty line between two.
private func append(_ block: [UInt8], to blocks: inout [UInt8]) {
    if !blocks.isEmpty { blocks += [Byte.lineFeed, Byte.lineFeed] }
    blocks += block
}

/// The content of a WebVTT file before its first cue.
private struct WebVTTFileHeaderBuilder {
    /// The header block, STYLE and REGION blocks and the comments before one of them.
    private(set) var bytes: [UInt8] = []
    /// The comments after them, which belong to the first cue.
    private(set) var comments: [UInt8] = []
    /// The language in the metadata of the header, which no standard defines, but YouTube writes.
    private(set) var language: LanguageTag?

    mutating func add(_ block: WebVTTFileBlock, of parser: WebVTTFileParser) {
        switch block.kind {
        case .header:
            bytes = parser.content(block.lines)
            for line in bytes.split(separator: Byte.lineFeed).dropFirst().prefix(64)
            where line.starts(with: "Language:".utf8) {
                let name = String(decoding: line.dropFirst(9), as: UTF8.self)
                language = LanguageTag(String(name.drop { $0 == " " }))
            }
        case .style, .region:
            if !comments.isEmpty { append(comments, to: &bytes) }
            comments = []
            append(parser.content(block.lines), to: &bytes)
        case .comment: append(parser.content(block.lines), to: &comments)
        case .cue, .badTiming, .misplaced, .stray: break
        }
    }
}
