internal import UndertextCore

/// A PES packet of an MPEG program stream.
struct ProgramPacket {
    /// The start of its pack, or of the packet if it is not the first one of a pack.
    var position: UInt64
    /// The stream_id, ISO/IEC 13818-1, table 2-22.
    var streamID: UInt8
    /// The presentation time stamp, 33 bits.
    var pts: Int64?
    /// The bytes after the header.
    var payload: ArraySlice<UInt8>

    /// The number of a DVD's sub-picture stream, 0 to 31; `nil` for other streams.
    var subPicture: Int? {
        guard streamID == 0xBD, let number = payload.first, (0x20...0x3F).contains(number) else {
            return nil
        }
        return Int(number) - 0x20
    }
}

/// Goes from PES packet to PES packet of a program stream of MPEG-1 or MPEG-2.
struct ProgramStreamCursor {
    /// The offset at which the next packet is searched for.
    private(set) var offset: UInt64
    /// Bytes that belong to no packet and are no stuffing.
    private(set) var skipped: UInt64 = 0
    /// `true` if the last packet ends after the end of the file.
    private(set) var isCutOff = false

    /// The end of the search for packets; a packet that begins before it is read completely.
    var end: UInt64

    private let window: SourceWindow
    private var packStart: UInt64?

    /// Asked of the source at once.
    private static let ahead = 64 << 10

    init(_ window: SourceWindow, at offset: UInt64) {
        self.window = window
        self.offset = offset
        end = window.source.size ?? .max
    }

    /// The next packet; `nil` at the end.
    mutating func next() throws(UndertextError) -> ProgramPacket? {
        while true {
            guard offset < end else { return nil }
            let head = try bytes(6)
            guard head.count >= 4 else { return nil }
            guard head.starts(with: [0, 0, 1]), head[head.startIndex + 3] >= 0xB9 else {
                skip(head.prefix(1))
                guard try skipToStartCode() else { return nil }
                continue
            }
            let code = head[head.startIndex + 3]
            switch code {
            case 0xB9: offset += 4
            case 0xBA:
                packStart = offset
                guard try skipPackHeader() else { return nil }
            default:
                guard head.count == 6 else { return nil }
                if let packet = try packet(code, head) { return packet }
            }
        }
    }

    private func bytes(_ count: Int) throws(UndertextError) -> ArraySlice<UInt8> {
        try window.bytes(at: offset, count: count, ahead: Self.ahead)
    }

    private mutating func skip(_ bytes: ArraySlice<UInt8>) {
        offset += UInt64(bytes.count)
        for byte in bytes where byte != 0 && byte != 0xFF { skipped += 1 }
    }

    /// Looks for the next start code of a pack or a packet; `false` if there is none.
    private mutating func skipToStartCode() throws(UndertextError) -> Bool {
        while offset < end {
            let part = try bytes(4096)
            guard part.count >= 4 else {
                skip(part)
                return false
            }
            let found = part.indices.dropLast(3).first {
                part[$0] == 0 && part[$0 + 1] == 0 && part[$0 + 2] == 1 && part[$0 + 3] >= 0xB9
            }
            skip(part[..<(found ?? part.endIndex - 3)])
            if found != nil { return true }
        }
        return false
    }

    /// ISO/IEC 13818-1, section 2.5.3.3; ISO/IEC 11172-1, section 2.4.3.2.
    private mutating func skipPackHeader() throws(UndertextError) -> Bool {
        let head = try bytes(14)
        guard head.count > 4 else { return false }
        let mark = head[head.startIndex + 4]
        if mark & 0xC0 == 0x40, head.count == 14 {
            offset += 14 + UInt64(head[head.startIndex + 13] & 7)
        } else if mark & 0xF0 == 0x20, head.count >= 12 {
            offset += 12
        } else {
            offset += 4
            skipped += 4
        }
        return true
    }

    /// Reads a packet and moves after it; `nil` for one without anything for us.
    private mutating func packet(
        _ code: UInt8, _ head: ArraySlice<UInt8>
    ) throws(UndertextError) -> ProgramPacket? {
        let length = Int(head[head.startIndex + 4]) << 8 | Int(head[head.startIndex + 5])
        let position = packStart ?? offset
        packStart = nil
        guard code == 0xBD else {
            offset += 6 + UInt64(length)
            return ProgramPacket(position: position, streamID: code, pts: nil, payload: [])
        }
        let whole = try bytes(6 + length)
        isCutOff = whole.count < 6 + length
        offset += UInt64(whole.count)
        let (pts, payload) = PESHeader.split(whole.dropFirst(6))
        return ProgramPacket(position: position, streamID: code, pts: pts, payload: payload)
    }
}

/// The header of a PES packet after its length.
enum PESHeader {
    /// The presentation time stamp and what follows the header.
    ///
    /// ISO/IEC 13818-1, section 2.4.3.6; ISO/IEC 11172-1, section 2.4.3.3.
    static func split(_ packet: ArraySlice<UInt8>) -> (pts: Int64?, payload: ArraySlice<UInt8>) {
        var reader = ByteReader(packet)
        guard let first = packet.first else { return (nil, []) }
        if first & 0xC0 == 0x80 {
            guard reader.skip(1), let flags = reader.uint8(), let length = reader.uint8(),
                let header = reader.slice(Int(length))
            else { return (nil, []) }
            return (flags & 0x80 != 0 ? time(header) : nil, reader.rest())
        }
        // MPEG-1: stuffing, the size of the decoder's buffer, times.
        while reader.peek() == 0xFF { _ = reader.skip(1) }
        if let byte = reader.peek(), byte & 0xC0 == 0x40 { _ = reader.skip(2) }
        guard let mark = reader.peek() else { return (nil, []) }
        switch mark & 0xF0 {
        case 0x20, 0x30:
            guard let header = reader.slice(mark & 0xF0 == 0x20 ? 5 : 10) else { return (nil, []) }
            return (time(header), reader.rest())
        default:
            _ = reader.skip(1)
            return (nil, reader.rest())
        }
    }

    /// 33 bits with their markers.
    private static func time(_ header: ArraySlice<UInt8>) -> Int64? {
        guard header.count >= 5 else { return nil }
        let bytes = header.prefix(5).map(Int64.init)
        return (bytes[0] >> 1 & 7) << 30 | bytes[1] << 22 | (bytes[2] >> 1) << 15 | bytes[3] << 7
            | bytes[4] >> 1
    }
}
