package import UndertextCore

/// A Matroska or WebM file, read without touching its clusters (RFC 9559, RFC 8794).
///
/// Opening reads the header elements, the index is read on first use, and ``packetReader(for:)`` reads packets.
/// The class is not `Sendable`: one reader at a time.
package final class MatroskaFile {
    /// The file name extensions of media files, in lower case.
    package static let fileExtensions: Set<String> = ["mkv", "mka", "webm"]

    /// The description of the file, with the stream indices of libavformat.
    package private(set) var description: ContainerDescription
    /// The diagnostics of the header.
    package private(set) var diagnostics: [Diagnostic] = []

    /// `true` if the headers exceed our limits; the file is then not passed to libavformat, which has none.
    package let isBeyondLimits: Bool

    let window: SourceWindow
    let limits: Limits
    let cancellation: Cancellation?
    let info: SegmentInfo
    /// The tracks that are streams; a track's place is its stream index.
    let tracks: [TrackEntry]
    /// The numbers of all tracks that the file describes, also of those that are no streams.
    let trackNumbers: Set<UInt64>
    let tags: [SegmentTag]
    let layout: SegmentLayout
    private var loadedCues: CueTable?
    /// Results of ``MuxerProof`` by the numbers of the tracks: the objection, or `nil` if the index lists all their blocks.
    var muxerObjections: [Set<UInt64>: String?] = [:]

    /// Opens a file.
    ///
    /// - Throws: ``UndertextError`` with code `notMedia`, `empty`, `malformed`, `unsupported`,
    ///   `limit`, `io` or `cancelled`.
    package init(
        source: any RandomAccessSource, limits: Limits = Limits(), cancellation: Cancellation? = nil
    ) throws(UndertextError) {
        let window = SourceWindow(source, cancellation: cancellation)
        self.window = window
        self.limits = limits
        self.cancellation = cancellation
        let segment = try EBMLHeader.findSegment(window)
        let layout = try SegmentLayout(segment, window: window)
        let header = try SegmentHeader(layout, window: window, limits: limits)
        self.layout = layout
        info = header.info
        tracks = header.tracks
        trackNumbers = header.trackNumbers
        tags = header.tags
        isBeyondLimits = header.isBeyondLimits
        guard let timeBase = header.commonTimeBase else {
            throw UndertextError(
                .unsupported, "the length of a tick cannot be expressed", path: source.name)
        }
        var describer = MatroskaDescriber(header, timeBase: timeBase)
        description = describer.describe(size: source.size)
        diagnostics = header.diagnostics
        let available = window.remaining(at: segment.dataStart)
        if let stated = segment.size, stated > available {
            diagnostics.append(
                Diagnostic(
                    .error, "truncated",
                    "The file is cut off: the last \(stated - available) bytes are missing.",
                    byteOffset: source.size))
        }
        addTrackDiagnostics()
        description.isIndexDamaged = diagnostics.contains {
            $0.code == "truncated" || $0.code == "wrong-seek-entry"
        }
    }

    /// The length of the file as its segment states it; `nil` if it does not.
    package var statedSize: UInt64? { layout.declaredEnd == .max ? nil : layout.declaredEnd }

    /// `true` if a request of the source costs more than reading on over the bytes of a block.
    package var isDearToWalk: Bool { window.source.policy.concurrency > 1 }

    /// The CodecID of a stream as the file spells it, such as `S_TEXT/WEBVTT`.
    ///
    /// `nil` if the stream is no track.
    package func codecIdentifier(ofStream index: Int) -> String? {
        tracks.indices.contains(index) ? tracks[index].codecID : nil
    }

    /// The bytes of an attachment of ``description``.
    ///
    /// - Throws: ``UndertextError`` with code `limit` beyond ``Limits/attachmentSize``, `malformed` if
    ///   the file ends within it, or what the source throws.
    package func data(of attachment: Attachment) throws(UndertextError) -> [UInt8] {
        guard attachment.size <= limits.attachmentSize else {
            throw UndertextError(
                .limit, "the attachment has more than \(limits.attachmentSize) bytes",
                path: window.source.name, byteOffset: attachment.position)
        }
        guard let position = attachment.position, attachment.size >= 0 else { return [] }
        let bytes = try window.bytes(at: position, count: attachment.size)
        guard bytes.count == attachment.size else {
            throw UndertextError(
                .malformed, "the file ends within the attachment", path: window.source.name,
                byteOffset: position)
        }
        return Array(bytes)
    }

    /// The index, read when it is first needed.
    func cues() throws(UndertextError) -> CueTable {
        if let loadedCues { return loadedCues }
        let table = try CueTable(
            layout, tracks: trackNumbers, window: window, limits: limits)
        loadedCues = table
        return table
    }

    private func addTrackDiagnostics() {
        for (index, track) in tracks.enumerated() {
            if let problem = ambiguity(ofStream: index) {
                diagnostics.append(
                    Diagnostic(.error, "damaged-header", problem, streamIndex: index))
            }
            if let name = track.encodings.unsupportedForFrames {
                diagnostics.append(
                    Diagnostic(
                        .warning, "unsupported-encoding",
                        "The track is encoded with \(name), which is not supported.",
                        streamIndex: index))
            }
            if track.isPrivateDamaged {
                diagnostics.append(
                    Diagnostic(
                        .warning, "damaged-codec-private",
                        "The codec's header of the track could not be decoded.",
                        streamIndex: index))
            }
        }
    }
}
