internal import UndertextCore

/// Makes packets of a track's blocks, with the times and flags that libavformat gives them.
struct BlockPacketizer {
    /// The stream index.
    let streamIndex: Int
    private let entry: TrackEntry
    let timeBase: TimeBase
    /// Bytes of all frames of a block, before and after decoding.
    private let blockSize: Int
    /// The text on screen at one time has kilobytes; parsing takes eight times its size or more.
    private static let textBlockSize = 8 << 20
    private let segmentScale: UInt64
    private let isWebVTT: Bool
    private let isAlwaysKey: Bool
    private let codecDelay: Int64
    /// Bytes that the remaining frames may have after inflation, see ``Limits/inflatedSize``.
    private var inflatedRoom: Int
    private let inflatedPerByte: Int
    /// The end of what the track has shown so far, in ticks.
    private var coveredUntil: Int64 = 0

    init(
        _ entry: TrackEntry, stream: StreamDescription, segmentScale: UInt64, limits: Limits
    ) {
        self.entry = entry
        blockSize =
            stream.kind == .text ? min(limits.packetSize, Self.textBlockSize) : limits.packetSize
        inflatedRoom = max(0, limits.inflatedSize)
        inflatedPerByte = max(0, limits.inflatedSizePerByte)
        self.segmentScale = max(1, segmentScale)
        streamIndex = stream.index
        timeBase = stream.timeBase
        let codecID = entry.codecID ?? ""
        isWebVTT = codecID.hasPrefix("D_WEBVTT/") && stream.codec == .webVTT
        isAlwaysKey = CodecTable.isKnownToFFmpeg(codecID)
        let delay = Int64(exactly: entry.codecDelay) ?? 0
        codecDelay = rescale(delay, from: .nanoseconds, to: stream.timeBase) ?? 0
    }

    /// The packets of a block and what was lost of it.
    mutating func packets(
        _ block: StoredBlock, clusterTime: UInt64
    ) -> (packets: [Packet], diagnostics: [Diagnostic]) {
        guard let content = BlockFrames(block.data) else {
            return ([], [lost("damaged-block", "The lacing of a block is damaged.", block, nil)])
        }
        let count = Int64(content.frames.count)
        let (time, duration, isKey) = place(
            block, content.header, frames: count, clusterTime: clusterTime)

        var packets: [Packet] = []
        var diagnostics: [Diagnostic] = []
        // 256 frames of a block may each grow a thousandfold.
        var room = blockSize
        var pts = time
        for (place, frame) in content.frames.enumerated() {
            let index = Int128(place)
            let end = Int128(duration) * (index + 1) / Int128(count)
            let share = Int64(end - Int128(duration) * index / Int128(count))
            var packet = Packet(
                streamIndex: streamIndex, pts: pts, dts: pts,
                duration: share > 0 ? share : nil, timeBase: timeBase,
                isKey: isAlwaysKey || (isKey && place == 0), position: block.position, data: [])
            let problem = fill(&packet, frame, block, room: room)
            room -= packet.data.count
            if let problem {
                let start = pts.flatMap { Timestamp(ticks: $0, timeBase: timeBase) }
                diagnostics.append(lost("damaged-block", problem, block, start))
            } else if !packet.data.isEmpty || !packet.sideData.isEmpty {
                packets.append(packet)
            }
            if let now = pts, share > 0 {
                let (sum, overflow) = now.addingReportingOverflow(share)
                pts = overflow ? nil : sum
            } else {
                pts = nil
            }
        }
        return (packets, diagnostics)
    }

    /// `true` if frames are stored as they are.
    var isPlain: Bool { entry.encodings.isEmpty }

    /// The packet of a block with a single frame that is stored as it is.
    ///
    /// `nil` for any other block, which ``packets(_:clusterTime:)`` takes.
    mutating func packet(_ block: StoredBlock, clusterTime: UInt64) -> Packet? {
        guard isPlain, !isWebVTT, block.additions.isEmpty, let header = BlockHeader(block.data),
            !header.isLaced
        else { return nil }
        let size = block.data.count - header.length
        guard size > 0, size <= blockSize else { return nil }
        let (time, duration, isKey) = place(block, header, frames: 1, clusterTime: clusterTime)
        return Packet(
            streamIndex: streamIndex, pts: time, dts: time,
            duration: duration > 0 ? duration : nil, timeBase: timeBase,
            isKey: isAlwaysKey || isKey, position: block.position,
            data: Array(block.data.suffix(size)))
    }

    /// The time and the duration of a block in ticks, and whether decoding may start with it.
    private mutating func place(
        _ block: StoredBlock, _ header: BlockHeader, frames: Int64, clusterTime: UInt64
    ) -> (time: Int64?, duration: Int64, isKey: Bool) {
        let time = self.time(clusterTime, header.time)
        let duration = self.duration(block, frames: frames)
        let isKey = self.isKey(block, header, time)
        if let time {
            let (end, overflow) = time.addingReportingOverflow(duration)
            coveredUntil = max(coveredUntil, overflow ? .max : end)
        }
        return (time, duration, isKey)
    }

    /// Undoes the encodings of a block's frame ahead of ``packets(_:clusterTime:)``.
    ///
    /// Nothing is done to a block of several frames, a damaged one, or one that grows beyond `limit`.
    func decode(_ block: inout StoredBlock, limit: Int) {
        guard !entry.encodings.isEmpty, let content = BlockFrames(block.data),
            content.frames.count == 1, let frame = content.frames.first,
            frame.count <= blockSize
        else { return }
        block.decodedFrame = entry.encodings.decodeFrame(
            frame, limit: min(limit, blockSize))
    }

    /// The block's time in ticks of the track; `nil` if it would lie before zero.
    private func time(_ cluster: UInt64, _ relative: Int16) -> Int64? {
        guard Int128(cluster) + Int128(relative) >= 0 else { return nil }
        var base = Int128(cluster)
        if entry.timestampScale != 1 {
            let scaled = (Double(cluster) / entry.timestampScale).rounded(.down)
            guard scaled < 9e18 else { return nil }
            base = Int128(scaled)
        }
        return Int64(exactly: base + Int128(relative) - Int128(codecDelay))
    }

    /// BlockDuration, or the track's default for that many frames; 0 if neither is stated.
    private func duration(_ block: StoredBlock, frames: Int64) -> Int64 {
        if let stated = block.duration, stated > 0 { return Int64(clamping: stated) }
        guard entry.defaultDuration > 0 else { return 0 }
        let nanoseconds = UInt128(entry.defaultDuration) * UInt128(frames)
        return Int64(clamping: nanoseconds / UInt128(segmentScale))
    }

    private func isKey(_ block: StoredBlock, _ header: BlockHeader, _ time: Int64?) -> Bool {
        let isMarked = block.isSimple ? header.flags & 0x80 != 0 : !block.hasReferences
        guard entry.kind == .subtitle, let time else { return isMarked }
        // If subtitles overlap, decoding cannot start at the later one.
        return isMarked && time >= coveredUntil
    }

    /// Fills the packet of a frame; returns the problem of the frame, if any.
    private mutating func fill(
        _ packet: inout Packet, _ frame: ArraySlice<UInt8>, _ block: StoredBlock, room: Int
    ) -> String? {
        guard frame.count <= room else { return "The frames of a block are larger than allowed." }
        let data: [UInt8]
        if entry.encodings.isEmpty {
            data = Array(frame)
        } else {
            let (more, overflow) = frame.count.multipliedReportingOverflow(by: inflatedPerByte)
            let (sum, isTooLarge) = inflatedRoom.addingReportingOverflow(more)
            inflatedRoom = overflow || isTooLarge ? .max : sum
            let decoded =
                block.decodedFrame
                ?? entry.encodings.decodeFrame(frame, limit: min(room, inflatedRoom))
            guard let decoded, decoded.count <= inflatedRoom else {
                return "The compressed data of a block is damaged or larger than allowed."
            }
            inflatedRoom -= decoded.count
            data = decoded
        }
        if isWebVTT {
            guard let cue = WebVTTBlock(data[...]) else { return "A WebVTT block is damaged." }
            packet.data = Array(cue.text)
            for (kind, bytes) in [
                (SideData.Kind.webVTTIdentifier, cue.identifier), (.webVTTSettings, cue.settings),
            ] where !bytes.isEmpty {
                packet.sideData.append(SideData(kind, Array(bytes)))
            }
            return nil
        }
        packet.data = data
        for addition in block.additions {
            var bytes: [UInt8] = []
            bytes.appendBigEndian(addition.id)
            packet.sideData.append(SideData(.blockAdditional, bytes + addition.data))
        }
        return nil
    }

    private func lost(
        _ code: String, _ message: String, _ block: StoredBlock, _ time: Timestamp?
    ) -> Diagnostic {
        Diagnostic(
            .error, code, message, streamIndex: streamIndex, time: time,
            byteOffset: block.position)
    }
}
