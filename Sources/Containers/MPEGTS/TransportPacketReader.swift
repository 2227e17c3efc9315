public import MediaCore

/// Reads the packets of chosen subtitle streams, and of everything else the packet headers.
///
/// Made by ``TransportStreamFile/packetReader(for:)``.
public final class TransportPacketReader: PacketReader {
    /// A stream whose packets are wanted.
    struct Choice {
        let pid: Int
        let index: Int
        let codec: CodecID
    }

    private var scanner: PacketScanner
    private var tables: ProgramTables
    private let maximumPacket: Int
    private var streams: [ElementaryStreamReader]
    /// The place in ``streams`` by PID.
    private var slots: [Int: Int] = [:]
    private var references: [Int: WrapReference] = [:]
    private var clocks: [Int: Int64] = [:]
    private var units: [PESAssembler.Unit] = []
    private var queue: [Packet] = []
    private var queueStart = 0
    private var hasEnded = false
    private var knownPIDs: Set<Int>
    private var diagnostics = DiagnosticBuffer()

    init(_ file: TransportStreamFile, _ chosen: [Choice]) {
        scanner = PacketScanner(file.window, layout: file.layout)
        tables = file.tables
        maximumPacket = file.limits.packetSize
        streams = chosen.map {
            ElementaryStreamReader(pid: $0.pid, index: $0.index, codec: $0.codec)
        }
        knownPIDs = Set(file.tables.programs.flatMap { $0.streams.map(\.pid) })
        for (slot, stream) in streams.enumerated() { slots[stream.pid] = slot }
        followTables()
    }

    /// Where the reading is, in bytes.
    public var position: UInt64 { scanner.position }

    /// The next packet of a chosen stream, or `nil` at the end of the file.
    ///
    /// - Throws: ``MediaCore/MediaError`` with code `io` or `cancelled`.
    public func nextPacket() throws(MediaError) -> Packet? {
        while queueStart == queue.count {
            guard !hasEnded else { return nil }
            queue.removeAll(keepingCapacity: true)
            queueStart = 0
            try advance()
        }
        defer { queueStart += 1 }
        return queue[queueStart]
    }

    /// What was damaged since the last call.
    public func takeDiagnostics() -> [Diagnostic] { diagnostics.take() }

    private func advance() throws(MediaError) {
        switch try scanner.advance() {
        case .packet(let header, let block, let offset): take(header, block, offset)
        case .garbage(let start, let count):
            diagnostics.add(
                .warning, "lost-sync", "\(count) bytes are not transport packets", nil,
                Int64(clamping: start))
        case .end(let remainder):
            if remainder > 0 {
                diagnostics.add(
                    .warning, "truncated", "the file ends within a transport packet", nil,
                    Int64(clamping: scanner.position))
            }
            finish()
        }
    }

    private func take(_ header: TransportHeader, _ block: [UInt8], _ offset: UInt64) {
        guard !header.isVoid else { return }
        if let clock = header.clock { clocks[header.pid] = clock }
        if let slot = slots[header.pid] {
            let place = scanner.layout.reportedPosition(ofPacketAt: offset)
            let clock = streams[slot].clockPIDs.lazy.compactMap { self.clocks[$0] }.first
            streams[slot].push(
                header, block, place: place, clock: clock, to: &units, &diagnostics)
            emit(from: slot)
        } else if tables.push(header, block) {
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
            guard let packet = streams[slot].packet(unit) else { continue }
            if packet.data.count > maximumPacket {
                diagnostics.add(
                    .error, "packet-too-large",
                    "a packet of \(packet.data.count) bytes is larger than allowed and was left out",
                    packet.streamIndex, unit.place)
            } else {
                queue.append(packet)
            }
        }
        units.removeAll(keepingCapacity: true)
    }

    /// The first time of a programme decides for all its streams, whether they are chosen or not.
    private func setReference(_ slot: Int, first: Int64) {
        guard streams[slot].wrap == nil else { return }
        let numbers = streams[slot].programs
        let reference =
            numbers.lazy.compactMap { self.references[$0] }.first ?? WrapReference(first: first)
        streams[slot].wrap = reference
        for number in numbers { references[number] = reference }
        for other in streams.indices where !Set(streams[other].programs).isDisjoint(with: numbers) {
            streams[other].wrap = reference
        }
        updateInterests()
    }

    /// Takes over what the tables say now, at the beginning and where they change.
    private func followTables() {
        let chosen = streams.filter { $0.index != nil }.map(\.pid)
        let programs = tables.programs.filter { program in
            program.streams.contains { chosen.contains($0.pid) }
        }
        for stream in programs.flatMap(\.streams) where slots[stream.pid] == nil {
            slots[stream.pid] = streams.count
            streams.append(ElementaryStreamReader(pid: stream.pid))
        }
        for slot in streams.indices {
            let owners = tables.programs(ofPID: streams[slot].pid)
            streams[slot].programs = owners.map(\.number)
            streams[slot].clockPIDs = owners.compactMap(\.clockPID)
        }
        tellNewStreams()
        updateInterests()
    }

    private func tellNewStreams() {
        for program in tables.programs {
            for stream in program.streams where knownPIDs.insert(stream.pid).inserted {
                guard let codec = stream.subtitleCodec(in: program) else { continue }
                diagnostics.add(
                    .warning, "late-stream",
                    "a stream of \(codec) with the PID \(stream.pid) begins here; it is not among "
                        + "the streams that can be chosen", nil, Int64(clamping: scanner.position))
            }
        }
    }

    private func updateInterests() {
        scanner.clearInterests()
        for stream in streams where stream.needsClock {
            scanner.setInterest(PacketScanner.Interest.clock, for: stream.clockPIDs)
        }
        let wanted = streams.filter { $0.index != nil || (isOpen($0) && $0.wrap == nil) }
        scanner.setInterest(PacketScanner.Interest.all, for: wanted.map(\.pid) + tables.pids)
    }

    /// Whether a programme of the stream still lacks its first time.
    private func isOpen(_ stream: ElementaryStreamReader) -> Bool {
        stream.programs.contains { references[$0] == nil }
    }
}
