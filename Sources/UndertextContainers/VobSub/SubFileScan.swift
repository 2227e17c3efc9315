internal import UndertextCore

/// The units of a .sub file, found by scanning its packs.
struct SubFileScan {
    /// The numbers of the sub-picture streams in order of appearance, with the times (90 kHz) and offsets of
    /// their units.
    private(set) var streams: [VobSubIndexText.Stream] = []
    /// `true` if there are other streams: then it is a media file, not a .sub file.
    private(set) var holdsOthers = false
    private(set) var diagnostics: [Diagnostic] = []

    /// Bytes that a stream's unit still lacks, by its number.
    private var missing: [Int: Int] = [:]
    /// Times wrap after 26.5 hours.
    private var clocks: [Int: RunningClock] = [:]
    private let limits: Limits
    /// Units that have no time, and that are more than allowed.
    private var (timeless, leftOut) = (0, 0)

    /// Scans the entire file, or up to the first packet of another stream.
    init(
        _ source: any RandomAccessSource, limits: Limits, cancellation: Cancellation?
    ) throws(UndertextError) {
        self.limits = limits
        var cursor = ProgramStreamCursor(SourceWindow(source, cancellation: cancellation), at: 0)
        while let packet = try cursor.next() {
            if (0xC0...0xEF).contains(packet.streamID)
                || packet.streamID == 0xBD && packet.subPicture == nil && packet.payload.count > 1
            {
                holdsOthers = true
                return
            }
            add(packet)
        }
        if cursor.skipped > 0 {
            diagnostics.append(
                Diagnostic(
                    .error, "damaged-container",
                    "\(cursor.skipped) bytes of the .sub file belong to no packet"))
        }
        note(timeless, "missing-time", "in the .sub file without a time")
        note(leftOut, "limit-exceeded", "in the .sub file beyond the \(limits.cues) allowed")
        if cursor.isCutOff {
            diagnostics.append(
                Diagnostic(.error, "truncated", "the .sub file is cut off", byteOffset: source.size)
            )
        }
    }

    private mutating func note(_ count: Int, _ code: String, _ what: String) {
        guard count > 0 else { return }
        let subtitles = count == 1 ? "1 subtitle" : "\(count) subtitles"
        diagnostics.append(
            Diagnostic(
                .error, code, "\(subtitles) \(what) \(count == 1 ? "is" : "are") left out"))
    }

    private mutating func add(_ packet: ProgramPacket) {
        guard let number = packet.subPicture else { return }
        let bytes = packet.payload.dropFirst()
        if let rest = missing[number], rest > 0, packet.pts == nil {
            missing[number] = max(0, rest - bytes.count)
            return
        }
        guard let pts = packet.pts else {
            // Data outside a unit with a time begin one without a time, unless they are stuffing.
            guard bytes.contains(where: { $0 != 0 && $0 != 0xFF }) else { return }
            timeless += 1
            missing[number] = rest(of: bytes)
            return
        }
        missing[number] = rest(of: bytes)
        let place =
            streams.firstIndex { $0.number == number }
            ?? {
                streams.append(.init(number: number, identifier: ""))
                return streams.count - 1
            }()
        guard streams[place].entries.count < limits.cues else {
            leftOut += 1
            return
        }
        let time = clocks[number, default: RunningClock(bits: 33)].unwrapped(pts)
        streams[place].entries.append(.init(ticks: time, position: packet.position))
    }

    /// The number of missing bytes of a unit that begins with these bytes.
    private func rest(of bytes: ArraySlice<UInt8>) -> Int {
        let size = SubPictureUnitReader.size(of: bytes) ?? bytes.count + 4
        return max(0, size - bytes.count)
    }
}
