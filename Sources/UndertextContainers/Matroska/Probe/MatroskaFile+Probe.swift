package import UndertextCore

extension MatroskaFile {
    /// The beginning in which libavformat surely looks for the size of subtitles, in microseconds and in bytes.
    ///
    /// It ends after five seconds of video, and after 5,000,000 bytes of packets.
    private static let surelySearched: (time: Int64, bytes: UInt64) = (2_000_000, 2_500_000)
    /// The bytes of packets after which it has surely ended, and those of the file with headers of blocks.
    private static let searchedAtMost: (packets: UInt64, bytes: UInt64) = (5_250_000, 8_000_000)
    /// Up to this major version of libavformat, a file with a codec delay starts before zero.
    private static let delaysStartBeforeZero = 61
    /// Bytes of an attached image that are searched for its size.
    private static let imageHeadSize = 64 << 10

    /// Describes the file as libavformat does when it examines streams.
    ///
    /// The lists of elements and codecs are closed: what is not known to be alike is left to libavformat, and so is
    /// whatever is damaged.
    ///
    /// - Parameter version: The major version of libavformat.
    /// - Returns: The description, or `nil` if libavformat may report anything else than the headers and the first blocks say.
    /// - Throws: ``UndertextError`` with code `io` or `cancelled`.
    package func probedDescription(as version: Int) throws(UndertextError) -> ContainerDescription?
    {
        guard diagnostics.isEmpty, !isBeyondLimits, !layout.isCutOff, layout.declaredEnd != .max,
            try hasUsualParts(), let duration = description.duration, duration > 0,
            let size = description.size, size > 0,
            var firsts = try beginnings()
        else { return nil }
        var probed = description
        for (index, track) in tracks.enumerated() {
            let details = TrackDetails(track, first: firsts.blocks[track.number])
            guard details.complete(&probed.streams[index]) else { return nil }
        }
        guard let start = try startTime(&firsts),
            start >= 0 || version <= Self.delaysStartBeforeZero, try addImages(to: &probed)
        else { return nil }
        for index in tracks.indices where tracks[index].codecID == "S_HDMV/PGS" {
            guard let canvas = try canvas(ofStream: index, start: start) else { return nil }
            probed.streams[index].size = canvas.size
        }
        probed.startTime = start
        return probed.setBitRate(size: size, duration: duration) ? probed : nil
    }

    /// `true` if there is one of each part, all tracks are streams, and the parts have the usual shape.
    private func hasUsualParts() throws(UndertextError) -> Bool {
        let single: [ElementID] = [.info, .tracks]
        let optional: [ElementID] = [.chapters, .attachments, .tags, .cues]
        guard single.allSatisfy({ layout.parts($0).count == 1 }),
            optional.allSatisfy({ layout.parts($0).count <= 1 }),
            !layout.hasUnusualSeeks, trackNumbers.count == tracks.count, !trackNumbers.contains(0),
            tracks.contains(where: { $0.kind == .video || $0.kind == .audio }),
            description.attachments.allSatisfy({ $0.streamIndex != nil })
        else { return false }
        for part in layout.parts(.attachments) {
            guard try HeaderShape.areUsualAttachments(part, window, atMost: limits.streams) else {
                return false
            }
        }
        for part in [ElementID.info, .tags, .chapters].flatMap({ layout.parts($0) }) {
            // Beyond that, `isBeyondLimits` is set.
            guard let size = part.size, size <= UInt64(max(0, limits.headerSize)) else {
                return false
            }
            let data = try window.bytes(at: part.dataStart, count: Int(size))
            guard data.count == Int(size), HeaderShape.isUsual(part.id, data) else { return false }
        }
        return true
    }

    /// The first blocks of all video and audio, or `nil` if they are not in the beginning of the file.
    private func beginnings() throws(UndertextError) -> FirstBlocks? {
        let media = tracks.filter { $0.kind == .video || $0.kind == .audio }
        let encoded = media.filter { !$0.encodings.isEmpty }
        guard
            var firsts = FirstBlocks(
                of: Set(media.map(\.number)), whole: Set(encoded.map(\.number)), layout: layout,
                window: window)
        else { return nil }
        let counts = Dictionary(media.map { ($0.number, 1) }) { $1 }
        return try firsts.find(counts) ? firsts : nil
    }

    /// The start of the file in microseconds: that of the video or audio that begins first; `nil` if it is in doubt.
    private func startTime(_ firsts: inout FirstBlocks) throws(UndertextError) -> Int64? {
        var starts: [(track: TrackEntry, start: Int64)] = []
        for (index, track) in tracks.enumerated() {
            guard let first = firsts.blocks[track.number] else { continue }
            let base = description.streams[index].timeBase
            guard let delay = Int64(exactly: track.codecDelay),
                let ticks = rescale(delay, from: .nanoseconds, to: base),
                let start = rescale(first.time - ticks, from: base, to: .microseconds)
            else { return nil }
            starts.append((track, start))
        }
        // A later sum must fit, too.
        guard let start = starts.map(\.start).min(), start.magnitude < 1 << 60 else { return nil }
        let earliest = starts.filter { $0.start == start }.map(\.track)
        if earliest.allSatisfy(\.isH264) {
            // Times of H.264 count when libavformat knows by how many frames the decoder delays them: from its header, or
            // after seven frames.
            guard let track = earliest.first,
                let delay = H264Configuration(track.codecPrivate)?.reorderedFrames,
                try firsts.find([track.number: max(12, delay + 2)])
            else { return nil }
        }
        // Subtitles count if they begin less than a second before.
        guard start > 0 else { return start }
        for (index, track) in tracks.enumerated() where firsts.blocks[track.number] == nil {
            guard try firstTime(ofStream: index).map({ $0 >= start }) == true else { return nil }
        }
        return start
    }

    /// The first time of subtitles in microseconds by the index, or `nil` if it does not list all of them.
    private func firstTime(ofStream index: Int) throws(UndertextError) -> Int64? {
        guard case .usable = try self.index(for: [index]),
            let first = try indexFacts(ofStream: index)?.first
        else { return nil }
        return first.ticks(in: .microseconds)
    }

    // MARK: Sizes

    /// The size of a PGS track, if libavformat finds a segment that states it; `nil` if that is in doubt.
    private func canvas(
        ofStream index: Int, start: Int64
    ) throws(UndertextError) -> (size: PixelSize?, Void)? {
        guard case .usable = try self.index(for: [index]), let begin = layout.firstCluster?.start,
            tracks.contains(where: { $0.kind == .video }),
            let target = try cues().targets(
                tracks: [tracks[index].number], segment: layout.dataStart
            ).first, target.cluster >= begin
        else { return nil }
        let base = description.streams[index].timeBase
        let (position, overflow) = (target.cluster - begin).addingReportingOverflow(target.relative)
        guard !overflow else { return nil }
        if try isBeyondSearch(position, from: begin) { return (nil, ()) }
        guard position < Self.surelySearched.bytes, let ticks = Int64(exactly: target.time),
            let time = rescale(ticks, from: base, to: .microseconds),
            time < start + Self.surelySearched.time,
            let packet = try packetReader(for: [index]).nextPacket(),
            let size = Self.canvas(packet.data)
        else { return nil }
        return (size, ())
    }

    /// Returns `true` if libavformat stops searching before it reaches the block at `begin + distance`.
    private func isBeyondSearch(
        _ distance: UInt64, from begin: UInt64
    ) throws(UndertextError) -> Bool {
        guard distance > Self.searchedAtMost.packets else { return false }
        guard distance <= Self.searchedAtMost.bytes else { return true }
        var blocks = FirstBlocks(
            of: [], whole: [], layout: layout, window: window, span: Self.searchedAtMost.bytes)
        return try blocks?.pass(Self.searchedAtMost.packets, before: begin + distance) == true
    }

    /// The size in the presentation composition segment that a display set begins with.
    private static func canvas(_ segments: [UInt8]) -> PixelSize? {
        var reader = ByteReader(segments)
        guard reader.uint8() == 0x16, let length = reader.uint16(), length >= 11,
            let width = reader.uint16(), let height = reader.uint16(), width > 0, height > 0
        else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Adds the details of attachments and the sizes of images; `false` if one is in doubt.
    private func addImages(to probed: inout ContainerDescription) throws(UndertextError) -> Bool {
        for attachment in description.attachments {
            guard let index = attachment.streamIndex, let position = attachment.position else {
                return false
            }
            let stream = probed.streams[index]
            let isImage = stream.disposition.contains(.attachedPicture)
            probed.streams[index].details = StreamDetails(
                codecType: isImage ? "video" : "attachment",
                codecName: stream.codec == .unknown ? nil : stream.codec.rawValue, codecTag: 0,
                codecTagString: "[0][0][0][0]", showsID: false,
                extradataSize: isImage ? 0 : attachment.size)
            guard isImage else { continue }
            let head = try window.bytes(
                at: position, count: min(attachment.size, Self.imageHeadSize))
            guard
                let size = ImageHeader.size(head, total: attachment.size, codec: stream.codec)
            else { return false }
            probed.streams[index].size = size
        }
        return true
    }
}

extension TrackEntry {
    /// `true` if the blocks are H.264 with a header.
    fileprivate var isH264: Bool { codecID?.hasPrefix("V_MPEG4/ISO/AVC") == true }
}
