internal import UndertextCore

/// One PID on its way from transport packets to packets: continuity, assembly, times, framing.
struct ElementaryStreamReader {
    /// Reports something about a stream at an offset.
    typealias Report = (
        Diagnostic.Severity, _ code: String, _ message: String, _ stream: Int?, _ place: Int64
    ) -> Void

    /// The PID.
    let pid: Int
    /// The index of the stream that was chosen; `nil` where only the first time matters.
    let index: Int?
    /// The codec of the chosen stream.
    let codec: CodecID?
    /// The numbers of the programs that the stream belongs to.
    var programs: [Int] = []
    /// The PIDs of those programs' clocks, in the same order.
    var clockPIDs: [Int] = []
    /// The reference after which times are regarded as wrapped.
    var wrap: PTSWrapReference?

    private var assembler: PESAssembler
    private var lastContinuity: UInt8?
    private var lastPayload: ArraySlice<UInt8> = []
    private var times = StreamTimes()
    private var framing = DVBSubtitleFraming()
    private var hasReportedScrambling = false
    private var hasReportedRepetition = false

    /// `true` if packets are missing in what was skipped.
    private var hasGap = false
    /// `true` to return only the headers of each packet's first picture.
    let readsHeads: Bool

    /// Access units of video, which come whole where several may lie in one PES packet.
    private static let largestVideoUnit = 4 << 20

    init(pid: Int, choice: TransportScan.Choice? = nil) {
        self.pid = pid
        index = choice?.index
        codec = choice?.codec
        let head = codec.flatMap(PictureHead.init)
        readsHeads = head != nil && choice?.readsHeads == true
        assembler = PESAssembler(
            keepsData: index != nil,
            largestUnit: head == nil ? PESAssembler.largestUnit : Self.largestVideoUnit,
            head: readsHeads ? head : nil)
    }

    /// `true` if nothing is wanted before the next start of a PES packet.
    var isSkipping: Bool { readsHeads && assembler.isSkipping }

    /// Goes on after packets that were skipped, the last one with that continuity counter.
    mutating func endSkipping(after continuity: UInt8) {
        lastContinuity = continuity
        lastPayload = []
    }

    /// `true` if times are checked against the program's clock.
    var needsClock: Bool { codec == .dvb || codec == .teletext }

    /// Adds a transport packet and appends the packets that are complete.
    mutating func push(
        _ header: TransportHeader, _ block: [UInt8], place: Int64, clock: Int64?,
        to units: inout [PESAssembler.Unit], _ report: Report
    ) {
        let payload = block[header.payload]
        if isDuplicate(header, payload) {
            if !hasReportedRepetition, index != nil {
                report(
                    .info, "repeated-packet", "duplicate packets were skipped", index,
                    place)
            }
            hasReportedRepetition = true
            return
        }
        checkContinuity(header, place, report)
        if header.hasError { assembler.isCorrupt = true }
        guard header.hasPayload, !payload.isEmpty else { return }
        if index != nil {
            // A copy: the slice would hold the whole block.
            lastPayload = Array(payload)[...]
            if header.isScrambled, !hasReportedScrambling {
                hasReportedScrambling = true
                report(
                    .error, "scrambled", "packets are encrypted and cannot be read", index, place)
            }
        }
        let rule =
            needsClock
            ? PESAssembler.ClockRule(clock: clock, isTeletext: codec == .teletext) : nil
        assembler.push(payload, isStart: header.isStart, place: place, rule: rule, to: &units)
    }

    /// Returns the unfinished unit at the end of the input.
    mutating func finish() -> PESAssembler.Unit? { assembler.finish() }

    /// The packet of a PES packet of the chosen stream.
    mutating func packet(_ unit: PESAssembler.Unit) -> Packet? {
        guard let index else { return nil }
        var pts = unit.pts.map { wrap?.unwrapped($0) ?? $0 }
        let dts = unit.dts.map { wrap?.unwrapped($0) ?? $0 }
        let data = codec == .dvb ? framing.segments(in: unit.data, pts: &pts) : unit.data
        let times = times.complete(pts, dts)
        defer { hasGap = false }
        return Packet(
            streamIndex: index, pts: times.pts, dts: times.dts, timeBase: .mpeg,
            isCorrupt: unit.isCorrupt || hasGap, position: UInt64(exactly: unit.place), data: data,
            sideData: [SideData(.mpegTSStreamID, [unit.streamID])])
    }

    /// A packet may be sent twice (ISO/IEC 13818-1, section 2.4.3.3); the second one is dropped.
    private func isDuplicate(_ header: TransportHeader, _ payload: ArraySlice<UInt8>) -> Bool {
        header.hasPayload && header.continuity == lastContinuity && !header.isDiscontinuous
            && !lastPayload.isEmpty && payload.elementsEqual(lastPayload)
    }

    private mutating func checkContinuity(
        _ header: TransportHeader, _ place: Int64, _ report: Report
    ) {
        defer { lastContinuity = header.continuity }
        guard let lastContinuity, !header.isDiscontinuous else { return }
        let expected = header.hasPayload ? (lastContinuity + 1) & 0x0F : lastContinuity
        guard header.continuity != expected else { return }
        assembler.isCorrupt = true
        hasGap = readsHeads
        guard let index else { return }
        report(
            .warning, "discontinuity", "packets of the stream are missing here", index, place)
    }
}
