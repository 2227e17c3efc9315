public import MediaCore

/// Where decoding of a track may start, and what a packet leaves on screen: what a seek needs.
public enum EntryRule: Hashable, Sendable {
    /// Every packet stands for itself and knows when it ends, as text does.
    case everyPacket
    /// Every packet stands for itself, and states its times itself (XSUB).
    case statedTimes
    /// Every packet stands for itself, and says itself when it ends or leaves it to its length:
    /// the sub-picture units of DVDs.
    case subPictures
    /// Display sets that build on each other (PGS).
    case presentationGraphics
    /// Display sets that build on each other (DVB subtitles) and compose that page; `nil` = any.
    case dvb(page: UInt16?)

    /// The rule of a stream.
    public init(_ stream: StreamDescription) {
        self.init(stream.codec, codecPrivate: stream.codecPrivate)
    }

    /// The rule of a codec with that header.
    public init(_ codec: CodecID, codecPrivate: [UInt8] = []) {
        switch codec {
        case .pgs: self = .presentationGraphics
        case .xsub: self = .statedTimes
        case .dvb: self = .dvb(page: DVBPages(codecPrivate).composition)
        case .dvd: self = .subPictures
        default: self = .everyPacket
        }
    }

    /// Whether no packet builds on another one.
    public var isEveryPacketWhole: Bool {
        switch self {
        case .everyPacket, .statedTimes, .subPictures: true
        case .presentationGraphics, .dvb: false
        }
    }

    /// How long after its beginning a packet may itself say that it ends, whatever its length is;
    /// `nil` where packets say nothing.
    public var longestOwnEnd: Duration? {
        self == .subPictures ? SubPictureUnit.longestDelay : nil
    }

    /// When what `packet` holds is on screen; an end that is not behind the start says nothing.
    public func times(of packet: Packet) -> (start: Timestamp?, end: Timestamp?) {
        if self == .statedTimes, let times = XSUBTimes(packet.data) {
            return (times.start, max(times.start, times.end))
        }
        if self == .subPictures, let start = packet.start,
            let ticks = SubPictureUnit(packet.data)?.ownEnd,
            let length = Duration(ticks: ticks, timeBase: .mpeg)
        {
            return (start, start.advanced(by: length))
        }
        return (packet.start, packet.end)
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
        case .everyPacket, .statedTimes, .subPictures: Role(isEntry: true, shows: !data.isEmpty)
        case .presentationGraphics: Self.presentationGraphicsRole(data)
        case .dvb(let page): Self.dvbRole(data, page: page)
        }
    }

    /// Looks for the presentation composition segment: type 0x16, composition state in its eighth
    /// byte, `palette_update_flag` in its ninth, number of objects in its eleventh
    /// (US 2009/0185789, table 2).
    private static func presentationGraphicsRole(_ data: [UInt8]) -> Role {
        var reader = ByteReader(data)
        while let type = reader.uint8(), let size = reader.uint16() {
            guard type == 0x16 else {
                guard reader.skip(Int(size)) else { break }
                continue
            }
            guard let head = reader.slice(min(Int(size), 11)), head.count == 11 else { break }
            let state = head[head.startIndex + 7]
            // Colours alone may change without a word of the objects, which stay on screen then.
            let recolours = state & 0xC0 == 0 && head[head.startIndex + 8] & 0x80 != 0
            // Epoch Start and Acquisition Point carry all that is needed.
            return Role(
                isEntry: state & 0xC0 == 0x80 || state & 0xC0 == 0x40,
                shows: head[head.startIndex + 10] > 0 || recolours)
        }
        return Role(isEntry: false, shows: nil)
    }

    /// Looks for page compositions: acquisition points and mode changes carry all that is needed
    /// (EN 300 743, section 7.2.2), and the last one is what stays.
    private static func dvbRole(_ data: [UInt8], page: UInt16?) -> Role {
        var role = Role(isEntry: false, shows: nil)
        var reader = DVBSegmentReader(data)
        while let segment = reader.next() {
            guard segment.type == .pageComposition, page == nil || segment.page == page,
                let composition = DVBPageComposition(segment.body)
            else { continue }
            let isComplete =
                composition.state == .acquisitionPoint || composition.state == .modeChange
            // A change before it builds on what came before the packet, but is not shown.
            role.isEntry = role.isEntry || isComplete
            role.shows = !composition.regions.isEmpty
        }
        return role
    }
}
