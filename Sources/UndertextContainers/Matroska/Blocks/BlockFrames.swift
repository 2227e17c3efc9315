/// The frames of a Block or SimpleBlock (RFC 9559, section 10).
struct BlockFrames: Hashable, Sendable {
    /// The block header before the frames.
    var header: BlockHeader
    /// The frames, as stored.
    var frames: [ArraySlice<UInt8>]

    /// Reads the data of a block; `nil` if it is damaged.
    init?(_ data: ArraySlice<UInt8>) {
        guard let header = BlockHeader(data) else { return nil }
        self.header = header
        let rest = data[(data.startIndex + header.length)...]
        guard let frames = Self.split(rest, lacing: header.flags >> 1 & 3) else { return nil }
        self.frames = frames
    }

    /// The frames of `data` by the lacing of the block (sections 10.3.2 to 10.3.4).
    private static func split(_ data: ArraySlice<UInt8>, lacing: UInt8) -> [ArraySlice<UInt8>]? {
        guard lacing != 0 else { return [data] }
        guard let last = data.first else { return nil }
        let count = Int(last) + 1
        var position = data.startIndex + 1
        let sizes: [Int]?
        switch lacing {
        case 1: sizes = xiphSizes(data, &position, count: count)
        case 2:
            let room = data.endIndex - position
            sizes = room % count == 0 ? Array(repeating: room / count, count: count) : nil
        default: sizes = ebmlSizes(data, &position, count: count)
        }
        guard let sizes else { return nil }
        var frames: [ArraySlice<UInt8>] = []
        for size in sizes {
            guard size >= 0, size <= data.endIndex - position else { return nil }
            frames.append(data[position..<position + size])
            position += size
        }
        return frames
    }

    /// Sizes as sums of bytes, 255 meaning that more follows; the last frame takes the rest.
    private static func xiphSizes(
        _ data: ArraySlice<UInt8>, _ position: inout Int, count: Int
    ) -> [Int]? {
        var sizes: [Int] = []
        var total = 0
        for _ in 1..<max(1, count) {
            var size = 0
            while true {
                guard position < data.endIndex else { return nil }
                let byte = data[position]
                position += 1
                size += Int(byte)
                if byte < 255 { break }
            }
            sizes.append(size)
            total += size
        }
        return sizes + [data.endIndex - position - total]
    }

    /// A first size and differences; the last frame takes the rest.
    private static func ebmlSizes(
        _ data: ArraySlice<UInt8>, _ position: inout Int, count: Int
    ) -> [Int]? {
        guard count > 1 else { return [data.endIndex - position] }
        var sizes: [Int] = []
        var size: Int64 = 0
        var total: Int64 = 0
        for place in 0..<count - 1 {
            guard let number = variableInteger(data, &position) else { return nil }
            let bias: Int64 = place == 0 ? 0 : (1 << Int64(7 * number.length - 1)) - 1
            // Numbers have 56 bits at most and there are 255 of them: this cannot overflow.
            size += Int64(number.value) - bias
            total += size
            guard size >= 0, total <= Int64(data.count) else { return nil }
            sizes.append(Int(size))
        }
        return sizes + [data.endIndex - position - Int(total)]
    }
}

/// The header of a Block or SimpleBlock (RFC 9559, section 10.1).
struct BlockHeader: Hashable, Sendable {
    /// TrackNumber.
    var track: UInt64
    /// Ticks from the cluster's timestamp.
    var time: Int16
    /// Key frame (0x80, SimpleBlock only), invisible, lacing, discardable.
    var flags: UInt8
    /// Bytes that this takes.
    var length: Int

    /// Reads the start of a block's data; `nil` if it is too short.
    init?(_ data: ArraySlice<UInt8>) {
        let bytes = data.span
        var position = 0
        guard let track = variableInteger(bytes, &position, end: bytes.count),
            bytes.count - position >= 3
        else { return nil }
        self.track = track.value
        time = Int16(bitPattern: UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1]))
        flags = bytes[position + 2]
        length = position + 3
    }

    /// `true` if the block has several frames, or states how many.
    var isLaced: Bool { flags & 0x06 != 0 }
}
