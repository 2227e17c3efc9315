internal import UndertextCore

/// The units that follow each start code `00 00 01`, up to the next one.
struct StartCodeUnits: Sequence, IteratorProtocol {
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

    /// The offset after the next start code; `nil` if none follows.
    static func afterStartCode(in bytes: [UInt8], from offset: Int) -> Int? {
        let span = bytes.span
        var index = offset + 2
        while index < span.count {
            // A byte above 1 rules out three places.
            if span[index] > 1 {
                index += 3
            } else if span[index] == 1, span[index - 1] == 0, span[index - 2] == 0 {
                return index + 1
            } else {
                index += 1
            }
        }
        return nil
    }
}

/// The NAL units of an access unit, each after its length, as MP4 and Matroska store them.
struct LengthUnits: Sequence, IteratorProtocol {
    private var reader: ByteReader
    private let lengthSize: Int

    init(_ bytes: [UInt8], lengthSize: Int) {
        reader = ByteReader(bytes)
        self.lengthSize = lengthSize
    }

    mutating func next() -> ArraySlice<UInt8>? {
        while let length = reader.unsigned(lengthSize) {
            guard length > 0 else { continue }
            // A unit that is cut off still begins with its messages.
            return reader.slice(Int(clamping: length)) ?? reader.rest()
        }
        return nil
    }

    /// `true` if lengths of that size lead to the end of the bytes.
    static func fit(_ bytes: [UInt8], lengthSize: Int) -> Bool {
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            guard let length = reader.unsigned(lengthSize), length > 0,
                reader.skip(Int(clamping: length))
            else { return false }
        }
        return true
    }
}

/// The way in which a stream separates its NAL units.
enum UnitFraming: Sendable {
    /// Length prefixes of this many bytes.
    case lengths(Int)
    /// By start codes (ITU-T H.264 and H.265, annex B).
    case startCodes
    /// Detected in each packet.
    case unknown

    /// The framing that the header of a stream states: `avcC` or `hvcC` (ISO/IEC 14496-15) hold the size of lengths.
    init(codecPrivate: [UInt8], isHEVC: Bool) {
        let place = isHEVC ? 21 : 4
        guard codecPrivate.count > place, codecPrivate[0] == 1 else {
            self = codecPrivate.starts(with: [0, 0]) ? .startCodes : .unknown
            return
        }
        self = .lengths(Int(codecPrivate[place] & 3) + 1)
    }

    /// The same, where it is still unknown as these bytes look.
    func resolved(for bytes: [UInt8]) -> UnitFraming {
        guard case .unknown = self else { return self }
        if bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1]) {
            return .startCodes
        }
        let size = [4, 2, 1].first { LengthUnits.fit(bytes, lengthSize: $0) }
        return size.map(UnitFraming.lengths) ?? .startCodes
    }
}

/// Open bitstream units of AV1 in the low-overhead format (AV1 specification, section 5.3): type and payload.
struct OpenBitstreamUnits: Sequence, IteratorProtocol {
    private var reader: ByteReader

    init(_ bytes: [UInt8]) { reader = ByteReader(bytes) }

    mutating func next() -> (type: UInt8, payload: ArraySlice<UInt8>)? {
        guard let header = reader.uint8() else { return nil }
        if header & 0x04 != 0, !reader.skip(1) { return nil }
        let type = header >> 3 & 0x0F
        guard header & 0x02 != 0 else { return (type, reader.rest()) }
        guard let size = leb128(), let payload = reader.slice(size) else { return nil }
        return (type, payload)
    }

    private mutating func leb128() -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard let byte = reader.uint8() else { return nil }
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}

/// The bytes of a NAL unit without `emulation_prevention_three_byte`.
func withoutEmulationPrevention(_ unit: ArraySlice<UInt8>) -> [UInt8] {
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
