/// Checks cue text: section 4.2.2 of the W3C's WebVTT, cue components.
struct CueTextChecker {
    /// A problem, and its line in the text, from 0.
    struct Problem {
        var line: Int
        var rule: String
        var detail: String
    }

    private let scalars: [Unicode.Scalar]
    private let start: Int64?
    private let end: Int64?
    private var index = 0
    private var line = 0
    private var problems: [Problem] = []
    /// The names of open spans.
    private var open: [String] = []
    private var latest: Int64?

    init(_ text: String, start: Int64?, end: Int64?) {
        scalars = Array(text.unicodeScalars)
        self.start = start
        self.end = end
        latest = start
    }

    /// The faults, in order.
    mutating func check() -> [Problem] {
        // The end tag of a voice may be left out where the voice is all of the text.
        var startsWithVoice = false
        var hasClosedVoice = false
        while index < scalars.count {
            let scalar = scalars[index]
            switch scalar {
            case "\n":
                line += 1
                index += 1
            case "&": reference()
            case "<":
                if index == 0, scalars.count > 2, scalars[1] == "v" { startsWithVoice = true }
                tag()
                if startsWithVoice, open.isEmpty, index < scalars.count { hasClosedVoice = true }
            default: index += 1
            }
        }
        if startsWithVoice, !hasClosedVoice, open == ["v"] { open = [] }
        for name in open { fault("tag", "<\(name)> is not closed") }
        return problems
    }

    private mutating func fault(_ rule: String, _ detail: String) {
        problems.append(Problem(line: line, rule: rule, detail: detail))
    }

    // MARK: Tags

    private mutating func tag() {
        guard let close = scalars[index...].firstIndex(of: ">"),
            !scalars[index..<close].contains("\n")
        else {
            fault("tag", "< is not escaped")
            index += 1
            return
        }
        let content = Array(scalars[index + 1..<close])
        defer { index = close + 1 }
        guard let first = content.first else {
            fault("tag", "<>")
            return
        }
        if first == "/" {
            endTag(string(content.dropFirst()))
        } else if ("0"..."9").contains(first) {
            timestamp(string(content[...]))
        } else {
            startTag(content)
        }
    }

    private mutating func timestamp(_ text: String) {
        guard let time = WebVTTValidator.time(text[...]) else {
            fault("timestamp", "<\(text)>")
            return
        }
        if let latest, time <= latest { fault("timestamp", "<\(text)> is not after the last time") }
        if let end, time >= end { fault("timestamp", "<\(text)> is not before the cue's end") }
        latest = time
    }

    private mutating func endTag(_ name: String) {
        if name == "ruby", open.last == "rt" { open.removeLast() }
        guard open.last == name else {
            fault("tag", "</\(name)> does not end what is open")
            return
        }
        open.removeLast()
    }

    private mutating func startTag(_ content: [Unicode.Scalar]) {
        let head = content.prefix { $0 != " " && $0 != "\t" }
        let annotation = content[head.count...]
        let parts = string(head).split(separator: ".", omittingEmptySubsequences: false)
            .map(String.init)
        let name = parts[0]
        guard ["c", "i", "b", "u", "ruby", "rt", "v", "lang"].contains(name) else {
            fault("tag", "<\(name)>")
            return
        }
        for part in parts.dropFirst()
        where part.isEmpty || part.contains("&") || part.contains("<") {
            fault("class", "<\(string(content[...]))>")
        }
        if name == "rt", open.last != "ruby" { fault("tag", "<rt> outside of <ruby>") }
        open.append(name)
        let words = string(annotation).trimmed
        if name == "v" || name == "lang" {
            if words.isEmpty {
                fault("annotation", "<\(name)> has none")
            } else if name == "lang", !Self.isLanguage(words) {
                fault("annotation", "language \(words)")
            }
        } else if !annotation.isEmpty {
            fault("annotation", "<\(name)> has one")
        }
        references(in: annotation)
    }

    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            (1...8).contains(part.count)
                && part.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
                }
        }
    }

    // MARK: Character references

    private mutating func references(in text: ArraySlice<Unicode.Scalar>) {
        let before = index
        var place = text.startIndex
        while place < text.endIndex {
            if text[place] == "&" {
                // Within the tag: the same offset in all scalars.
                index = before + 1 + place
                reference()
                place = index - before - 1
            } else {
                if text[place] == "<" { fault("annotation", "< in an annotation") }
                place += 1
            }
        }
        index = before
    }

    /// Parses a reference at `index` and moves past it.
    private mutating func reference() {
        guard let close = scalars[index...].firstIndex(of: ";"), close - index < 40 else {
            fault("reference", "& is not escaped")
            index += 1
            return
        }
        let name = string(scalars[index + 1..<close])
        let isGood: Bool
        if name.hasPrefix("#x") || name.hasPrefix("#X") {
            isGood = Self.isCharacter(UInt32(name.dropFirst(2), radix: 16))
        } else if name.hasPrefix("#") {
            isGood = Self.isCharacter(UInt32(name.dropFirst()))
        } else {
            isGood = HTMLNames.known.contains(name)
        }
        guard isGood else {
            fault("reference", "&\(name);")
            index += 1
            return
        }
        index = close + 1
    }

    private static func isCharacter(_ value: UInt32?) -> Bool {
        guard let value, let scalar = Unicode.Scalar(value) else { return false }
        if scalar == "\t" || scalar == "\n" || scalar == "\u{C}" { return true }
        let isControl = value < 0x20 || (0x7F...0x9F).contains(value)
        return !isControl && value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains(value)
    }

    private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

extension String {
    /// The text without spaces and tabs at its ends.
    fileprivate var trimmed: String {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
