internal import UndertextCore

/// A script as a lossless syntax tree: sections of lines, which together hold every byte.
///
/// Everything that reads a script reads this tree: decoder, file reader, writers and renderer.
package struct ASSScript: Sendable {
    /// The text of the script.
    package let text: [UInt8]
    /// The lines; the number of a line is its index plus one.
    package private(set) var lines: [Line] = []
    /// The sections; the first one has no heading, and no lines if the text begins with a heading.
    package private(set) var sections: [Section] = []
    /// `true` if the script is SSA v4 rather than ASS.
    ///
    /// The last styles section determines it, otherwise `ScriptType` or the columns of events.
    package private(set) var isSSA = false

    /// A line of a script; there may be a million of them, so that they are small.
    package struct Line: Sendable {
        /// The offset of the first byte.
        private let start: Int
        private let length: UInt32
        /// The offset after the colon, from the start of the line.
        private var valueOffset: UInt32
        private let lineEndLength: UInt8
        /// The kind of line.
        package var kind = Kind.unknown

        /// Creates a line without a key; `next` is the offset after its end.
        init(_ range: Range<Int>, next: Int) {
            start = range.lowerBound
            length = UInt32(clamping: range.count)
            valueOffset = length
            lineEndLength = UInt8(clamping: next - range.upperBound)
        }

        /// The line without its end.
        package var range: Range<Int> { start..<(start + Int(length)) }
        /// The offset after the line's end.
        package var next: Int { start + Int(length) + Int(lineEndLength) }
        /// The offset after the colon; the end of the line if it has no key.
        package var value: Int {
            get { start + Int(valueOffset) }
            set { valueOffset = UInt32(clamping: newValue - start) }
        }
    }

    /// The kinds of lines.
    package enum Kind: UInt8, Sendable {
        /// Empty, or only white space.
        case blank
        /// A line that begins with `;` or `!`.
        case comment
        /// `[Section]`.
        case heading
        /// `fontname:` or `filename:`, which begin an embedded file.
        case fileName
        /// A line of an embedded file.
        case data
        /// `Format:` of styles or events.
        case format
        /// `Style:`.
        case style
        /// `Dialogue:`, in any section.
        case dialogue
        /// An event that shows no text: `Comment:`, `Picture:`, `Sound:`, `Movie:`, `Command:`.
        case otherEvent
        /// Another key with its value.
        case property
        /// A line that has no meaning in its section.
        case unknown
    }

    /// A section of a script.
    package struct Section: Sendable {
        /// The name; `nil` if it is unknown.
        package var name: ASSSectionName?
        /// The line of the heading; `nil` for what precedes the first heading.
        package var heading: Int?
        /// The lines after the heading.
        package var lines: Range<Int>
        /// The bytes, those of the heading included.
        package var range: Range<Int>
    }

    /// Parses the header of a track, which ends at the first NUL, as it does in libass.
    package init(codecPrivate: [UInt8]) {
        self.init(codecPrivate.contains(0) ? Array(codecPrivate.prefix { $0 != 0 }) : codecPrivate)
    }

    /// Parses a script; any text is one.
    package init(_ text: [UInt8]) {
        self.text = text
        var section = Section(lines: 0..<0, range: 0..<0)
        var cursor = LineCursor(text)
        // An event has about a hundred bytes.
        lines.reserveCapacity(text.count / 64)
        while let range = cursor.next() {
            var line = Line(range, next: cursor.position)
            let start = start(of: line)
            let rest = text[start..<range.upperBound]
            let isData = section.name == .fonts || section.name == .graphics
            if rest.first == 0x5B, !isData || ASSSectionName.endsData(rest.trimmed) {
                line.kind = .heading
                sections.append(section)
                section = Section(
                    name: ASSSectionName(rest.trimmed), heading: lines.count,
                    lines: (lines.count + 1)..<(lines.count + 1), range: range)
            } else {
                if isData {
                    classifyData(&line, from: start, isFont: section.name == .fonts)
                } else {
                    classify(&line, from: start, in: section.name)
                }
                section.lines = section.lines.lowerBound..<(lines.count + 1)
            }
            section.range = section.range.lowerBound..<line.next
            lines.append(line)
        }
        sections.append(section)
        isSSA = readsAsSSA()
    }

    // MARK: Parsing

    private func classify(_ line: inout Line, from start: Int, in section: ASSSectionName?) {
        guard start < line.range.upperBound else {
            line.kind = .blank
            return
        }
        if text[start] == 0x3B || text[start] == 0x21 {
            line.kind = .comment
        } else if let key = readKey(of: &line, from: start) {
            line.kind = Self.kind(of: key, in: section)
        }
    }

    private func classifyData(_ line: inout Line, from start: Int, isFont: Bool) {
        line.kind = .data
        // White space before the key would make it data.
        guard start == line.range.lowerBound, let key = readKey(of: &line, from: start),
            key.equalsIgnoringCase(isFont ? "fontname" : "filename")
        else { return }
        line.kind = .fileName
    }

    /// The key of a line that begins at `start`; `nil` if it has no colon.
    private func readKey(of line: inout Line, from start: Int) -> ArraySlice<UInt8>? {
        let rest = text[start..<line.range.upperBound]
        guard let colon = rest.firstIndex(of: Byte.colon) else { return nil }
        line.value = colon + 1
        return rest[..<colon].trimmed
    }

    private static func kind(of key: ArraySlice<UInt8>, in section: ASSSectionName?) -> Kind {
        if key.equalsIgnoringCase("dialogue") { return .dialogue }
        switch section {
        case .styles:
            if key.equalsIgnoringCase("style") { return .style }
            return key.equalsIgnoringCase("format") ? .format : .unknown
        case .events:
            if key.equalsIgnoringCase("format") { return .format }
            let others = ["comment", "picture", "sound", "movie", "command"]
            return others.contains(where: key.equalsIgnoringCase) ? .otherEvent : .unknown
        case .info, .fonts, .graphics, nil: return .property
        }
    }

    private func readsAsSSA() -> Bool {
        for case .styles(let isLegacy)? in sections.reversed().map(\.name) { return isLegacy }
        var result = false
        for section in sections where section.name == .info || section.name == .events {
            for line in lines[section.lines] {
                if line.kind == .property, key(of: line).equalsIgnoringCase("scripttype") {
                    result = !value(of: line).contains(0x2B)
                } else if line.kind == .format,
                    ASSEventColumns(value(of: line))?.fields.first == .marked
                {
                    result = true
                }
            }
        }
        return result
    }
}

// MARK: - Reading lines

extension ASSScript {
    /// A line without its end.
    func bytes(of line: Line) -> ArraySlice<UInt8> { text[line.range] }

    /// The first byte of a line that is no white space; its end if there is none.
    ///
    /// A byte order mark is no part of the first line.
    func start(of line: Line) -> Int {
        var start = line.range.lowerBound
        if start == 0, text.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        while start < line.range.upperBound, text[start].isSpace { start += 1 }
        return start
    }

    /// The key of a line that has one.
    package func key(of line: Line) -> ArraySlice<UInt8> {
        text[start(of: line)..<max(start(of: line), line.value - 1)].trimmed
    }

    /// The value of a line that has a key.
    package func value(of line: Line) -> ArraySlice<UInt8> {
        text[line.value..<line.range.upperBound]
    }

    /// The bytes that end the first line; a line feed if nothing ends it.
    var lineEnd: [UInt8] {
        guard let first = lines.first, first.range.upperBound < first.next else {
            return [Byte.lineFeed]
        }
        return Array(text[first.range.upperBound..<first.next])
    }

    /// The script without its events.
    package var withoutEvents: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        for line in lines where line.kind != .dialogue && line.kind != .otherEvent {
            result += text[line.range.lowerBound..<line.next]
        }
        return result
    }

    /// The locations of the embedded files, at most 10,000 of them.
    var embeddedFileLocations: [FileLocation] {
        var files: [FileLocation] = []
        for section in sections where section.name == .fonts || section.name == .graphics {
            var isNamed = false
            for index in section.lines {
                let line = lines[index]
                if line.kind == .fileName {
                    guard files.count < 10_000 else { return files }
                    files.append(
                        FileLocation(
                            nameLine: index, name: line.value..<line.range.upperBound,
                            isFont: section.name == .fonts, data: line.next..<line.next))
                    isNamed = true
                } else if isNamed {
                    let start = files[files.count - 1].data.lowerBound
                    files[files.count - 1].data = start..<line.next
                }
            }
        }
        return files
    }

    /// The location of an embedded file.
    struct FileLocation {
        /// The line that names it.
        var nameLine: Int
        /// The name.
        var name: Range<Int>
        /// `true` if it is in `[Fonts]`.
        var isFont: Bool
        /// The bytes of its lines.
        var data: Range<Int>

        /// The file, decoded; `nil` if it is longer than `limit` bytes.
        ///
        /// Each four characters from `!` to `` ` `` are three bytes, six bits a character; two or three
        /// at the end are one or two bytes.
        func file(in text: [UInt8], limit: Int) -> EmbeddedFile? {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(min(data.count / 4 * 3 + 3, limit))
            var group: UInt32 = 0
            var count = 0
            for index in data {
                let value = text[index] &- 0x21
                guard value < 64 else { continue }
                group = group << 6 | UInt32(value)
                count += 1
                if count == 4 {
                    guard bytes.count + 3 <= limit else { return nil }
                    bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: group))
                    (group, count) = (0, 0)
                }
            }
            guard bytes.count + max(0, count - 1) <= limit else { return nil }
            if count == 2 { bytes.append(UInt8(truncatingIfNeeded: group >> 4)) }
            if count == 3 {
                bytes.append(UInt8(truncatingIfNeeded: group >> 10))
                bytes.append(UInt8(truncatingIfNeeded: group >> 2))
            }
            return EmbeddedFile(name: text[name].trimmed.text, isFont: isFont, bytes: bytes)
        }
    }
}

/// The sections of a script that have a meaning.
package enum ASSSectionName: Hashable, Sendable {
    case info
    case styles(isLegacy: Bool)
    case events
    case fonts
    case graphics

    /// The section of a heading such as `[Script Info]`, compared without case; `nil` for others.
    init?(_ heading: ArraySlice<UInt8>) {
        guard heading.first == 0x5B, let end = heading.firstIndex(of: 0x5D) else { return nil }
        let name = heading[(heading.startIndex + 1)..<end].trimmed
        guard name.count <= 16 else { return nil }
        switch String(decoding: name.map(\.lowercased), as: UTF8.self) {
        case "script info": self = .info
        case "v4+ styles", "v4++ styles": self = .styles(isLegacy: false)
        case "v4 styles": self = .styles(isLegacy: true)
        case "events": self = .events
        case "fonts": self = .fonts
        case "graphics": self = .graphics
        default: return nil
        }
    }

    /// Returns `true` if a line of an embedded file that begins with `[` is a heading.
    ///
    /// Encoded data may also begin with `[`, but never contains spaces or lowercase letters.
    fileprivate static func endsData(_ line: ArraySlice<UInt8>) -> Bool {
        if ASSSectionName(line) != nil { return true }
        return line.last == 0x5D && line.contains { $0 == Byte.space || $0 > 0x60 }
    }
}
