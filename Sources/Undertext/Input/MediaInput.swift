/// What the user named: a file, an URL or standard input.
public enum MediaInput: Hashable, Sendable {
    /// A path.
    case file(String)
    /// `scheme://…`
    case url(String)
    /// The standard input, `-`.
    case standardInput

    /// Reads an argument: `-` is standard input, only `scheme://…` is an URL, all else is a path.
    ///
    /// A file may be called `http:x.mkv`.
    public init(argument: String) {
        if argument == "-" {
            self = .standardInput
        } else if Self.isURL(argument) {
            self = .url(argument)
        } else {
            self = .file(argument)
        }
    }

    /// The argument again.
    public var argument: String {
        switch self {
        case .file(let path): path
        case .url(let url): url
        case .standardInput: "-"
        }
    }

    /// The beginning of output names: the base name less its last extension.
    public var stem: String {
        switch self {
        case .standardInput: return "stdin"
        case .file(let path): return Self.stem(ofName: lastComponent(path))
        case .url(let url):
            let afterScheme = url.utf8.drop { $0 != 0x3A }.dropFirst(3)
            let path = afterScheme.prefix { $0 != 0x3F && $0 != 0x23 }
            let parts = path.split(separator: 0x2F, omittingEmptySubsequences: true)
            // The first part is the host.
            let name =
                parts.count > 1 ? String(decoding: parts[parts.count - 1], as: UTF8.self) : ""
            return Self.stem(ofName: name)
        }
    }

    /// The folder for outputs unless the user names one: beside a file, else the current one.
    public var defaultDirectory: String {
        guard case .file(let path) = self else { return "." }
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
        let directory = path.utf8[..<slash]
        return directory.isEmpty ? "/" : String(decoding: directory, as: UTF8.self)
    }

    private static func stem(ofName name: String) -> String {
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, name != ".", name != ".." else { return "subtitles" }
        guard let dot = bytes.lastIndex(of: 0x2E), dot > 0 else { return name }
        return String(decoding: bytes[..<dot], as: UTF8.self)
    }

    private static func isURL(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(64))
        guard let colon = bytes.firstIndex(of: 0x3A), colon > 0, colon + 2 < bytes.count,
            bytes[colon + 1] == 0x2F, bytes[colon + 2] == 0x2F
        else { return false }
        return bytes[..<colon].enumerated().allSatisfy { position, byte in
            (0x61...0x7A).contains(byte | 0x20)
                || (position > 0
                    && ((0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)))
        }
    }
}

private func lastComponent(_ path: String) -> String {
    String(decoding: path.utf8.split(separator: 0x2F).last ?? [][...], as: UTF8.self)
}
