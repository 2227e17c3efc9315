/// The bytes of an element: identifier, size in eight bytes or fewer, data.
func element(_ id: UInt32, _ data: [UInt8], sizeLength: Int = 8) -> [UInt8] {
    var bytes = idBytes(id)
    bytes += bigEndian(UInt64(data.count) | 1 << UInt64(7 * sizeLength), sizeLength)
    return bytes + data
}

/// An element of unknown size.
func endless(_ id: UInt32, _ data: [UInt8]) -> [UInt8] { idBytes(id) + [0xFF] + data }

/// An element that holds an unsigned integer of eight bytes.
func number(_ id: UInt32, _ value: UInt64) -> [UInt8] { element(id, bigEndian(value, 8)) }

/// An element that holds a text.
func text(_ id: UInt32, _ value: String) -> [UInt8] { element(id, Array(value.utf8)) }

private func idBytes(_ id: UInt32) -> [UInt8] {
    bigEndian(UInt64(id), (39 - id.leadingZeroBitCount) / 8)
}

private func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
}

/// A small Matroska file, written byte by byte.
struct SampleFile {
    /// A block as an element, and what the index says of it.
    struct Block {
        var element: [UInt8]
        var track: UInt64 = 1
        /// The time in the index.
        var time: UInt64
        var isIndexed = true
        /// Added to the place in the index.
        var shift: UInt64 = 0
        var cueDuration: UInt64?
    }

    /// A cluster at a time.
    struct Cluster {
        var time: UInt64
        var blocks: [Block]
        var hasUnknownSize = false
        /// The number of bytes in which the size is written.
        var sizeLength = 8
    }

    var header = SampleFile.ebmlHeader()
    var tracks: [[UInt8]] = [SampleFile.track()]
    var clusters: [Cluster] = []
    var muxingApp = "Lavf59.27.100"
    var writingApp = "Lavf59.27.100"
    /// Bytes after the tracks.
    var extra: [UInt8] = []
    /// Bytes after the clusters, before the index.
    var trailer: [UInt8] = []
    var hasUnknownSize = false
    var hasCues = true
    /// The contents of the index instead of the entries of the blocks.
    var cueData: [UInt8]?

    /// Adds a track, not indexed, with a block of `size` bytes at the start of each cluster.
    mutating func addLeadingBlocks(track: UInt8, size: Int) {
        tracks.append(SampleFile.track(number: UInt64(track)))
        let data = SampleFile.block([UInt8](repeating: 0, count: size), track: track)
        for place in clusters.indices {
            clusters[place].blocks.insert(
                .init(
                    element: element(0xA3, data), track: UInt64(track), time: 0, isIndexed: false),
                at: 0)
        }
    }

    static func ebmlHeader(_ extra: [UInt8] = [], docType: String = "matroska") -> [UInt8] {
        element(0x1A45_DFA3, text(0x4282, docType) + extra)
    }

    /// A TrackEntry.
    static func track(
        number track: UInt64 = 1, codec: String = "S_TEXT/UTF8", _ extra: [UInt8] = []
    ) -> [UInt8] {
        element(
            0xAE,
            number(0xD7, track) + number(0x73C5, track &+ 100) + number(0x83, 17)
                + text(0x86, codec) + extra)
    }

    /// The data of a Block: track, relative time, flags, frames.
    static func block(
        _ frames: [UInt8], track: UInt8 = 1, at time: Int16 = 0, flags: UInt8 = 0
    ) -> [UInt8] {
        let ticks = UInt16(bitPattern: time)
        return [0x80 | track, UInt8(ticks >> 8), UInt8(ticks & 255), flags] + frames
    }

    /// A BlockGroup around a block's data.
    static func group(_ block: [UInt8], duration: UInt64? = nil, _ extra: [UInt8] = []) -> [UInt8] {
        element(0xA0, element(0xA1, block) + (duration.map { number(0x9B, $0) } ?? []) + extra)
    }

    /// A file of `count` subtitles of two tracks in clusters of four seconds.
    static func plain(_ count: Int = 8) -> SampleFile {
        var file = SampleFile()
        file.tracks.append(track(number: 2))
        for index in 0..<count {
            let time = UInt64(index) * 1000
            if index % 4 == 0 { file.clusters.append(Cluster(time: time, blocks: [])) }
            let relative = Int16(index % 4 * 1000)
            for track in [1, 2] as [UInt8] {
                let frame = Array("cue \(index) of \(track)".utf8)
                let data = block(frame, track: track, at: relative)
                file.clusters[index / 4].blocks.append(
                    Block(element: group(data, duration: 500), track: UInt64(track), time: time))
            }
        }
        return file
    }

    /// The file.
    var bytes: [UInt8] {
        let info = element(
            0x1549_A966,
            number(0x2AD7B1, 1_000_000) + text(0x4D80, muxingApp) + text(0x5741, writingApp))
        let head = info + element(0x1654_AE6B, tracks.flatMap { $0 }) + extra
        // One SeekHead entry, for the index; its length does not depend on the position.
        let seekHead = SampleFile.seekHead([(0x1C53_BB6B, 0)])
        var body: [UInt8] = []
        var cues: [UInt8] = []
        for cluster in clusters {
            let position = UInt64(seekHead.count + head.count + body.count)
            var data = number(0xE7, cluster.time)
            for block in cluster.blocks {
                if block.isIndexed {
                    let place = UInt64(data.count) + block.shift
                    cues += SampleFile.cue(
                        time: block.time, track: block.track, cluster: position, relative: place,
                        duration: block.cueDuration)
                }
                data += block.element
            }
            let isEndless = cluster.hasUnknownSize
            body +=
                isEndless
                ? endless(0x1F43_B675, data)
                : element(0x1F43_B675, data, sizeLength: cluster.sizeLength)
        }
        body += trailer
        let cuesPosition = UInt64(seekHead.count + head.count + body.count)
        var segment = SampleFile.seekHead([(0x1C53_BB6B, cuesPosition)]) + head + body
        if hasCues { segment += element(0x1C53_BB6B, cueData ?? cues) }
        return header
            + (hasUnknownSize ? endless(0x1853_8067, segment) : element(0x1853_8067, segment))
    }

    /// A SeekHead of identifiers and positions.
    static func seekHead(_ entries: [(id: UInt32, position: UInt64)]) -> [UInt8] {
        element(
            0x114D_9B74,
            entries.flatMap { entry in
                element(
                    0x4DBB,
                    element(0x53AB, bigEndian(UInt64(entry.id), 4))
                        + number(0x53AC, entry.position))
            })
    }

    /// A CuePoint.
    static func cue(
        time: UInt64, track: UInt64, cluster: UInt64, relative: UInt64?, duration: UInt64? = nil
    ) -> [UInt8] {
        var positions = number(0xF7, track) + number(0xF1, cluster)
        if let relative { positions += number(0xF0, relative) }
        if let duration { positions += number(0xB2, duration) }
        return element(0xBB, number(0xB3, time) + element(0xB7, positions))
    }
}
