internal import UndertextCore

/// Writes a service of CEA-608 as a Scenarist SCC file with the pairs as they are stored.
///
/// A line is a packet of several pairs, or packets of one pair that follow one another, as in video. Of the other
/// services of the field nothing is written.
struct SCCPacketWriter: PacketWriter {
    /// One file.
    let fileExtensions = ["scc"]
    /// Number of cues in the packets so far.
    private(set) var cueCount = 0
    /// The sink of diagnostics: packets without a time.
    let diagnostics: DiagnosticSink

    private let service: CEA608Service
    private let options: PacketWriterOptions
    private var owner: CEA608PairOwner
    /// Counts the cues; it has no say in what is written.
    private var decoder: CEA608Decoder
    private var spans: [PacketSpan] = []
    private var lastTime = Timestamp.zero
    /// The line that may still grow.
    private var line: (frame: Int64, pairs: [UInt8]) = (0, [])
    /// The first frame that nothing is sent in yet.
    private var free: Int64 = 0

    /// A pair that means nothing, with its parity bits.
    private static let filling: [UInt8] = [0x80, 0x80]
    /// Frames from one pair to the next that stay in one line: those of other rates are not evenly spaced.
    private static let gapAtMost: Int64 = 1
    /// The same before the repetition of a code, which must follow at once.
    private static let gapBeforeRepetition: Int64 = 3
    /// Pairs of one line; readers do not take lines of any length.
    private static let pairsAtMost = 10_000

    /// Creates a writer for `stream`, whose service is the first one if it names none.
    init(
        stream: StreamDescription, options: PacketWriterOptions,
        diagnostics: DiagnosticSink = .init()
    ) {
        service = stream.service.flatMap(CEA608Service.init(name:)) ?? .cc1
        self.options = options
        self.diagnostics = diagnostics
        owner = CEA608PairOwner(field: service.field)
        // A copy loses nothing if the input is damaged.
        decoder = CEA608Decoder(stream: stream, diagnostics: DiagnosticSink { _ in })
    }

    /// Writes the signature.
    mutating func begin(into output: inout [[UInt8]]) {
        guard !output.isEmpty else { return }
        output[0] += SCCWriter.signature
    }

    /// Takes the pairs of a packet.
    mutating func write(_ packet: Packet, into output: inout [[UInt8]]) {
        guard !output.isEmpty, let start = diagnostics.start(of: packet) else { return }
        count(decoder.decode(packet))
        lastTime = max(lastTime, packet.end ?? start)
        let pairs = pairs(of: packet)
        guard pairs.contains(where: { $0 & 0x7F != 0 }) else { return }
        let frame = FrameRate.ntsc.frame(at: start)
        if !continuesLine(pairs, at: frame) {
            endLine(into: &output[0])
            line.frame = max(frame, free)
        }
        line.pairs += pairs
    }

    /// Writes the last line.
    mutating func finish(into output: inout [[UInt8]]) {
        guard !output.isEmpty else { return }
        count(decoder.finish())
        endLine(into: &output[0])
    }

    /// The cues since the last call.
    mutating func takeSpans() -> [PacketSpan]? {
        defer { spans = [] }
        return spans
    }

    private mutating func count(_ events: [DecodedEvent]) {
        for case .cue(let cue) in events {
            let end = cue.end?.time ?? options.inputEnd ?? lastTime
            spans.append(PacketSpan(start: cue.start, end: max(cue.start, end)))
            cueCount += 1
        }
    }

    /// The pairs of the field, with filling instead of those of other services.
    private mutating func pairs(of packet: Packet) -> [UInt8] {
        var pairs: [UInt8] = []
        for triplet in CaptionTriplet.all(in: packet.data)
        where triplet.isValid && triplet.type == UInt8(service.field) {
            let pair = [triplet.first, triplet.second]
            let isCode = 0x01...0x1F ~= triplet.first & 0x7F
            if isCode, pair.contains(where: { $0.nonzeroBitCount % 2 == 0 }) {
                // Decoders ignore codes with wrong parity.
                pairs += pair
                continue
            }
            let owner = owner.take(triplet.first & 0x7F, triplet.second & 0x7F)?.service
            pairs += owner == nil || owner == service ? pair : Self.filling
        }
        return pairs
    }

    private func continuesLine(_ pairs: [UInt8], at frame: Int64) -> Bool {
        guard pairs.count == 2, !line.pairs.isEmpty else { return false }
        let gap = frame - (line.frame + Int64(line.pairs.count / 2))
        let isRepetition = pairs[0] & 0x70 == 0x10 && line.pairs.suffix(2).elementsEqual(pairs)
        return gap <= (isRepetition ? Self.gapBeforeRepetition : Self.gapAtMost)
    }

    private mutating func endLine(into output: inout [UInt8]) {
        var rest = line.pairs[...]
        while !rest.isEmpty {
            let part = rest.prefix(2 * Self.pairsAtMost)
            output += SCCTimecode(frame: line.frame, dropsFrames: options.dropsFrames)
                .line(of: part)
            line.frame += Int64(part.count / 2)
            rest = rest.dropFirst(part.count)
        }
        free = max(free, line.frame)
        line.pairs = []
    }
}
