internal import UndertextCore

/// Reads closed captions in the user data of video as triplets of `cc_data` (ANSI/SCTE 128, section 8.2).
///
/// ATSC A/53 Part 4, section 6.2.3 (`cc_data`), ITU-T T.35 in SEI messages (ITU-T H.264 and H.265, D.1.6) and in AV1
/// metadata, line 21 of DVDs, and SCTE 20. Triplets that are not valid are left out.
struct CaptionUserData {
    /// The triplets so far: marker bits with `cc_valid` and `cc_type`, and two bytes.
    private(set) var triplets: [UInt8] = []
    /// `true` if the triplets belong to all frames of a group of pictures, as on DVDs.
    private(set) var isOfGroup = false
    /// `true` if there were fewer bytes than the captions state.
    private(set) var isCutOff = false

    /// `cc_valid` and the bits before it.
    private static let marker: UInt8 = 0xFC

    var isEmpty: Bool { triplets.isEmpty && !isCutOff }

    /// Adds the messages of an SEI NAL unit, without its header.
    mutating func addSEI(_ unit: ArraySlice<UInt8>) {
        // Most units hold no user data; looking costs less than copying.
        guard unit.contains(0xB5) else { return }
        var reader = ByteReader(withoutEmulationPrevention(unit))
        // The last byte holds the trailing bits.
        while reader.remaining > 2 {
            guard let type = Self.seiNumber(&reader), let size = Self.seiNumber(&reader) else {
                return
            }
            let payload = reader.slice(size)
            if type == 4 { addT35(payload ?? reader.rest()) }
            if payload == nil { return }
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

    /// Adds an OBU_METADATA of type METADATA_TYPE_ITUT_T35.
    mutating func addMetadata(_ payload: ArraySlice<UInt8>) {
        guard payload.first == 4 else { return }
        addT35(payload.dropFirst())
    }

    /// `itu_t_t35_country_code` of the United States and the provider code of ATSC, then its data.
    private mutating func addT35(_ payload: ArraySlice<UInt8>) {
        guard payload.starts(with: [0xB5, 0x00, 0x31]) else { return }
        addATSC(payload.dropFirst(3))
    }

    /// Adds user data of MPEG video.
    mutating func addMPEG(_ data: ArraySlice<UInt8>, topFieldFirst: Bool) {
        if data.starts(with: [0x43, 0x43, 0x01, 0xF8]) {
            addDVDBlocks(data.dropFirst(4))
        } else if data.first == 0x03, let flags = data.dropFirst().first, flags & 0x7F == 0x01 {
            addSCTE20(data.dropFirst(2), topFieldFirst)
        } else {
            addATSC(data)
        }
    }

    /// ATSC A/53 Part 4, section 6.2.3: `GA94`, `user_data_type_code` 3, `cc_data`.
    private mutating func addATSC(_ data: ArraySlice<UInt8>) {
        guard data.starts(with: [0x47, 0x41, 0x39, 0x34, 0x03]) else { return }
        var reader = ByteReader(data.dropFirst(5))
        guard let flags = reader.uint8(), reader.skip(1) else {
            isCutOff = true
            return
        }
        guard flags & 0x40 != 0 else { return }
        for _ in 0..<flags & 0x1F {
            guard let header = reader.uint8(), let first = reader.uint8(),
                let second = reader.uint8()
            else {
                isCutOff = true
                return
            }
            if header & 0x04 != 0 { append(header & 3, first, second) }
        }
    }

    /// Line 21 of a DVD: a count, then a marker of the field and a pair for each field.
    private mutating func addDVDBlocks(_ data: ArraySlice<UInt8>) {
        var reader = ByteReader(data)
        guard reader.skip(1) else { return }
        isOfGroup = true
        while let marker = reader.uint8(), marker | 1 == 0xFF, let first = reader.uint8(),
            let second = reader.uint8()
        {
            append(marker == 0xFF ? 0 : 1, first, second)
        }
    }

    /// SCTE 20, table 2: a count of 5 bits, then 26 bits for each pair, its bytes low bit first.
    private mutating func addSCTE20(_ data: ArraySlice<UInt8>, _ topFieldFirst: Bool) {
        var bits = BitCursor(data)
        guard let count = bits.next(5) else { return }
        for _ in 0..<count {
            guard bits.next(2) != nil, let field = bits.next(2), bits.next(5) != nil,
                let first = bits.next(8), let second = bits.next(8), bits.next(1) != nil
            else {
                isCutOff = true
                return
            }
            // 0 is forbidden; 1 and 3 are the field that is shown first and its repetition.
            guard field != 0 else { continue }
            append((field == 2) == topFieldFirst ? 1 : 0, reversed(first), reversed(second))
        }
    }

    private mutating func append(_ type: UInt8, _ first: UInt8, _ second: UInt8) {
        triplets += [Self.marker | type, first, second]
    }
}

/// The low byte of `value`, its bits in the other order.
private func reversed(_ value: UInt32) -> UInt8 {
    var result: UInt8 = 0
    for bit in 0..<8 where value & 1 << UInt32(bit) != 0 { result |= 0x80 >> UInt8(bit) }
    return result
}
