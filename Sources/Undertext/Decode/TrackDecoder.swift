internal import SubtitleCodecs

/// Packets of one track in, finished cues out.
struct TrackDecoder {
    let stream: StreamDescription
    private var decoder: any SubtitleDecoder
    private var assembler: CueAssembler
    private var folder: FadeFolder?
    private let mapping: TimelineMapping
    private let duration: Timestamp?

    init(
        stream: StreamDescription, mapping: TimelineMapping, container: ContainerDescription,
        forcedOnly: Bool, limits: Limits, pictures: PictureDecoding = PictureDecoding()
    ) throws(MediaError) {
        self.stream = stream
        decoder = try DecoderFactory.decoder(
            for: stream, limits: limits, colorMatrix: pictures.colorMatrix
        ).get()
        folder = pictures.mergesFades ? FadeFolder() : nil
        assembler = CueAssembler(
            mapping: mapping, trackIsForced: stream.isForced, forcedOnly: forcedOnly,
            limits: limits)
        self.mapping = mapping
        duration = container.storedEnd
    }

    var header: SubtitleHeader { decoder.header }

    mutating func decode(_ packet: Packet) -> [Cue] {
        folded(decoder.decode(packet).flatMap { assembler.add($0) })
    }

    mutating func finish() -> [Cue] {
        let cues = decoder.finish().flatMap { assembler.add($0) }
        let all = folded(cues + assembler.finish(duration: duration))
        return all + (folder?.finish() ?? [])
    }

    private mutating func folded(_ cues: [Cue]) -> [Cue] {
        guard folder != nil else { return cues }
        return cues.flatMap { folder?.add($0) ?? [] }
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
