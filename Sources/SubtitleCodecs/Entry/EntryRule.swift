public import MediaCore

/// Where decoding of a track may start, and what a packet leaves on screen: what a seek needs.
public enum EntryRule: Hashable, Sendable {
    /// Every packet stands for itself and knows when it ends, as text does.
    case everyPacket
    /// Display sets that build on each other (PGS).
    case presentationGraphics
    /// Display sets that build on each other (DVB subtitles).
    case dvb

    /// The rule of a codec.
    public init(_ codec: CodecID) {
        switch codec {
        case .pgs: self = .presentationGraphics
        case .dvb: self = .dvb
        default: self = .everyPacket
        }
    }

    /// What a packet is to a seek.
    public struct Role: Hashable, Sendable {
        /// Whether a decoder that knows nothing yet may start with it.
        public var isEntry: Bool
        /// Whether something is on screen from then on; `nil` if the packet does not say.
        public var shows: Bool?

        /// Creates a role.
        public init(isEntry: Bool, shows: Bool?) {
            self.isEntry = isEntry
            self.shows = shows
        }
    }

    /// What `data` is to a seek.
    public func role(of data: [UInt8]) -> Role {
        switch self {
        case .everyPacket: Role(isEntry: true, shows: !data.isEmpty)
        case .presentationGraphics: Self.presentationGraphicsRole(data)
        case .dvb: Self.dvbRole(data)
        }
    }

    /// Looks for the presentation composition segment: type 0x16, composition state in its eighth
    /// byte, number of objects in its eleventh (US 2009/0185789, table 2).
    private static func presentationGraphicsRole(_ data: [UInt8]) -> Role {
        var reader = ByteReader(data)
        while let type = reader.uint8(), let size = reader.uint16() {
            guard type == 0x16 else {
                guard reader.skip(Int(size)) else { break }
                continue
            }
            guard let head = reader.slice(min(Int(size), 11)), head.count == 11 else { break }
            let state = head[head.startIndex + 7]
            // Epoch Start and Acquisition Point carry all that is needed.
            return Role(
                isEntry: state & 0xC0 == 0x80 || state & 0xC0 == 0x40,
                shows: head[head.startIndex + 10] > 0)
        }
        return Role(isEntry: false, shows: nil)
    }

    /// Looks for the page composition segment: type 0x10, state in bits 3 and 2 of its second
    /// byte, six bytes a region behind it (EN 300 743, section 7.2.2).
    private static func dvbRole(_ data: [UInt8]) -> Role {
        var reader = ByteReader(data)
        // data_identifier and subtitle_stream_id come first where nobody took them away.
        if data.starts(with: [0x20, 0x00]) { _ = reader.skip(2) }
        while reader.uint8() == 0x0F, let type = reader.uint8(), reader.skip(2),
            let size = reader.uint16()
        {
            guard type == 0x10 else {
                guard reader.skip(Int(size)) else { break }
                continue
            }
            guard size >= 2, reader.skip(1), let flags = reader.uint8() else { break }
            let state = flags >> 2 & 3
            return Role(isEntry: state == 1 || state == 2, shows: size > 2)
        }
        return Role(isEntry: false, shows: nil)
    }
}
