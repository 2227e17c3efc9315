internal import ArgumentParser
internal import UndertextCore
internal import UndertextIO

/// Suggestions for mistyped command names.
enum CommandName {
    /// An error message for an unknown command; `nil` if the command exists or none is given.
    static func mistake(in arguments: ArraySlice<String>) -> String? {
        guard let name = arguments.first, !name.hasPrefix("-") else { return nil }
        let known = names(of: UndertextCommand.configuration) + ["help"]
        if known.contains(name) {
            if name == "help" { return mistake(in: arguments.dropFirst()) }
            let groups = ["hls": HLSCommand.configuration, "batch": BatchCommand.configuration]
            guard let group = groups[name], let next = arguments.dropFirst().first,
                !next.hasPrefix("-")
            else { return nil }
            let known = names(of: group)
            return known.contains(next)
                ? nil
                : message("\(name) \(next)", nearest(next, known).map { "\(name) \($0)" }, known)
        }
        if nearest(name, known) == nil, FileSystem.exists(name) {
            return
                "'\(name)' is a file, not a command; 'undertext extract \(name)' writes its subtitles, "
                + "'undertext probe \(name)' describes it"
        }
        return message(name, nearest(name, known), known)
    }

    /// The help invocation at the end of an ArgumentParser message, such as `'undertext extract --help'`.
    static func help(in message: String) -> String? {
        guard let line = message.split(separator: "\n").last(where: { $0.contains("See '") }),
            let start = line.firstIndex(of: "'"), let end = line.lastIndex(of: "'"), start < end
        else { return nil }
        return String(line[start...end])
    }

    /// Returns a command's subcommand names without a key path, which crashes Swift 6.3 on the existential
    /// type.
    private static func names(of command: CommandConfiguration) -> [String] {
        command.subcommands.compactMap { $0.configuration.commandName }
    }

    private static func message(_ name: String, _ guess: String?, _ known: [String]) -> String {
        "'\(name)' is not a command; "
            + (guess.map { "did you mean '\($0)'?" }
                ?? "there are \(known.joined(separator: ", "))")
    }

    /// The only name within two edits of the input, or `nil` if there is none or several.
    private static func nearest(_ name: String, _ known: [String]) -> String? {
        // Two edits turn a short word into too many others.
        let most = name.count < 4 ? 1 : 2
        return known.map { ($0, distance(Array(name), Array($0))) }
            .filter { $0.1 <= most }.min { $0.1 < $1.1 }?.0
    }

    /// The Damerau–Levenshtein distance: insertions, deletions, substitutions and transpositions of neighbors.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        // A word this long is not a mistyped command.
        guard max(one.count, other.count) <= 32 else { return .max }
        var rows = [Array(0...other.count)]
        for (i, first) in one.enumerated() {
            var row = [i + 1]
            for (j, second) in other.enumerated() {
                var best = min(
                    row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (first == second ? 0 : 1))
                if i > 0, j > 0, first == other[j - 1], one[i - 1] == second {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
