package import UndertextCore
package import UndertextFormats
internal import UndertextIO

extension SubtitleFormat {
    /// Creates a format from an output path; `nil` if the path does not determine a format.
    ///
    /// `index.xml` is the index of an image folder with the extension `.images`, or `.png` as in earlier
    /// versions. A path that ends in `/` is a folder and does not determine a format.
    package init?(path: String) {
        if PathName.baseName(path) == ImageIndex.xmlName {
            self = .bdn
        } else {
            self.init(outputExtension: PathName.fileExtension(path))
        }
    }

    /// A Boolean value that indicates whether a path has the extension of a format that cannot be written yet.
    package static func isNameWithoutWriter(_ path: String) -> Bool {
        isExtensionWithoutOutput(PathName.fileExtension(path))
    }

    /// A Boolean value that indicates whether both formats make the same files.
    package func makes(sameFilesAs other: SubtitleFormat) -> Bool {
        if case .imageFolder = output, case .imageFolder = other.output { return true }
        return self == other
    }

    /// The files that are written where the user names one path, the main file first.
    func files(at path: String, kind: MediaKind) -> [String] {
        var path = path
        while path.utf8.count > 1, path.utf8.last == 0x2F { path.removeLast() }
        let folderFiles = [ImageIndex.xmlName, ImageIndex.name]
        if makesFolder(of: kind) {
            let isIndex = folderFiles.contains(PathName.baseName(path))
            return [isIndex ? PathName.directoryName(path) : path]
        }
        let endings = outputExtensions(for: kind)
        guard endings.count > 1 else { return [path] }
        let ending = PathName.fileExtension(path)
        let isOurs = endings.contains(ending.lowercased())
        let stem = isOurs ? String(path.dropLast(ending.utf8.count + 1)) : path
        return endings.map { stem + "." + $0 }
    }

    /// The output format with a name.
    ///
    /// - Throws: `UndertextError` that states whether the name is unknown or the format cannot be written.
    package static func output(named name: String) throws(UndertextError)
        -> SubtitleFormat
    {
        try format(named: name, of: outputs, missing: "writing")
    }

    /// The input format with a name.
    ///
    /// - Throws: `UndertextError` that states whether the name is unknown or the format cannot be read.
    package static func input(named name: String) throws(UndertextError) -> SubtitleFormat {
        try format(named: name, of: inputs, missing: "reading")
    }

    private static func format(
        named name: String, of formats: [SubtitleFormat], missing: String
    ) throws(UndertextError) -> SubtitleFormat {
        let format = SubtitleFormat(name: name)
        if let format, formats.contains(format) { return format }
        throw UndertextError(
            unknownFormat: name, known: formats.map(\.name),
            unsupported: format != nil ? missing : nil)
    }
}

/// The formats of a job: at most one format for text and one for bitmaps, or `native`.
public struct FormatRequest: Hashable, Sendable {
    /// Text tracks; `nil` = as stored.
    package var text: SubtitleFormat?
    /// Bitmap tracks; `nil` = as stored.
    package var bitmap: SubtitleFormat?
    /// The only kind that a format was named for; `nil` if both were, or none.
    ///
    /// Tracks of the other kind are left out unless the selection names their index or kind.
    package var onlyKind: MediaKind?

    /// WebVTT and PNG.
    public static let standard = FormatRequest(text: .webVTT, bitmap: .png)
    /// Each track as it is stored.
    public static let native = FormatRequest(text: nil, bitmap: nil)

    /// Text tracks in a format; other tracks are left out unless the format is one for both.
    public static func text(_ format: TextFormat) -> FormatRequest {
        FormatRequest(only: format.format)
    }

    /// Bitmap tracks in a format; text tracks are left out.
    public static func bitmap(_ format: BitmapFormat) -> FormatRequest {
        FormatRequest(only: format.format)
    }

    /// Creates a request; `nil` = as stored.
    package init(text: SubtitleFormat?, bitmap: SubtitleFormat?, onlyKind: MediaKind? = nil) {
        self.text = text
        self.bitmap = bitmap
        self.onlyKind = onlyKind
    }

    /// Requests one format for all kinds of tracks.
    ///
    /// - Parameters:
    ///   - format: the format.
    ///   - recognizing: `true` if text is recognized in images, so that a text format accepts both kinds.
    package init(only format: SubtitleFormat, recognizing: Bool = false) {
        let isForBoth = format.takes.count > 1 || recognizing && format.takes == [.text]
        self.init(text: format, bitmap: format, onlyKind: isForBoth ? nil : format.takes.first)
    }

    /// The same with records a line instead of a document, as standard output takes them.
    var asLines: FormatRequest {
        var request = self
        if text == .json { request.text = .jsonLines }
        if bitmap == .json { request.bitmap = .jsonLines }
        return request
    }

    /// Parses `vtt`, `native`, `srt,sup`, …, ignoring case.
    ///
    /// A kind without a format keeps its default.
    ///
    /// - Parameters:
    ///   - list: the names.
    ///   - recognizing: `true` if text is recognized in images: then the text format is the default for
    ///     bitmaps, too.
    /// - Throws: `UndertextError` for an unknown name, or two formats for one kind.
    package init(parsing list: String, recognizing: Bool = false) throws(UndertextError) {
        var text: SubtitleFormat?
        var bitmap: SubtitleFormat?
        var words = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let lower = words.map { $0.lowercased() }
        if lower == ["json", "json"] || lower == ["jsonl", "jsonl"] { words.removeLast() }
        if lower == ["native"] {
            self = .native
            return
        }
        for word in words {
            if word.lowercased() == "native" {
                throw UndertextError(
                    .invalidValue, "'native' cannot be combined with another format")
            }
            let format = try SubtitleFormat.output(named: word)
            if format.takes.contains(.text) {
                guard text == nil else {
                    throw UndertextError(
                        .invalidValue, "'\(list)' has two text formats; specify one")
                }
                text = format
            }
            if format.takes.contains(.bitmap), !format.isRecords || words.count == 1 {
                guard bitmap == nil else {
                    throw UndertextError(
                        .invalidValue, "'\(list)' has two bitmap formats; specify one")
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

extension UndertextError {
    /// An error for a name that is no format.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - known: The names that are formats.
    ///   - unsupported: What cannot be done yet with the format of that name; `nil` if there is none.
    init(unknownFormat name: String, known: [String], unsupported: String?) {
        let reason =
            unsupported.map { "\($0) '\(name)' is not supported yet" }
            ?? "'\(name)' is not a format"
        let guess = SubtitleFormat(named: name).map(\.name).flatMap {
            known.contains($0) ? $0 : nil
        }
        let nearest = unsupported == nil ? guess ?? nearestName(to: name, among: known) : nil
        self.init(
            .invalidValue,
            reason + (nearest.map { "; did you mean '\($0)'? Choose" } ?? "; choose")
                + " one of \(known.joined(separator: " "))")
    }
}
