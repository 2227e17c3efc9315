internal import UndertextContainers
internal import UndertextCore
internal import UndertextFormats

/// Converts the pieces of one text stream, of any form, to packets.
///
/// Times are nanoseconds on the timeline of the presentation. Pieces must be in order.
struct TextUnpacker: PieceUnpacker {
    private let stream: Int
    private let limits: Limits
    private var joiner: WebVTTJoiner
    private var unpackers: [any SampleUnpacker]
    /// The diagnostics of the unpackers.
    private let found = DiagnosticSink()
    private var notes = StreamingNotes(StreamingLimits())
    private var assumed = AssumedClocks()
    /// The length of the joiner's header that decoders have already received.
    private var knownHeader: Int
    /// The side data that identifies a packet's segment; empty if it is not requested.
    private var segment: [SideData] = []

    /// Creates an unpacker.
    ///
    /// - Parameters:
    ///   - stream: the index of the stream.
    ///   - header: the WebVTT header of the stream's description.
    ///   - limits: limits for pieces.
    init(stream: Int, header: [UInt8], limits: Limits) {
        self.stream = stream
        self.limits = limits
        joiner = WebVTTJoiner(streamIndex: stream, header: header, limits: limits)
        knownHeader = joiner.header.count
        unpackers = SubtitleFormat.sampleUnpackers.map { [found] in
            $0.init(diagnostics: found.section())
        }
    }

    mutating func packets(
        of piece: TextPiece, _ bytes: [UInt8], initialization: [UInt8], clock: MediaClock?
    ) -> [Packet] {
        segment = piece.segment.map { [SideData(.segment, Array($0.utf8))] } ?? []
        let packets: [Packet]
        var (bytes, initialization) = (bytes, initialization)
        if TextForm(initialization) == .webVTT {
            // The header of segments that have none of their own (RFC 8216, section 3.5).
            if TextForm(bytes) == nil { bytes = initialization + [0x0A, 0x0A] + bytes }
            initialization = []
        }
        switch TextForm(bytes) {
        case .webVTT: packets = named(webVTT(piece, bytes, clock))
        case .ttml: packets = named(document(piece, bytes))
        case .samples: packets = samples(piece, initialization + bytes, clock)
        case nil:
            // A segment without cues has a header (RFC 8216, section 3.5).
            note(
                .error, "no-subtitles", piece,
                bytes.isEmpty
                    ? "it is empty"
                    : "it is neither WebVTT, TTML nor MP4: \(Self.beginning(of: bytes))")
            return []
        }
        return bounded(packets, by: piece)
    }

    private func named(_ packets: [Packet]) -> [Packet] {
        guard !segment.isEmpty else { return packets }
        var packets = packets
        for index in packets.indices { packets[index].sideData += segment }
        return packets
    }

    mutating func finish() -> [Packet] { unpackers.indices.flatMap { unpackers[$0].finish() } }

    mutating func takeDiagnostics() -> [Diagnostic] {
        var diagnostics = notes.take() + joiner.takeDiagnostics() + found.take()
        for index in diagnostics.indices { diagnostics[index].streamIndex = stream }
        return diagnostics
    }

    private mutating func note(
        _ severity: Diagnostic.Severity, _ code: String, _ piece: TextPiece, _ message: String
    ) {
        notes.add(
            severity, code, time: piece.start,
            piece.isWhole ? message : "segment \(piece.number): \(message)")
    }

    private static func beginning(of bytes: [UInt8]) -> String {
        let line = bytes.prefix(60).prefix { $0 != 0x0A && $0 != 0x0D }
        return "it begins with '\(escapedForTerminal(String(decoding: line, as: UTF8.self)))'"
    }

    // MARK: WebVTT

    private mutating func webVTT(
        _ piece: TextPiece, _ bytes: [UInt8], _ clock: MediaClock?
    ) -> [Packet] {
        var segment = WebVTTJoiner.Segment(bytes, start: piece.start, clock: clock)
        switch piece.placement {
        case .clock(let stretch):
            if clock == nil, let map = TimestampMap(header: Array(bytes.prefix(1 << 12))) {
                let cues = assumed.knows(stretch) ? [] : cueTimes(bytes)
                segment.clock = assumedClock(stretch, piece, map, cues)
            }
        case .offset(let offset): segment.offset = offset
        }
        var packets = joiner.packets(of: segment)
        // Styles and regions that no segment before had go with the next cue.
        if joiner.header.count > knownHeader, !packets.isEmpty {
            let blocks = Array("WEBVTT".utf8) + joiner.header[knownHeader...]
            packets[0].sideData.append(SideData(.webVTTHeader, blocks))
            knownHeader = joiner.header.count
        }
        return packets
    }

    /// The assumed clock for media without a time.
    private mutating func assumedClock(
        _ stretch: Int64, _ piece: TextPiece, _ map: TimestampMap, _ cues: [Range<Timestamp>]
    ) -> MediaClock? {
        let end = max(piece.start, piece.end ?? piece.start)
        let (clock, fit) = assumed.clock(of: stretch, map, cues: cues, in: piece.start..<end)
        if fit == .none {
            note(
                .error, "unknown-clock", piece,
                "its times do not match its position, and the media clock is unknown; times are used as "
                    + "written")
        }
        return clock
    }

    /// The times of a segment's cues, on its own clock.
    private func cueTimes(_ bytes: [UInt8]) -> [Range<Timestamp>] {
        var times: [Range<Timestamp>] = []
        let reader = WebVTTFileReader(Array(bytes[...].withoutByteOrderMark), limits: limits)
        while times.count < limits.cues, let packet = try? reader.nextPacket() {
            guard let start = packet.start, let end = packet.end else { continue }
            times.append(start..<max(start, end))
        }
        return times
    }

    // MARK: TTML

    private mutating func document(_ piece: TextPiece, _ bytes: [UInt8]) -> [Packet] {
        var text = Array(bytes[...].withoutByteOrderMark)
        if String(validating: text, as: UTF8.self) == nil {
            note(.error, "invalid-utf8", piece, "invalid UTF-8 became U+FFFD")
            text = Array(String(decoding: text, as: UTF8.self).utf8)
        }
        guard text.count <= limits.packetSize else {
            note(
                .error, "too-large", piece,
                "a document of \(text.count) bytes, more than the \(limits.packetSize) allowed")
            return []
        }
        var packet = Packet(
            streamIndex: stream, pts: 0, timeBase: .nanoseconds,
            data: XMLProlog.statingUTF8(text))
        if case .offset(let offset) = piece.placement, offset != .zero {
            packet.sideData.append(SideData.inlineTimeOffset(offset))
        }
        // A document shows nothing outside the time of its segment and period.
        var shown = piece.bounds
        if !piece.isWhole {
            shown.start = max(piece.start, shown.start ?? piece.start)
            shown.end = [piece.end, shown.end].compactMap { $0 }.min()
        }
        if let start = shown.start {
            if let end = shown.end, end <= start {
                noteOutside(piece)
                return []
            }
            packet.pts = start.nanoseconds
            packet.duration = shown.end.map {
                Int64(clamping: start.duration(to: $0).nanoseconds128)
            }
        }
        return [packet]
    }

    // MARK: MP4

    private mutating func samples(
        _ piece: TextPiece, _ bytes: [UInt8], _ clock: MediaClock?
    ) -> [Packet] {
        do throws(UndertextError) {
            let file = try MP4File(source: MemorySource(bytes), limits: limits)
            let entries = SubtitleFormat.sampleUnpackers.map { $0.sampleEntry }
            guard let track = file.tracks.first(where: { entries.contains($0.format) }),
                let unpacker = entries.firstIndex(of: track.format)
            else {
                let found = file.tracks.first?.format ?? ""
                note(
                    .error, "no-subtitles", piece,
                    "its samples are '\(found)', no text that is read")
                return []
            }
            let reader = try file.packetReader(for: [track.id: stream])
            var packets: [Packet] = []
            var clock = clock
            while let sample = try reader.nextPacket() {
                if clock == nil { clock = assumedClock(sample, piece) }
                guard let placed = place(sample, piece, clock) else { continue }
                packets += unpackers[unpacker].add(placed)
            }
            for diagnostic in reader.diagnostics.take() + file.diagnostics {
                note(diagnostic.severity, diagnostic.code, piece, diagnostic.message)
            }
            return packets
        } catch {
            note(.error, "bad-segment", piece, "it cannot be read: \(error.message)")
            return []
        }
    }

    /// Of samples the time itself is what the clock shows.
    private mutating func assumedClock(_ sample: Packet, _ piece: TextPiece) -> MediaClock? {
        guard case .clock(let stretch) = piece.placement, let start = sample.start,
            let ticks = start.ticks(in: .mpeg)
        else { return nil }
        let end = max(start, sample.end ?? start)
        return assumedClock(
            stretch, piece, TimestampMap(local: start, mpegTS: ticks), [start..<end])
    }

    /// A sample on the timeline of the presentation.
    private mutating func place(
        _ sample: Packet, _ piece: TextPiece, _ clock: MediaClock?
    ) -> Packet? {
        guard let start = sample.start else {
            note(.error, "bad-time", piece, "a sample whose time does not fit is left out")
            return nil
        }
        let moved: Timestamp
        switch piece.placement {
        case .clock:
            moved = clock?.time(of: start, map: .absent, near: piece.start) ?? start
        case .offset(let offset):
            moved = start.advanced(by: offset)
        }
        let shift = start.duration(to: moved)
        var placed = sample
        placed.timeBase = .nanoseconds
        placed.pts = moved.nanoseconds
        placed.dts = nil
        placed.duration = sample.end.map { end in
            Int64(clamping: start.duration(to: end).nanoseconds128)
        }
        placed.position = nil
        if shift != .zero { placed.sideData.append(SideData.inlineTimeOffset(shift)) }
        placed.sideData += segment
        return placed
    }

    private mutating func noteOutside(_ piece: TextPiece) {
        note(
            .info, "outside-period", piece,
            "cues outside of the period are left out")
    }

    /// The packets within the period of a piece.
    private mutating func bounded(_ packets: [Packet], by piece: TextPiece) -> [Packet] {
        let bounds = piece.bounds
        guard !bounds.isAll else { return packets }
        var result: [Packet] = []
        for packet in packets {
            guard let start = packet.start else { continue }
            let end = packet.end
            // A packet without a duration counts at its start.
            guard
                bounds.overlaps(
                    from: start, until: max(end ?? start, start.advanced(by: .nanoseconds(1))))
            else {
                noteOutside(piece)
                continue
            }
            var packet = packet
            let first = max(start, bounds.start ?? start)
            packet.pts = first.nanoseconds
            if let end {
                let last = max(first, min(end, bounds.end ?? end))
                packet.duration = Int64(clamping: first.duration(to: last).nanoseconds128)
            }
            result.append(packet)
        }
        return result
    }
}
