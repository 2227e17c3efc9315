internal import UndertextCore

/// Reads the packets of chosen subtitle streams, and of everything else the packet headers.
final class TransportScan: @unchecked Sendable {
    // Unchecked: made on one thread and then used by one other only, see `TransportBatch.Puller`.
    /// A stream whose packets are wanted.
    struct Choice {
        let pid: Int
        let index: Int
        let codec: CodecID
        /// `true` to return only the picture headers of video packets.
        var readsHeads = false
    }

    private var scanner: PacketScanner
    private var tables: ProgramTables
    private let maximumPacket: Int
    private var streams: [ElementaryStreamReader]
    /// The place in ``streams`` by PID.
    private var slots: [Int: Int] = [:]
    private var references: [Int: PTSWrapReference] = [:]
    private var clocks: [Int: Int64] = [:]
    /// The PIDs of the clocks by which times of streams are checked.
    private var neededClocks: Set<Int> = []
    private var units: [PESAssembler.Unit] = []
    private var packets: [Packet] = []
    private var packetBytes = 0
    private var hasEnded = false
    private var blocks = 0
    private var knownPIDs: Set<Int>
    private var reportedExcess: String?
    private let maximumStreams: Int
    private let diagnostics = DiagnosticSink(capacity: 1000)
    /// Packets that start before this offset are not returned.
    private let firstPlace: Int64
    private let ownSource: (any RandomAccessSource)?

    /// A batch ends with a block that contains a wanted packet, or after this number of blocks.
    private static let blocksOfBatch = 16
    /// The same for the bytes found.
    private static let bytesOfBatch = 256 << 10

    /// Scans the file from its beginning, or from `start` on.
    init(
        _ file: TransportStreamFile, _ chosen: [Choice], source: (any RandomAccessSource)? = nil,
        from start: TransportStart? = nil
    ) {
        ownSource = source
        let source = source ?? file.source
        scanner =
            start.map {
                PacketScanner(
                    source, layout: file.layout, at: $0.offset, cancellation: file.cancellation)
            }
            ?? PacketScanner(
                source, layout: file.layout, head: file.head, cancellation: file.cancellation)
        references = start?.references ?? [:]
        firstPlace = start?.firstPlace ?? .min
        tables = file.tables
        maximumPacket = file.limits.packetSize
        maximumStreams = chosen.count + file.limits.streams
        streams = chosen.map { ElementaryStreamReader(pid: $0.pid, choice: $0) }
        knownPIDs = Set(file.tables.programs.flatMap { $0.streams.map(\.pid) })
        for (slot, stream) in streams.enumerated() { slots[stream.pid] = slot }
        followTables()
    }

    /// Reports a problem at or after `place`, unless it precedes the returned packets.
    private func report(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ stream: Int?,
        _ place: Int64
    ) {
        guard place >= firstPlace else { return }
        diagnostics.report(
            severity, code, message, streamIndex: stream, byteOffset: UInt64(exactly: place))
    }

    /// Returns the next batch; `nil` after the end of the file or an error.
    func nextBatch() -> TransportBatch? {
        guard !hasEnded else { return nil }
        var batch = TransportBatch()
        let first = blocks
        do throws(UndertextError) {
            repeat { try advance() } while !hasEnded && !isEnough(since: first)
        } catch {
            hasEnded = true
            batch.failure = error
        }
        batch.packets = packets
        batch.diagnostics = diagnostics.take()
        batch.position = scanner.position
        batch.statistics = ownSource?.statistics ?? .init()
        packets = []
        packetBytes = 0
        return batch
    }

    /// The position of the scan in bytes.
    var position: UInt64 { scanner.position }

    /// The latest clock of the first chosen stream's program, without its wrap.
    var clock: Int64? {
        guard let stream = streams.first, let clock = time(for: stream) else { return nil }
        return stream.wrap?.unwrapped(clock) ?? clock
    }

    /// The PIDs of the clocks of each chosen stream.
    var clockPIDs: [[Int]] { streams.filter { $0.index != nil }.map(\.clockPIDs) }

    /// Goes on until the first time of each program is known; `nil` where that takes long.
    func firstTimes(within limit: UInt64) throws(UndertextError) -> [Int: PTSWrapReference]? {
        while streams.contains(where: { $0.index != nil && $0.wrap == nil }) {
            guard !hasEnded, scanner.position < limit else { return nil }
            try advance()
        }
        return references
    }

    private func isEnough(since first: Int) -> Bool {
        packetBytes > Self.bytesOfBatch || blocks - first >= Self.blocksOfBatch
            || (blocks > first && !packets.isEmpty)
    }

    private func time(for stream: ElementaryStreamReader) -> Int64? {
        stream.clockPIDs.lazy.compactMap { self.clocks[$0] }.first
    }

    private func advance() throws(UndertextError) {
        switch try scanner.advance() {
        case .packet(let header, let block, let offset): try take(header, block, offset)
        case .block: blocks += 1
        case .garbage(let start, let count):
            report(
                .warning, "lost-sync", "\(count) bytes are not transport packets", nil,
                Int64(clamping: start))
        case .end(let remainder):
            if remainder > 0 {
                report(
                    .warning, "truncated", "the file ends within a transport packet", nil,
                    Int64(clamping: scanner.position))
            }
            finish()
        }
    }

    private func take(_ header: TransportHeader, _ block: [UInt8], _ offset: UInt64)
        throws(UndertextError)
    {
        guard !header.isVoid else { return }
        if let clock = header.clock { clocks[header.pid] = clock }
        if let slot = slots[header.pid] {
            let place = scanner.layout.reportedPosition(ofPacketAt: offset)
            let clock = time(for: streams[slot])
            if let continuity = scanner.endSkipping(of: header.pid) {
                streams[slot].endSkipping(after: continuity)
            }
            streams[slot].push(
                header, block, place: place, clock: clock, to: &units, report)
            emit(from: slot)
            if streams[slot].isSkipping, !neededClocks.contains(header.pid) {
                scanner.skipToStart(of: header.pid, after: header.continuity)
            }
        } else if tables.push(header, block) {
            try scanner.checkCancellation()
            followTables()
        }
    }

    private func finish() {
        hasEnded = true
        // libavformat empties its assemblers in the order of their PIDs.
        for slot in streams.indices.sorted(by: { streams[$0].pid < streams[$1].pid }) {
            if let unit = streams[slot].finish() { units.append(unit) }
            emit(from: slot)
        }
    }

    private func emit(from slot: Int) {
        guard !units.isEmpty else { return }
        for unit in units {
            if let time = unit.dts ?? unit.pts { setReference(slot, first: time) }
            guard let packet = streams[slot].packet(unit), unit.place >= firstPlace else {
                continue
            }
            if packet.data.count > maximumPacket {
                report(
                    .error, "packet-too-large",
                    "a packet of \(packet.data.count) bytes is too large and was left out",
                    packet.streamIndex, unit.place)
            } else {
                packets.append(packet)
                packetBytes += packet.data.count
            }
        }
        units.removeAll(keepingCapacity: true)
    }

    /// The first time of a program decides for all its streams, whether they are chosen or not.
    private func setReference(_ slot: Int, first: Int64) {
        guard streams[slot].wrap == nil else { return }
        let numbers = streams[slot].programs
        let reference =
            numbers.lazy.compactMap { self.references[$0] }.first ?? PTSWrapReference(first: first)
        streams[slot].wrap = reference
        for number in numbers { references[number] = reference }
        let shared = Set(numbers)
        for other in streams.indices where !shared.isDisjoint(with: streams[other].programs) {
            streams[other].wrap = reference
        }
        updateInterests()
    }

    /// Applies the current tables, at the beginning and after each change.
    private func followTables() {
        let chosen = Set(streams.filter { $0.index != nil }.map(\.pid))
        let programs = tables.programs.filter { program in
            program.streams.contains { chosen.contains($0.pid) }
        }
        // Streams of former maps remain, but must not accumulate if the maps keep changing.
        for stream in programs.flatMap(\.streams)
        where slots[stream.pid] == nil && streams.count < maximumStreams {
            slots[stream.pid] = streams.count
            streams.append(ElementaryStreamReader(pid: stream.pid))
        }
        for slot in streams.indices {
            let owners = tables.programs(ofPID: streams[slot].pid)
            streams[slot].programs = owners.map(\.number)
            streams[slot].clockPIDs = owners.compactMap(\.clockPID)
            streams[slot].wrap =
                streams[slot].wrap ?? owners.lazy.compactMap { self.references[$0.number] }.first
        }
        reportNewStreams()
        if let excess = tables.excess, excess != reportedExcess {
            reportedExcess = excess
            report(
                .warning, "tables-exceed-limits", excess, nil,
                max(firstPlace, Int64(clamping: scanner.position)))
        }
        updateInterests()
    }

    private func reportNewStreams() {
        for program in tables.programs {
            for stream in program.streams where knownPIDs.insert(stream.pid).inserted {
                guard let codec = stream.subtitleCodec(in: program) else { continue }
                report(
                    .warning, "late-stream",
                    "a \(codec) stream (PID \(stream.pid)) begins here; it was not listed and cannot be "
                        + "selected", nil, Int64(clamping: scanner.position))
            }
        }
    }

    private func updateInterests() {
        scanner.clearInterests()
        neededClocks = Set(streams.filter(\.needsClock).flatMap(\.clockPIDs))
        scanner.setInterest(PacketScanner.Interest.clock, for: Array(neededClocks))
        let wanted = streams.filter { $0.index != nil || (isOpen($0) && $0.wrap == nil) }
        scanner.setInterest(PacketScanner.Interest.all, for: wanted.map(\.pid) + tables.pids)
    }

    /// `true` if a program of the stream still lacks its first time.
    private func isOpen(_ stream: ElementaryStreamReader) -> Bool {
        stream.programs.contains { references[$0] == nil }
    }
}
