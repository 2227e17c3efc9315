internal import SubtitleCodecs

/// Packets of one track in, finished cues out.
struct TrackDecoder {
    let stream: StreamDescription
    private var decoder: any SubtitleDecoder
    private var assembler: CueAssembler
    private let duration: Timestamp?

    init(
        stream: StreamDescription, mapping: TimelineMapping, container: ContainerDescription,
        forcedOnly: Bool, limits: Limits
    ) throws(MediaError) {
        self.stream = stream
        decoder = try DecoderFactory.decoder(for: stream, limits: limits).get()
        assembler = CueAssembler(
            mapping: mapping, trackIsForced: stream.isForced, forcedOnly: forcedOnly,
            limits: limits)
        // Stored times of containers that start anywhere end at start + duration.
        duration = container.duration.flatMap { length in
            let (end, overflow) = length.addingReportingOverflow(container.startTime ?? 0)
            return overflow ? nil : Timestamp(ticks: end, timeBase: .microseconds)
        }
    }

    var header: SubtitleHeader { decoder.header }

    mutating func decode(_ packet: Packet) -> [Cue] {
        decoder.decode(packet).flatMap { assembler.add($0) }
    }

    mutating func finish() -> [Cue] {
        let cues = decoder.finish().flatMap { assembler.add($0) }
        return cues + assembler.finish(duration: duration)
    }

    mutating func takeDiagnostics() -> [Diagnostic] {
        (decoder.takeDiagnostics() + assembler.takeDiagnostics()).map { diagnostic in
            var placed = diagnostic
            placed.streamIndex = stream.index
            return placed
        }
    }
}
