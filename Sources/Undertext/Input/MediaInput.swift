internal import UndertextCore
internal import UndertextIO

/// The input that a ``Media`` reads: a path, a URL, bytes, a pipe, or a source of the caller's own.
///
/// Files that belong together, such as an `.idx` and its `.sub` file or a folder of images, are opened by their path;
/// HLS and DASH presentations by their path or URL.
public enum MediaInput: Sendable {
    /// The path of a file, a named pipe, or a folder of images with BDN XML.
    case file(String)
    /// A URL, `scheme://…`.
    case url(String)
    /// The standard input, `-`.
    case standardInput
    /// The descriptor of an open pipe, socket, or file.
    ///
    /// It is read once and in order from where it is, and never closed. Its owner must keep it open as long as the input
    /// is in use.
    case pipe(Int32)
    /// The bytes of a whole file, such as a download, with a name for messages.
    case bytes([UInt8], name: String = "memory")
    /// A source of the caller's own; two inputs are equal if they have the same source.
    case source(any ByteSource)

    /// Reads an argument: `-` is standard input, only `scheme://…` is a URL, everything else is a path.
    ///
    /// A file may be called `http:x.mkv`.
    package init(argument: String) {
        if argument == "-" {
            self = .standardInput
        } else if URI(argument).urlScheme != nil {
            self = .url(argument)
        } else {
            self = .file(argument)
        }
    }

    /// The argument that names the input; the name of bytes and sources.
    package var argument: String {
        switch self {
        case .file(let path): path
        case .url(let url): url
        case .standardInput: "-"
        case .pipe(let descriptor): "/dev/fd/\(descriptor)"
        case .bytes(_, let name): name
        case .source(let source): source.name
        }
    }

    /// The beginning of output names: the base name less its last extension.
    package var stem: String {
        switch self {
        case .standardInput: return "stdin"
        case .pipe: return "pipe"
        case .bytes, .source, .file: return Self.stem(ofName: PathName.baseName(argument))
        case .url(let url):
            if let location = try? S3Location(url) { return Self.stem(ofName: location.fileName) }
            return Self.stem(
                ofName: URI(url).path.split(separator: "/").last.map(String.init) ?? "")
        }
    }

    /// The folder for outputs unless the user names one: beside a file, else the current one.
    package var defaultDirectory: String {
        guard case .file(let path) = self else { return "." }
        return PathName.directoryName(path)
    }

    private static func stem(ofName name: String) -> String {
        name.isEmpty || name == "." || name == ".." ? "subtitles" : PathName.stem(name)
    }
}

extension MediaInput: Hashable {
    /// The values by which inputs are compared.
    private enum Identity: Hashable {
        case file(String)
        case url(String)
        case pipe(Int32?)
        case bytes([UInt8], name: String)
        case source(ObjectIdentifier)
    }

    private var identity: Identity {
        switch self {
        case .file(let path): .file(path)
        case .url(let url): .url(url)
        case .standardInput: .pipe(nil)
        case .pipe(let descriptor): .pipe(descriptor)
        case .bytes(let bytes, let name): .bytes(bytes, name: name)
        case .source(let source): .source(ObjectIdentifier(source))
        }
    }

    /// Compares inputs; sources by identity.
    public static func == (one: MediaInput, other: MediaInput) -> Bool {
        one.identity == other.identity
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
