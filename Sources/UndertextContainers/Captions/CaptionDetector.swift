package import UndertextCore

/// Finds closed captions in the packets of a video stream without decoding a frame.
///
/// Only start codes, NAL unit headers and OBU headers are read, and of the payload only user data:
/// ATSC A/53 Part 4, section 6.2.3 (`cc_data`), ITU-T T.35 in SEI messages (ITU-T H.264 and H.265, D.1.6)
/// and in AV1 metadata, DVD line 21, and SCTE 20. Padding does not count as captions.
package struct CaptionDetector: Sendable {
    /// What was found so far.
    package private(set) var captions: VideoCaptions = []

    private enum Syntax {
        case mpegVideo
        case h264
        case hevc
        case av1
    }

    private let syntax: Syntax

    /// A detector for a codec; `nil` if video of that codec carries no captions.
    package init?(codec: CodecID) {
        switch codec.rawValue {
        case "mpeg1video", "mpeg2video": syntax = .mpegVideo
        case "h264": syntax = .h264
        case "hevc": syntax = .hevc
        case "av1": syntax = .av1
        default: return nil
        }
    }

    /// Looks into a packet, which holds an access unit or a part of one.
    package mutating func add(_ packet: [UInt8]) {
        switch syntax {
        case .mpegVideo:
            for unit in StartCodeUnits(packet) where unit.first == 0xB2 {
                addMPEGUserData(unit.dropFirst())
            }
        case .h264:
            for unit in nalUnits(packet) where (unit.first ?? 0) & 0x1F == 6 {
                addSEI(unit.dropFirst())
            }
        case .hevc:
            // Prefix SEI.
            for unit in nalUnits(packet) where (unit.first ?? 0) >> 1 & 0x3F == 39 {
                addSEI(unit.dropFirst(2))
            }
        case .av1: addOBUs(packet)
        }
    }

    // MARK: Units

    /// The NAL units of a packet, by start codes (Annex B) or by lengths of 4, 2 or 1 byte.
    private func nalUnits(_ packet: [UInt8]) -> [ArraySlice<UInt8>] {
        if packet.starts(with: [0, 0, 1]) || packet.starts(with: [0, 0, 0, 1]) {
            return Array(StartCodeUnits(packet))
        }
        for size in [4, 2, 1] {
            if let units = Self.unitsByLength(packet, lengthSize: size) { return units }
        }
        return Array(StartCodeUnits(packet))
    }

    /// `nil` if the lengths do not lead to the end of the packet.
    private static func unitsByLength(
        _ packet: [UInt8], lengthSize: Int
    ) -> [ArraySlice<UInt8>]? {
        var reader = ByteReader(packet)
        var units: [ArraySlice<UInt8>] = []
        while !reader.isAtEnd {
            guard let length = reader.unsigned(lengthSize), length > 0,
                let unit = Int(exactly: length).flatMap({ reader.slice($0) })
            else { return nil }
            units.append(unit)
        }
        return units
    }

    /// Open bitstream units in the low-overhead format (AV1 specification, section 5.3).
    private mutating func addOBUs(_ packet: [UInt8]) {
        var reader = ByteReader(packet)
        while let header = reader.uint8() {
            if header & 0x04 != 0, !reader.skip(1) { return }
            var payload: ArraySlice<UInt8>
            if header & 0x02 != 0 {
                guard let size = Self.leb128(&reader), let slice = reader.slice(size) else {
                    return
                }
                payload = slice
            } else {
                payload = reader.rest()
            }
            // OBU_METADATA of type METADATA_TYPE_ITUT_T35.
            guard header >> 3 & 0x0F == 5, payload.first == 4 else { continue }
            payload = payload.dropFirst()
            addT35(payload)
        }
    }

    private static func leb128(_ reader: inout ByteReader) -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard let byte = reader.uint8() else { return nil }
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    /// The messages of an SEI NAL unit after its header.
    private mutating func addSEI(_ unit: ArraySlice<UInt8>) {
        var reader = ByteReader(withoutEmulationPrevention(unit))
        // The last byte holds the trailing bits.
        while reader.remaining > 2 {
            guard let type = Self.seiNumber(&reader), let size = Self.seiNumber(&reader),
                let payload = reader.slice(size)
            else { return }
            if type == 4 { addT35(payload) }
        }
    }

    /// A number in bytes of 255 and one below.
    private static func seiNumber(_ reader: inout ByteReader) -> Int? {
        var value = 0
        while let byte = reader.uint8() {
            value += Int(byte)
            if byte != 0xFF { return value }
        }
        return nil
    }

    // MARK: User data

    /// `itu_t_t35_country_code` of the United States and the provider code of ATSC, then its data.
    private mutating func addT35(_ payload: ArraySlice<UInt8>) {
        guard payload.starts(with: [0xB5, 0x00, 0x31]) else { return }
        addATSC(payload.dropFirst(3))
    }

    private mutating func addMPEGUserData(_ data: ArraySlice<UInt8>) {
        if data.starts(with: [0x43, 0x43, 0x01, 0xF8]) {
            addDVDBlocks(data.dropFirst(4))
        } else if data.starts(with: [0x03, 0x81]) {
            addSCTE20(data.dropFirst(2))
        } else {
            addATSC(data)
        }
    }

    /// ATSC A/53 Part 4, section 6.2.3: `GA94`, `user_data_type_code` 3, `cc_data`.
    private mutating func addATSC(_ data: ArraySlice<UInt8>) {
        guard data.starts(with: [0x47, 0x41, 0x39, 0x34, 0x03]) else { return }
        var reader = ByteReader(data.dropFirst(5))
        guard let flags = reader.uint8(), flags & 0x40 != 0, reader.skip(1) else { return }
        for _ in 0..<flags & 0x1F {
            guard let header = reader.uint8(), let first = reader.uint8(),
                let second = reader.uint8()
            else { return }
            guard header & 0x04 != 0 else { continue }
            if header & 0x02 != 0 {
                captions.insert(.cea708)
            } else {
                addPair(first, second)
            }
        }
    }

    /// Line 21 of a DVD: a count, then a marker of the field and a pair for each field.
    private mutating func addDVDBlocks(_ data: ArraySlice<UInt8>) {
        var reader = ByteReader(data)
        guard reader.skip(1) else { return }
        while let marker = reader.uint8(), marker | 1 == 0xFF, let first = reader.uint8(),
            let second = reader.uint8()
        {
            addPair(first, second)
        }
    }

    /// SCTE 20, table 2: a count of 5 bits, then 26 bits for each pair, its bytes low bit first.
    private mutating func addSCTE20(_ data: ArraySlice<UInt8>) {
        var bits = BitCursor(data)
        guard let count = bits.next(5) else { return }
        for _ in 0..<count {
            guard bits.next(9) != nil, let first = bits.next(8), let second = bits.next(8),
                bits.next(1) != nil
            else { return }
            addPair(reversed(first), reversed(second))
        }
    }

    /// Two bytes of CEA-608; zeros, whatever their parity, are padding.
    private mutating func addPair(_ first: UInt8, _ second: UInt8) {
        if first & 0x7F != 0 || second & 0x7F != 0 { captions.insert(.cea608) }
    }
}

/// The bytes of a NAL unit without `emulation_prevention_three_byte`.
private func withoutEmulationPrevention(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(unit.count)
    var zeros = 0
    for byte in unit {
        if zeros >= 2, byte == 3 {
            zeros = 0
            continue
        }
        zeros = byte == 0 ? zeros + 1 : 0
        bytes.append(byte)
    }
    return bytes
}

private func reversed(_ byte: UInt8) -> UInt8 {
    var result: UInt8 = 0
    for bit in 0..<8 where byte & 1 << bit != 0 { result |= 0x80 >> bit }
    return result
}

/// What follows each start code `00 00 01`, up to the next one.
private struct StartCodeUnits: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var start: Int?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        start = Self.afterStartCode(in: bytes, from: 0)
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let begin = start else { return nil }
        start = Self.afterStartCode(in: bytes, from: begin)
        return bytes[begin..<(start.map { $0 - 3 } ?? bytes.count)]
    }

    private static func afterStartCode(in bytes: [UInt8], from offset: Int) -> Int? {
        var index = offset + 2
        while index < bytes.count {
            // A byte above 1 rules out three places.
            if bytes[index] > 1 {
                index += 3
            } else if bytes[index] == 1, bytes[index - 1] == 0, bytes[index - 2] == 0 {
                return index + 1
            } else {
                index += 1
            }
        }
        return nil
    }
}

/// Bits of bytes, most significant first.
private struct BitCursor {
    private let bytes: ArraySlice<UInt8>
    private var offset = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The next `count` bits, of which the last eight count; `nil` if fewer are left.
    mutating func next(_ count: Int) -> UInt8? {
        guard offset + count <= bytes.count * 8 else { return nil }
        var value: UInt8 = 0
        for _ in 0..<count {
            let byte = bytes[bytes.startIndex + offset / 8]
            value = value << 1 | byte >> (7 - UInt8(offset % 8)) & 1
            offset += 1
        }
        return value
    }
}
