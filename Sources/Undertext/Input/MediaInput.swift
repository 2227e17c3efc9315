internal import UndertextCore
internal import UndertextIO

/// What the user named: a file, an URL, standard input; or bytes.
public enum MediaInput: Hashable, Sendable {
    /// A path.
    case file(String)
    /// `scheme://…`
    case url(String)
    /// The standard input, `-`.
    case standardInput
    /// Bytes at hand, such as a download.
    case memory(MemoryInput)

    /// Reads an argument: `-` is standard input, only `scheme://…` is an URL, all else is a path.
    ///
    /// A file may be called `http:x.mkv`.
    public init(argument: String) {
        if argument == "-" {
            self = .standardInput
        } else if URI(argument).urlScheme != nil {
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
        case .memory(let memory): memory.name
        }
    }

    /// The beginning of output names: the base name less its last extension.
    public var stem: String {
        switch self {
        case .standardInput: return "stdin"
        case .memory(let memory): return Self.stem(ofName: PathName.baseName(memory.name))
        case .file(let path): return Self.stem(ofName: PathName.baseName(path))
        case .url(let url):
            return Self.stem(
                ofName: URI(url).path.split(separator: "/").last.map(String.init) ?? "")
        }
    }

    /// The folder for outputs unless the user names one: beside a file, else the current one.
    public var defaultDirectory: String {
        guard case .file(let path) = self else { return "." }
        return PathName.directoryName(path)
    }

    private static func stem(ofName name: String) -> String {
        name.isEmpty || name == "." || name == ".." ? "subtitles" : PathName.stem(name)
    }
}

/// The bytes of a file with a name for messages.
public struct MemoryInput: Hashable, Sendable {
    /// What it is called; nothing is looked up by it.
    public var name: String
    /// The whole file.
    public var bytes: [UInt8]

    /// Creates an input.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
