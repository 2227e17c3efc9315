public import UndertextCore
package import UndertextFormats

/// A subtitle track of an open input: its description, its packets and its cues.
///
/// A track reads its ``Media``; like that it belongs to one thread at a time.
public struct SubtitleTrack: Identifiable {
    /// The input that the track belongs to.
    package let media: Media
    /// The description of its stream.
    package let stream: StreamDescription

    /// The index of its stream, as `probe` prints it: the same on every read path.
    public var id: Int { stream.index }
    /// The language as BCP 47, or `nil` if undetermined.
    public var language: LanguageTag? { stream.language }
    /// The title from the file, or `nil` if there is none.
    public var title: String? { stream.title }
    /// The codec of its packets.
    public var codec: CodecID { stream.codec }
    /// The kind of its cues: text or bitmap.
    package var kind: MediaKind { stream.kind }
    /// `true` if the cues are images, `false` if they are text.
    public var isBitmap: Bool { kind == .bitmap }
    /// All flags of the track.
    package var disposition: Disposition { stream.disposition }
    /// `true` if the track is shown even when subtitles are off.
    public var isForced: Bool { stream.isForced }
    /// `true` if the track is for the hard of hearing.
    public var isHearingImpaired: Bool { stream.isHearingImpaired }
    /// `true` if the container marks the track as a default.
    public var isDefault: Bool { disposition.contains(.default) }
    /// `true` if the track comments on the video.
    public var isCommentary: Bool { disposition.contains(.comment) }
    /// The canvas of its images in pixels, or `nil` if the container does not state it.
    package var size: PixelSize? { stream.size }
    /// The number of its packets, or `nil` if the container does not state it.
    public var packetCount: Int? { stream.packetCount }
    /// The length of the track, or `nil` if the container does not state it.
    public var duration: Duration? {
        stream.duration.flatMap { Timestamp(ticks: $0, timeBase: stream.timeBase) }
            .map { Timestamp.zero.duration(to: $0) }
    }

    /// The format of its codec, or `nil` if Undertext does not know the codec.
    package var format: SubtitleFormat? { SubtitleFormat(codec: codec) }

    /// The reason why no cue of the track can be read, or `nil` if they should be readable.
    ///
    /// A presentation lacks the playlist of the track, the track is encrypted, or no decoder exists for its codec
    /// (code `unsupported`).
    public var refusal: UndertextError? {
        media.demuxer.refusal(ofStream: id)
            ?? decodingRefusal.map { UndertextError(.unsupported, $0, streamIndex: id) }
    }

    /// The reason why nothing decodes its codec, or `nil` if a decoder should exist.
    package var decodingRefusal: String? { SubtitleFormat.decodingRefusal(of: codec) }

    /// Opens a reader for the packets of the track, by the cheapest path that misses none of them.
    ///
    /// - Parameter window: The part of the timeline that is wanted; see ``Media/packetReader(of:in:)``.
    /// - Returns: The reader.
    /// - Throws: `UndertextError` as ``Media/packetReader(of:in:)``.
    package func packetReader(in window: TimeWindow = .all) throws(UndertextError)
        -> TrackPacketReader
    {
        try media.packetReader(of: [self], in: window)
    }

    /// Opens a reader for the cues of the track.
    ///
    /// - Parameter range: The part of the timeline that is wanted, on the clock that ``Media/Options`` choose: only cues
    ///   that are on screen in it come, also those that began before it.
    /// - Returns: The reader.
    /// - Throws: `UndertextError`: reading failed, or there is no decoder (`UndertextError/Code/unsupported`).
    public func cueReader<Times: RangeExpression<Timestamp>>(
        in range: Times = Timestamp(nanoseconds: .min)...
    ) throws(UndertextError) -> CueReader {
        try cueReader(in: TimeWindow(range))
    }

    /// Opens a reader for the cues in a window.
    package func cueReader(in window: TimeWindow) throws(UndertextError) -> CueReader {
        let found = DiagnosticSink()
        let track = try media.opened(self)
        let decoder = try track.decoder(diagnostics: found)
        return try CueReader(
            [track], of: media, decoders: [decoder], in: window, diagnostics: found)
    }

    /// Makes the decoder of its packets, which reports to `diagnostics`.
    func decoder(
        forcedOnly: Bool = false, diagnostics: DiagnosticSink
    ) throws(UndertextError) -> TrackDecoder {
        try TrackDecoder(
            stream: stream, mapping: media.timeline, container: media.description,
            forcedOnly: forcedOnly, limits: media.options.limits, images: media.options.decoding,
            inputEnd: { [media] () throws(UndertextError) in try media.storedEnd() },
            rollUpLines: media.options.rollUpLines, isTextFile: media.isTextFile,
            diagnostics: diagnostics)
    }
}

extension Media {
    /// The subtitle tracks, in the order of their streams.
    public var subtitleTracks: [SubtitleTrack] {
        description.streams.filter(\.kind.isSubtitle).map { SubtitleTrack(media: self, stream: $0) }
    }

    /// Returns the subtitle track of a stream.
    ///
    /// - Parameter id: The stream's index, as `probe` prints it.
    /// - Returns: The track.
    /// - Throws: `UndertextError` with code `notFound` if there is no such subtitle stream.
    package func subtitleTrack(id: Int) throws(UndertextError) -> SubtitleTrack {
        guard let track = subtitleTracks.first(where: { $0.id == id }) else {
            throw UndertextError(
                .notFound, "there is no subtitle stream \(id)", path: input.argument)
        }
        return track
    }

    /// Opens a reader for the packets of some tracks in one pass, by the cheapest path that misses none of
    /// them.
    ///
    /// The index is first if there is a proof that it names every block, then the walk over the headers of all
    /// blocks or transport packets, then a scan.
    ///
    /// - Parameters:
    ///   - tracks: The tracks.
    ///   - window: The requested part of the timeline, on the clock of ``Options/timeline``. The reader returns
    ///     the packets that are needed to show it, including those that begin before it and last into it, and
    ///     for display sets that depend on each other (PGS, DVB) all from the last random access point on.
    /// - Returns: The reader.
    /// - Throws: `UndertextError`, also if the read path of ``Options/io`` is not available.
    package func packetReader(
        of tracks: [SubtitleTrack], in window: TimeWindow = .all
    ) throws(UndertextError) -> TrackPacketReader {
        try applySelection()
        let window = timeline.stored(window)
        // Of a text file only the packets of the window come.
        let isComplete = window.isAll || demuxer.isTextFile
        return try TrackPacketReader(
            readPlan(for: tracks, in: window),
            window: isComplete
                ? nil
                : PacketWindow(
                    window, streams: tracks.map(\.stream), limit: options.limits.packetSize),
            streams: description.streams, preparation: preparation,
            isOrdered: !demuxer.isTextFile)
    }

    /// Lists the paths to the packets of the tracks, and of what carries those that are services.
    private func readPlan(
        for tracks: [SubtitleTrack], in window: TimeWindow
    ) throws(UndertextError) -> ReadPlan {
        let services = tracks.map(\.stream).filter { $0.carrier != nil }
        let streams = Set(tracks.map { $0.stream.carrier ?? $0.id })
        guard !services.isEmpty else { return try demuxer.readPlan(for: streams, in: window) }
        var searched = ReadStatistics()
        let start = try acquisitionTime(
            of: services, in: streams, before: window.start, counting: &searched)
        let plan = try plan(
            for: services, of: streams, besides: Set(tracks.map(\.id)),
            in: TimeWindow(from: start, until: window.end))
        plan.record.others.append { [searched] in searched }
        return plan
    }

    /// The plan that reads services out of the streams that carry them.
    func plan(
        for services: [StreamDescription], of streams: Set<Int>, besides own: Set<Int>,
        in window: TimeWindow
    ) throws(UndertextError) -> ReadPlan {
        // Without a start, everything before the end is needed.
        var plan = try demuxer.readPlan(for: streams, in: window.start == nil ? .all : window)
        // Captions of presentations are separate packets.
        plan.carry(
            services, besides: own, in: isPresentation ? [] : demuxer.description.streams,
            known: Set(description.streams.compactMap(\.service)))
        return plan
    }

    /// The conversion of packet text to the requested charset and wording; `nil` if none is needed.
    private var preparation: PacketTextPreparation? {
        // The text of a file has been prepared as a whole.
        guard !demuxer.isTextFile else { return nil }
        let charset = options.charset ?? demuxer.charset?.name
        return PacketTextPreparation(
            charset: demuxer.hasUnicodeText ? nil : charset, hook: options.textHook,
            source: input.argument, streams: description.streams)
    }
}
