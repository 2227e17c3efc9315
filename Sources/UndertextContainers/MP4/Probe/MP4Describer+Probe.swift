package import UndertextCore

extension MP4Describer {
    /// The versions of libavformat that tests compare with (59, 61 and 63), and 60 between two that agree.
    private static let comparedVersions: Set = [59, 60, 61, 63]
    /// The bytes of packets that libavformat surely reads to find out about all streams.
    private static let surelyRead: UInt64 = 4_500_000
    /// The seconds of packets that it surely reads.
    private static let surelyReadSeconds = 4.5
    /// The seconds of subtitles that it surely reads.
    private static let surelyReadSecondsOfSubtitles = 25.0
    /// Bytes of a sample that are read: more than any header before the first block of sound.
    private static let headSize = 4096
    /// The content of padding by which some muxers make libavformat compute bit rates otherwise.
    private static let marker = Array("Anevia".utf8)

    /// Describes the file as libavformat does when it examines streams.
    ///
    /// The lists of boxes and codecs are closed: what is not known to be alike is left to libavformat, and so is whatever is
    /// damaged, fragmented or encrypted.
    ///
    /// - Parameter version: The major version of libavformat.
    /// - Returns: The description, or `nil` if libavformat may report anything else than the headers and the first samples say.
    /// - Throws: ``UndertextError`` with code `io` or `cancelled`.
    package func probedDescription(as version: Int) throws(UndertextError) -> ContainerDescription?
    {
        guard Self.comparedVersions.contains(version), try !hasMarkedPadding(),
            let movie = try movie(), movie.matrix?.isIdentity == true,
            movie.fileType.count >= 8, !["jp2 ", "jpx ", "jxl "].contains(movie.brand),
            Set(movie.tracks.map(\.chapterTracks)).subtracting([[]]).count <= 1,
            var probed = description(of: movie, { !$0.isUnusual }),
            let tags = try tags(of: movie)
        else { return nil }
        let isQuickTime = movie.brand == MP4MovieHeader.quickTime
        var surveys: [MP4SampleSurvey] = []
        for (index, track) in movie.tracks.enumerated() {
            guard let survey = try MP4SampleSurvey(track, boxes, end: size),
                let disposition = try disposition(of: track)
            else { return nil }
            surveys.append(survey)
            let details = MP4TrackDetails(
                track, survey, first: try head(of: survey, in: probed.streams[index]),
                movie: movie.timeBase, isQuickTime: isQuickTime, version: version)
            guard details.complete(&probed.streams[index]) else { return nil }
            probed.streams[index].disposition.formUnion(disposition)
            probed.streams[index].startTime = try start(
                of: track, probed.streams[index].kind, movie.timeBase)
        }
        guard let start = try start(of: movie, probed.streams, surveys, hasPadding: tags.hasPadding)
        else { return nil }
        probed.startTime = start.time
        if version >= MP4Duration.firstVersion {
            probed.duration = MP4Duration(probed.streams)?.value
        }
        guard let duration = probed.duration,
            let chapters = try chapters(
                of: movie, tags.chapters, start: start.time ?? 0, duration: duration)
        else { return nil }
        probed.tags = tags.list.tags
        probed.chapters = chapters
        addCovers(tags.covers, to: &probed)
        return probed.setBitRate(size: size, duration: duration) ? probed : nil
    }

    // MARK: Parts

    /// `true` if a box at the top holds what libavformat takes for more than padding.
    private func hasMarkedPadding() throws(UndertextError) -> Bool {
        var offset: UInt64 = 0
        while let box = try boxes.box(at: offset, before: size) {
            offset = box.end
            guard MP4Describer.padding.contains(box.type) else { continue }
            var reader = try boxes.head(of: box, 8)
            let isEmpty = box.content.isEmpty
            if box.type == "wide" ? !isEmpty : reader.rest().starts(with: Self.marker) {
                return true
            }
        }
        return false
    }

    private func tags(of movie: MP4MovieHeader) throws(UndertextError) -> MP4Tags? {
        var tags = MP4Tags(movie, self)
        guard let created = MP4Tags.creationTime(movie.created) else { return nil }
        tags.add(created)
        for (box, tracks) in movie.tagBoxes {
            guard try tags.read(box, tracks: tracks) else { return nil }
        }
        guard !tags.list.isFull else { return nil }
        return tags
    }

    /// The flags in `trak/udta/kind`; `nil` if the track has other tags, which versions of libavformat treat differently.
    private func disposition(of track: MP4TrackHeader) throws(UndertextError) -> Disposition? {
        guard let data = track.userData else { return [] }
        var flags: Disposition = []
        guard !data.content.isEmpty else { return flags }
        guard let children = try whole(data.content) else { return nil }
        for child in children {
            guard child.type == "kind", let content = try content(of: child),
                let kind = MP4Kind(content)
            else { return nil }
            flags.formUnion(kind.disposition)
        }
        return flags
    }

    /// The beginning of the first sample of sound.
    private func head(
        of survey: MP4SampleSurvey, in stream: StreamDescription
    ) throws(UndertextError) -> ArraySlice<UInt8> {
        guard stream.kind == .audio, let first = survey.first else { return [] }
        return try boxes.window.bytes(at: first.offset, count: min(first.size, Self.headSize))
    }

    private func addCovers(
        _ covers: [(cover: MP4Cover, tracks: Int)], to probed: inout ContainerDescription
    ) {
        for (number, (cover, tracks)) in covers.enumerated() {
            var stream = StreamDescription(
                index: 0, kind: .attachment, codec: cover.codec, id: 0, timeBase: .mpeg,
                disposition: .attachedPicture, size: cover.size,
                details: StreamDetails(
                    codecType: "video", codecName: cover.codec.rawValue, codecTag: 0,
                    codecTagString: "[0][0][0][0]", showsID: true))
            stream.tags = []
            probed.streams.insert(stream, at: min(tracks + number, probed.streams.count))
        }
        for index in probed.streams.indices { probed.streams[index].index = index }
        // All covers come in the order of the streams.
        let images = probed.streams.filter { $0.kind == .attachment }
        probed.attachments = zip(images, covers).map { stream, cover in
            Attachment(
                streamIndex: stream.index, fileName: "", mimeType: "", size: cover.cover.length,
                position: cover.cover.position)
        }
    }

    // MARK: Times

    /// The start of the file in microseconds, which may be unknown to libavformat, too; `nil` if it is in doubt.
    private func start(
        of movie: MP4MovieHeader, _ streams: [StreamDescription], _ surveys: [MP4SampleSurvey],
        hasPadding: Bool
    ) throws(UndertextError) -> (time: Int64?, Void)? {
        var media: [Int64] = []
        var others: [Int64] = []
        for (track, stream) in zip(movie.tracks, streams) {
            let isMedia = stream.kind == .video || stream.kind == .audio
            guard let start = stream.startTime else {
                if isMedia { return nil }
                continue
            }
            guard let time = rescale(start, from: track.timeBase, to: .microseconds) else {
                return nil
            }
            if isMedia { media.append(time) } else { others.append(time) }
            // libavformat skips what an encoder added where no edit list does.
            if hasPadding, stream.kind == .audio, track.edits == nil { return nil }
        }
        guard let first = media.min(), let last = media.max() else { return (others.min(), ()) }
        // Text counts if it begins before, and libavformat may not know when it does.
        guard first == 0 || media.count == streams.count else { return nil }
        let hasSound = streams.contains { $0.kind == .audio }
        if hasSound {
            guard try readsAll(movie, streams, surveys, last: last) else { return nil }
        }
        return (first, ())
    }

    /// The start of a track in its ticks; `nil` if libavformat learns it from packets, or if it is in doubt.
    private func start(
        of track: MP4TrackHeader, _ kind: MediaKind, _ movie: TimeBase
    ) throws(UndertextError) -> Int64? {
        if let edits = track.edits {
            return rescale(edits.delay, from: movie, to: track.timeBase)
        }
        guard kind == .video else { return kind == .audio && !track.hasOffsets ? 0 : nil }
        guard let box = track.tables["ctts"] else { return 0 }
        guard let content = try content(of: box) else { return nil }
        var reader = ByteReader(content)
        guard reader.skip(4), let rows = reader.uint32() else { return nil }
        for _ in 0..<rows {
            // With large ones libavformat ignores the table.
            guard let count = reader.uint32().flatMap({ Int32(exactly: $0) }), count > 0,
                let offset = reader.uint32().map({ Int32(bitPattern: $0) }),
                offset.magnitude < 1 << 28
            else { return nil }
        }
        return track.firstOffset
    }

    /// `true` if libavformat surely reads a packet of each stream of sound before it ends the examination.
    ///
    /// Of two streams it takes the sample that comes first in the file, unless their times differ by more than a second. In a
    /// chain of streams that it compares, each may be a second later than the one before. Until it has the first sample of
    /// sound, it therefore takes only samples that come before this one in the file or in time.
    ///
    /// `last` is the latest start of a stream of video or sound, in microseconds.
    private func readsAll(
        _ movie: MP4MovieHeader, _ streams: [StreamDescription], _ surveys: [MP4SampleSurvey],
        last: Int64
    ) throws(UndertextError) -> Bool {
        let start = Double(last) / 1_000_000 + 0.1
        // Subtitle streams behind the last other stream cannot delay it; they have a limit of 30 seconds.
        let chain = streams.lastIndex { $0.kind != .text && $0.kind != .bitmap } ?? 0
        let latest = start + Double(streams.count)
        guard start + Double(max(1, chain)) < Self.surelyReadSeconds,
            latest < Self.surelyReadSecondsOfSubtitles
        else { return false }
        let sound = zip(streams, surveys).compactMap { stream, survey in
            stream.kind == .audio ? survey.first?.offset : nil
        }
        var sum: UInt64 = 0
        for (track, survey) in zip(movie.tracks, surveys) {
            for (seconds, place) in [(start, UInt64.max), (latest, sound.max() ?? 0)] {
                let ticks = (seconds * Double(track.timeBase.denominator)).rounded(.up)
                guard let time = Int64(exactly: ticks), time < 1 << 48 else { return false }
                // The media before the beginning is read, too.
                let (limit, overflow) = time.addingReportingOverflow(track.edits?.mediaStart ?? 0)
                guard !overflow,
                    let bytes = try survey.bytes(before: limit, startingBelow: place, boxes)
                else { return false }
                sum += bytes
            }
        }
        return sum < Self.surelyRead
    }
}
