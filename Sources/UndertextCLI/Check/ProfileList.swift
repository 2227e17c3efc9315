internal import Undertext
internal import UndertextChecks
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// The list of built-in profiles.
enum ProfileList {
    /// Writes the profiles with their rules, limits and sources to standard output.
    static func write(_ console: Console) -> Int32 {
        let output = StandardOutput()
        do throws(UndertextError) {
            for name in CheckProfile.builtInNames {
                let profile = try CheckProfile.builtIn(name)
                try output.write(lines(of: profile).joined(separator: "\n") + "\n\n")
            }
            try output.flush()
            return ExitStatus.success
        } catch {
            console.endIfReaderLeft(error)
            console.fail(error)
            return ExitStatus.nothing
        }
    }

    private static func lines(of profile: CheckProfile) -> [String] {
        var lines = ["\(profile.name): \(profile.title)", "  \(profile.description)"]
        if let rate = profile.frameRate {
            lines.append(
                "  \(rate.denominator == 1 ? "\(rate.numerator)" : "\(rate.numerator)/\(rate.denominator)") "
                    + "frames a second unless the video or --fps states another rate"
                    + (profile.frameRateSource.map { ": \($0.description)" } ?? ""))
        }
        for (place, entry) in profile.entries.enumerated() {
            // An entry that a later one replaces for all cues never applies.
            let isReplaced = profile.entries[(place + 1)...].contains {
                $0.rule == entry.rule && $0.languages.isEmpty && $0.scripts.isEmpty
            }
            if !isReplaced, entry.severity != nil { lines.append("  " + line(of: entry)) }
        }
        return lines
    }

    private static func line(of entry: CheckProfile.Entry) -> String {
        var line = entry.rule.rawValue
        switch (entry.limit, entry.rule.limit) {
        case (.number(let value), .time): line += " \(number(value)) s"
        case (.number(let value), .number(let unit)): line += " \(number(value)) \(unit)"
        case (.frames(let value), _): line += " \(number(value)) frames"
        case (.format(let format), _): line += " \(format.name)"
        case (.charset(let name), _): line += " \(escapedForTerminal(name))"
        default: break
        }
        let scope = entry.languages.map(\.rawValue) + entry.scripts.map(\.rawValue)
        if !scope.isEmpty { line += " (\(scope.joined(separator: ", ")))" }
        if entry.count == .fullWidth { line += ", full-width characters" }
        if let severity = entry.severity, severity != .error { line += ", \(severity.rawValue)" }
        if let source = entry.source {
            line += ": \(source.description)" + (source.url.map { " <\($0)>" } ?? "")
        }
        return escapedForTerminal(line)
    }

    private static func number(_ value: Double) -> String {
        String(decoding: JSON.decimal((value * 1000).rounded() / 1000).compact, as: UTF8.self)
    }
}
