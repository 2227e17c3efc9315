package import UndertextCore

/// Describes a file by its headers as libavformat does, if they leave no doubt about what libavformat would report.
///
/// Everything that a reader of subtitles uses is known: the order, the kinds and the codecs of the streams, languages,
/// dispositions, headers of text tracks, the frame rate of video, the beginning and the duration. The list of boxes is
/// closed: a box that might change one of these, such as a track title, an image or an encrypted sample entry, leaves the
/// file to libavformat, and so does a damaged one. ``probedDescription(as:)`` adds everything that a probe reports.
package struct MP4Describer {
    let file: MP4File
    let boxes: MP4BoxReader
    let size: UInt64

    /// Boxes at the top that are examined.
    private static let boxesAtMost = 10_000
    /// The most that is read of a box that is searched or parsed in memory.
    private static let boxSize = 1 << 20
    /// The most that is read of the header of a handler, which ends with a name.
    private static let handlerSize = 4096
    /// Boxes that hold nothing.
    static let padding: Set<String> = ["free", "skip", "wide"]
    /// References between tracks that change nothing: forced and following subtitles, alternatives.
    private static let ignoredReferences: Set<String> = ["folw", "forc", "fall"]

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
        guard let movie = try movie() else { return nil }
        for box in movie.tagBoxes {
            // The cover of an album is a stream.
            guard box.box.type == "udta", try !mayHoldImage(box.box) else { return nil }
        }
        // Signed offsets move the other samples.
        guard movie.tracks.allSatisfy({ $0.userData == nil && !$0.hasSignedOffsets }),
            var description = description(of: movie, { _ in true })
        else { return nil }
        let isQuickTime = movie.brand == MP4MovieHeader.quickTime
        let media = zip(movie.tracks, description.streams)
            .filter { [.video, .audio].contains($1.kind) }
            .map { (track: $0, stream: $1) }
        guard media.isEmpty || Self.beginsAtZero(media),
            !isQuickTime || media.allSatisfy({ $0.stream.kind != .video || !$0.track.hasOffsets })
        else { return nil }
        description.startTime = media.isEmpty ? nil : 0
        description.tags = [MetadataTag("major_brand", movie.brand)]
        return description
    }

    /// Describes streams and duration, without tags, chapters and the start.
    ///
    /// - Parameters:
    ///   - movie: The headers.
    ///   - isKnown: Returns `true` if a track has the usual boxes.
    /// - Returns: The description, or `nil` if one of the streams is in doubt.
    func description(
        of movie: MP4MovieHeader, _ isKnown: (MP4TrackHeader) -> Bool
    ) -> ContainerDescription? {
        let chapters = Set(movie.tracks.flatMap(\.chapterTracks))
        guard Set(movie.tracks.map(\.id)).count == movie.tracks.count,
            chapters.isSubset(of: movie.tracks.map(\.id))
        else { return nil }
        var streams: [StreamDescription] = []
        for track in movie.tracks {
            guard isKnown(track),
                let stream = track.stream(
                    index: streams.count, isChapters: chapters.contains(track.id))
            else { return nil }
            streams.append(stream)
        }
        guard movie.duration > 0,
            let duration = rescale(movie.duration, from: movie.timeBase, to: .microseconds)
        else { return nil }
        return ContainerDescription(
            formatName: "mov,mp4,m4a,3gp,3g2,mj2", formatLongName: "QuickTime / MOV",
            duration: duration, size: size, streams: streams)
    }

    /// `true` if the earliest start of audio and video is zero without doubt.
    private static func beginsAtZero(
        _ media: [(track: MP4TrackHeader, stream: StreamDescription)]
    ) -> Bool {
        let starts = media.map { $0.track.start(isAudio: $0.stream.kind == .audio) }
        return starts.allSatisfy { $0 != nil } && starts.contains(.beginning)
    }

    // MARK: Boxes

    /// The headers of the file; `nil` if the file is cut off, fragmented or encrypted, or has anything unusual.
    func movie() throws(UndertextError) -> MP4MovieHeader? {
        guard !file.isCut, !file.isFragmented, file.drmInfo == nil,
            let (type, content) = try parts()
        else { return nil }
        var movie = MP4MovieHeader()
        movie.fileType = type
        return try read(content, into: &movie) ? movie : nil
    }

    /// The content of `ftyp` and the range of `moov`; `nil` if the top of the file has anything unusual.
    private func parts() throws(UndertextError) -> (type: [UInt8], Range<UInt64>)? {
        var type: [UInt8]?
        var movie: Range<UInt64>?
        var offset: UInt64 = 0
        for _ in 0..<Self.boxesAtMost {
            guard offset < size else { break }
            guard let box = try boxes.box(at: offset, before: size), !box.isCut else { return nil }
            switch box.type {
            case "ftyp":
                guard type == nil, offset == 0, let found = try content(of: box), found.count >= 4
                else { return nil }
                type = found
            case "moov":
                guard movie == nil else { return nil }
                movie = box.content
            case "mdat", "free", "skip", "wide": break
            default: return nil
            }
            offset = box.end
        }
        guard let type, let movie, offset >= size else { return nil }
        return (type, movie)
    }

    private func read(
        _ range: Range<UInt64>, into movie: inout MP4MovieHeader
    ) throws(UndertextError) -> Bool {
        for box in try whole(range) ?? [] {
            switch box.type {
            case "mvhd":
                var reader = try boxes.head(of: box, 112)
                guard !movie.timeBase.isValid, let times = MP4Times(&reader) else { return false }
                (movie.timeBase, movie.duration) = (times.timeBase, times.duration)
                movie.created = times.created
                // Rate, volume, reserved.
                movie.matrix = reader.skip(16) ? MP4Matrix(&reader) : nil
            case "trak":
                guard movie.tracks.count < file.limits.streams, let track = try track(in: box)
                else { return false }
                movie.tracks.append(track)
            case "udta", "meta": movie.tagBoxes.append((box, movie.tracks.count))
            case "iods": break
            default: guard Self.padding.contains(box.type) else { return false }
            }
        }
        return movie.timeBase.isValid && !movie.tracks.isEmpty
    }

    /// The boxes of a range that they fill, or `nil` if they do not.
    func whole(_ range: Range<UInt64>) throws(UndertextError) -> [MP4Box]? {
        let found = try boxes.boxes(in: range)
        guard let last = found.last, !last.isCut, last.end == range.upperBound else { return nil }
        return found
    }

    /// The content of a box; `nil` if it is too long to be read.
    func content(of box: MP4Box) throws(UndertextError) -> [UInt8]? {
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

    private func track(in box: MP4Box) throws(UndertextError) -> MP4TrackHeader? {
        var track = MP4TrackHeader()
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
                for reference in try whole(child.content) ?? [] {
                    guard reference.type == "chap" else {
                        let isKnown = Self.ignoredReferences.contains(reference.type)
                        track.isUnusual = track.isUnusual || !isKnown
                        continue
                    }
                    guard let list = try content(of: reference) else { return nil }
                    var reader = ByteReader(list)
                    while let id = reader.uint32() { track.chapterTracks.append(Int64(id)) }
                }
            case "udta": track.userData = child
            // The aperture modes of QuickTime, which libavformat skips.
            case "tapt": break
            default: guard Self.padding.contains(child.type) else { return nil }
            }
        }
        guard seen.isSuperset(of: ["tkhd", "mdia"]) else { return nil }
        return track
    }

    private func readMedia(
        _ media: MP4Box, into track: inout MP4TrackHeader
    ) throws(UndertextError) -> Bool {
        var seen: [String] = []
        for box in try whole(media.content) ?? [] where !Self.padding.contains(box.type) {
            guard !seen.contains(box.type) else { return false }
            seen.append(box.type)
            switch box.type {
            case "mdhd":
                var reader = try boxes.head(of: box, 40)
                guard let times = MP4Times(&reader), let language = reader.uint16() else {
                    return false
                }
                (track.timeBase, track.language) = (times.timeBase, language)
                (track.created, track.mediaDuration) = (times.created, times.duration)
            case "hdlr":
                guard let handler = try readHandler(box, of: &track), handler.count == 4 else {
                    return false
                }
                track.handler = String(decoding: handler, as: UTF8.self)
            case "minf": guard try readInformation(box, into: &track) else { return false }
            // `MP4Header` reads the language tag.
            case "elng": break
            default: return false
            }
        }
        // libavformat interprets what follows by what it has met.
        let order = seen.filter { $0 != "elng" }
        track.isUnusual = track.isUnusual || order != ["mdhd", "hdlr", "minf"]
        return Set(order) == ["mdhd", "hdlr", "minf"]
    }

    /// Reads `hdlr`, adds its name to a track, and returns the type; `nil` if the box is cut off.
    private func readHandler(
        _ box: MP4Box, of track: inout MP4TrackHeader
    ) throws(UndertextError) -> ArraySlice<UInt8>? {
        var reader = try boxes.head(of: box, Self.handlerSize)
        guard reader.skip(8), let type = reader.slice(4) else { return nil }
        let isShort = box.content.upperBound - box.content.lowerBound <= UInt64(Self.handlerSize)
        if isShort, reader.skip(12) {
            track.handlerNames.append(Array(reader.rest()))
        } else {
            track.isUnusual = true
        }
        return type
    }

    private func readInformation(
        _ information: MP4Box, into track: inout MP4TrackHeader
    ) throws(UndertextError) -> Bool {
        let parts = try whole(information.content) ?? []
        let tables = parts.filter { $0.type == "stbl" }
        guard tables.count == 1 else { return false }
        for part in parts {
            switch part.type {
            case "stbl": guard try readTables(part, into: &track) else { return false }
            // Of QuickTime: the handler of the data.
            case "hdlr":
                track.isUnusual = try readHandler(part, of: &track) == nil || track.isUnusual
            case "dinf": track.isUnusual = try !isSelfContained(part) || track.isUnusual
            case "vmhd", "smhd", "nmhd", "sthd", "hmhd", "gmhd": break
            default: track.isUnusual = track.isUnusual || !Self.padding.contains(part.type)
            }
        }
        return true
    }

    /// `true` if the media surely lie in the file itself.
    private func isSelfContained(_ information: MP4Box) throws(UndertextError) -> Bool {
        guard let references = try whole(information.content), references.count == 1,
            references[0].type == "dref", let content = try content(of: references[0])
        else { return false }
        var reader = ByteReader(content)
        guard reader.skip(4), let count = reader.uint32(), count > 0 else { return false }
        for _ in 0..<count {
            // A longer alias of Mac OS may name another file.
            guard let length = reader.uint32(), (12...150).contains(length),
                reader.skip(Int(length) - 4)
            else { return false }
        }
        return reader.isAtEnd
    }

    private func readTables(
        _ tables: MP4Box, into track: inout MP4TrackHeader
    ) throws(UndertextError) -> Bool {
        for box in try whole(tables.content) ?? [] {
            // Groups of samples may have several tables.
            let isRepeatable = box.type == "sgpd" || box.type == "sbgp"
            guard isRepeatable || track.tables.updateValue(box, forKey: box.type) == nil else {
                return false
            }
            switch box.type {
            case "stsd":
                guard let content = try content(of: box), track.readEntry(content) else {
                    return false
                }
                track.isUnusual = track.isUnusual || track.tables.count > 1
            case "stts":
                guard let content = try content(of: box), track.readDurations(content) else {
                    return false
                }
            case "ctts":
                var reader = try boxes.head(of: box, 16)
                guard let version = reader.uint8(), version <= 1, reader.skip(3),
                    let count = reader.uint32(), count > 0, reader.skip(4),
                    let offset = reader.uint32()
                else { return false }
                track.firstOffset = Int64(Int32(bitPattern: offset))
                track.hasOffsets = true
                track.hasSignedOffsets = version == 1 || track.firstOffset < 0
            case "sgpd", "sbgp":
                var reader = try boxes.head(of: box, 8)
                guard reader.skip(4), let type = reader.slice(4) else { return false }
                let moves = ["sync", "rap "].contains(String(decoding: type, as: UTF8.self))
                track.isUnusual = track.isUnusual || moves
            case "stsc", "stsz", "stz2", "stco", "co64", "stss", "sdtp", "cslg", "subs", "padb":
                break
            default: track.isUnusual = track.isUnusual || !Self.padding.contains(box.type)
            }
        }
        let types = Set(track.tables.keys)
        return types.isSuperset(of: ["stsd", "stts", "stsc"])
            && !types.isDisjoint(with: ["stsz", "stz2"])
            && !types.isDisjoint(with: ["stco", "co64"])
    }
}
