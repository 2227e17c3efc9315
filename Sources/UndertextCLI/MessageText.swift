internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// A message on standard error, wrapped and with a colored label on terminals.
struct MessageText {
    var subject: String?
    var label: Console.Label?
    let text: String
    /// `true` if the message is a list item.
    var isItem = false

    /// Writes the message, wrapped to the terminal's width.
    func write() {
        let isTerminal = Terminal.isTerminal(2)
        let width = isTerminal ? max(20, Terminal.width(2) ?? 80) : nil
        let lines = lines(width: width, color: Terminal.wantsColor(2))
        StandardError.write(lines.map { "\($0)\n" }.joined())
    }

    /// Wraps the text into lines.
    ///
    /// - Parameters:
    ///   - width: The maximum number of columns; `nil` to disable wrapping.
    ///   - color: `true` to color the label.
    /// - Returns: The lines, escaped, without secrets in URLs.
    func lines(width: Int?, color: Bool) -> [String] {
        let start = subject.map { escapedForTerminal(withoutSecrets($0)) + ": " } ?? ""
        let name = label.map { "\($0.rawValue):" } ?? ""
        let whole =
            (isItem ? "- " : "") + start + (name.isEmpty ? "" : name + " ")
            + escapedForTerminal(withoutSecrets(text))
        let margin = isItem ? "    " : "  "
        let first = isItem ? "  " : ""
        var lines = [whole]
        // A line that fits keeps its spacing.
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
