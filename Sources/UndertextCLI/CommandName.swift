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
                : message(
                    "\(name) \(next)", nearestName(to: next, among: known).map { "\(name) \($0)" },
                    known)
        }
        if nearestName(to: name, among: known) == nil, FileSystem.exists(name) {
            return
                "'\(name)' is a file, not a command; 'undertext extract \(name)' writes its subtitles, "
                + "'undertext probe \(name)' describes it"
        }
        return message(name, nearestName(to: name, among: known), known)
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
}
