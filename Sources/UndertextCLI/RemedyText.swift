internal import Undertext
internal import UndertextCore

/// Text of remedies, with the option names of a command.
enum RemedyText {
    /// The commands whose option names differ.
    enum Command {
        case extract
        case batch
        case convert
        case sync
        case other
    }

    /// The suffix of a message, `; ` and the remedy; empty if there is none.
    static func hint(_ remedy: Remedy?, for command: Command) -> String {
        remedy.flatMap { text(of: $0, for: command) }.map { "; \($0)" } ?? ""
    }

    private static func text(of remedy: Remedy, for command: Command) -> String? {
        switch remedy {
        case .replaceOutputs where command == .batch:
            return "use --retry failed and --force to replace it"
        case .replaceOutputs: return "use --force to replace it"
        case .separateOutputs: return "run the inputs one at a time, with different folders (-o)"
        case .packageMedia:
            return "'undertext hls package --video FILE' makes a presentation of a media file on "
                + "this machine"
        default: break
        }
        guard let first = remedy.settings.first else { return nil }
        if remedy == .omit(remedy.settings, value: remedy.values.first) {
            let options = remedy.settings.map { name(of: $0, for: command) }
            return (["leave out \(options.joined(separator: " and "))"] + remedy.values)
                .joined(separator: " ")
        }
        guard remedy == .set(first, to: remedy.values) else { return nil }
        return advice(first, remedy.values, for: command)
    }

    /// The advice for a setting.
    private static func advice(
        _ setting: Remedy.Setting, _ values: [String], for command: Command
    ) -> String {
        let option = name(of: setting, for: command)
        return switch setting {
        case .charset: "state its charset with \(option) (see iconv --list)"
        case .destination: "or write to a folder with \(option) DIR"
        case .existing where command == .batch:
            "with --retry failed, \(option) replaces it, and --skip-existing keeps it"
        case .existing:
            "\(option) replaces it, --skip-existing keeps it, "
                + ([.convert, .sync].contains(command)
                    ? "another name keeps both" : "-o DIR writes elsewhere")
        case .journal: "use \(option) FILE"
        case .shard: "use \(option) I/N"
        case .frameRate where values.isEmpty:
            "if times are wrong, state the frame rate of the video with \(option)"
        case .mediaStart: "\(option) sets it"
        case .recognition: "use \(option) LANG to recognize its text"
        case .tracks where values.isEmpty: "select one with \(option), by index or kind"
        case .tracks: "select \(values.joined(separator: " or ")) with \(option)"
        default: "use \(option) \(values.joined(separator: " or "))"
        }
    }

    private static func name(of setting: Remedy.Setting, for command: Command) -> String {
        switch setting {
        case .canvas: "--canvas"
        case .charset: "--charset"
        case .colorMatrix: "--color-matrix"
        case .destination: "-o"
        case .existing: "--force"
        case .fadeMerging: "--merge-fades"
        case .format: command == .convert ? "--to" : "--format"
        case .frameRate: "--fps"
        case .inputFormat: "--from"
        case .journal: "--journal"
        case .language: "--language"
        case .liveDuration: "--live"
        case .mediaStart: "--media-start"
        case .readPath: "--io"
        case .recognition: "--ocr"
        case .scale: "--scale"
        case .shard: "--shard"
        case .styleRemoval: "--strip-styling"
        case .tracks: command == .sync ? "--subtitle-track" : "--tracks"
        }
    }
}

extension Diagnostic {
    /// The diagnostic as one line: severity, message and remedy.
    func text(for command: RemedyText.Command) -> String {
        "\(severity.rawValue): \(message)" + RemedyText.hint(remedy, for: command)
    }
}
