internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// A message on standard error: on a terminal broken at spaces, and its label in color.
struct MessageText {
    var subject: String?
    var label: Console.Label?
    let text: String
    /// `true` if it is an item of a list.
    var isItem = false

    /// Writes it, one line for each of the terminal's.
    func write() {
        let isTerminal = Terminal.isTerminal(2)
        let width = isTerminal ? max(20, Terminal.width(2) ?? 80) : nil
        let lines = lines(width: width, color: Terminal.wantsColor(2))
        StandardError.write(lines.map { "\($0)\n" }.joined())
    }

    /// The text as lines.
    ///
    /// - Parameters:
    ///   - width: columns at most; `nil` if nothing is broken.
    ///   - color: whether the label gets its color.
    /// - Returns: the lines, everything escaped, without secrets of URLs.
    func lines(width: Int?, color: Bool) -> [String] {
        let start = subject.map { escapedForTerminal(withoutSecrets($0)) + ": " } ?? ""
        let name = label.map { "\($0.rawValue):" } ?? ""
        let whole =
            (isItem ? "- " : "") + start + (name.isEmpty ? "" : name + " ")
            + escapedForTerminal(withoutSecrets(text))
        let margin = isItem ? "    " : "  "
        let first = isItem ? "  " : ""
        var lines = [whole]
        // A line that fits stays as it is, also with several spaces.
        if let width, displayWidth(first + whole) > width {
            lines = wrapped(whole, to: width - margin.utf8.count)
        }
        for index in lines.indices { lines[index] = (index == 0 ? first : margin) + lines[index] }
        if color, let label, lines[0].hasPrefix(first + start + name) {
            let rest = lines[0].dropFirst((first + start + name).count)
            lines[0] = first + start + "\(label.color)\(name)\u{1B}[0m" + rest
        }
        return lines
    }
}
