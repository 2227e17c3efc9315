internal import UndertextCore

/// The first block of each track, found in the beginning of the clusters.
///
/// It ends, and knows nothing, at anything that a damaged or an unusual file may have there.
struct FirstBlocks {
    /// The first block of a track.
    struct Found: Hashable, Sendable {
        /// The time in ticks, without the delay of the codec.
        var time: Int64
        /// The data of the block, which may be cut off after some kilobytes.
        var data: ArraySlice<UInt8>
        /// The length of the block's data in the file.
        var size: Int
        /// The blocks of the track that were passed.
        var count = 1
    }

    /// By TrackNumber.
    private(set) var blocks: [UInt64: Found] = [:]
    /// The bytes of the blocks that were passed, as stored, without their headers.
    private var passed: UInt64 = 0

    private let window: SourceWindow
    private let end: UInt64
    private let wanted: Set<UInt64>
    private let whole: Set<UInt64>
    private var here: UInt64
    private var cluster: (end: UInt64, time: UInt64?)?
    private var room = Self.elementsAtMost
    private let limit: UInt64

    /// Elements that are examined: two seconds of video and of several tracks of audio.
    private static let elementsAtMost = 2000
    /// The span of the file in which blocks are found; libavformat examines 5,000,000 bytes of packets.
    private static let span: UInt64 = 4_000_000
    /// Bytes of a block that are read: more than any header before the first slice or sample.
    private static let headSize = 4096
    /// Bytes of a block that are read of a track whose blocks must be whole.
    private static let wholeSize = 1 << 20

    /// Prepares a search for the first blocks of the tracks `wanted`; the blocks of `whole` are read to their end.
    init?(
        of wanted: Set<UInt64>, whole: Set<UInt64>, layout: SegmentLayout, window: SourceWindow,
        span: UInt64 = Self.span
    ) {
        guard layout.firstUnknown == nil, let first = layout.firstCluster, !window.isForward else {
            return nil
        }
        self.window = window
        self.wanted = wanted
        self.whole = whole
        here = first.start
        end = layout.end
        let (limit, overflow) = first.start.addingReportingOverflow(span)
        guard !overflow else { return nil }
        self.limit = limit
    }

    /// Goes on until each wanted track had `count` blocks.
    ///
    /// - Returns: `false` if that is not so in the beginning of the file.
    /// - Throws: `UndertextError` of the source.
    mutating func find(_ counts: [UInt64: Int]) throws(UndertextError) -> Bool {
        while counts.contains(where: { blocks[$0.key]?.count ?? 0 < $0.value }) {
            guard room > 0, here < limit, here < end, try step() else { return false }
            room -= 1
        }
        return true
    }

    /// Returns `true` if the blocks before `position` have that many bytes.
    ///
    /// - Throws: `UndertextError` of the source.
    mutating func pass(_ bytes: UInt64, before position: UInt64) throws(UndertextError) -> Bool {
        while passed < bytes {
            guard room > 0, here < limit, here < position, try step() else { return false }
            room -= 1
        }
        return true
    }

    /// Takes one element; `false` at anything unusual.
    private mutating func step() throws(UndertextError) -> Bool {
        if let cluster, here >= cluster.end {
            guard here == cluster.end else { return false }
            self.cluster = nil
        }
        let parentEnd = cluster?.end ?? end
        guard let header = try window.element(at: here, before: parentEnd, ahead: 64),
            let next = header.end, next <= parentEnd
        else { return false }
        guard cluster != nil else {
            switch header.id {
            case .cluster:
                cluster = (next, nil)
                here = header.dataStart
            case .void, .crc32, .cues, .tags, .seekHead: here = next
            default: return false
            }
            return true
        }
        switch header.id {
        case .timestamp:
            guard cluster?.time == nil, next - header.dataStart <= 8 else { return false }
            let data = try window.bytes(
                at: header.dataStart, count: Int(next - header.dataStart))
            cluster?.time = data.reduce(0) { $0 << 8 | UInt64($1) }
        case .simpleBlock: guard try take(header) else { return false }
        case .blockGroup:
            guard let block = try block(in: header), try take(block) else { return false }
        case .position, .prevSize, .void, .crc32: break
        default: return false
        }
        here = next
        return true
    }

    /// The Block of a BlockGroup, which is its first element.
    private func block(in group: ElementHeader) throws(UndertextError) -> ElementHeader? {
        guard let end = group.end,
            let block = try window.element(at: group.dataStart, before: end),
            block.id == .block, let next = block.end, next <= end
        else { return nil }
        return block
    }

    private mutating func take(_ block: ElementHeader) throws(UndertextError) -> Bool {
        guard let size = block.size.flatMap({ Int(exactly: $0) }), let cluster = cluster?.time,
            let clusterTime = Int64(exactly: cluster), clusterTime < 1 << 48,
            let header = BlockHeader(
                try window.bytes(at: block.dataStart, count: min(size, 16)))
        else { return false }
        let time = clusterTime + Int64(header.time)
        guard time >= 0 else { return false }
        passed += UInt64(max(0, size - header.length))
        guard wanted.contains(header.track) else { return true }
        if blocks[header.track] != nil {
            blocks[header.track]?.count += 1
            return true
        }
        let isWhole = whole.contains(header.track) || header.isLaced
        guard !isWhole || size <= Self.wholeSize else { return false }
        let count = isWhole ? size : min(size, Self.headSize)
        let data = try window.bytes(at: block.dataStart, count: count)
        guard data.count == count else { return false }
        blocks[header.track] = Found(time: time, data: data, size: size)
        return true
    }
}

extension FirstBlocks.Found {
    /// The first frame with its encodings undone, and its length; the frame may be cut off.
    ///
    /// - Returns: `nil` if the block or the encoding is damaged.
    func frame(_ track: TrackEntry) -> (bytes: ArraySlice<UInt8>, size: Int)? {
        guard let header = BlockHeader(data) else { return nil }
        guard track.encodings.isEmpty, !header.isLaced else {
            guard data.count == size, let first = BlockFrames(data)?.frames.first,
                let decoded = track.encodings.decodeFrame(first, limit: 1 << 20)
            else { return nil }
            return (decoded[...], decoded.count)
        }
        return (data.dropFirst(header.length), size - header.length)
    }
}
