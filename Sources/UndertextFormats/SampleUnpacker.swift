package import UndertextCore

/// Turns the samples of one MP4 track into packets that each hold a whole cue or document.
package protocol SampleUnpacker: SendableMetatype {
    /// The codec of the tracks.
    static var codec: CodecID { get }
    /// The type of their sample entries (ISO/IEC 14496-12, section 8.5.2).
    static var sampleEntry: String { get }
    /// The sink of diagnostics: lost, repaired or doubtful content.
    var diagnostics: DiagnosticSink { get }

    /// `true` if each sample becomes one packet, so that a table of samples counts packets.
    static var keepsSampleCount: Bool { get }
    /// The origin of times within its packets; `nil` if it is that of the format.
    static var inlineTimeOrigin: InlineTimeOrigin? { get }
    /// `true` if its packets may contain only images.
    static var mayHoldImages: Bool { get }

    /// The facts about the track in the content of a sample entry.
    static func description(ofEntry content: [UInt8]) -> SampleEntryDescription

    /// The content of a packet, or `nil` if it is unknown.
    static func summary(of packet: [UInt8], limits: Limits) -> SampleSummary?

    /// Creates an unpacker for the first sample of a track.
    init(diagnostics: DiagnosticSink)

    /// Adds a sample and returns the packets that are complete.
    mutating func add(_ packet: Packet) -> [Packet]

    /// Returns the packets that are left at the end of the track.
    mutating func finish() -> [Packet]
}

/// The facts about a track in its sample entry.
package struct SampleEntryDescription: Sendable {
    /// The header of the track, as a file would begin; `nil` if entries hold none.
    package var codecPrivate: [UInt8]?
    /// `true` if the packets have images beside the documents.
    package var namesImages = false
}

/// The properties of a packet that are known without creating cues.
package struct SampleSummary: Sendable {
    /// `true` if it has text.
    package var hasText: Bool
    /// `true` if it shows images.
    package var hasImages: Bool
    /// The canvas of the images in pixels; `nil` if it does not state one.
    package var size: PixelSize?
}

extension SubtitleFormat {
    /// The unpackers of all formats.
    package static let sampleUnpackers = all.compactMap(\.sampleUnpacker)

    /// The unpacker for the packets of a stream, or `nil` if they are cues or documents already.
    package static func sampleUnpacker(
        of stream: StreamDescription
    ) -> (any SampleUnpacker.Type)? {
        let unpacker = SubtitleFormat(codec: stream.codec)?.sampleUnpacker
        return unpacker?.unpacks(stream) == true ? unpacker : nil
    }

    /// The unpacker for samples of a sample entry, or `nil` if there is none.
    package static func sampleUnpacker(ofEntry entry: String) -> (any SampleUnpacker.Type)? {
        sampleUnpackers.first { $0.sampleEntry == entry }
    }
}

extension SampleUnpacker {
    /// Returns `true` if the packets of a stream are samples that this type unpacks.
    package static func unpacks(_ stream: StreamDescription) -> Bool {
        stream.codec == codec && stream.details?.codecTagString == sampleEntry
    }

    /// Each sample is one packet.
    package static var keepsSampleCount: Bool { true }
    /// Times are what the format says.
    package static var inlineTimeOrigin: InlineTimeOrigin? { nil }
    /// It is a format of text.
    package static var mayHoldImages: Bool { false }

    /// The default: unknown.
    package static func summary(of packet: [UInt8], limits: Limits) -> SampleSummary? { nil }
}
