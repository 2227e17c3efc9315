package import UndertextCore

/// A subtitle file of text, taken apart into the packets that a container would store.
///
/// So a file and a track of the same format go through one decoder. Damage costs the block it
/// hits and leaves a ``Diagnostic`` whose message begins with the line and the column.
///
/// Packets come in the order of the file or by their start. Each one
/// - names a stream by its index in ``streams``;
/// - has a start, and either a duration above zero or none, if the next cue ends it;
/// - holds what a Matroska block of the format would hold, as valid UTF-8: settings and the like are
///   side data, a line or text beyond ``Limits`` is cut, and NUL became U+FFFD.
package protocol TextFileReader: PacketReader {
    /// Takes apart `text`: valid UTF-8 without a byte order mark, line ends as in the file.
    init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink)

    /// The first stream of the file, its header in the private data.
    ///
    /// Index 0, known from the start.
    var stream: StreamDescription { get }

    /// All streams of the file, which packets name by their place here: several where a file has a text
    /// in several languages.
    var streams: [StreamDescription] { get }

    /// The sink of diagnostics.
    var diagnostics: DiagnosticSink { get }

    /// Bytes of the text that have been taken apart.
    var position: Int { get }

    /// Why `text`, the beginning of a file, is not of this format; `nil` if it is.
    ///
    /// Gets 64 KiB at most, so that the last line may be cut. The reason completes a sentence: "it has no times".
    static func refusal(of text: ArraySlice<UInt8>) -> String?

    /// Tags of the file.
    var tags: [MetadataTag] { get }

    /// The stored time at which a player's clock begins; `nil` = zero.
    var programStart: Timestamp? { get }

    /// The fonts and images that the file holds.
    var embeddedFiles: [EmbeddedFile] { get }

    /// The names of the files beside it that it shows.
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

/// A font or an image that a file holds.
package struct EmbeddedFile: Hashable, Sendable {
    /// The name that the file gives it; untrusted.
    package let name: String
    /// `true` for a font.
    package let isFont: Bool
    /// The bytes of the embedded file.
    package let bytes: [UInt8]
}
