internal import Undertext
internal import UndertextCore
internal import UndertextProviders

/// The human-readable form of a search result.
enum SearchText {
    /// One line with the number, language, match, provider, name and notes, escaped for terminals.
    static func line(_ number: Int, _ subtitle: OnlineSubtitle) -> String {
        let count = String(number)
        let start = [
            (String(repeating: " ", count: max(0, 3 - count.utf8.count)) + count, 3),
            (subtitle.languages.map(\.rawValue).prefix(3).joined(separator: "+"), 7),
            (subtitle.match.rawValue, 10), (subtitle.provider, 13),
        ].map { padded(escapedForTerminal($0.0), to: $0.1) }.joined(separator: "  ")
        let notes = notes(subtitle)
        return start + "  " + escapedForTerminal(shortened(subtitle.name))
            + (notes.isEmpty
                ? "" : " (\(escapedForTerminal(notes.joined(separator: ", "))))")
    }

    /// Converts a duration to seconds.
    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    private static func notes(_ subtitle: OnlineSubtitle) -> [String] {
        var notes: [String] = []
        if subtitle.isForced { notes.append("forced") }
        if subtitle.isHearingImpaired { notes.append("sdh") }
        if subtitle.isMachineTranslated { notes.append("machine translation") }
        if subtitle.isTrusted { notes.append("trusted") }
        if let disc = subtitle.disc { notes.append("disc \(disc)") }
        if let format = subtitle.format { notes.append(shortened(format)) }
        if let rate = subtitle.frameRate {
            notes.append(String(decoding: JSON.decimal(rate).compact, as: UTF8.self) + " fps")
        }
        if let count = subtitle.downloads { notes.append("\(count) downloads") }
        return notes
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Limits the length of text from a server.
    private static func shortened(_ text: String) -> String {
        text.count > 120 ? text.prefix(119) + "…" : text
    }
}
