package import UndertextCore

/// An MPEG transport stream, plain, Blu-ray (M2TS) or with parity (ISO/IEC 13818-1).
///
/// Opening reads the tables that list programs and streams; ``packetReader(for:window:source:puller:)`` returns
/// the packets of selected streams and reads only the headers of all others. libavformat describes the file: a
/// ``UndertextCore/StreamDescription`` is found by its `id`, which is the PID. Not `Sendable`: one reader at a
/// time.
package final class TransportStreamFile {
    /// The number of bytes in which the tables are searched: they recur every 0.1 to 0.5 s.
    private static let tableSearchLength: UInt64 = 8 << 20

    let source: any RandomAccessSource
    let cancellation: Cancellation?
    /// The first block, which opening and reading share.
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

    /// The reason why the packets of `streams` cannot be read here; `nil` if they can.
    ///
    /// Each must be a subtitle stream, or a video stream with captions, that a map table names with the codec
    /// that libavformat found, in ticks of 1/90000 s: streams that libavformat only guessed from the payload
    /// are left to it.
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

    /// Reads the packets of `streams`, for which ``refusal(for:)`` must be `nil`.
    ///
    /// The packets equal those of libavformat: payload, times without the 33-bit wrap, offsets, side data and
    /// order. Some packets that libavformat marks as damaged are complete here: a packet that is stored twice
    /// is returned once, and stuffing after the end of a PES packet is not part of the payload.
    ///
    /// - Parameters:
    ///   - streams: the streams.
    ///   - part: the part of the file; `nil` for all. Content on screen at its start is included; the reader
    ///     may return earlier packets, and returns all later ones. Packets of streams without a judge are
    ///     assumed to last until the next one.
    ///   - heads: the video streams of which only the beginning of each packet is returned, up to the first
    ///     slice.
    ///   - source: another source of the same file; `nil` for the file's own one.
    ///   - diagnostics: the sink for damage.
    ///   - puller: chooses the thread on which packets are read; `source` then belongs to that thread.
    /// - Returns: the reader.
    /// - Throws: ``UndertextCore/UndertextError`` with code `unsupported`, or errors of the source during the
    ///   search for the start of a part.
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
