internal import UndertextContainers
internal import UndertextCore

/// Makes the packets of one stream of its pieces, which come in order.
///
/// Times are nanoseconds on the timeline of the presentation.
protocol PieceUnpacker {
    /// Returns the packets that are complete.
    ///
    /// - Parameters:
    ///   - piece: the fetched piece.
    ///   - bytes: its bytes.
    ///   - initialization: its initialization section; may be empty.
    ///   - clock: the clock of its media; `nil` if unknown.
    /// - Returns: the packets in order.
    mutating func packets(
        of piece: TextPiece, _ bytes: [UInt8], initialization: [UInt8], clock: MediaClock?
    ) -> [Packet]
    /// Returns the packets that were held back.
    mutating func finish() -> [Packet]
    /// The diagnostics since the last call.
    mutating func takeDiagnostics() -> [Diagnostic]
}

/// Extracts closed captions from video segments, as packets of `cc_data` triplets.
struct CaptionUnpacker: PieceUnpacker {
    private let stream: Int
    private let limits: Limits
    private var extractor: CaptionExtractor?
    private var codec = CodecID.unknown
    /// The stretch or period of the last piece.
    private var stretch: (placement: TextPiece.Placement, bounds: TimeWindow)?
    private let found = DiagnosticSink()
    private var notes = StreamingNotes(StreamingLimits())

    /// Creates an unpacker of the video of a stream.
    init(stream: Int, limits: Limits) {
        self.stream = stream
        self.limits = limits
    }

    mutating func packets(
        of piece: TextPiece, _ bytes: [UInt8], initialization: [UInt8], clock: MediaClock?
    ) -> [Packet] {
        var ready: [Packet] = []
        if let stretch, stretch != (piece.placement, piece.bounds) { ready += finish() }
        stretch = (piece.placement, piece.bounds)
        do throws(UndertextError) {
            let (video, reader, diagnostics) = try open(initialization + bytes)
            if video != codec {
                ready += finish()
                codec = video
            }
            var shift: Duration?
            while let packet = try reader.nextPacket() {
                let start = packet.start
                shift = shift ?? start.map { offset(of: $0, in: piece, clock) }
                extractor = extractor ?? self.extractor(of: video)
                let placed = Self.placed(packet, shift)
                extractor?.add(placed, to: &ready)
            }
            for diagnostic in diagnostics.take() {
                note(diagnostic.severity, diagnostic.code, piece, diagnostic.message)
            }
        } catch {
            note(.error, "bad-segment", piece, "it cannot be read: \(error.message)")
        }
        return bounded(ready)
    }

    mutating func finish() -> [Packet] {
        var ready: [Packet] = []
        extractor?.finish(to: &ready)
        extractor = nil
        return bounded(ready)
    }

    mutating func takeDiagnostics() -> [Diagnostic] {
        var diagnostics = notes.take() + found.take()
        for index in diagnostics.indices { diagnostics[index].streamIndex = stream }
        return diagnostics
    }

    private mutating func note(
        _ severity: Diagnostic.Severity, _ code: String, _ piece: TextPiece, _ message: String
    ) {
        notes.add(severity, code, time: piece.start, "segment \(piece.number): \(message)")
    }

    private func extractor(of codec: CodecID) -> CaptionExtractor? {
        CaptionExtractor(
            StreamDescription(index: stream, kind: .video, codec: codec, timeBase: .nanoseconds),
            diagnostics: found)
    }

    // MARK: Segments

    /// Opens the video of a segment.
    private func open(
        _ bytes: [UInt8]
    ) throws(UndertextError) -> (CodecID, any PacketReader, DiagnosticSink) {
        let diagnostics = DiagnosticSink()
        let source = MemorySource(bytes)
        guard TextForm(bytes) == .samples else {
            let file = try TransportStreamFile(source: source, limits: limits)
            let video = file.programs.lazy.flatMap(\.streams).compactMap { entry in
                entry.videoCodecs.max { $0.rawValue < $1.rawValue }.map { (entry.pid, $0) }
            }.first
            guard let (pid, codec) = video else { throw Self.noCaptions }
            let description = StreamDescription(
                index: stream, kind: .video, codec: codec, id: Int64(pid), timeBase: .mpeg)
            let reader = try file.packetReader(for: [description], diagnostics: diagnostics)
            return (codec, reader, diagnostics)
        }
        let file = try MP4File(source: source, limits: limits)
        let names = MP4CodecNames(initialization: bytes).names.compactMap(\.self)
        let codec = names.lazy.map(CodecParameter.init).first { $0.kind == .video }?.codec
        guard let track = file.tracks.first(where: { $0.handler == "vide" }), let codec,
            extractor(of: codec) != nil
        else { throw Self.noCaptions }
        let reader = try file.packetReader(for: [track.id: stream], diagnostics: diagnostics)
        return (codec, reader, diagnostics)
    }

    private static var noCaptions: UndertextError {
        UndertextError(.notMedia, "it has no video that may carry captions")
    }

    // MARK: Times

    /// The shift from the times of a segment to the presentation, by its first time.
    private func offset(
        of first: Timestamp, in piece: TextPiece, _ clock: MediaClock?
    ) -> Duration {
        switch piece.placement {
        case .offset(let offset): offset
        case .clock:
            // Without a clock the segment begins where its playlist says.
            first.duration(
                to: clock?.time(of: first, map: .absent, near: piece.start) ?? piece.start)
        }
    }

    private static func placed(_ packet: Packet, _ shift: Duration?) -> Packet {
        var placed = packet
        placed.timeBase = .nanoseconds
        placed.pts = packet.start.flatMap { start in
            shift.map { start.advanced(by: $0).nanoseconds }
        }
        placed.dts = nil
        placed.duration = nil
        placed.position = nil
        return placed
    }

    /// Returns the packets within the period of the last piece.
    private func bounded(_ packets: [Packet]) -> [Packet] {
        guard let bounds = stretch?.bounds, !bounds.isAll else { return packets }
        return packets.filter { packet in
            guard let start = packet.start else { return true }
            return bounds.start.map { $0 <= start } ?? true && bounds.end.map { start < $0 } ?? true
        }
    }
}
