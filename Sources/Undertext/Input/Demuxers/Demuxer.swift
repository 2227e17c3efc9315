internal import UndertextCore

/// A container that is open: its streams, their packets and its attachments.
///
/// A demuxer chooses its own way to find packets: an index, block headers, a full scan, or a fallback from one
/// to the next. It is not `Sendable`: one reader at a time.
protocol Demuxer: AnyObject {
    /// The container and its streams.
    var description: ContainerDescription { get }
    /// The damage and the doubts that opening the container found.
    var diagnostics: [Diagnostic] { get }
    /// The contents in the vocabulary of players, or `nil` if they follow from ``description``.
    var content: ContentInfo? { get }
    /// `true` if more may be added to the container while it is read.
    var isLive: Bool { get }
    /// `true` if the file contains only subtitles, so that its name may state their language.
    var isSubtitleFile: Bool { get }
    /// `true` if the container is a text file, whose cues may come in any order.
    var isTextFile: Bool { get }
    /// `true` if the text of packets is UTF-8, regardless of the charset that the caller names.
    var hasUnicodeText: Bool { get }
    /// The charset in which text is stored, or `nil` if nothing had to be found out about it.
    var charset: TextCharset? { get }

    /// Lists the paths that find all packets of some streams, the cheapest one first.
    ///
    /// - Parameters:
    ///   - streams: The indices of the streams.
    ///   - window: The requested part of the container's own timeline; the paths may return more packets.
    /// - Returns: The paths, which are not open yet.
    /// - Throws: `UndertextError`, also if the path that the caller requested is not available.
    func readPlan(
        for streams: Set<Int>, in window: TimeWindow
    ) throws(UndertextError) -> ReadPlan

    /// Reads the bytes of an attachment of ``description``.
    func data(of attachment: Attachment) throws(UndertextError) -> [UInt8]

    /// Returns the reason why a stream of subtitles cannot be read although its codec could be, or `nil` if it should be.
    func refusal(ofStream index: Int) -> UndertextError?

    /// Returns a selection of ``content`` with the tracks that go with it.
    ///
    /// It may be called while another thread reads.
    func settled(_ selection: ContentInfo) -> ContentInfo

    /// Opens what a selection of ``content`` uses, and has later readers use it.
    ///
    /// - Parameters:
    ///   - selection: The selection.
    ///   - isRequired: `true` if a part that cannot be opened is an error, and changes nothing; `false` if it is left to
    ///     the readers.
    /// - Throws: `UndertextError` of a required part.
    func select(_ selection: ContentInfo, isRequired: Bool) throws(UndertextError)

    /// Returns the statements of the index about a stream, or `nil` if there are none.
    func index(of stream: StreamDescription) throws(UndertextError) -> StreamIndex?

    /// Describes the input with the facts that ``description`` lacks because finding them takes long: the end, and the
    /// frame rate of video; `nil` if nothing more is known.
    ///
    /// - Throws: `UndertextError` of libavformat, also if it is missing.
    func measured() throws(UndertextError) -> ContainerDescription?

    /// Adds properties to a description that require reading the input: damage of its index.
    func examined(
        _ description: ContainerDescription
    ) throws(UndertextError) -> ContainerDescription

    /// Describes the container as libavformat does, with what libavformat ignores.
    ///
    /// - Parameters:
    ///   - description: ``description``, possibly completed by the caller.
    ///   - deep: Whether frames are decoded to find out more.
    /// - Returns: The description.
    /// - Throws: `UndertextError`, also if FFmpeg is not installed.
    func probed(
        _ description: ContainerDescription, deep: Bool
    ) throws(UndertextError) -> ContainerDescription
}

extension Demuxer {
    var content: ContentInfo? { nil }
    var isLive: Bool { false }
    var isSubtitleFile: Bool { false }
    var isTextFile: Bool { false }
    var hasUnicodeText: Bool { false }
    var charset: TextCharset? { nil }

    func data(of attachment: Attachment) throws(UndertextError) -> [UInt8] {
        throw UndertextError(.notFound, "there is no such attachment")
    }

    func refusal(ofStream index: Int) -> UndertextError? { nil }

    func settled(_ selection: ContentInfo) -> ContentInfo { selection }

    func select(_ selection: ContentInfo, isRequired: Bool) throws(UndertextError) {}

    func index(of stream: StreamDescription) throws(UndertextError) -> StreamIndex? { nil }

    func measured() throws(UndertextError) -> ContainerDescription? { nil }

    func examined(
        _ description: ContainerDescription
    ) throws(UndertextError) -> ContainerDescription { description }

    func probed(
        _ description: ContainerDescription, deep: Bool
    ) throws(UndertextError) -> ContainerDescription { description }
}

/// The statements of a container's index about one stream.
struct StreamIndex: Hashable, Sendable {
    /// `true` if the index leads to every packet.
    var isComplete: Bool
    /// The number of packets, if known.
    var packets: Int?
    /// The number of index entries, if there are any.
    var cues: Int?
    /// The start of the first cue.
    var first: Timestamp?
    /// The end of the last cue.
    var last: Timestamp?
    /// The share of the play time with a cue on screen, 0 to 1.
    var coverage: Double?
}
