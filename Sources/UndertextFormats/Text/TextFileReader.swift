package import UndertextCore

/// A subtitle text file, split into the packets that a container would store.
///
/// A file and a track of the same format therefore use the same decoder. Damage costs the affected block and
/// leaves a ``Diagnostic`` whose message begins with the line and the column.
///
/// Packets are in file order or ordered by start. Each packet
/// - names a stream by its index in ``streams``;
/// - has a start, and either a positive duration or none, if the next cue ends it;
/// - contains the data that a Matroska block of the format would contain, as valid UTF-8: settings and the like
///   are side data, lines and text beyond ``Limits`` are cut, and NUL is replaced by U+FFFD.
package protocol TextFileReader: PacketReader {
    /// Parses `text`: valid UTF-8 without a byte order mark, with the file's line endings.
    init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink)

    /// The first stream of the file, its header in the private data.
    ///
    /// Index 0, known from the start.
    var stream: StreamDescription { get }

    /// All streams of the file; packets name them by their index. A file with text in several languages has
    /// several.
    var streams: [StreamDescription] { get }

    /// The sink of diagnostics.
    var diagnostics: DiagnosticSink { get }

    /// The number of bytes of the text that have been parsed.
    var position: Int { get }

    /// The reason why `text`, the beginning of a file, is not of this format; `nil` if it is.
    ///
    /// `text` has at most 64 KiB, so its last line may be cut. The reason completes a sentence: "it has no
    /// times".
    static func refusal(of text: ArraySlice<UInt8>) -> String?

    /// Tags of the file.
    var tags: [MetadataTag] { get }

    /// The stored time at which a player's clock is zero; `nil` for zero.
    var programStart: Timestamp? { get }

    /// The fonts and images embedded in the file.
    var embeddedFiles: [EmbeddedFile] { get }

    /// The names of neighboring files that the file refers to.
    var linkedFiles: [String] { get }
}

extension TextFileReader {
    /// The one stream.
    package var streams: [StreamDescription] { [stream] }

    /// None.
    package var tags: [MetadataTag] { [] }

    /// Zero.
    package var programStart: Timestamp? { nil }

    /// None.
    package var embeddedFiles: [EmbeddedFile] { [] }

    /// None.
    package var linkedFiles: [String] { [] }
}

/// A font or an image embedded in a file.
package struct EmbeddedFile: Hashable, Sendable {
    /// The name in the file; untrusted.
    package let name: String
    /// `true` for a font.
    package let isFont: Bool
    /// The bytes of the embedded file.
    package let bytes: [UInt8]
}
