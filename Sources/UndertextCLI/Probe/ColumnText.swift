internal import Undertext
internal import UndertextCore

/// Text in a label column and a wrapped value column.
///
/// All text is escaped for terminals.
struct ColumnText {
    /// The maximum line width in columns.
    private let width: Int
    /// The width of the label column, including the following space.
    private let labelWidth: Int
    /// `true` if headings are bold.
    private let color: Bool
    /// The lines added so far, each terminated by a line feed.
    private(set) var text = ""

    init(width: Int, labelWidth: Int, color: Bool) {
        self.width = max(20, width)
        self.labelWidth = labelWidth
        self.color = color
    }

    /// Adds an empty line.
    mutating func blank() { text += "\n" }

    /// Adds a line that is not wrapped, so that a path can be copied.
    mutating func heading(_ title: String) {
        text += emphasized(escapedForTerminal(title)) + "\n"
    }

    /// Adds a label and its value; continuation lines are aligned with the value.
    mutating func field(_ label: String, _ value: String, isHeading: Bool = false) {
        let label = escapedForTerminal(label)
        let gap = String(repeating: " ", count: max(1, labelWidth - displayWidth(label)))
        let margin = String(repeating: " ", count: labelWidth)
        let lines = wrapped(escapedForTerminal(value), to: max(10, width - labelWidth))
        for (position, line) in lines.enumerated() {
            let start = position > 0 ? margin : (isHeading ? emphasized(label) : label) + gap
            text += start + line + "\n"
        }
    }

    private func emphasized(_ text: String) -> String {
        color ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }
}

/// Wraps text at spaces, and inside words only if a single word is too long.
///
/// The result has at least one line.
func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var lineWidth = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
        let wordWidth = displayWidth(word)
        if lineWidth > 0, lineWidth + 1 + wordWidth > width {
            lines.append(line)
            (line, lineWidth) = ("", 0)
        }
        if lineWidth > 0 {
            line += " "
            lineWidth += 1
        }
        guard wordWidth > width else {
            line += word
            lineWidth += wordWidth
            continue
        }
        for character in word {
            let characterWidth = displayWidth(String(character))
            if lineWidth > 0, lineWidth + characterWidth > width {
                lines.append(line)
                (line, lineWidth) = ("", 0)
            }
            line.append(character)
            lineWidth += characterWidth
        }
    }
    return lines.isEmpty || !line.isEmpty ? lines + [line] : lines
}

/// The number of terminal columns: two for East Asian wide characters, none for combining ones.
func displayWidth(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
}

private func columns(of scalar: Unicode.Scalar) -> Int {
    guard scalar.value >= 0x300 else { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
        0x1F900...0x1F9FF, 0x20000...0x3FFFD:
        return 2
    default: return 1
    }
}
