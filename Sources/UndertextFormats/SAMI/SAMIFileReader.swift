package import UndertextCore

/// Reads a SAMI file as packets: the paragraphs of a time and a language, with their tags.
///
/// Each class that is a language is a stream. A packet lasts until the next time at which its language has
/// a paragraph, be it an empty one; the last one has no duration. The private data of the streams
/// is the style sheet. `Documentation/Formats/SAMI.md` says the rest.
package final class SAMIFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The languages.
    package let streams: [StreamDescription]
    /// The first language.
    package let stream: StreamDescription
    /// The number of bytes of the text that have been parsed.
    package private(set) var position = 0

    /// The sync points, by time.
    private var entries: [Entry] = []
    private var next = 0
    private let bytes: [UInt8]

    private struct Entry {
        var stream: Int
        var start: Int64
        var end: Int64?
        var ranges: [Range<Int>]
    }

    /// Parses `text`: valid UTF-8 without a byte order mark.
    package init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()) {
        bytes = text
        let parser = SAMIFileParser(text, limits: limits)
        self.diagnostics = diagnostics
        let sheet = SAMIStyleSheet(parser.sheet[...])
        let languages = SAMILanguages(sheet, used: parser.classes.map(\.name))
        streams = languages.names.indices.map {
            languages.description($0, codecPrivate: parser.sheet)
        }
        stream = streams[0]
        // Diagnostics of no language belong to the file, unless it has only one language.
        for var note in parser.diagnostics.take() {
            let name = note.streamIndex.map { languages.stream(of: parser.classes[$0].name) }
            note.streamIndex =
                languages.names.count == 1
                ? 0 : name.flatMap { name in languages.names.firstIndex(of: name) }
            diagnostics.report(note)
        }
        for (index, name) in languages.names.enumerated() {
            let paragraphs = parser.classes.filter { languages.stream(of: $0.name) == name }
                .flatMap(\.paragraphs)
            entries += Self.entries(of: paragraphs, stream: index)
        }
        entries.sort { ($0.start, $0.stream) < ($1.start, $1.stream) }
    }

    /// The reason why `text` is not SAMI; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        if WebVTTFileParser.hasSignature(text) { return "it begins with WEBVTT" }
        var tokens = SAMITokenizer(Array(text.prefix(64 << 10)))
        var hasTags = false
        while let token = tokens.next() {
            switch token {
            case .start(let tag):
                if tag.name == "sami" || tag.name == "sync" && tag.value("start") != nil {
                    return nil
                }
                hasTags = true
            case .end: hasTags = true
            case .text(let range):
                // Cues of other formats may have such tags in their text.
                if !hasTags, tokens.bytes[range].contains(where: { !$0.isSpace }) {
                    return "it does not begin with a tag"
                }
            }
        }
        return "it has no tag <SAMI>"
    }

    /// The paragraphs of one language by time, each with its end.
    private static func entries(of paragraphs: [SAMIParagraph], stream: Int) -> [Entry] {
        var entries: [Entry] = []
        // Sorting keeps the order of equal times.
        for paragraph in paragraphs.enumerated().sorted(by: {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }).map(\.element) {
            if let last = entries.indices.last {
                if entries[last].start == paragraph.start {
                    entries[last].ranges += paragraph.ranges
                    continue
                }
                entries[last].end = min(entries[last].end ?? .max, paragraph.start)
            }
            entries.append(
                Entry(
                    stream: stream, start: paragraph.start,
                    end: paragraph.end.flatMap { $0 > paragraph.start ? $0 : nil },
                    ranges: paragraph.ranges))
        }
        return entries
    }

    /// The next paragraphs that are not empty; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while next < entries.count {
            let entry = entries[next]
            next += 1
            position = max(position, entry.ranges.last?.upperBound ?? position)
            let ranges = entry.ranges.filter { !isBlank($0) }
            guard !ranges.isEmpty else { continue }
            let data = ranges.flatMap { bytes[$0] }
            return Packet(
                streamIndex: entry.stream, pts: entry.start,
                duration: entry.end.map { $0 - entry.start }, timeBase: .milliseconds,
                data: data.contains(0) ? data.map { $0 == 0 ? Byte.space : $0 } : data)
        }
        position = bytes.count
        return nil
    }

    /// `true` if a paragraph contains only tags, white space and no-break spaces.
    private func isBlank(_ range: Range<Int>) -> Bool {
        var tokens = SAMITokenizer(bytes, in: range)
        while let token = tokens.next() {
            guard case .text(let part) = token else { continue }
            var rest = bytes[part].trimmed
            while !rest.isEmpty {
                guard let space = Self.noBreakSpaces.first(where: { rest.starts(with: $0.utf8) })
                else { return false }
                rest = rest.dropFirst(space.utf8.count).trimmed
            }
        }
        return true
    }

    /// The spellings; longer forms first.
    private static let noBreakSpaces = ["&nbsp;", "&nbsp", "&#160;", "&#xA0;", "\u{A0}"]
}
