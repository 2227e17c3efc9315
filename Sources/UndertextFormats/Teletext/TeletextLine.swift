/// A packet of teletext as it is sent in one line of a field: its address and 40 bytes.
///
/// EN 300 706, section 7.1. "Packet" is a packet of the container everywhere else.
struct TeletextLine: Hashable {
    /// The magazine, 1 to 8.
    var magazine: Int
    /// The packet number, 0 to 31: up to 25 it is the row of the page.
    var row: Int
    /// The bytes after the address, the bit that is sent first least significant.
    var bytes: ArraySlice<UInt8>

    /// Bytes of a line, with the two of its address.
    static let byteCount = 42

    /// The line of 42 bytes; `nil` if its address is damaged.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.byteCount,
            let low = TeletextCoding.hamming8(bytes[bytes.startIndex]),
            let high = TeletextCoding.hamming8(bytes[bytes.startIndex + 1])
        else { return nil }
        magazine = low & 7 == 0 ? 8 : Int(low & 7)
        row = Int(low >> 3 | high << 1)
        self.bytes = bytes.dropFirst(2)
    }

    /// The four bits of a byte of Hamming 8/4.
    func nibble(_ index: Int) -> UInt8? {
        TeletextCoding.hamming8(bytes[bytes.startIndex + index])
    }

    /// The 13 triplets after the first byte, which is a designation code; `nil` for damaged ones.
    var triplets: [UInt32?] {
        stride(from: bytes.startIndex + 1, to: bytes.endIndex - 2, by: 3).map {
            TeletextCoding.hamming24(bytes[$0], bytes[$0 + 1], bytes[$0 + 2])
        }
    }
}

/// The data units of a PES packet.
///
/// EN 300 472, section 4.
struct TeletextDataUnits {
    /// The lines, without those that are damaged.
    private(set) var lines: [TeletextLine] = []
    /// Data units whose line cannot be read.
    private(set) var damagedCount = 0
    /// `true` if the packet ends within a data unit.
    private(set) var isTruncated = false
    /// `true` if the packet is none of teletext.
    private(set) var isForeign = false

    private static let framingCode: UInt8 = 0xE4
    /// The length of the data field of all data units: parity and line, framing code, and the line.
    private static let length = 2 + TeletextLine.byteCount

    /// Reads the payload of a PES packet.
    init(_ data: [UInt8]) {
        guard let identifier = data.first else { return }
        // EN 301 775, section 4.4.1: from 0x99 on there are data units of other lengths, too.
        let hasFixedLength = (0x10...0x1F).contains(identifier)
        guard hasFixedLength || (0x99...0x9B).contains(identifier) else {
            isForeign = true
            return
        }
        var offset = 1
        while offset + 2 <= data.count {
            let unit = data[offset]
            let length = hasFixedLength ? Self.length : Int(data[offset + 1])
            let body = data[(offset + 2)...].prefix(length)
            offset += 2 + length
            guard body.count == length else {
                isTruncated = true
                break
            }
            if unit == 0x02 || unit == 0x03 { add(body) }
        }
        if offset + 1 == data.count { isTruncated = true }
    }

    private mutating func add(_ body: ArraySlice<UInt8>) {
        guard body.count >= Self.length,
            (body[body.startIndex + 1] ^ Self.framingCode).nonzeroBitCount <= 1,
            let line = TeletextLine(
                body.dropFirst(2).prefix(TeletextLine.byteCount).map(TeletextCoding.reversed)[...])
        else {
            damagedCount += 1
            return
        }
        lines.append(line)
    }
}
