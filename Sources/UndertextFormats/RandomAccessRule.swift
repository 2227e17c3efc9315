public import UndertextCore

/// Where decoding of a track may start, and what a packet leaves on screen: what a seek needs.
public enum RandomAccessRule: Hashable, Sendable {
    /// Every packet stands for itself and knows when it ends, as text does.
    case everyPacket
    /// Every packet stands for itself and states its times itself; the next one ends it in any
    /// case (XSUB).
    case statedTimes
    /// Every packet stands for itself and states its end or leaves it to its length; the next one
    /// ends it in any case: the sub-picture units of DVDs.
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

    /// When what a packet holds is on screen.
    public struct Times: Hashable, Sendable {
        /// When it begins to change the screen; `nil` where it never does, or has no time.
        public var start: Timestamp?
        /// When it ends; one that is not behind the start says nothing.
        public var end: Timestamp?
        /// Whether nothing that follows ends it earlier.
        public var isFinal: Bool
    }

    /// When what `packet` holds is on screen.
    public func times(of packet: Packet) -> Times {
        if self == .statedTimes, let times = XSUBTimes(packet.data) {
            return Times(
                start: times.start, end: max(times.start, times.end), isFinal: false)
        }
        if self == .subPictures { return subPictureTimes(of: packet) }
        let lasts = packet.end.map { end in packet.start.map { end > $0 } ?? false } ?? false
        return Times(start: packet.start, end: packet.end, isFinal: lasts)
    }

    /// Times of a unit: it may begin later than its packet says, and what shows nothing leaves
    /// the screen to what is there.
    private func subPictureTimes(of packet: Packet) -> Times {
        guard let stamp = packet.start, let unit = SubPictureUnit(packet.data),
            let first = unit.firstChange, let delay = Duration(ticks: first, timeBase: .mpeg)
        else { return Times(start: nil, end: nil, isFinal: false) }
        let start = stamp.advanced(by: delay)
        if let end = unit.ownEnd, let length = Duration(ticks: end, timeBase: .mpeg) {
            return Times(start: start, end: stamp.advanced(by: length), isFinal: false)
        }
        return Times(start: start, end: packet.statedEnd, isFinal: false)
    }

    /// What a packet is to a seek.
    public struct Role: Hashable, Sendable {
        /// Whether a decoder that knows nothing yet may start with it.
        public var isRandomAccessPoint: Bool
        /// Whether it may be begun with where no entry is found within reach; who was there before
        /// may know more.
        public var isAcquisitionPoint: Bool
        /// Whether something is on screen from then on; `nil` if the packet does not say.
        public var shows: Bool?

        /// Creates a role.
        public init(isRandomAccessPoint: Bool, isAcquisitionPoint: Bool = false, shows: Bool?) {
            self.isRandomAccessPoint = isRandomAccessPoint
            self.isAcquisitionPoint = isAcquisitionPoint
            self.shows = shows
        }
    }

    /// What `data` is to a seek.
    public func role(of data: [UInt8]) -> Role {
        switch self {
        case .everyPacket, .statedTimes, .subPictures:
            Role(isRandomAccessPoint: true, shows: !data.isEmpty)
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
            // The rest of a segment that began in an earlier packet may look like anything.
            guard let kind = PGSSegment.Kind(rawValue: type) else { break }
            guard kind == .composition else {
                guard reader.skip(Int(size)) else { break }
                continue
            }
            guard let head = reader.slice(min(Int(size), 11)), head.count == 11 else { break }
            let state = head[head.startIndex + 7]
            // Colors alone may change without a word of the objects, which stay on screen then.
            let recolors = state & 0xC0 == 0 && head[head.startIndex + 8] & 0x80 != 0
            // Only Epoch Start forgets. An acquisition point should carry all that is needed, but who
            // was there before still has what it does not repeat.
            return Role(
                isRandomAccessPoint: state & 0xC0 == 0x80, isAcquisitionPoint: state & 0xC0 == 0x40,
                shows: head[head.startIndex + 10] > 0 || recolors)
        }
        return Role(isRandomAccessPoint: false, shows: nil)
    }

    /// Looks for page compositions: acquisition points and mode changes carry all that is needed
    /// (EN 300 743, section 7.2.2), and the last one is what stays.
    private static func dvbRole(_ data: [UInt8], page: UInt16?) -> Role {
        var role = Role(isRandomAccessPoint: false, shows: nil)
        var reader = DVBSegmentReader(data)
        while let segment = reader.next() {
            guard segment.type == .pageComposition, page == nil || segment.page == page,
                let composition = DVBPageComposition(segment.body)
            else { continue }
            let isComplete =
                composition.state == .acquisitionPoint || composition.state == .modeChange
            // A change before it builds on what came before the packet, but is not shown.
            role.isRandomAccessPoint = role.isRandomAccessPoint || isComplete
            role.shows = !composition.regions.isEmpty
        }
        return role
    }
}
