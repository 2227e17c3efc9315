/// The start time of packed audio (audio without a container), from the ID3 tag before it.
///
/// RFC 8216, section 3.4; ID3v2.3 and ID3v2.4, sections 3 and 4.
enum PackedAudioTime {
    private static let owner = Array("com.apple.streaming.transportStreamTimestamp\0".utf8)
    private static let headerLength = 10

    /// Ticks of 90 kHz, 33 bits; `nil` where `bytes` do not begin with such a tag.
    static func first(of bytes: ArraySlice<UInt8>) -> Int64? {
        var rest = bytes
        // There may be further tags before it.
        while rest.starts(with: "ID3".utf8), rest.count >= headerLength {
            let header = Array(rest.prefix(headerLength))
            guard let size = number(header[6..<10], bits: 7) else { return nil }
            let tag = rest.dropFirst(headerLength).prefix(size)
            if let time = time(in: tag, version: header[3], hasMore: header[5] & 0x40 != 0) {
                return time
            }
            rest = rest.dropFirst(headerLength + size)
        }
        return nil
    }

    private static func time(in tag: ArraySlice<UInt8>, version: UInt8, hasMore: Bool) -> Int64? {
        guard version == 3 || version == 4 else { return nil }
        var rest = tag
        // Only ID3v2.4 has sizes of seven bits a byte in its frames, and counts those of its extended header.
        let bits = version == 4 ? 7 : 8
        if hasMore {
            guard let size = number(rest.prefix(4), bits: bits) else { return nil }
            rest = rest.dropFirst(version == 4 ? max(4, size) : 4 + size)
        }
        while rest.count >= headerLength {
            let name = rest.prefix(4)
            guard let size = number(rest.dropFirst(4).prefix(4), bits: bits) else { return nil }
            let frame = rest.dropFirst(headerLength).prefix(size)
            if name.elementsEqual("PRIV".utf8), frame.starts(with: owner) {
                let time = frame.dropFirst(owner.count).prefix(8)
                guard time.count == 8 else { return nil }
                let value = time.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                return Int64(truncatingIfNeeded: value) & (TimestampMap.period - 1)
            }
            rest = rest.dropFirst(headerLength + size)
        }
        return nil
    }

    /// Four bytes; `nil` where a bit is set that may not be.
    private static func number(_ bytes: ArraySlice<UInt8>, bits: Int) -> Int? {
        guard bytes.count == 4, bits == 8 || bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes.reduce(0) { $0 << bits | Int($1) }
    }
}
