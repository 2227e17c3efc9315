internal import Containers
internal import Demux
internal import SubtitleFormats

/// A media file: what is in it, and its subtitles as packets or cues.
///
/// Our own readers describe Matroska and .sup files from what they hold and VobSub pairs from their
/// lines; libavformat opens everything else, and is loaded only then.
public final class MediaFile {
    /// How to open an input.
    public struct Options: Sendable {
        /// What the input may ask of us.
        public var limits = Limits()
        /// Stops reading from another thread.
        public var cancellation: Cancellation?
        /// Reading ends with an error when this much time has passed.
        public var timeLimit: Duration?
        /// How packets are found.
        public var io: ReadPathPreference = .auto
        /// Which clock cues are told on.
        public var timeline: TimelineView = .player
        /// How pictures are decoded.
        public var decoding = PictureDecoding()
        /// Bytes of one request at least, 0 = as many as are needed; `nil` = as the transport wants.
        public var ioBlock: Int?
        /// Bytes in a second at most, over all connections; `nil` = as fast as they come.
        public var maxReadRate: UInt64?

        /// The defaults.
        public init() {}
    }

    /// What was opened.
    public let input: MediaInput
    /// How it was opened.
    public let options: Options
    /// The container and its streams.
    public let description: ContainerDescription

    let matroska: MatroskaFile?
    let pictures: PictureFolder?
    let matroskaRefusal: String?
    let vobSub: VobSubInput?
    /// What was doubtful about files beside the input.
    private let companionDiagnostics: [Diagnostic]
    let sup: SUPFile?
    var demuxer: Demuxer?
    /// The demuxer that attachments are read from: their bytes came with the headers.
    var attachmentReader: Demuxer?
    let access: InputAccess
    var source: (any ByteSource)? { access.source }

    /// Opens a path, an URL (`scheme://…`) or standard input (`-`).
    ///
    /// - Throws: `MediaError`: not found, no permission, a directory, empty, not a media file,
    ///   a library missing, cancelled.
    public convenience init(_ argument: String, options: Options = Options()) throws(MediaError) {
        try self.init(MediaInput(argument: argument), options: options)
    }

    /// Opens an input.
    public init(_ input: MediaInput, options: Options = Options()) throws(MediaError) {
        self.input = input
        self.options = options
        let resolved = try PictureFolder.resolved(input)
        access = try InputAccess(resolved, options: options)
        pictures = try PictureFolder(resolved, source: access.source, limits: options.limits)
        if let pictures {
            (matroska, matroskaRefusal, sup, sizeToReach) = (nil, nil, nil, access.size)
            (vobSub, companionDiagnostics) = (nil, [])
            description = pictures.description
            content = ContentInfo(container: description)
            return
        }
        let (ours, refusal) = try InputOpener.matroska(in: access.source, options: options)
        matroska = ours
        matroskaRefusal = refusal ?? access.refusal
        vobSub = ours == nil ? try VobSubInput.open(access.localPath, access, options) : nil
        var statedSize: UInt64?
        sup = ours == nil ? try InputOpener.sup(in: access.source, options: options) : nil
        if let ours {
            description = ours.description
            companionDiagnostics = []
        } else if let vobSub {
            let (completed, notes) = DVDPalettes.completed(
                vobSub.file.description, path: access.localPath,
                matrix: options.decoding.colorMatrix)
            description = VobSubCanvas.completed(completed, of: vobSub.file, options)
            companionDiagnostics = notes
        } else if let sup {
            (description, companionDiagnostics) = (sup.description, [])
        } else {
            let (input, head) = try access.demuxInput()
            let opened = try Demuxer(
                input, options: InputOpener.demuxerOptions(options, depth: .headers))
            demuxer = opened
            // What a pipe began with tells what libavformat ignores, as a file would.
            let inHead = try? InputOpener.matroska(in: head, options: options).0
            (description, companionDiagnostics) = DVDPalettes.completed(
                DescriptionMerge.corrected(
                    opened.description, source: head, matroska: inHead?.description),
                path: access.localPath, matrix: options.decoding.colorMatrix)
            if access.source == nil { statedSize = inHead?.statedSize }
        }
        sizeToReach = access.source == nil ? statedSize : access.size
        content = ContentInfo(container: description)
    }

    /// The length that the input had when it was opened, or states itself where it is a pipe.
    let sizeToReach: UInt64?

    /// What libavformat says of the input, corrected where it ignores what the file says.
    ///
    /// - Parameter deep: decode frames to find out more.
    /// - Returns: the description.
    /// - Throws: `MediaError`, also if FFmpeg is not installed.
    public func probedDescription(deep: Bool = false) throws(MediaError) -> ContainerDescription {
        if pictures != nil || vobSub?.isIndex == true { return description }
        if matroska == nil, vobSub == nil, sup == nil, !deep { return description }
        let depth = deep ? DemuxerOptions.ProbeDepth.full : .headers
        let opened = try sup == nil ? access.demuxer(depth: depth) : supDemuxer(depth: depth)
        if vobSub != nil {
            return DescriptionMerge.corrected(opened.description, programStream: description)
        }
        return DescriptionMerge.corrected(
            opened.description, source: source, matroska: matroska?.description)
    }

    /// libavformat on a .sup file, which it takes for another format where the first object is large.
    private func supDemuxer(depth: DemuxerOptions.ProbeDepth) throws(MediaError) -> Demuxer {
        if let opened = try? access.demuxer(depth: depth), opened.description.formatName == "sup" {
            return opened
        }
        return try access.demuxer(depth: depth, format: "sup")
    }

    /// Streams, tracks and properties in the words of players; ``select(video:audio:text:attributes:)``
    /// and ``setTargetBandwidth(_:segmentOption:targetOption:)`` act on it.
    public internal(set) var content: ContentInfo

    /// The streams that are subtitles.
    public var subtitleStreams: [StreamDescription] {
        description.streams.filter(\.kind.isSubtitle)
    }

    /// What was found damaged while opening.
    public var diagnostics: [Diagnostic] {
        if let matroska { return matroska.diagnostics }
        if let pictures { return pictures.document.diagnostics }
        if let vobSub { return vobSub.diagnostics + companionDiagnostics }
        if description.formatName == "webvtt", let lost = WebVTTFileCheck.diagnostic(source) {
            return [lost]
        }
        // The beginning of a pipe always looks cut off; only a file can be.
        guard source != nil, description.isIndexDamaged else { return companionDiagnostics }
        return [
            Diagnostic(
                .error, "truncated", "The file is cut off: its last box is not whole.",
                byteOffset: source?.size)
        ]
    }

    /// How stored times are mapped to the view of ``Options/timeline``.
    public var timeline: TimelineMapping {
        TimelineMapping(view: options.timeline, container: description)
    }

    /// Length of the input in bytes.
    public var size: UInt64? { access.size ?? description.size }

    /// What the index tells of a stream without reading any packet.
    ///
    /// `nil` without an index, and without a proof that it lists every block of the stream.
    func indexFacts(ofStream index: Int) throws(MediaError) -> IndexFacts? {
        guard let matroska, case .usable = try matroska.index(for: [index]) else { return nil }
        return try matroska.indexFacts(ofStream: index)
    }

    /// The bytes of a file inside the file.
    ///
    /// - Throws: `MediaError`: reading failed, or it is larger than `Limits/attachmentSize`.
    public func data(of attachment: Attachment) throws(MediaError) -> [UInt8] {
        if let matroska { return try matroska.data(of: attachment) }
        guard let index = attachment.streamIndex else {
            throw MediaError(.unsupported, "the attachment has no stream", path: input.argument)
        }
        if attachmentReader == nil {
            if let demuxer {
                attachmentReader = demuxer
            } else {
                attachmentReader = try access.demuxer(depth: .headers)
            }
        }
        return try attachmentReader?.attachmentData(streamIndex: index) ?? []
    }
}
