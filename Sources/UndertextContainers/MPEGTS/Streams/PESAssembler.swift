/// Puts the PES packets of one PID together (ISO/IEC 13818-1, section 2.4.3.6).
///
/// A packet ends after its stated length or where the next one starts; invalid lengths are treated as in
/// libavformat, so that both report the same packets.
struct PESAssembler {
    /// A PES packet, or a part of one that has no end.
    struct Unit {
        /// Presentation time, 33 bits.
        var pts: Int64?
        /// Decoding time, 33 bits.
        var dts: Int64?
        /// A Boolean value that indicates whether packets are missing, or the length differs from the stated
        /// one.
        var isCorrupt: Bool
        /// The offset of its first transport packet.
        var place: Int64
        /// stream_id.
        var streamID: UInt8
        /// The payload; empty where only the times are wanted.
        var data: [UInt8]
    }

    /// The replacement for an impossible time.
    struct ClockRule {
        /// The program's latest clock, 90 kHz.
        var clock: Int64?
        /// `true` if the stream is teletext rather than DVB subtitles.
        var isTeletext: Bool
    }

    /// Longer packets come out in parts; FFmpeg: the default of `max_packet_size`.
    static let largestUnit = 204_800

    private enum State { case skipping, start, flags, optional, payload }

    /// Set by the caller when packets are missing: what is being assembled is damaged.
    var isCorrupt = false
    /// `true` if a payload is being assembled that has not come out yet.
    var isPending: Bool { state == .payload && count > 0 }

    /// `true` if the rest of the current packet is skipped.
    var isSkipping: Bool { state == .skipping }

    private let keepsData: Bool
    /// Finds the end of the picture headers, if only those of video packets are returned.
    private var head: PictureHead?
    private let largestUnit: Int
    private var state = State.skipping
    private var header = [UInt8](repeating: 0, count: 9 + 255)
    private var headerCount = 0
    private var headerLength = 0
    /// PES_packet_length; 0 if it is not stated.
    private var statedLength = 0
    private var pts: Int64?
    private var dts: Int64?
    private var place: Int64 = 0
    private var streamID: UInt8 = 0
    private var data: [UInt8] = []
    private var count = 0

    /// Creates an assembler; without payload, it reports only times.
    init(keepsData: Bool, largestUnit: Int = largestUnit, head: PictureHead? = nil) {
        self.keepsData = keepsData
        self.largestUnit = largestUnit
        self.head = head
    }

    /// Adds the payload of a transport packet and appends the packets that are complete.
    mutating func push(
        _ payload: ArraySlice<UInt8>, isStart: Bool, place: Int64, rule: ClockRule?,
        to units: inout [Unit]
    ) {
        // libavformat returns at most one packet for each transport packet.
        var hasEmitted = false
        if isStart {
            if isPending {
                units.append(take())
                hasEmitted = true
            } else {
                reset()
            }
            headerCount = 0
            state = .start
            self.place = place
        }
        var rest = payload
        while !rest.isEmpty {
            switch state {
            case .skipping: return
            case .start: fill(&rest, to: 6) { $0.startHeader() }
            case .flags: fill(&rest, to: 9) { $0.sizeHeader() }
            case .optional: fill(&rest, to: headerLength) { $0.finishHeader(rule) }
            case .payload:
                append(rest, &hasEmitted, to: &units)
                return
            }
        }
    }

    /// Returns the unfinished unit at the end of the input.
    mutating func finish() -> Unit? {
        guard isPending else { return nil }
        state = .skipping
        return take()
    }

    private mutating func fill(
        _ rest: inout ArraySlice<UInt8>, to length: Int, then step: (inout Self) -> Void
    ) {
        let part = rest.prefix(max(0, length - headerCount))
        for byte in part {
            header[headerCount] = byte
            headerCount += 1
        }
        rest = rest.dropFirst(part.count)
        if headerCount >= length { step(&self) }
    }

    private mutating func startHeader() {
        // Not a PES packet: a table, or scrambled.
        guard header[0] == 0, header[1] == 0, header[2] == 1 else {
            state = .skipping
            return
        }
        streamID = header[3]
        statedLength = Int(header[4]) << 8 | Int(header[5])
        headerLength = 6
        switch streamID {
        case 0xBE: state = .skipping  // padding_stream
        case 0xBC, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF: state = .payload  // no further header
        default: state = .flags
        }
    }

    private mutating func sizeHeader() {
        headerLength = 9 + Int(header[8])
        state = .optional
    }

    private mutating func finishHeader(_ rule: ClockRule?) {
        state = .payload
        pts = nil
        dts = nil
        let flags = header[7] & 0xC0
        if flags & 0x80 != 0, headerLength >= 14 {
            pts = time(at: 9)
            dts = flags == 0xC0 && headerLength >= 19 ? time(at: 14) : pts
        }
        // A header without room for the times it announces; libavformat reads an older header's.
        if flags & 0x80 != 0, headerLength < (flags == 0xC0 ? 19 : 14) { isCorrupt = true }
        if let rule { correct(rule) }
    }

    private func time(at index: Int) -> Int64 { Self.time(header[index..<index + 5]) }

    /// 33 bits in five bytes (ISO/IEC 13818-1, table 2-21).
    static func time(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let part = bytes.map(Int64.init)
        let middle = (part[1] << 8 | part[2]) >> 1
        let last = (part[3] << 8 | part[4]) >> 1
        return (part[0] & 0x0E) << 29 | middle << 15 | last
    }

    /// Teletext is shown at most 40.6 ms after it arrives, and clocks err by 100 ms at most
    /// (EN 300 472): so times before the clock or far after it are wrong, as libavformat has it.
    private mutating func correct(_ rule: ClockRule) {
        guard let clock = rule.clock else {
            if rule.isTeletext {
                pts = nil
                dts = nil
            }
            return
        }
        let latest = clock + 3654 + 9000
        guard let time = dts, time >= clock else {
            pts = clock
            dts = clock
            return
        }
        if time > (rule.isTeletext ? latest : clock + 10 * 90_000) {
            pts = latest
            dts = latest
        }
    }

    private mutating func append(
        _ payload: ArraySlice<UInt8>, _ hasEmitted: inout Bool, to units: inout [Unit]
    ) {
        var part = payload
        let isBounded = statedLength != 0 && statedLength + 6 > headerLength
        let limit = isBounded ? statedLength + 6 - headerLength : largestUnit
        if count > 0, count + part.count > limit {
            let excess = part.dropFirst(limit - count)
            if isBounded, excess.allSatisfy({ $0 == 0xFF }) {
                // Stuffing after the end: the packet is whole.
                part = part.prefix(limit - count)
            } else {
                units.append(take())
                hasEmitted = true
                statedLength = 0
            }
        } else if count == 0, part.count > limit {
            part = part.prefix(limit)
        }
        count += part.count
        if keepsData { data += part }
        if head?.ends(in: data) == true {
            units.append(take())
            state = .skipping
            return
        }
        if !hasEmitted, statedLength != 0, headerLength + count == statedLength + 6 {
            units.append(take())
            state = .skipping
        }
    }

    private mutating func take() -> Unit {
        let isWhole =
            head != nil || statedLength == 0 || headerLength + count == statedLength + 6
        defer { reset() }
        return Unit(
            pts: pts, dts: dts, isCorrupt: isCorrupt || !isWhole, place: place, streamID: streamID,
            data: data)
    }

    private mutating func reset() {
        pts = nil
        dts = nil
        isCorrupt = false
        data = []
        head?.begin()
        count = 0
    }
}
