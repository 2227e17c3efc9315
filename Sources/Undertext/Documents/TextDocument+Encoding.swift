public import UndertextCore
package import UndertextFormats

/// A format of text that documents can be encoded in.
public struct TextFormat: Hashable, Sendable {
    /// The format.
    package let format: SubtitleFormat

    /// The same as a format of text; `nil` if the format is not written, or carries images alone.
    package init?(_ format: SubtitleFormat) {
        guard format.takes.contains(.text) else { return nil }
        self.format = format
    }

    private init(known format: SubtitleFormat) { self.format = format }

    /// WebVTT (W3C).
    public static let webVTT = TextFormat(known: .webVTT)
    /// SubRip, `.srt`.
    public static let subRip = TextFormat(known: .subRip)
    /// Advanced SubStation Alpha.
    public static let ass = TextFormat(known: .ass)
    /// SubStation Alpha.
    public static let ssa = TextFormat(known: .ssa)
    /// Timed Text Markup Language 1 and 2 (W3C), profile IMSC Text.
    public static let ttml = TextFormat(known: .ttml)
    /// Scenarist closed captions: CEA-608 in `.scc`.
    public static let scc = TextFormat(known: .scc)
    /// EBU STL (EBU Tech 3264), a binary file.
    public static let ebuSTL = TextFormat(known: .ebuSTL)
    /// One JSON document, without its summary.
    public static let json = TextFormat(known: .json)
    /// JSON, one record a line, without the summary.
    package static let jsonLines = TextFormat(known: .jsonLines)
}

/// The files that a document becomes in a format, and what that format cannot represent.
public struct EncodedDocument: Hashable, Sendable {
    /// One file.
    package struct File: Hashable, Sendable {
        /// The extension of its name, without the dot.
        package var fileExtension: String
        /// The bytes; text is UTF-8, unless the format defines its own character set.
        package var bytes: [UInt8]
    }

    /// The files, the main one first; VobSub has `idx` and `sub`, other formats have one.
    ///
    /// Empty if a document has nothing that a format of images could show.
    package internal(set) var files: [File]
    /// The losses: what the format cannot represent, how often, and the first example.
    public internal(set) var losses: ConversionLosses
    /// The problems found while encoding, such as cues that were not written at all.
    public internal(set) var diagnostics: [Diagnostic] = []

    /// The bytes of each file by the extension of its name.
    public var bytesByExtension: [String: [UInt8]] {
        Dictionary(files.map { ($0.fileExtension, $0.bytes) }) { first, _ in first }
    }

    /// The bytes of the main file; empty if there is none.
    public var bytes: [UInt8] { files.first?.bytes ?? [] }
}

extension TextDocument {
    /// Encodes the document as a text file.
    ///
    /// ```swift
    /// let encoded = document.encoded(as: .webVTT)
    /// print(encoded.bytes.count, encoded.losses)
    /// ```
    ///
    /// - Parameter target: The format.
    /// - Returns: The file and the content that the format cannot represent. Image cues are losses of the kind
    ///   `image`.
    public func encoded(as target: TextFormat) -> EncodedDocument {
        guard var writer = target.format.cueWriter(header: header) else {
            // trap: a format that takes text has a writer of cues.
            preconditionFailure("\(target.format.name) has no writer")
        }
        var lost = ConversionLosses()
        var bytes: [UInt8] = []
        let diagnostics = DiagnosticSink()
        writer.begin(into: &bytes)
        // Records have times before zero, too.
        let hasRecords = if case .records = target.format.output { true } else { false }
        for whole in cues.inOrder {
            guard let cue = hasRecords ? whole : whole.fromZero else {
                diagnostics.report(.beforeZero(whole.start))
                continue
            }
            if case .images = cue.content {
                lost.record(.image, in: cue)
            } else {
                writer.write(cue, into: &bytes)
            }
        }
        writer.finish(into: &bytes)
        let name = target.format.fileExtensions.first ?? target.format.name
        return EncodedDocument(
            files: [.init(fileExtension: name, bytes: bytes)],
            losses: writer.losses.merged(with: lost), diagnostics: diagnostics.take())
    }
}

extension [Cue] {
    /// The cues by start and order, as writers take them.
    var inOrder: [Cue] {
        func precedes(_ left: Cue, _ right: Cue) -> Bool {
            (left.start, left.order) < (right.start, right.order)
        }
        // Nearly all are in order, and a sorted copy costs as much memory again.
        let isSorted = !zip(self, dropFirst()).contains { precedes($1, $0) }
        return isSorted ? self : sorted(by: precedes)
    }
}
