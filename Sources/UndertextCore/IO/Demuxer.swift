/// A container that is open: its streams, their packets and its attachments.
///
/// How it finds packets is its own business: an index, the headers of blocks, a full scan, and the fallback from one
/// to the next. Not `Sendable`: one reader at a time.
package protocol Demuxer: AnyObject {
    /// The container and its streams.
    var description: ContainerDescription { get }
    /// The damage and the doubts that opening the container found.
    var diagnostics: [Diagnostic] { get }
    /// The contents in the vocabulary of players, or `nil` if they follow from ``description``.
    var content: ContentInfo? { get }
    /// `true` if more may be added to the container while it is read.
    var isLive: Bool { get }
    /// `true` if the file holds nothing but subtitles, so that its name may state their language.
    var isSubtitleFile: Bool { get }
    /// `true` if the container is a text file, whose cues may come in any order.
    var isTextFile: Bool { get }
    /// `true` if the text of packets is UTF-8, whatever charset the caller names.
    var hasUnicodeText: Bool { get }
    /// The charset in which text is stored, or `nil` if nothing had to be found out about it.
    var charset: TextCharset? { get }

    /// Opens a reader for the packets of some streams, by the cheapest path that misses none of them.
    ///
    /// - Parameters:
    ///   - streams: The indices of the streams.
    ///   - window: The part of the container's own timeline that is wanted; more packets may come.
    /// - Returns: The reader.
    /// - Throws: ``UndertextError``, also if the path that the caller asked for cannot be taken.
    func packets(
        of streams: Set<Int>, in window: TimeWindow
    ) throws(UndertextError) -> any DemuxerReader

    /// Reads the bytes of an attachment of ``description``.
    func data(of attachment: Attachment) throws(UndertextError) -> [UInt8]

    /// Returns the reason why a stream of subtitles cannot be read although its codec could be, or `nil` if it should be.
    func refusal(ofStream index: Int) -> UndertextError?

    /// Returns the statements of the index about a stream, or `nil` if there are none.
    func index(of stream: StreamDescription) throws(UndertextError) -> StreamIndex?

    /// Describes the container as libavformat does, with what libavformat ignores.
    ///
    /// - Parameters:
    ///   - description: ``description``, possibly completed by the caller.
    ///   - deep: Whether frames are decoded to find out more.
    /// - Returns: The description.
    /// - Throws: ``UndertextError``, also if FFmpeg is not installed.
    func probed(
        _ description: ContainerDescription, deep: Bool
    ) throws(UndertextError) -> ContainerDescription
}

extension Demuxer {
    package var content: ContentInfo? { nil }
    package var isLive: Bool { false }
    package var isSubtitleFile: Bool { false }
    package var isTextFile: Bool { false }
    package var hasUnicodeText: Bool { false }
    package var charset: TextCharset? { nil }

    package func data(of attachment: Attachment) throws(UndertextError) -> [UInt8] {
        throw UndertextError(.notFound, "there is no such attachment")
    }

    package func refusal(ofStream index: Int) -> UndertextError? { nil }

    package func index(of stream: StreamDescription) throws(UndertextError) -> StreamIndex? { nil }

    package func probed(
        _ description: ContainerDescription, deep: Bool
    ) throws(UndertextError) -> ContainerDescription { description }
}

/// The packets of some streams of a container, and how they are found.
package protocol DemuxerReader: PacketReader {
    /// The path by which packets are found; a wrong index changes it on the way.
    var path: ReadPath { get }
    /// The proof that the index is complete, or `nil` if no index is read.
    var proof: String? { get }
    /// The paths that were not taken or given up, and why.
    var refused: [ReadSummary.Refusal] { get }
    /// The bytes and requests of the input so far.
    var statistics: ReadStatistics { get }

    /// Reports what turned out to be missing when the reading ended.
    ///
    /// - Parameter isWhole: `true` if the reading reached the end of the input.
    /// - Returns: One diagnostic for each loss.
    func losses(isWhole: Bool) -> [Diagnostic]
}

/// The statements of a container's index about one stream.
package struct StreamIndex: Hashable, Sendable {
    /// `true` if the index leads to every packet.
    package var isComplete: Bool
    /// The number of packets, if known.
    package var packets: Int?
    /// The number of index entries, if there are any.
    package var cues: Int?
    /// The start of the first cue.
    package var first: Timestamp?
    /// The end of the last cue.
    package var last: Timestamp?
    /// The share of the play time with a cue on screen, 0 to 1.
    package var coverage: Double?

    package init(isComplete: Bool, packets: Int?) {
        self.isComplete = isComplete
        self.packets = packets
    }
}
