internal import UndertextIO

/// A format that a track can be written in; the raw values are those of `--format`.
public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
    /// WebVTT.
    case vtt
    /// SubRip.
    case srt
    /// Advanced SubStation Alpha.
    case ass
    /// SubStation Alpha v4.
    case ssa
    /// Timed Text Markup Language, IMSC 1.1.
    case ttml
    /// JSON cues, one document; on standard output and of several tracks ``jsonl``.
    case json
    /// JSON cues, one record a line.
    case jsonl
    /// A folder of PNG images with an index.
    case png
    /// Blu-ray `.sup`.
    case sup
    /// `.idx` and `.sub`.
    case vobsub
    /// The folder of ``png``, asked for because of its BDN XML.
    case bdn

    /// The extension of a folder of images: one that media servers do not take for an image.
    static let folderExtension = "images"

    /// Whether it is JSON cues.
    var isJSON: Bool { self == .json || self == .jsonl }

    /// Whether tracks of that kind become a folder of images.
    func makesFolder(of kind: MediaKind) -> Bool {
        self == .png || self == .bdn || self == .json && kind == .bitmap
    }

    /// The extensions of what it makes, the main one first.
    func fileExtensions(for kind: MediaKind) -> [String] {
        if makesFolder(of: kind) { return [Self.folderExtension] }
        return switch self {
        case .vobsub: ["idx", "sub"]
        default: [rawValue]
        }
    }

    /// The format that an output's name tells; `nil` if it tells none.
    ///
    /// `index.xml` is the one in a folder of images, whose extension is `.images`, or `.png` as it was once.
    /// A name that ends in `/` is a folder and tells none.
    public init?(path: String) {
        let name = PathName.baseName(path)
        switch PathName.fileExtension(path).lowercased() {
        case "idx", "sub": self = .vobsub
        case "xml" where name == ImageIndex.xmlName: self = .bdn
        case "dfxp": self = .ttml
        case Self.folderExtension: self = .png
        case let ending:
            guard let format = Self(rawValue: ending), format != .vobsub, format != .bdn else {
                return nil
            }
            self = format
        }
    }

    /// Whether a name that tells one fits the other as well.
    public func makes(sameFilesAs other: OutputFormat) -> Bool {
        self == other || Set([self, other]) == [.png, .bdn]
    }

    /// What is written where the user names one path, the main file first.
    func files(at path: String, kind: MediaKind) -> [String] {
        var path = path
        while path.utf8.count > 1, path.utf8.last == 0x2F { path.removeLast() }
        let folderFiles = [ImageIndex.xmlName, ImageIndex.name]
        switch self {
        case .vobsub:
            let ending = PathName.fileExtension(path)
            let isOurs = ["idx", "sub"].contains(ending.lowercased())
            let stem = isOurs ? String(path.dropLast(ending.count + 1)) : path
            return [stem + ".idx", stem + ".sub"]
        case .png, .bdn, .json:
            let isIndex = kind == .bitmap && folderFiles.contains(PathName.baseName(path))
            return [isIndex ? PathName.directoryName(path) : path]
        default: return [path]
        }
    }

    /// Whether it can carry the text that was recognized in images.
    public var takesRecognizedText: Bool {
        switch self {
        case .vtt, .srt, .ass, .ssa, .ttml, .json, .jsonl, .png, .bdn: true
        case .sup, .vobsub: false
        }
    }

    /// Whether it is for images, text, or either.
    var takes: Set<MediaKind> {
        switch self {
        case .vtt, .srt, .ass, .ssa, .ttml: [.text]
        case .png, .sup, .vobsub, .bdn: [.bitmap]
        case .json, .jsonl: [.text, .bitmap]
        }
    }
}

extension OutputFormat {
    /// Formats of the contract that have no writer yet, by name.
    private static let withoutWriter: Set<String> = ["sami", "scc", "stl"]

    /// The format of that name.
    ///
    /// - Throws: ``FormatRequest/SyntaxError`` that says whether there is no such format, or no writer yet.
    public init(parsing name: String) throws(FormatRequest.SyntaxError) {
        guard let format = Self(rawValue: name) else {
            throw FormatRequest.SyntaxError(
                unknown: name, known: Self.allCases.map(\.rawValue),
                unsupported: Self.withoutWriter.contains(name) ? "writing" : nil)
        }
        self = format
    }

    /// Whether a path has the extension of a format that has no writer yet.
    public static func isNameWithoutWriter(_ path: String) -> Bool {
        withoutWriter.union(["smi"]).contains(PathName.fileExtension(path).lowercased())
    }
}

/// What `--format` asks for: at most one format for text and one for bitmaps, or `native`.
public struct FormatRequest: Hashable, Sendable {
    /// Text tracks; `nil` = as stored.
    public var text: OutputFormat?
    /// Bitmap tracks; `nil` = as stored.
    public var bitmap: OutputFormat?
    /// The only kind that a format was named for; `nil` if both were, or none.
    ///
    /// Tracks of the other kind are left out unless the selection names their index or kind.
    public var onlyKind: MediaKind?

    /// WebVTT and PNG.
    public static let standard = FormatRequest(text: .vtt, bitmap: .png)
    /// Each track as it is stored.
    public static let native = FormatRequest(text: nil, bitmap: nil)

    /// Creates a request; `nil` = as stored.
    public init(text: OutputFormat?, bitmap: OutputFormat?, onlyKind: MediaKind? = nil) {
        self.text = text
        self.bitmap = bitmap
        self.onlyKind = onlyKind
    }

    /// Asks for one format, whatever the kind of a track.
    ///
    /// - Parameters:
    ///   - format: the format.
    ///   - recognizing: whether text of images is recognized, so that a format for text takes both kinds.
    public init(only format: OutputFormat, recognizing: Bool = false) {
        let isForBoth = format.takes.count > 1 || recognizing && format.takes == [.text]
        self.init(text: format, bitmap: format, onlyKind: isForBoth ? nil : format.takes.first)
    }

    /// The same with records a line instead of a document, as standard output takes them.
    var asLines: FormatRequest {
        var request = self
        if text == .json { request.text = .jsonl }
        if bitmap == .json { request.bitmap = .jsonl }
        return request
    }

    /// Why a list of formats could not be used.
    public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong and what would be right.
        public let description: String

        init(description: String) { self.description = description }

        /// An error for a name that is no format.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - known: The names that are formats.
        ///   - unsupported: What cannot be done yet with the format of that name; `nil` if there is none.
        init(unknown name: String, known: [String], unsupported: String?) {
            let reason =
                unsupported.map { "\($0) '\(name)' is not supported yet" }
                ?? "'\(name)' is not a format"
            description = "\(reason); choose one of \(known.joined(separator: " "))"
        }
    }

    /// Reads `vtt`, `native`, `srt,sup`, … The kind not named keeps its default.
    ///
    /// - Parameters:
    ///   - list: the names.
    ///   - recognizing: whether text of images is recognized: then the format for text is the
    ///     default for bitmaps too.
    /// - Throws: ``SyntaxError``: a name that is none, or two formats for one kind.
    public init(parsing list: String, recognizing: Bool = false) throws(SyntaxError) {
        var text: OutputFormat?
        var bitmap: OutputFormat?
        var words = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if words == ["json", "json"] || words == ["jsonl", "jsonl"] { words.removeLast() }
        if words == ["native"] {
            self = .native
            return
        }
        for word in words {
            if word == "native" {
                throw SyntaxError(description: "'native' goes with no other format; leave one out")
            }
            let format = try OutputFormat(parsing: word)
            if format.takes.contains(.text) {
                guard text == nil else {
                    throw SyntaxError(
                        description: "'\(list)' names two formats for text; name one")
                }
                text = format
            }
            if format.takes.contains(.bitmap), !format.isJSON || words.count == 1 {
                guard bitmap == nil else {
                    throw SyntaxError(
                        description: "'\(list)' names two formats for bitmaps; name one")
                }
                bitmap = format
            }
        }
        let usual = recognizing ? text ?? Self.standard.text : Self.standard.bitmap
        var onlyKind: MediaKind?
        if bitmap == nil, !recognizing { onlyKind = .text }
        if text == nil { onlyKind = .bitmap }
        self.init(
            text: text ?? Self.standard.text, bitmap: bitmap ?? usual, onlyKind: onlyKind)
    }
}
