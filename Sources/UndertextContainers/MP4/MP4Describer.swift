package import UndertextCore

/// Describes a file by its headers as libavformat does, if they leave no doubt about what libavformat would report.
///
/// Everything that a reader of subtitles uses is known: the order, the kinds and the codecs of the streams, languages,
/// dispositions, headers of text tracks, the frame rate of video, the beginning and the duration. The list of boxes is
/// closed: a box that might change one of these, such as a track title, an image or an encrypted sample entry, leaves the
/// file to libavformat, and so does a damaged one.
package struct MP4Describer {
    private let file: MP4File
    private let boxes: MP4BoxReader
    private let size: UInt64

    /// Boxes at the top that are examined.
    private static let boxesAtMost = 10_000
    /// The most that is read of a box that is searched or parsed in memory.
    private static let boxSize = 1 << 20
    /// Boxes that hold nothing.
    private static let padding: Set<String> = ["free", "skip", "wide"]

    /// Prepares the description of a file.
    package init(_ file: MP4File) {
        self.file = file
        boxes = MP4BoxReader(window: file.boxes.window)
        size = file.source.size ?? 0
    }

    /// The description, or `nil` if libavformat has to give it.
    ///
    /// - Throws: `UndertextError` of the source.
    package func description() throws(UndertextError) -> ContainerDescription? {
        guard !file.isCut, !file.isFragmented, file.drmInfo == nil,
            let (brand, content) = try movie(), let movie = try movie(in: content)
        else { return nil }
        let chapters = Set(movie.tracks.flatMap(\.chapterTracks))
        guard Set(movie.tracks.map(\.id)).count == movie.tracks.count,
            chapters.isSubset(of: movie.tracks.map(\.id))
        else { return nil }
        var streams: [StreamDescription] = []
        for track in movie.tracks {
            guard
                let stream = track.stream(
                    index: streams.count, isChapters: chapters.contains(track.id),
                    isQuickTime: brand == "qt  ")
            else { return nil }
            streams.append(stream)
        }
        let media = zip(movie.tracks, streams).filter { [.video, .audio].contains($1.kind) }
            .map { (track: $0, stream: $1) }
        guard media.isEmpty || Self.beginsAtZero(media), movie.duration > 0,
            let duration = rescale(movie.duration, from: movie.timeBase, to: .microseconds)
        else { return nil }
        return ContainerDescription(
            formatName: "mov,mp4,m4a,3gp,3g2,mj2", formatLongName: "QuickTime / MOV",
            startTime: media.isEmpty ? nil : 0, duration: duration, size: size,
            tags: [MetadataTag("major_brand", brand)], streams: streams)
    }

    /// `true` if the earliest start of audio and video is zero without doubt.
    private static func beginsAtZero(_ media: [(track: TrackHeader, stream: StreamDescription)])
        -> Bool
    {
        let starts = media.map { $0.track.start(isAudio: $0.stream.kind == .audio) }
        return starts.allSatisfy { $0 != nil } && starts.contains(.beginning)
    }

    // MARK: Boxes

    /// The brand of the file and the content of `moov`; `nil` if the top of the file has anything unusual.
    private func movie() throws(UndertextError) -> (brand: String, Range<UInt64>)? {
        var brand: String?
        var movie: Range<UInt64>?
        var offset: UInt64 = 0
        for _ in 0..<Self.boxesAtMost {
            guard offset < size else { break }
            guard let box = try boxes.box(at: offset, before: size), !box.isCut else { return nil }
            switch box.type {
            case "ftyp":
                var head = try boxes.head(of: box, 4)
                guard brand == nil, offset == 0, let name = head.slice(4) else { return nil }
                brand = String(decoding: name, as: UTF8.self)
            case "moov":
                guard movie == nil else { return nil }
                movie = box.content
            case "mdat", "free", "skip", "wide": break
            default: return nil
            }
            offset = box.end
        }
        guard let brand, let movie, offset >= size else { return nil }
        return (brand, movie)
    }

    private func movie(in range: Range<UInt64>) throws(UndertextError) -> MovieHeader? {
        var movie = MovieHeader()
        for box in try whole(range) ?? [] {
            switch box.type {
            case "mvhd":
                guard !movie.timeBase.isValid, let (base, duration, _) = try times(of: box) else {
                    return nil
                }
                (movie.timeBase, movie.duration) = (base, duration)
            case "trak":
                guard movie.tracks.count < file.limits.streams, let track = try track(in: box)
                else { return nil }
                movie.tracks.append(track)
            // The cover of an album is a stream.
            case "udta": guard try !mayHoldImage(box) else { return nil }
            case "iods": break
            default: guard Self.padding.contains(box.type) else { return nil }
            }
        }
        guard movie.timeBase.isValid, !movie.tracks.isEmpty else { return nil }
        return movie
    }

    /// The boxes of a range that they fill, or `nil` if they do not.
    private func whole(_ range: Range<UInt64>) throws(UndertextError) -> [MP4Box]? {
        let found = try boxes.boxes(in: range)
        guard let last = found.last, !last.isCut, last.end == range.upperBound else { return nil }
        return found
    }

    private func content(of box: MP4Box) throws(UndertextError) -> [UInt8]? {
        let length = box.content.upperBound - box.content.lowerBound
        guard length <= UInt64(Self.boxSize) else { return nil }
        return try boxes.all(of: box.content, limit: Self.boxSize, box.type)
    }

    private func mayHoldImage(_ box: MP4Box) throws(UndertextError) -> Bool {
        guard let bytes = try content(of: box) else { return true }
        let name = Array("covr".utf8)
        return bytes.indices.dropLast(3).contains {
            bytes[$0] == name[0] && bytes[$0...].starts(with: name)
        }
    }

    /// `mvhd` and `mdhd`: two times, the ticks of a second, the duration, and of `mdhd` the language.
    private func times(
        of box: MP4Box
    ) throws(UndertextError) -> (TimeBase, duration: Int64, language: UInt16?)? {
        var reader = try boxes.head(of: box, 40)
        guard let version = reader.uint8(), version <= 1, reader.skip(3 + (version == 1 ? 16 : 8)),
            let ticks = reader.uint32().flatMap({ Int32(exactly: $0) }), ticks > 0,
            let duration = version == 1 ? reader.uint64() : reader.uint32().map(UInt64.init),
            let duration = Int64(exactly: duration)
        else { return nil }
        return (TimeBase(1, ticks), duration, reader.uint16())
    }

    private func track(in box: MP4Box) throws(UndertextError) -> TrackHeader? {
        var track = TrackHeader()
        var seen: Set<String> = []
        for child in try whole(box.content) ?? [] {
            guard seen.insert(child.type).inserted || Self.padding.contains(child.type) else {
                return nil
            }
            switch child.type {
            case "tkhd":
                guard track.readHeader(try boxes.head(of: child, 104)) else { return nil }
            case "edts":
                guard let edits = try whole(child.content), edits.count == 1,
                    edits[0].type == "elst", let list = try content(of: edits[0]),
                    track.readEdits(list)
                else { return nil }
            case "mdia": guard try readMedia(child, into: &track) else { return nil }
            case "tref":
                for reference in try whole(child.content) ?? [] where reference.type == "chap" {
                    guard let list = try content(of: reference) else { return nil }
                    var reader = ByteReader(list)
                    while let id = reader.uint32() { track.chapterTracks.append(Int64(id)) }
                }
            default: guard Self.padding.contains(child.type) else { return nil }
            }
        }
        guard seen.isSuperset(of: ["tkhd", "mdia"]) else { return nil }
        return track
    }

    private func readMedia(
        _ media: MP4Box, into track: inout TrackHeader
    ) throws(UndertextError) -> Bool {
        var seen: Set<String> = []
        for box in try whole(media.content) ?? [] {
            guard seen.insert(box.type).inserted || Self.padding.contains(box.type) else {
                return false
            }
            switch box.type {
            case "mdhd":
                guard let (base, _, language) = try times(of: box), let language else {
                    return false
                }
                (track.timeBase, track.language) = (base, language)
            case "hdlr":
                var reader = try boxes.head(of: box, 12)
                guard reader.skip(8), let name = reader.slice(4) else { return false }
                track.handler = String(decoding: name, as: UTF8.self)
            case "minf":
                let parts = try whole(box.content) ?? []
                let tables = parts.filter { $0.type == "stbl" }
                guard tables.count == 1, try readTables(tables[0], into: &track) else {
                    return false
                }
            // `MP4Header` reads the language tag.
            case "elng": break
            default: guard Self.padding.contains(box.type) else { return false }
            }
        }
        return seen.isSuperset(of: ["mdhd", "hdlr", "minf"])
    }

    private func readTables(
        _ tables: MP4Box, into track: inout TrackHeader
    ) throws(UndertextError) -> Bool {
        var seen: Set<String> = []
        for box in try whole(tables.content) ?? [] {
            guard seen.insert(box.type).inserted else { return false }
            switch box.type {
            case "stsd":
                guard let content = try content(of: box), track.readEntry(content) else {
                    return false
                }
            case "stts":
                guard let content = try content(of: box), track.readDurations(content) else {
                    return false
                }
            case "ctts":
                var reader = try boxes.head(of: box, 16)
                // Signed offsets move the other samples.
                guard reader.uint8() == 0, reader.skip(3), let count = reader.uint32(), count > 0,
                    reader.skip(4), let offset = reader.uint32().flatMap({ Int32(exactly: $0) })
                else { return false }
                track.firstOffset = Int64(offset)
                track.hasOffsets = true
            default: break
            }
        }
        return seen.isSuperset(of: ["stsd", "stts", "stsc"])
            && !seen.isDisjoint(with: ["stsz", "stz2"])
            && !seen.isDisjoint(with: ["stco", "co64"])
    }
}

/// The facts of `moov` that concern all tracks.
private struct MovieHeader {
    var timeBase = TimeBase(0, 0)
    var duration: Int64 = 0
    var tracks: [TrackHeader] = []
}

/// The facts of `trak` of which libavformat makes a stream.
private struct TrackHeader {
    /// The start of a track on the timeline of the movie.
    enum Start {
        /// Time zero.
        case beginning
        /// Some time after zero.
        case later
    }

    var id: Int64 = 0
    var isEnabled = false
    var size: PixelSize?
    var handler = ""
    var timeBase = TimeBase(0, 0)
    var language: UInt16 = 0
    var chapterTracks: [Int64] = []
    var entry = MP4SampleEntry(format: "", body: [])
    var hasEdit = false
    /// `true` if nothing is shown at first.
    var isDelayed = false
    /// The media time at which the track begins.
    var mediaStart: Int64 = 0
    /// The composition offset of the first sample.
    var firstOffset: Int64 = 0
    /// `true` if samples have composition offsets.
    var hasOffsets = false
    var samples: Int64 = 0
    var duration: Int64 = 0

    /// `tkhd`: flags, times, number, and the size after the matrix.
    mutating func readHeader(_ head: ByteReader) -> Bool {
        var reader = head
        guard let version = reader.uint8(), version <= 1, reader.skip(2),
            let flags = reader.uint8(),
            reader.skip(version == 1 ? 16 : 8), let number = reader.uint32(), number > 0,
            reader.skip(4 + (version == 1 ? 8 : 4) + 16 + 36),
            let width = reader.uint32().flatMap({ Int32(exactly: $0) }),
            let height = reader.uint32().flatMap({ Int32(exactly: $0) })
        else { return false }
        id = Int64(number)
        isEnabled = flags & 1 != 0
        let (columns, rows) = (Int(width >> 16), Int(height >> 16))
        size = columns > 0 && rows > 0 ? PixelSize(width: columns, height: rows) : nil
        return true
    }

    /// `elst`: at most a delay and one part of the media at its own speed.
    mutating func readEdits(_ content: [UInt8]) -> Bool {
        var reader = ByteReader(content)
        guard let version = reader.uint8(), version <= 1, reader.skip(3),
            let count = reader.uint32(),
            (1...2).contains(count)
        else { return false }
        for index in 0..<count {
            guard let length = version == 1 ? reader.uint64() : reader.uint32().map(UInt64.init),
                let time = version == 1
                    ? reader.uint64().map(Int64.init(bitPattern:))
                    : reader.uint32().map({ Int64(Int32(bitPattern: $0)) }),
                reader.uint32() == 1 << 16
            else { return false }
            if time == -1, index == 0, count == 2 {
                isDelayed = length > 0
            } else {
                guard time >= 0, index == count - 1 else { return false }
                mediaStart = time
                hasEdit = true
            }
        }
        return hasEdit
    }

    /// `stsd` with one entry.
    mutating func readEntry(_ content: [UInt8]) -> Bool {
        var reader = ByteReader(content)
        guard reader.skip(4), reader.uint32() == 1, let size = reader.uint32(),
            Int(size) == content.count - 8
        else { return false }
        let entries = MP4SampleEntry.parse(content[...])
        guard entries.count == 1 else { return false }
        entry = entries[0]
        return true
    }

    /// `stts`, all of which is in memory.
    mutating func readDurations(_ content: [UInt8]) -> Bool {
        var reader = ByteReader(content)
        guard reader.skip(4), let rows = reader.uint32(), rows > 0 else { return false }
        for row in 0..<rows {
            guard let count = reader.uint32().flatMap({ Int32(exactly: $0) }), count > 0,
                let length = reader.uint32().flatMap({ Int32(exactly: $0) })
            else { return false }
            // libavformat corrects a last sample that is far longer than the others.
            if row > 0, row == rows - 1, count == 1, samples > 100,
                Int64(length) / 10 > duration / samples
            {
                return false
            }
            samples += Int64(count)
            duration += Int64(count) * Int64(length)
        }
        return duration > 0 && samples <= Int32.max
    }

    /// The start of a track of audio or video, or `nil` if it is in doubt.
    func start(isAudio: Bool) -> Start? {
        if isDelayed { return mediaStart <= firstOffset || isAudio ? .later : nil }
        if !hasEdit { return firstOffset == 0 ? .beginning : .later }
        if mediaStart < firstOffset { return .later }
        if mediaStart == firstOffset { return .beginning }
        // What an encoder of audio needs to start is skipped.
        let isShort = rescale(mediaStart, from: timeBase, to: .milliseconds).map { $0 < 500 }
        return isAudio && isShort == true ? .beginning : nil
    }

    /// The stream as libavformat describes it, or `nil` if that is in doubt.
    func stream(index: Int, isChapters: Bool, isQuickTime: Bool) -> StreamDescription? {
        guard let (kind, codec) = content(isChapters: isChapters), let tag = codecTag,
            !(isQuickTime && kind == .video && hasOffsets),
            languageCode != nil || kind != .text
        else { return nil }
        let isSampled = entry.format == "wvtt" || entry.format == "stpp"
        let header = kind == .video || kind == .audio || isSampled ? [] : entry.body
        let type = isSampled || kind == .data ? "data" : kind == .text ? "subtitle" : kind.rawValue
        var stream = StreamDescription(
            index: index, kind: kind, codec: codec, id: id, timeBase: timeBase,
            language: languageCode.flatMap(LanguageTag.init),
            disposition: isEnabled ? .default : [],
            codecPrivate: header, size: kind == .text && !isSampled ? size : nil,
            duration: duration, packetCount: Int(samples),
            tags: languageCode.map { [MetadataTag("language", $0)] } ?? [],
            details: StreamDetails(
                codecType: type, codecName: isSampled ? nil : codec.rawValue, codecTag: tag,
                codecTagString: entry.format, showsID: true, extradataSize: header.count))
        if kind == .video {
            guard let rate = frameRate, let size = videoSize else { return nil }
            (stream.frameRate, stream.size) = (rate, size)
        }
        return stream
    }

    /// The kind and the codec; `nil` for those of which libavformat knows more.
    private func content(isChapters: Bool) -> (MediaKind, CodecID)? {
        if isChapters {
            return ["text", "tx3g"].contains(entry.format) && handler == "text"
                ? (.data, CodecID(rawValue: "bin_data")) : nil
        }
        switch (handler, entry.format) {
        case ("vide", "avc1"), ("vide", "avc3"): return (.video, CodecID(rawValue: "h264"))
        case ("vide", "hvc1"), ("vide", "hev1"): return (.video, CodecID(rawValue: "hevc"))
        case ("vide", "av01"): return (.video, CodecID(rawValue: "av1"))
        case ("vide", "vp09"): return (.video, CodecID(rawValue: "vp9"))
        case ("vide", "mp4v"):
            switch MP4CodecNames.name(entry) {
            case "mp4v.60", "mp4v.61", "mp4v.62", "mp4v.63", "mp4v.64", "mp4v.65":
                return (.video, CodecID(rawValue: "mpeg2video"))
            default: return nil
            }
        case ("soun", "mp4a"):
            guard let name = MP4CodecNames.name(entry) else { return nil }
            if name.hasPrefix("mp4a.40.") { return (.audio, CodecID(rawValue: "aac")) }
            if name == "mp4a.6b" || name == "mp4a.69" { return (.audio, CodecID(rawValue: "mp3")) }
            return nil
        case ("soun", "ac-3"): return (.audio, CodecID(rawValue: "ac3"))
        case ("soun", "ec-3"): return (.audio, CodecID(rawValue: "eac3"))
        case ("soun", "Opus"): return (.audio, CodecID(rawValue: "opus"))
        case ("soun", "fLaC"): return (.audio, CodecID(rawValue: "flac"))
        case ("soun", "alac"): return (.audio, CodecID(rawValue: "alac"))
        case ("text", "tx3g"), ("sbtl", "tx3g"), ("subt", "tx3g"), ("text", "text"):
            return (.text, .movText)
        case ("text", "wvtt"): return (.text, .webVTT)
        case ("subt", "stpp"): return (.text, .ttml)
        default: return nil
        }
    }

    private var codecTag: UInt32? {
        let bytes = Array(entry.format.utf8)
        guard bytes.count == 4, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Three letters; `nil` for the numbers of QuickTime.
    private var languageCode: String? {
        guard language >= 0x400, language != 0x7FFF else { return nil }
        let letters = [10, 5, 0].map { UInt8(language >> $0 & 0x1F) + 0x60 }
        guard letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
        return String(decoding: letters, as: UTF8.self)
    }

    private var videoSize: PixelSize? {
        var reader = ByteReader(entry.body)
        guard reader.skip(16), let width = reader.uint16(), let height = reader.uint16(), width > 0,
            height > 0
        else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// The mean over all samples.
    private var frameRate: TimeBase? {
        let (rate, overflow) = Int64(timeBase.denominator).multipliedReportingOverflow(by: samples)
        guard !overflow else { return nil }
        var (divisor, rest) = (rate, duration)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        guard let numerator = Int32(exactly: rate / divisor),
            let denominator = Int32(exactly: duration / divisor)
        else { return nil }
        return TimeBase(numerator, denominator)
    }
}
