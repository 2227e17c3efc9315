package import UndertextCore

/// Extracts the closed captions from the packets of a video stream, in presentation order.
///
/// No frame is decoded: only start codes, the headers of NAL units, OBUs and slices, and user data are read.
/// The results are packets of `cc_data` triplets (ANSI/SCTE 128, section 8.2), one for each picture that has
/// any. A picture without a time gets one from its order: the picture order count of H.264 and HEVC, the
/// temporal reference of MPEG video.
package struct CaptionExtractor {
    private enum Syntax {
        case mpegVideo
        case h264
        case hevc
        case av1
    }

    /// The index of the video stream.
    package let streamIndex: Int
    /// `true` if a packet contained more than one picture.
    package private(set) var hasSeveralPictures = false
    /// `true` if the last picture is one field of a frame, so that the other one may follow in the same packet.
    package private(set) var isAtField = false

    private let syntax: Syntax
    private var framing: UnitFraming
    private let diagnostics: DiagnosticSink
    private var clock: PictureClock
    private var queue: ReorderQueue
    private var h264 = H264PictureOrder()
    private var hevc = HEVCPictureOrder()
    private var mpeg = MPEGPicture()
    /// The user data of the next picture.
    private var userData = CaptionUserData()
    /// The current packet without its payload, and whether one of its pictures has used its time.
    private var packet: Packet
    private var pictures = 0
    private var latest: Timestamp?

    /// An extractor of a video stream; `nil` if video of its codec carries no captions.
    package init?(_ stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        guard stream.kind == .video else { return nil }
        switch stream.codec.rawValue {
        case "mpeg1video", "mpeg2video": syntax = .mpegVideo
        case "h264": syntax = .h264
        case "hevc": syntax = .hevc
        case "av1": syntax = .av1
        default: return nil
        }
        streamIndex = stream.index
        framing = UnitFraming(codecPrivate: stream.codecPrivate, isHEVC: syntax == .hevc)
        clock = PictureClock(
            stream.timeBase, unitsPerFrame: syntax == .h264 ? 2 : 1,
            // temporal_reference has ten bits.
            wrap: syntax == .mpegVideo ? 1024 : nil)
        queue = ReorderQueue(stream.timeBase)
        self.diagnostics = diagnostics
        packet = Packet(streamIndex: stream.index, pts: nil, timeBase: stream.timeBase, data: [])
    }

    /// `true` if video of that kind may carry captions.
    package static func takes(_ stream: StreamDescription) -> Bool {
        CaptionExtractor(stream) != nil
    }

    /// Adds a packet, which contains pictures or parts of one, and appends the captions whose order is final.
    package mutating func add(_ packet: Packet, to ready: inout [Packet]) {
        checkClock(packet)
        self.packet = packet
        self.packet.data = []
        self.packet.sideData = []
        self.packet.duration = nil
        self.packet.dts = nil
        pictures = 0
        switch syntax {
        case .mpegVideo: for unit in StartCodeUnits(packet.data) { addMPEG(unit, to: &ready) }
        case .h264, .hevc: addNALUnits(packet.data, to: &ready)
        case .av1: addOBUs(packet.data)
        }
        if let order = mpeg.takeOrder() {
            close(order, to: &ready)
        } else if !userData.isEmpty, pictures == 0 {
            close(nil, to: &ready)
        }
    }

    /// Appends what is left at the end of the stream.
    package mutating func finish(to ready: inout [Packet]) {
        if !userData.isEmpty { close(nil, to: &ready) }
        queue.empty(to: &ready)
    }

    /// Reports a forward jump: pictures follow each other, so a gap is a jump of the clock.
    ///
    /// `TimestampDiscontinuityDetector` reports jumps back.
    private mutating func checkClock(_ packet: Packet) {
        guard let time = packet.start else { return }
        defer { latest = time }
        guard let latest, latest.duration(to: time) > Self.longestGap else { return }
        let seconds = decimalSeconds(Timestamp.zero.advanced(by: latest.duration(to: time)))
        diagnostics.report(
            .warning, "time-jump",
            "the clock of the video jumps ahead by \(seconds) s; captions that are on screen last until then",
            for: packet)
    }

    /// The maximum time between two pictures without a jump.
    private static let longestGap = Duration.seconds(10)

    // MARK: Units

    private mutating func addNALUnits(_ bytes: [UInt8], to ready: inout [Packet]) {
        framing = framing.resolved(for: bytes)
        if case .lengths(let size) = framing {
            for unit in LengthUnits(bytes, lengthSize: size) { addNAL(unit, to: &ready) }
        } else {
            for unit in StartCodeUnits(bytes) { addNAL(unit, to: &ready) }
        }
    }

    /// Adds the metadata of a temporal unit or, in transport streams, of a frame.
    ///
    /// Transport streams have a start code before each OBU (Carriage of AV1 in MPEG-2 TS, section 3.2); elsewhere, a packet
    /// begins with the header of an OBU, which is never 0.
    private mutating func addOBUs(_ bytes: [UInt8]) {
        guard bytes.first == 0 else {
            for (type, payload) in OpenBitstreamUnits(bytes) where type == 5 {
                userData.addMetadata(payload)
            }
            return
        }
        for unit in StartCodeUnits(bytes) where (unit.first ?? 0) >> 3 & 0x0F == 5 {
            var units = OpenBitstreamUnits(withoutEmulationPrevention(unit))
            if let metadata = units.next() { userData.addMetadata(metadata.payload) }
        }
    }

    private mutating func addNAL(_ unit: ArraySlice<UInt8>, to ready: inout [Packet]) {
        guard let header = unit.first else { return }
        if syntax == .h264 {
            switch header & 0x1F {
            case 6: userData.addSEI(unit.dropFirst())
            case 7: h264.addSequence(unit.dropFirst())
            case 8: h264.addPicture(unit.dropFirst())
            // first_mb_in_slice is 0.
            case 1, 2, 5:
                if unit.dropFirst().first ?? 0 >= 0x80 {
                    close(h264.order(ofSlice: unit), to: &ready)
                }
            default: break
            }
        } else {
            switch header >> 1 & 0x3F {
            case 33: hevc.addSequence(unit.dropFirst(2))
            case 34: hevc.addPicture(unit.dropFirst(2))
            case 39: userData.addSEI(unit.dropFirst(2))
            // first_slice_segment_in_pic_flag
            case 0...31:
                if unit.dropFirst(2).first ?? 0 >= 0x80 {
                    close(hevc.order(ofSlice: unit), to: &ready)
                }
            default: break
            }
        }
    }

    private mutating func addMPEG(_ unit: ArraySlice<UInt8>, to ready: inout [Packet]) {
        guard let code = unit.first else { return }
        switch code {
        case 0x00:
            if let order = mpeg.takeOrder() { close(order, to: &ready) }
            mpeg.begin(unit.dropFirst())
        case 0x01...0xAF: if let order = mpeg.takeOrder() { close(order, to: &ready) }
        case 0xB2: userData.addMPEG(unit.dropFirst(), topFieldFirst: mpeg.isTopFieldFirst)
        case 0xB5: mpeg.extend(unit.dropFirst())
        case 0xB8:
            if let order = mpeg.takeOrder() { close(order, to: &ready) }
            mpeg.beginGroup()
        default: break
        }
    }

    // MARK: Pictures

    /// Ends the headers of a picture: its captions are complete.
    private mutating func close(_ order: PictureOrder?, to ready: inout [Packet]) {
        var time = clock.time(pictures == 0 ? packet.pts : nil, order)
        pictures += 1
        hasSeveralPictures = hasSeveralPictures || pictures > 1
        isAtField = order?.isField ?? false
        guard !userData.isEmpty else { return }
        defer { userData = CaptionUserData() }
        // The captions of a group begin with the picture that is shown first.
        if userData.isOfGroup { time = clock.beginning(of: order, at: time) }
        var captions = packet
        captions.pts = time
        if userData.isCutOff {
            diagnostics.report(
                .error, "damaged-captions", "captions in the video are cut off", for: captions)
        }
        guard !userData.triplets.isEmpty else { return }
        captions.data = userData.triplets
        queue.add(captions, to: &ready)
    }
}

/// The headers of a picture of MPEG video (ISO/IEC 13818-2, sections 6.2.2.3 and 6.2.2.6 to 6.2.3.1).
private struct MPEGPicture {
    /// `true` unless the last picture stated otherwise, also for frames that are not fields.
    private(set) var isTopFieldFirst = true
    private var isProgressive = false
    private var order: PictureOrder?
    private var startsGroup = false

    mutating func beginGroup() { startsGroup = true }

    mutating func begin(_ header: ArraySlice<UInt8>) {
        var bits = BitCursor(header)
        guard let reference = bits.next(10) else { return }
        order = PictureOrder(position: Int(reference), startsSequence: startsGroup)
        startsGroup = false
    }

    /// Takes an extension: of the sequence or of the coding of a picture.
    mutating func extend(_ unit: ArraySlice<UInt8>) {
        var bits = BitCursor(unit)
        switch bits.next(4) {
        case 1: if bits.next(8) != nil { isProgressive = bits.flag() ?? false }
        case 8:
            guard bits.next(18) != nil, let structure = bits.next(2),
                let isTopFieldFirst = bits.flag()
            else { return }
            order?.isField = structure != 3
            // In a progressive sequence, the flag states how often a frame is shown.
            self.isTopFieldFirst = structure != 3 || isProgressive || isTopFieldFirst
        default: break
        }
    }

    /// Returns the order of the picture whose headers were read, once.
    mutating func takeOrder() -> PictureOrder? {
        defer { order = nil }
        return order
    }
}

/// The times of pictures in ticks: stored ones, and times computed from the order of pictures without one.
private struct PictureClock {
    /// Ticks from one position to the next, in parts of ``scale``.
    private var unit: Int64
    private static let scale: Int64 = 1 << 16
    private let unitsPerFrame: Int64
    private let longest: Int64
    /// The number at which positions begin again.
    private let wrap: Int?
    /// A picture of the current sequence with a known time.
    private var anchor: (position: Int, time: Int64)?
    private var latest: Int64?

    /// A clock that begins with frames of 1001/30000 s.
    init(_ timeBase: TimeBase, unitsPerFrame: Int64, wrap: Int?) {
        self.unitsPerFrame = unitsPerFrame
        self.wrap = wrap
        let ticksPerSecond =
            Int64(timeBase.denominator) * Self.scale / Int64(max(1, timeBase.numerator))
        longest = max(1, ticksPerSecond)
        unit = max(1, ticksPerSecond / 30_000 * 1001 / unitsPerFrame)
    }

    mutating func time(_ stored: Int64?, _ order: PictureOrder?) -> Int64? {
        if let order, order.startsSequence {
            // Without a time of its own it follows on what was shown last.
            anchor = latest.map { (0, sum($0, unit, Int(unitsPerFrame))) }
        }
        let time = stored ?? guessed(order)
        if let stored, let order { learn(stored, order) }
        if let time { latest = max(latest ?? time, time) }
        return time
    }

    /// The time of the first position, if that of a picture is known.
    func beginning(of order: PictureOrder?, at time: Int64?) -> Int64? {
        guard let order, let time else { return time }
        return sum(time, -unit, order.position)
    }

    private func guessed(_ order: PictureOrder?) -> Int64? {
        guard let order else { return latest.map { sum($0, unit, Int(unitsPerFrame)) } }
        return anchor.map { sum($0.time, unit, distance(from: $0.position, to: order.position)) }
    }

    private mutating func learn(_ time: Int64, _ order: PictureOrder) {
        if let anchor, !order.startsSequence {
            let distance = Int64(distance(from: anchor.position, to: order.position))
            let (span, overflow) = time.subtractingReportingOverflow(anchor.time)
            if !overflow, distance != 0, span.signum() == distance.signum() {
                let found =
                    UInt128(span.magnitude) * UInt128(Self.scale) / UInt128(distance.magnitude)
                if found > 0, found <= longest.magnitude { unit = Int64(found) }
            }
        }
        anchor = (order.position, time)
    }

    private func distance(from: Int, to: Int) -> Int {
        let distance = to &- from
        guard let wrap, distance.magnitude > wrap / 2, distance.magnitude < wrap else {
            return distance
        }
        return distance > 0 ? distance - wrap : distance + wrap
    }

    private func sum(_ time: Int64, _ unit: Int64, _ count: Int) -> Int64 {
        // Rounded to the nearest tick.
        let distance = (Int128(unit) * Int128(count) + Int128(Self.scale / 2)) >> 16
        return Int64(clamping: Int128(time) + distance)
    }
}

/// Sorts packets in decoding order by their times.
private struct ReorderQueue {
    /// Fields of the 16 frames that a decoder holds back at most, and the one that comes.
    private static let depth = 33
    /// The times of reordered pictures differ by less, unless the clock jumps.
    private static let jump = Duration.seconds(10)

    private var waiting: [Packet] = []
    private let jumpTicks: Int64

    init(_ timeBase: TimeBase) {
        jumpTicks = Timestamp.zero.advanced(by: Self.jump).ticks(in: timeBase) ?? .max
    }

    mutating func add(_ packet: Packet, to ready: inout [Packet]) {
        guard let time = packet.pts else {
            empty(to: &ready)
            ready.append(packet)
            return
        }
        if let last = waiting.last?.pts,
            time.subtractingReportingOverflow(last).partialValue.magnitude > jumpTicks.magnitude
        {
            empty(to: &ready)
        }
        let place = waiting.lastIndex { $0.pts ?? .min <= time }
        waiting.insert(packet, at: place.map { $0 + 1 } ?? 0)
        if waiting.count >= Self.depth { ready.append(waiting.removeFirst()) }
    }

    mutating func empty(to ready: inout [Packet]) {
        ready += waiting
        waiting.removeAll(keepingCapacity: true)
    }
}
