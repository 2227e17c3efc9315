internal import UndertextCore

/// Describes a file with the stream indices, names and tags that libavformat gives it.
struct MatroskaDescriber {
    private let header: SegmentHeader
    private let timeBase: TimeBase
    private let statistics: StatisticsProof
    /// Tags by what they belong to.
    ///
    /// They are given to the first one of a UID, so that a crafted
    /// file cannot multiply them.
    private var trackTags: [UInt64: [SegmentTag]]
    private var chapterTags: [UInt64: [SegmentTag]]
    private var attachmentTags: [UInt64: [SegmentTag]]
    private let fileTags: [SegmentTag]

    /// The time base that libavformat gives a stream which nothing else gives one.
    private static let attachmentTimeBase = TimeBase.mpeg

    init(_ header: SegmentHeader, timeBase: TimeBase) {
        self.header = header
        self.timeBase = timeBase
        statistics = StatisticsProof(info: header.info, tags: header.tags)
        // A tag with several targets is used for one: attachment, chapter, track, in this order.
        let attachments = header.tags.filter { $0.attachmentUID != 0 }
        let chapters = header.tags.filter { $0.attachmentUID == 0 && $0.chapterUID != 0 }
        let rest = header.tags.filter { $0.attachmentUID == 0 && $0.chapterUID == 0 }
        attachmentTags = Dictionary(grouping: attachments, by: \.attachmentUID)
        chapterTags = Dictionary(grouping: chapters, by: \.chapterUID)
        trackTags = Dictionary(grouping: rest.filter { $0.trackUID != 0 }, by: \.trackUID)
        fileTags = rest.filter { $0.trackUID == 0 }
    }

    mutating func describe(size: UInt64?) -> ContainerDescription {
        var streams: [StreamDescription] = []
        for track in header.tracks { streams.append(describe(track, index: streams.count)) }
        var attachments: [Attachment] = []
        for file in header.attachments where file.size > 0 {
            var index: Int?
            if file.isStream {
                index = streams.count
                streams.append(describe(file, index: streams.count))
            }
            attachments.append(
                Attachment(
                    streamIndex: index, fileName: file.name ?? "", mimeType: file.mimeType ?? "",
                    size: Int(clamping: file.size), position: file.position))
        }
        let duration = header.info.microseconds
        return ContainerDescription(
            formatName: "matroska,webm", formatLongName: "Matroska / WebM", duration: duration,
            size: size, tags: tags(),
            streams: streams, chapters: chapters(duration: duration), attachments: attachments)
    }

    private func tags() -> [MetadataTag] {
        var tags = TagDictionary()
        if let title = header.info.title { tags.set("title", title) }
        if let app = header.info.muxingApp { tags.set("encoder", app) }
        if let date = header.info.unixMicroseconds {
            let calendar = CalendarDate(unixMicroseconds: date)
            if (0...9999).contains(calendar.year) { tags.set("creation_time", calendar.isoForm) }
        }
        for tag in fileTags { tags.add(tag.values, prefix: tag.targetType) }
        return tags.tags
    }

    private mutating func describe(_ track: TrackEntry, index: Int) -> StreamDescription {
        let codec = CodecTable.codec(of: track)
        var tags = TagDictionary()
        if track.language != "und" { tags.set("language", track.language) }
        if let name = track.name { tags.set("title", name) }
        for tag in trackTags.removeValue(forKey: track.uid) ?? [] {
            tags.add(tag.values, prefix: nil)
        }
        var stream = StreamDescription(
            index: index, kind: CodecTable.kind(of: track, codec: codec), codec: codec,
            id: Int64(exactly: track.number), timeBase: header.timeBase(of: track) ?? timeBase,
            language: track.languageTag, title: tags["title"],
            disposition: disposition(of: track), codecPrivate: track.codecPrivate,
            size: codec == .dvd ? vobSubSize(track.codecPrivate) : track.size,
            packetCount: statistics.frames(ofTrackUID: track.uid).flatMap { Int(exactly: $0) },
            tags: tags.tags)
        if stream.kind == .video {
            stream.pixelAspect = track.pixelAspect
            stream.frameRate = TimeBase(ratePerSecond: track.defaultDuration)
        }
        if stream.kind == .audio {
            // Defaults of RFC 9559, sections 5.1.4.1.29.1 and 5.1.4.1.29.3.
            stream.sampleRate = Int(exactly: (track.sampleRate ?? 8000).rounded())
                .flatMap { $0 > 0 ? $0 : nil }
            stream.channels = Int(exactly: track.channels ?? 1).flatMap { $0 > 0 ? $0 : nil }
        }
        stream.bitRate = bitRate(in: stream.tags)
        return stream
    }

    private func disposition(of track: TrackEntry) -> Disposition {
        var result: Disposition = []
        if track.isDefault { result.insert(.default) }
        if track.isForced { result.insert(.forced) }
        if track.isCommentary { result.insert(.comment) }
        if track.isHearingImpaired { result.insert(.hearingImpaired) }
        if track.isVisualImpaired { result.insert(.visualImpaired) }
        if let isOriginal = track.isOriginal { result.insert(isOriginal ? .original : .dub) }
        if track.kind == .subtitle, track.hasTextDescriptions { result.insert(.descriptions) }
        switch track.codecID {
        case "D_WEBVTT/CAPTIONS": result.insert(.captions)
        case "D_WEBVTT/DESCRIPTIONS": result.insert(.descriptions)
        case "D_WEBVTT/METADATA": result.insert(.metadata)
        default: break
        }
        return result
    }

    private mutating func describe(_ file: SegmentAttachment, index: Int) -> StreamDescription {
        let (codec, isPicture) = CodecTable.attachment(mimeType: file.mimeType ?? "")
        var tags = TagDictionary()
        tags.set("filename", file.name ?? "")
        tags.set("mimetype", file.mimeType ?? "")
        if let description = file.description { tags.set("title", description) }
        for tag in attachmentTags.removeValue(forKey: file.uid) ?? [] {
            tags.add(tag.values, prefix: nil)
        }
        return StreamDescription(
            index: index, kind: isPicture ? .video : .attachment, codec: codec,
            timeBase: Self.attachmentTimeBase, title: tags["title"],
            disposition: isPicture ? .attachedPicture : [], tags: tags.tags)
    }

    /// The chapters that libavformat shows: those in rising order, open ends closed.
    private mutating func chapters(duration: Int64?) -> [Chapter] {
        var shown: [(stored: SegmentChapter, start: Int64)] = []
        var latest: Int64 = 0
        for chapter in header.chapters where chapter.uid != 0 {
            guard let start = chapter.start.flatMap({ Int64(exactly: $0) }),
                latest == 0 || start > latest
            else { continue }
            shown.append((chapter, start))
            latest = start
        }
        let total = duration.flatMap { rescale($0, from: .microseconds, to: .nanoseconds) }
        var result: [Chapter] = []
        for (place, chapter) in shown.enumerated() {
            let next = place + 1 < shown.count ? shown[place + 1].start : chapter.start
            let close =
                chapter.stored.end.flatMap { Int64(exactly: $0) }
                ?? openEnd(chapter.start, next: next, total: total)
            var tags = TagDictionary()
            if let title = chapter.stored.title { tags.set("title", title) }
            for tag in chapterTags.removeValue(forKey: chapter.stored.uid) ?? [] {
                tags.add(tag.values, prefix: nil)
            }
            result.append(
                Chapter(
                    id: Int64(bitPattern: chapter.stored.uid), timeBase: .nanoseconds,
                    start: chapter.start, end: close, tags: tags.tags))
        }
        return result
    }
}

/// The bits per second that the statistics of mkvmerge state; `nil` if there are none.
private func bitRate(in tags: [MetadataTag]) -> Int64? {
    let tag = tags.first { $0.key == "BPS" } ?? tags.first { $0.key.hasPrefix("BPS-") }
    return tag.flatMap { Int64($0.value) }.flatMap { $0 > 0 ? $0 : nil }
}

extension TimeBase {
    /// The frame rate for a frame duration, as the simplest fraction within a millionth of it: 24000/1001 for
    /// 41708333 ns; `nil` for zero.
    init?(ratePerSecond nanoseconds: UInt64) {
        guard (1...10_000_000_000).contains(nanoseconds) else { return nil }
        let exact = 1e9 / Double(nanoseconds)
        // The convergents of the continued fraction.
        var (rest, divisor) = (UInt64(1_000_000_000), nanoseconds)
        var (last, this) = ((n: UInt64(0), d: UInt64(1)), (n: UInt64(1), d: UInt64(0)))
        while divisor > 0 {
            let quotient = rest / divisor
            (rest, divisor) = (divisor, rest % divisor)
            // Below 2^34, since the last convergent is the fraction itself.
            (last, this) = (this, (quotient * this.n + last.n, quotient * this.d + last.d))
            if abs(Double(this.n) / Double(this.d) - exact) <= exact * 1e-6 { break }
        }
        guard let numerator = Int32(exactly: this.n), let denominator = Int32(exactly: this.d)
        else { return nil }
        self.init(numerator, denominator)
    }
}

/// The end of a chapter that states none: where the next one starts, or the file ends.
///
/// FFmpeg: `compute_chapters_end`.
private func openEnd(_ start: Int64, next: Int64, total: Int64?) -> Int64 {
    var end = total ?? .max
    if next > start, next < end { end = next }
    return end == .max || end < start ? start : end
}

/// The `size: 720x576` line of a VobSub header; `nil` if there is none.
private func vobSubSize(_ header: [UInt8]) -> PixelSize? {
    let lines = header.split { $0 == 0x0A || $0 == 0x0D }
    guard let line = lines.first(where: { $0.starts(with: "size:".utf8) }),
        let size = VobSubLine.size(line.dropFirst(5)), max(size.width, size.height) <= 65_535
    else { return nil }
    return size
}
