internal import UndertextCore

/// A command line of ffmpeg that only extracts or converts subtitles, and uses only the options listed here.
///
/// The list names supported options, never unsupported ones: a single unknown option, value or form leaves the
/// command line to ffmpeg.
struct FFmpegArguments: Hashable, Sendable {
    /// The file to read, without `file:`.
    var input = ""
    /// The files to write, in their order.
    var outputs: [Output] = []
    /// `true` if outputs that exist are replaced (`-y`).
    var replaces = false
    /// `true` if times are those that the file stores (`-copyts`).
    var copiesTimestamps = false
    /// `true` if statistics are printed (`-stats`); `nil` if the log level decides.
    var statistics: Bool?
    /// The log level as FFmpeg numbers it.
    var logLevel = 32

    /// One file to write.
    struct Output: Hashable, Sendable {
        /// The destination.
        var target: Target
        /// The format, which `-f` or the name states.
        var format: Format
        /// The stream to write; `nil` if ffmpeg chooses.
        var stream: StreamSpecifier?
        /// The encoder, or ``Encoder/copy``; `nil` for that of the format.
        var encoder: Encoder?
        /// `true` if the encoder is stated for subtitles in general, which makes ffmpeg choose any first subtitle stream.
        var statesEncoder = false
    }

    /// The destination of an output.
    enum Target: Hashable, Sendable {
        case file(String)
        case standardOutput
    }

    /// A muxer.
    enum Format: String, Hashable, Sendable {
        case srt, ass, webvtt, sup

        /// The muxer that ffmpeg guesses from a name.
        init?(path: String) {
            guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
            switch path[path.index(after: dot)...].lowercased() {
            case "srt": self = .srt
            case "ass", "ssa": self = .ass
            case "vtt": self = .webvtt
            case "sup": self = .sup
            default: return nil
            }
        }
    }

    /// An encoder of subtitles.
    enum Encoder: Hashable, Sendable {
        case copy, srt, ass, webvtt

        init?(name: String) {
            switch name {
            case "copy": self = .copy
            case "srt", "subrip": self = .srt
            case "ass", "ssa": self = .ass
            case "webvtt": self = .webvtt
            default: return nil
            }
        }
    }

    /// The subtitle stream that `-map` selects.
    enum StreamSpecifier: Hashable, Sendable {
        /// A stream of the file: `0:3`.
        case index(Int)
        /// A stream among those of subtitles: `0:s:1`; `0:s` must be the only one.
        case subtitle(Int?)
        /// The subtitle stream with this language: `0:s:m:language:eng`.
        case language(String)

        init?(map: String) {
            var parts = map.split(separator: ":", omittingEmptySubsequences: false)[...]
            // `?` lets a stream be missing, which is ffmpeg's to say.
            if parts.last?.hasSuffix("?") == true, let last = parts.popLast() {
                parts.append(last.dropLast())
            }
            guard parts.popFirst() == "0" else { return nil }
            switch Array(parts) {
            case ["s"]: self = .subtitle(nil)
            case let rest where rest.count == 1:
                guard let index = Self.number(rest[0]) else { return nil }
                self = .index(index)
            case let rest where rest.count == 2 && rest[0] == "s":
                guard let index = Self.number(rest[1]) else { return nil }
                self = .subtitle(index)
            case let rest where rest.count == 4 && rest[..<3] == ["s", "m", "language"]:
                guard !rest[3].isEmpty else { return nil }
                self = .language(String(rest[3]))
            default: return nil
            }
        }

        /// Digits alone, as people write them: strtol takes more.
        private static func number(_ text: Substring) -> Int? {
            guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(FFmpegArguments.isDigit)
            else {
                return nil
            }
            return Int(text)
        }
    }
}

extension FFmpegArguments {
    /// Reads the arguments after the program's name; `nil` if ffmpeg must read them.
    init?(_ arguments: [String]) {
        var reader = FFmpegArgumentReader()
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard reader.take(word, &rest) else { return nil }
        }
        guard let result = reader.result else { return nil }
        self = result
    }

    fileprivate static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The path of a local file that ffmpeg would open under this name; `nil` for other protocols.
    static func localPath(_ name: String) -> String? {
        guard !name.isEmpty, name != "-" else { return nil }
        if name.hasPrefix("file:") {
            let path = name.dropFirst(5)
            return path.isEmpty || path.contains("://") ? nil : String(path)
        }
        // A colon after letters names a protocol, in libavformat also without slashes.
        let head = name.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
        let next = name.utf8.dropFirst(head.count).first
        return next == UInt8(ascii: ":") || name.contains("://") ? nil : name
    }
}

/// Collects options until the file that they belong to.
private struct FFmpegArgumentReader {
    private var command = FFmpegArguments()
    private var hasInput = false
    private var refuses = false
    /// The options of the next file.
    private var options = FileOptions()

    private struct FileOptions: Hashable {
        /// `true` if there is an option that only an input has.
        var isInput = false
        /// `true` if there is an option that only an output has.
        var isOutput = false
        var map: FFmpegArguments.StreamSpecifier?
        var format: FFmpegArguments.Format?
        var encoder: FFmpegArguments.Encoder?
        var statesEncoder = false
    }

    /// The command line, if it is complete.
    var result: FFmpegArguments? {
        // Options after the last output are reported by ffmpeg; so is a contradiction.
        guard hasInput, !command.outputs.isEmpty, options == FileOptions() else { return nil }
        guard !(command.replaces && refuses) else { return nil }
        let files = command.outputs.map(\.target)
        return Set(files).count == files.count ? command : nil
    }

    /// Parses an option and its value; returns `false` if it is unknown.
    mutating func take(_ word: String, _ rest: inout ArraySlice<String>) -> Bool {
        guard word.hasPrefix("-"), word != "-" else { return takeOutput(word) }
        if takeSwitch(word) { return true }
        guard let value = rest.popFirst() else { return false }
        if word == "-i" { return takeInput(value) }
        return takeGlobal(word, value) || takeFileOption(word, value)
    }

    private mutating func takeSwitch(_ word: String) -> Bool {
        switch word {
        case "-y": command.replaces = true
        case "-n": refuses = true
        case "-copyts": command.copiesTimestamps = true
        case "-stats": command.statistics = true
        case "-nostats": command.statistics = false
        // Undertext reads nothing from standard input and prints no banner.
        case "-nostdin", "-hide_banner": break
        case "-an", "-vn", "-dn": options.isOutput = true
        default: return false
        }
        return true
    }

    private mutating func takeGlobal(_ word: String, _ value: String) -> Bool {
        guard word == "-v" || word == "-loglevel" else { return false }
        let levels = [
            "quiet": -8, "panic": 0, "fatal": 8, "error": 16, "warning": 24, "info": 32,
            "verbose": 40, "debug": 48, "trace": 56,
        ]
        // From `verbose` on the log is what the caller wants.
        guard let level = levels[value] ?? Int(value), level <= 32 else { return false }
        command.logLevel = level
        return true
    }

    private mutating func takeFileOption(_ word: String, _ value: String) -> Bool {
        switch word {
        case "-analyzeduration", "-probesize":
            // They bound how far libavformat looks for streams.
            guard !value.isEmpty,
                value.utf8.allSatisfy({ FFmpegArguments.isDigit($0) || $0 == UInt8(ascii: "M") })
            else { return false }
            options.isInput = true
            return true
        case "-threads":
            return !value.isEmpty && value.utf8.allSatisfy(FFmpegArguments.isDigit)
        case "-map":
            // Each format here holds one stream.
            guard options.map == nil, let map = FFmpegArguments.StreamSpecifier(map: value) else {
                return false
            }
            options.map = map
        case "-f":
            guard options.format == nil, let format = FFmpegArguments.Format(rawValue: value)
            else { return false }
            options.format = format
        case "-c:s", "-codec:s", "-scodec", "-c", "-codec", "-c:s:0", "-codec:s:0":
            guard options.encoder == nil, let encoder = FFmpegArguments.Encoder(name: value) else {
                return false
            }
            options.encoder = encoder
            options.statesEncoder = ["-c:s", "-codec:s", "-scodec"].contains(word)
        case "-c:v", "-c:a", "-codec:v", "-codec:a", "-vcodec", "-acodec":
            guard value == "copy" else { return false }
        case "-map_metadata", "-map_chapters":
            guard value == "-1" else { return false }
        case "-flush_packets":
            guard value == "0" || value == "1" else { return false }
        default: return false
        }
        options.isOutput = true
        return true
    }

    private mutating func takeInput(_ name: String) -> Bool {
        guard !hasInput, !options.isOutput, let path = FFmpegArguments.localPath(name) else {
            return false
        }
        command.input = path
        hasInput = true
        options = FileOptions()
        return true
    }

    private mutating func takeOutput(_ name: String) -> Bool {
        guard hasInput, !options.isInput else { return false }
        let target: FFmpegArguments.Target
        if ["-", "pipe:", "pipe:1"].contains(name) {
            target = .standardOutput
        } else {
            guard let path = FFmpegArguments.localPath(name) else { return false }
            target = .file(path)
        }
        guard let format = options.format ?? FFmpegArguments.Format(path: name) else {
            return false
        }
        command.outputs.append(
            .init(
                target: target, format: format, stream: options.map, encoder: options.encoder,
                statesEncoder: options.statesEncoder))
        options = FileOptions()
        return true
    }
}
