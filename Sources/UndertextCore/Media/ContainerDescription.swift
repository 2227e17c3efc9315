/// A description of a container.
///
/// Unknown values are `nil`, never guesses.
///
/// FFmpeg: `AVFormatContext` after opening.
public struct ContainerDescription: Hashable, Sendable {
    /// FFmpeg's short names, such as `matroska,webm`.
    public var formatName: String
    /// FFmpeg's long name, or `nil` if libavformat did not open the input.
    public var formatLongName: String?
    /// The confidence of libavformat in the format, 0 to 100.
    ///
    /// FFmpeg: `probe_score`.
    public var probeScore: Int?
    /// The smallest time of any stream, in microseconds.
    ///
    /// FFmpeg: `start_time`.
    public var startTime: Int64?
    /// `true` if a player's clock begins at ``startTime``, as the container itself states.
    package var beginsAtStartTime = false
    /// The duration in microseconds.
    public var duration: Int64?
    /// The size in bytes.
    public var size: UInt64?
    /// The total bit rate in bits per second.
    public var bitRate: Int64?
    /// `true` if the input can seek.
    public var isSeekable: Bool
    /// `true` if the index is damaged.
    public var isIndexDamaged: Bool
    /// The protection of the content; `nil` if none is known of.
    public var drmInfo: DRMInfo?
    /// Tags of the container.
    public var tags: [MetadataTag]
    /// The streams; `streams[i].index == i` except for the services that other streams carry, which are last.
    public var streams: [StreamDescription]
    /// The chapters.
    public var chapters: [Chapter]
    /// The programs of a transport stream.
    public var programs: [Program]
    /// The attached files, such as fonts and cover images.
    package var attachments: [Attachment]

    /// Creates a description.
    package init(
        formatName: String, formatLongName: String? = nil, probeScore: Int? = nil,
        startTime: Int64? = nil, duration: Int64? = nil, size: UInt64? = nil,
        bitRate: Int64? = nil, isSeekable: Bool = true, isIndexDamaged: Bool = false,
        tags: [MetadataTag] = [], streams: [StreamDescription] = [], chapters: [Chapter] = [],
        programs: [Program] = [], attachments: [Attachment] = []
    ) {
        self.formatName = formatName
        self.formatLongName = formatLongName
        self.probeScore = probeScore
        self.startTime = startTime
        self.duration = duration
        self.size = size
        self.bitRate = bitRate
        self.isSeekable = isSeekable
        self.isIndexDamaged = isIndexDamaged
        self.tags = tags
        self.streams = streams
        self.chapters = chapters
        self.programs = programs
        self.attachments = attachments
    }
}

/// A chapter.
///
/// FFmpeg: `AVChapter`.
public struct Chapter: Hashable, Sendable {
    /// The identifier of the chapter in the container.
    public var id: Int64
    /// The unit of its times.
    public var timeBase: TimeBase
    /// The start in ticks.
    public var start: Int64
    /// The end in ticks.
    public var end: Int64
    /// Tags, among them `title`.
    public var tags: [MetadataTag]

    /// Creates a chapter.
    public init(id: Int64, timeBase: TimeBase, start: Int64, end: Int64, tags: [MetadataTag]) {
        self.id = id
        self.timeBase = timeBase
        self.start = start
        self.end = end
        self.tags = tags
    }
}

/// A program of a transport stream.
///
/// FFmpeg: `AVProgram`.
public struct Program: Hashable, Sendable {
    /// The program's number.
    public var id: Int
    /// The PID of its map table.
    public var mapPID: Int
    /// The PID of its clock.
    public var clockPID: Int
    /// The indices of its streams.
    public var streams: [Int]
    /// Tags, among them `service_name`.
    public var tags: [MetadataTag]

    /// Creates a program.
    public init(id: Int, mapPID: Int, clockPID: Int, streams: [Int], tags: [MetadataTag]) {
        self.id = id
        self.mapPID = mapPID
        self.clockPID = clockPID
        self.streams = streams
        self.tags = tags
    }
}

/// A file inside the file.
///
/// Its bytes are read on demand.
package struct Attachment: Hashable, Sendable {
    /// The index of the stream that represents the attachment, if any.
    package var streamIndex: Int?
    /// The name from the file; not a safe path.
    package var fileName: String
    /// The MIME type from the file.
    package var mimeType: String
    /// The length in bytes.
    package var size: Int
    /// The byte offset in the input, if the bytes are stored unchanged.
    package var position: UInt64?

    /// Creates a description of an attachment.
    package init(
        streamIndex: Int?, fileName: String, mimeType: String, size: Int, position: UInt64? = nil
    ) {
        self.streamIndex = streamIndex
        self.fileName = fileName
        self.mimeType = mimeType
        self.size = size
        self.position = position
    }
}
