/// Checks that a WebVTT file conforms to the syntax for authors: section 4 of the W3C's WebVTT.
///
/// Written from the specification's syntax, not from its parser, and without any of our code: content that a
/// parser tolerates is a fault here. One deviation: the header may have lines after the signature if
/// `allowsMetadata` is set, because HTTP Live Streaming has its time map there.
public struct WebVTTValidator {
    /// A fault and its position.
    public struct Fault: Hashable, Sendable, CustomStringConvertible {
        /// The line, from 1.
        public var line: Int
        /// A short name of the rule.
        public var rule: String
        /// The content that was found.
        public var detail: String

        /// The fault in one line.
        public var description: String { "line \(line): \(rule): \(detail)" }
    }

    private let allowsMetadata: Bool
    private var lines: [String] = []
    private var faults: [Fault] = []
    private var identifiers: Set<String> = []
    private var regions: Set<String> = []
    private var hasCue = false
    private var latestStart: Int64 = 0

    /// The faults of a file, in its order; none for a conforming one.
    public static func faults(in bytes: [UInt8], allowsMetadata: Bool = false) -> [Fault] {
        var validator = WebVTTValidator(allowsMetadata: allowsMetadata)
        validator.check(bytes)
        return validator.faults
    }

    private init(allowsMetadata: Bool) { self.allowsMetadata = allowsMetadata }

    private mutating func fault(_ index: Int, _ rule: String, _ detail: String = "") {
        faults.append(Fault(line: index + 1, rule: rule, detail: detail))
    }

    // MARK: 4.1 File structure

    private mutating func check(_ bytes: [UInt8]) {
        guard let whole = String(validating: bytes, as: UTF8.self) else {
            fault(0, "utf-8")
            return
        }
        var scalars = Array(whole.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        lines = Self.lines(of: scalars)
        // The text after the last line ending is a line here, empty in a conforming file.
        if lines.last != "" { fault(lines.count - 1, "line-end", "the last line has none") }
        for (index, line) in lines.enumerated() where line.unicodeScalars.contains("\0") {
            fault(index, "nul")
        }
        let first = lines[0]
        guard first == "WEBVTT" || first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t")
        else {
            fault(0, "signature", first)
            return
        }
        if first.contains("-->") { fault(0, "signature", "arrow") }
        var index = 1
        while index < lines.count, !lines[index].isEmpty {
            if !allowsMetadata || lines[index].contains("-->") {
                fault(index, "header", lines[index])
            }
            index += 1
        }
        if index >= lines.count - 1 { fault(index - 1, "header", "no empty line behind it") }
        while index < lines.count {
            if lines[index].isEmpty {
                index += 1
                continue
            }
            let start = index
            while index < lines.count, !lines[index].isEmpty { index += 1 }
            block(start..<index)
        }
    }

    private static func lines(of scalars: [Unicode.Scalar]) -> [String] {
        var lines = [String.UnicodeScalarView()]
        for (index, scalar) in scalars.enumerated() {
            if scalar == "\n", index > 0, scalars[index - 1] == "\r" { continue }
            if scalar == "\n" || scalar == "\r" {
                lines.append(String.UnicodeScalarView())
            } else {
                lines[lines.count - 1].append(scalar)
            }
        }
        return lines.map { String($0) }
    }

    private mutating func block(_ range: Range<Int>) {
        let first = lines[range.lowerBound]
        let keyword = first.prefix { $0 != " " && $0 != "\t" }
        let isAlone = first.dropFirst(keyword.count).allSatisfy { $0 == " " || $0 == "\t" }
        if !range.prefix(2).contains(where: { lines[$0].contains("-->") }) {
            switch keyword {
            case "NOTE": comment(range)
            case "STYLE" where isAlone: style(range.dropFirst())
            case "REGION" where isAlone: region(range.dropFirst())
            default: fault(range.lowerBound, "stray-block", first)
            }
            return
        }
        cue(range)
    }

    private mutating func comment(_ range: Range<Int>) {
        for index in range where lines[index].contains("-->") {
            fault(index, "comment", "arrow")
        }
    }

    private mutating func style(_ range: Range<Int>) {
        let line = range.lowerBound - 1
        if hasCue { fault(line, "placement", "STYLE behind a cue") }
        for index in range where lines[index].contains("-->") { fault(index, "style", "arrow") }
        let css = range.map { lines[$0] }.joined(separator: "\n")
        if let problem = StyleSheetBalance.problem(css) { fault(line, "style", problem) }
    }

    // MARK: 4.3 Regions

    private mutating func region(_ range: Range<Int>) {
        let line = range.lowerBound - 1
        if hasCue { fault(line, "placement", "REGION behind a cue") }
        var seen: Set<String> = []
        for index in range {
            if lines[index].contains("-->") { fault(index, "region", "arrow") }
            for token in lines[index].split(whereSeparator: { $0 == " " || $0 == "\t" }) {
                guard let (name, value) = Self.setting(token) else {
                    fault(index, "region", String(token))
                    continue
                }
                if !seen.insert(name).inserted { fault(index, "region", "\(name) twice") }
                let isGood: Bool
                switch name {
                case "id":
                    isGood = regions.insert(value).inserted
                case "width": isGood = Self.isPercentage(value)
                case "lines": isGood = Self.isDigits(value)
                case "regionanchor", "viewportanchor":
                    let halves = value.split(separator: ",", omittingEmptySubsequences: false)
                    isGood =
                        halves.count == 2 && halves.allSatisfy { Self.isPercentage(String($0)) }
                case "scroll": isGood = value == "up"
                default: isGood = false
                }
                if !isGood { fault(index, "region", String(token)) }
            }
        }
    }

    // MARK: 4.1 Cues

    private mutating func cue(_ range: Range<Int>) {
        hasCue = true
        var timing = range.lowerBound
        if !lines[timing].contains("-->") {
            let id = lines[timing]
            if !identifiers.insert(id).inserted { fault(timing, "identifier", "\(id) twice") }
            timing += 1
        }
        let times = times(timing)
        let text = timing + 1..<range.upperBound
        for index in text where lines[index].contains("-->") { fault(index, "arrow", lines[index]) }
        var checker = CueTextChecker(
            text.map { lines[$0] }.joined(separator: "\n"), start: times?.start, end: times?.end)
        for problem in checker.check() {
            fault(timing + 1 + problem.line, problem.rule, problem.detail)
        }
    }

    private mutating func times(_ index: Int) -> (start: Int64, end: Int64)? {
        let line = lines[index]
        guard let arrow = line.firstRange(of: "-->"), !line[arrow.upperBound...].contains("-->")
        else {
            fault(index, "timing", line)
            return nil
        }
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let before = line[..<arrow.lowerBound]
        let after = line[arrow.upperBound...]
        guard before.last.map(isBlank) == true, after.first.map(isBlank) == true else {
            fault(index, "timing", "no space at the arrow")
            return nil
        }
        var startText = before
        while startText.last.map(isBlank) == true { startText.removeLast() }
        let rest = after.drop(while: isBlank)
        let endText = rest.prefix { !isBlank($0) }
        guard let start = Self.time(startText), let end = Self.time(endText) else {
            fault(index, "timestamp", line)
            return nil
        }
        if start < latestStart { fault(index, "order", "starts before an earlier cue") }
        latestStart = max(latestStart, start)
        if end <= start { fault(index, "order", "ends at its start or before") }
        settings(rest.dropFirst(endText.count), index)
        return (start, end)
    }

    // MARK: 4.4 Settings

    private mutating func settings(_ text: Substring, _ index: Int) {
        var seen: Set<String> = []
        for token in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            guard let (name, value) = Self.setting(token) else {
                fault(index, "setting", String(token))
                continue
            }
            if !seen.insert(name).inserted { fault(index, "setting", "\(name) twice") }
            let halves = value.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            let isGood: Bool
            switch name {
            case "vertical": isGood = value == "rl" || value == "lr"
            case "size": isGood = Self.isPercentage(value)
            case "align": isGood = ["start", "center", "end", "left", "right"].contains(value)
            case "region": isGood = regions.contains(value)
            case "line":
                let number = halves[0].hasPrefix("-") ? String(halves[0].dropFirst()) : halves[0]
                isGood =
                    (Self.isPercentage(halves[0]) || Self.isDigits(number))
                    && Self.isIn(halves, ["start", "center", "end"])
            case "position":
                isGood =
                    Self.isPercentage(halves[0])
                    && Self.isIn(halves, ["line-left", "center", "line-right"])
            default: isGood = false
            }
            if !isGood { fault(index, "setting", String(token)) }
        }
    }

    private static func isIn(_ halves: [String], _ words: [String]) -> Bool {
        halves.count == 1 || halves.count == 2 && words.contains(halves[1])
    }

    private static func setting(_ token: Substring) -> (String, String)? {
        guard let colon = token.firstIndex(of: ":"), colon > token.startIndex else { return nil }
        let value = token[token.index(after: colon)...]
        return value.isEmpty ? nil : (String(token[..<colon]), String(value))
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isPercentage(_ text: String) -> Bool {
        guard text.hasSuffix("%") else { return false }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ isDigits(String($0)) }) else { return false }
        return Double(text.dropLast()).map { $0 <= 100 } ?? false
    }

    /// Milliseconds of `[HH+:]MM:SS.mmm`, each number with its fixed count of digits.
    static func time(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        let halves = (parts.last ?? "").split(separator: ".", omittingEmptySubsequences: false)
            .map(String.init)
        let minutes = parts[parts.count - 2]
        guard halves.count == 2, isDigits(halves[0]), isDigits(halves[1]), isDigits(minutes),
            halves[0].count == 2, halves[1].count == 3, minutes.count == 2,
            let seconds = Int64(halves[0]), let fraction = Int64(halves[1]),
            let minute = Int64(minutes), seconds < 60, minute < 60
        else { return nil }
        var hours: Int64 = 0
        if parts.count == 3 {
            guard isDigits(parts[0]), parts[0].count >= 2, let value = Int64(parts[0]),
                value < 1 << 32
            else { return nil }
            hours = value
        }
        return ((hours * 60 + minute) * 60 + seconds) * 1000 + fraction
    }
}

/// `true` if brackets, quotes and comments of a style sheet are closed.
private enum StyleSheetBalance {
    private static let ends: [Character: Character] = ["(": ")", "{": "}", "[": "]"]

    static func problem(_ css: String) -> String? {
        var open: [Character] = []
        var quote: Character?
        var rest = css[...]
        while let next = rest.popFirst() {
            if let current = quote {
                if next == "\\" { _ = rest.popFirst() }
                if next == current { quote = nil }
                if next == "\n" { return "line end in a string" }
            } else if next == "/", rest.first == "*" {
                guard let end = rest.dropFirst().firstRange(of: "*/") else {
                    return "comment not closed"
                }
                rest = rest[end.upperBound...]
            } else if next == "\"" || next == "'" {
                quote = next
            } else if let end = ends[next] {
                open.append(end)
            } else if ")}]".contains(next), open.popLast() != next {
                return "bracket \(next)"
            }
        }
        return quote == nil && open.isEmpty ? nil : "not closed"
    }
}
