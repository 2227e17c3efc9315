internal import SubtitleCodecs

/// Packets of one track in, finished cues out.
struct TrackDecoder {
    let stream: StreamDescription
    private var decoder: any SubtitleDecoder
    private var assembler: CueAssembler
    private let mapping: TimelineMapping
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
        self.mapping = mapping
        duration = container.storedEnd
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
        let stored = decoder.takeDiagnostics().map { diagnostic in
            var placed = diagnostic
            placed.time = diagnostic.time.map(mapping.mapped)
            return placed
        }
        return (stored + assembler.takeDiagnostics()).map { diagnostic in
            var placed = diagnostic
            placed.streamIndex = stream.index
            return placed
        }
    }
}
