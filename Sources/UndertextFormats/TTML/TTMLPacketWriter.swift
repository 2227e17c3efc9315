package import UndertextCore

/// Writes the packets of a TTML track as one document.
///
/// One document is written byte for byte as its packet has it. One whose times are not those of the stream, and several, as in MP4, are decoded and written as one, with the diagnostic
/// `documents-merged`, since a file has one document.
package struct TTMLPacketWriter: PacketWriter {
    /// One file.
    package let fileExtensions = ["ttml"]
    /// Number of cues accepted so far.
    package private(set) var cueCount = 0
    private let stream: StreamDescription
    private var decoder: TTMLDecoder
    private var first: [UInt8]?
    private var packets = 0
    /// `true` if the times within the document are not those of the stream.
    private var isMoved = false
    private var cues: [Cue] = []
    private var spans: [PacketSpan] = []
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The diagnostics of the decoder.
    private let found = DiagnosticSink()
    /// The content that cues cannot represent and a copy keeps.
    private var ofCues: [Diagnostic] = []

    /// Creates a writer for `stream`.
    package init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        self.stream = stream
        self.diagnostics = diagnostics
        // The cues are counted; their images go along with the bytes.
        let blank = IndexedBitmap(width: 1, height: 1, indices: [0], palette: [.clear])
        decoder = TTMLDecoder(stream: stream, diagnostics: found) { _, x, y in
            blank.map { .decoded(PlacedBitmap(x: x, y: y, bitmap: $0), isExact: true) }
                ?? .failed("no image")
        }
    }

    /// Writes nothing.
    package mutating func begin(into output: inout [[UInt8]]) {}

    /// Holds a document back.
    package mutating func write(_ packet: Packet, into output: inout [[UInt8]]) {
        packets += 1
        if packets == 1 { first = packet.data }
        isMoved = isMoved || packet.inlineTimeOffset != .zero
        take(decoder.decode(packet))
    }

    private mutating func take(_ events: [DecodedEvent]) {
        for case .cue(let decoded) in events {
            let cue = decoded.cue(order: cues.count)
            cues.append(cue)
            spans.append(PacketSpan(start: cue.start, end: cue.end))
        }
        cueCount = cues.count
        let isRewritten = packets > 1 || isMoved
        if isRewritten {
            diagnostics.report(ofCues)
            ofCues = []
        }
        for diagnostic in found.take() {
            if isRewritten || diagnostic.code != "style-left-out" {
                diagnostics.report(diagnostic)
            } else {
                ofCues.append(diagnostic)
            }
        }
    }

    /// Writes the document.
    package mutating func finish(into output: inout [[UInt8]]) {
        take(decoder.finish())
        guard !output.isEmpty, let first else { return }
        guard packets > 1 || isMoved else {
            output[0] += first
            return
        }
        if packets > 1 {
            diagnostics.report(
                .info, "documents-merged", "\(packets) documents were written as one",
                streamIndex: stream.index)
        }
        var writer = TTMLWriter(header: decoder.header)
        writer.begin(into: &output[0])
        for cue in cues.sorted(by: { ($0.start, $0.order) < ($1.start, $1.order) }) {
            writer.write(cue, into: &output[0])
        }
        writer.finish(into: &output[0])
    }

    /// The display times of the cues that were accepted since the last call.
    package mutating func takeSpans() -> [PacketSpan]? {
        defer { spans = [] }
        return spans
    }
}
