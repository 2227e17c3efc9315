internal import UndertextCore

/// A caption distribution packet: the captions of a frame with their services.
///
/// SMPTE ST 334-2.
struct CaptionDistributionPacket: Hashable {
    /// A service that the packet describes.
    struct Service: Hashable {
        /// The name, such as `SERVICE1` or `CC1`.
        var name: String
        /// The language; `nil` if none is stated.
        var language: LanguageTag?
    }

    /// Something that is wrong with a packet.
    struct Damage: OptionSet, Hashable {
        let rawValue: UInt8

        /// It ends early, or has a section of an unknown kind.
        static let truncated = Damage(rawValue: 1)
        /// Its bytes do not add up to zero.
        static let checksum = Damage(rawValue: 2)
    }

    /// Frames a second, by the number in the header; `nil` for numbers without a meaning.
    private(set) var frameRate: TimeBase?
    /// Triplets of `cc_data`.
    private(set) var triplets: [UInt8] = []
    /// The services that it describes.
    private(set) var services: [Service] = []
    private(set) var damage: Damage = []

    static let identifier: [UInt8] = [0x96, 0x69]

    /// Parses a packet, which may be cut off; `nil` if the bytes do not begin with the identifier.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.starts(with: Self.identifier) else { return nil }
        var header = ByteReader(bytes)
        guard header.skip(2), let size = header.uint8(), let rate = header.uint8(), header.skip(3)
        else {
            damage = .truncated
            return
        }
        frameRate = Self.frameRates[Int(rate >> 4)]
        let packet = bytes.prefix(Int(size))
        if packet.count < Int(size) || packet.count < header.offset { damage = .truncated }
        var sections = ByteReader(packet.dropFirst(header.offset))
        while readSection(&sections) {}
        if damage.isEmpty, packet.reduce(0, &+) != 0 { damage = .checksum }
    }

    private static let frameRates: [TimeBase?] =
        [
            nil, TimeBase(24000, 1001), TimeBase(24, 1), TimeBase(25, 1), TimeBase(30000, 1001),
            TimeBase(30, 1), TimeBase(50, 1), TimeBase(60000, 1001), TimeBase(60, 1),
        ] + [TimeBase?](repeating: nil, count: 7)

    /// Reads a section; `false` after the footer, or if nothing more can be read.
    private mutating func readSection(_ reader: inout ByteReader) -> Bool {
        guard let identifier = reader.uint8() else {
            damage.insert(.truncated)
            return false
        }
        switch identifier {
        // The time code.
        case 0x71: if reader.skip(4) { return true }
        case 0x72:
            if let count = reader.uint8() {
                let size = Int(count & 0x1F) * 3
                let most = min(size, reader.remaining / 3 * 3)
                triplets += reader.slice(most) ?? []
                if most == size { return true }
            }
        case 0x73:
            if let count = reader.uint8() {
                for _ in 0..<count & 0x0F {
                    guard let service = reader.slice(7) else {
                        damage.insert(.truncated)
                        return false
                    }
                    if let found = Self.service(Array(service)) { services.append(found) }
                }
                return true
            }
        // The footer.
        case 0x74: if reader.remaining >= 3 { return false }
        case 0x75...0xEF: if let size = reader.uint8(), reader.skip(Int(size)) { return true }
        default: break
        }
        damage.insert(.truncated)
        return false
    }

    /// Reads `svc_data`: the fields of the caption service descriptor of ATSC A/65, after a byte with the service's number.
    private static func service(_ bytes: [UInt8]) -> Service? {
        let code = bytes[1...3]
        let language = code.allSatisfy(\.isLetter) ? LanguageTag(code.text.lowercased()) : nil
        guard bytes[4] & 0x80 != 0 else {
            return Service(name: bytes[4] & 1 == 0 ? "CC1" : "CC3", language: language)
        }
        return CEA708Service(Int(bytes[4] & 0x3F)).map {
            Service(name: $0.name, language: language)
        }
    }
}
