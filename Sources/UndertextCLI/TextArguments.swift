internal import ArgumentParser
internal import Undertext
internal import UndertextCore

/// The argument for the character encoding of text files.
struct CharsetArgument: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The charset of text, as named by iconv, e.g. windows-1251. (default: detected)",
            valueName: "name"), completion: .charset)
    var charset: String?

    /// The encoding name, validated with iconv.
    func name() throws -> String? {
        guard let charset else { return nil }
        guard Media.isKnown(charset: charset) else {
            throw ValidationError(
                "--charset: iconv has no charset '\(escapedForTerminal(charset))'; see iconv --list"
            )
        }
        return charset
    }
}

/// Arguments that change times and styling during conversion.
struct TextArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Shift all cues by seconds or [H:]MM:SS.mmm; + is later, - earlier.",
            valueName: "±time"))
    var shift: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Convert times from frame rate a to b, e.g. 25:23.976 or 25:24000/1001; applied before "
                + "--shift.", valueName: "a:b"),
        completion: .list(["25:23.976", "25:24", "24:25", "23.976:25"]))
    var speed: String?

    @Flag(help: "Keep only text, line breaks, times and positions; drop colors, fonts and styles.")
    var stripStyling = false

    /// The retiming that the arguments describe.
    func retiming() throws -> Retiming {
        var retiming = Retiming.none
        if let speed {
            do throws(UndertextError) {
                retiming.speed = try Retiming.speed(parsing: speed)
            } catch {
                throw ValidationError(
                    "--speed: '\(escapedForTerminal(speed))': \(escapedForTerminal(error.description)); "
                        + "use two frame rates such as 25:23.976 or 25:24000/1001")
            }
        }
        if let shift {
            guard let span = Self.span(shift) else {
                throw ValidationError(
                    "--shift: '\(escapedForTerminal(shift))' is not a time, such as +1.4, -0:02.5, .5 or 90"
                )
            }
            retiming.shift = span
        }
        return retiming
    }

    private static func span(_ text: String) -> Duration? {
        let isEarlier = text.hasPrefix("-")
        let digits = isEarlier || text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard let time = Timestamp(clock: digits), time >= .zero else { return nil }
        let span = Timestamp.zero.duration(to: time)
        return isEarlier ? .zero - span : span
    }
}
