package import UndertextCore

/// An MPEG transport stream, plain, Blu-ray (M2TS) or with parity (ISO/IEC 13818-1).
///
/// Opening reads the tables that say which programs and streams there are; the packets of chosen
/// streams come from ``packetReader(for:window:source:puller:)``, which goes over all others by
/// their header alone. The file is described by libavformat: a ``UndertextCore/StreamDescription`` is
/// found by its `id`, which is the PID. Not `Sendable`: one reader at a time.
package final class TransportStreamFile {
    /// The tables are looked for in so many bytes: they recur every 0.1 to 0.5 s.
    private static let tableSearchLength: UInt64 = 8 << 20

    let source: any RandomAccessSource
    let cancellation: Cancellation?
    /// The first block: opening a file and reading it ask for it once.
    let head: [UInt8]
    let layout: PacketLayout
    let tables: ProgramTables
    let limits: Limits

    /// Bytes from one packet to the next: 188, 192 or 204.
    package var packetSize: Int { layout.distance }
    /// The programs that the tables at the beginning of the file name.
    package var programs: [TransportProgram] { tables.programs }

    /// Opens a file.
    ///
    /// - Throws: ``UndertextCore/UndertextError`` with code `notMedia` where no packets recur, `io` or
    ///   `cancelled`.
    package init(
        source: any RandomAccessSource, limits: Limits = Limits(), cancellation: Cancellation? = nil
    ) throws(UndertextError) {
        self.source = source
        self.cancellation = cancellation
        self.limits = limits
        head = try source.read(at: 0, count: PacketScanner.length(for: source))
        guard let layout = PacketLayout(detectedIn: head) else {
            throw UndertextError(
                .notMedia, "No transport packets were found at the beginning of the file.",
                path: source.name)
        }
        self.layout = layout
        tables = try Self.findTables(
            PacketScanner(source, layout: layout, head: head, cancellation: cancellation),
            streamLimit: limits.streams)
    }

    /// Why the packets of `streams` cannot be read here; `nil` if they can.
    ///
    /// Each has to be a stream of subtitles or of video with captions that a map table names with the codec that libavformat
    /// found, in ticks of 1/90000 s: what it only guessed from the payload is left to it.
    package func refusal(for streams: [StreamDescription]) -> String? {
        var seen: Set<Int> = []
        for stream in streams {
            guard let pid = Self.pid(of: stream), seen.insert(pid).inserted,
                stream.timeBase == .mpeg
            else { return "stream \(stream.index) is not one packet identifier's" }
            let owners = tables.programs(ofPID: pid)
            guard !owners.isEmpty else {
                return "no program map lists stream \(stream.index)"
            }
            let codecs = owners.flatMap { program in
                program.streams.filter { $0.pid == pid }.map {
                    $0.videoCodecs.contains(stream.codec)
                        ? stream.codec : $0.subtitleCodec(in: program)
                }
            }
            guard codecs.allSatisfy({ $0 == stream.codec }) else {
                return
                    "the program map does not list stream \(stream.index) as \(stream.codec)"
            }
        }
        return nil
    }

    /// Reads the packets of `streams`, which ``refusal(for:)`` has nothing against.
    ///
    /// The packets are libavformat's: payload, times without the 33-bit wrap, positions, side data
    /// and order. Where it marks a packet as damaged, ours may be whole: a packet that is stored
    /// twice counts once, and stuffing after the end of a PES packet is not taken for payload.
    ///
    /// - Parameters:
    ///   - streams: the streams.
    ///   - part: what part of the file; all of it if it is `nil`. What was on screen when it starts
    ///     is in it; more packets before it may come, and all after it. Packets of streams without
    ///     a judge are taken to last until the next one.
    ///   - heads: streams of video of whose packets only the beginning comes, up to the first slice.
    ///   - source: another source of the same file; the file's own one if it is `nil`.
    ///   - diagnostics: gets the damage that the reader finds.
    ///   - puller: decides on which thread packets are read; then `source` is that thread's.
    /// - Returns: the reader.
    /// - Throws: ``UndertextCore/UndertextError`` with code `unsupported`, or what the source throws while
    ///   the start of a part is looked for.
    package func packetReader(
        for streams: [StreamDescription], window part: IndexWindow? = nil,
        heads: Set<Int> = [], source: (any RandomAccessSource)? = nil,
        diagnostics: DiagnosticSink = .init(),
        puller: TransportBatch.Puller = { make in make }
    ) throws(UndertextError) -> TransportPacketReader {
        if let reason = refusal(for: streams) {
            throw UndertextError(.unsupported, reason, path: self.source.name)
        }
        let chosen = streams.compactMap { stream in
            Self.pid(of: stream).map {
                TransportScan.Choice(
                    pid: $0, index: stream.index, codec: stream.codec,
                    readsHeads: heads.contains(stream.index))
            }
        }
        var start: TransportStart?
        if let part, let time = part.time.start {
            start = try TransportSeek(file: self, chosen: chosen, judges: part.judges, time: time)
                .start()
        }
        let scan = TransportScan(self, chosen, source: source, from: start)
        return TransportPacketReader(pull: puller(scan.nextBatch), diagnostics: diagnostics)
    }

    /// The caption services of the events that are broadcast at the beginning of the file, by the number of the program.
    ///
    /// Event tables recur every 0.5 s (ATSC A/65, section 7). Files without tables of ATSC in their first block are not
    /// searched further.
    ///
    /// - Parameter bytes: The bytes of the file to search at most.
    /// - Returns: The services; programs without any have no entry.
    /// - Throws: ``UndertextCore/UndertextError`` with code `io` or `cancelled`.
    package func eventCaptionServices(
        within bytes: UInt64
    ) throws(UndertextError) -> [Int: [TransportCaptionService]] {
        var tables = EventTables()
        var scanner = PacketScanner(
            source, layout: layout, head: head, cancellation: cancellation)
        scanner.setInterest(PacketScanner.Interest.all, for: tables.pids)
        var isComplete = false
        search: while !isComplete, scanner.position < min(bytes, Self.tableSearchLength) {
            switch try scanner.advance() {
            case .packet(let header, let block, _):
                guard tables.push(header, block) else { continue }
                scanner.setInterest(PacketScanner.Interest.all, for: tables.pids)
                isComplete = tables.isComplete
            case .garbage: continue
            case .block: if !tables.isPresent { break search }
            case .end: break search
            }
        }
        let found = tables.programs.map { ($0, tables.services(ofProgram: $0)) }
        return Dictionary(uniqueKeysWithValues: found.filter { !$0.1.isEmpty })
    }

    private static func pid(of stream: StreamDescription) -> Int? {
        stream.id.flatMap { Int(exactly: $0) }.flatMap { (0..<0x1FFF).contains($0) ? $0 : nil }
    }

    private static func findTables(
        _ start: PacketScanner, streamLimit: Int
    ) throws(UndertextError) -> ProgramTables {
        var tables = ProgramTables(streamLimit: streamLimit)
        var scanner = start
        scanner.setInterest(PacketScanner.Interest.all, for: tables.pids)
        while !tables.isComplete, scanner.position < tableSearchLength {
            switch try scanner.advance() {
            case .packet(let header, let block, _):
                if tables.push(header, block) {
                    try scanner.checkCancellation()
                    scanner.clearInterests()
                    scanner.setInterest(PacketScanner.Interest.all, for: tables.pids)
                }
            case .garbage, .block: continue
            case .end: return tables
            }
        }
        return tables
    }
}
