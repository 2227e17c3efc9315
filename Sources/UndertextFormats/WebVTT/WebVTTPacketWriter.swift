package import UndertextCore

/// Writes the packets of a WebVTT track as a WebVTT file, settings, identifiers and comments kept.
///
/// The header is the codec's private data as stored, or `WEBVTT`. Cue text is repaired only where
/// it would break the file: an empty line within becomes a no-break space, `-->` is escaped. A
/// packet without a duration lasts until the next one.
///
/// Differences from `mkvextract`: no byte order mark, the repairs above, invalid UTF-8 is kept,
/// times round half up, and cues without a duration are not empty.
package struct WebVTTPacketWriter: PacketWriter {
    /// One file.
    package let fileExtensions = ["vtt"]
    /// Number of cues accepted so far.
    package private(set) var cueCount = 0
    private let header: [UInt8]
    private let hasRelativeTimes: Bool
    private var ends: OpenEndResolver<WebVTTBlock>
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - codecPrivate: the header of the file as stored; empty for WebM's `D_WEBVTT`.
    ///   - inlineTimes: the origin of times within the text, if the reader states it.
    ///   - inputEnd: the end of a last cue without a duration, if known.
    ///   - diagnostics: the sink for skipped content.
    package init(
        codecPrivate: [UInt8], inlineTimes: InlineTimeOrigin? = nil, inputEnd: Timestamp? = nil,
        diagnostics: DiagnosticSink = .init()
    ) {
        self.diagnostics = diagnostics
        var header = unifiedLineEnds(codecPrivate.prefix { $0 != 0 }.withoutByteOrderMark)
        while let last = header.last, last == Byte.lineFeed { header.removeLast() }
        let hasSignature = header.starts(with: "WEBVTT".utf8)
        hasRelativeTimes =
            WebVTTInlineTimestamps.origin(stated: inlineTimes, header: codecPrivate) == .packet
        self.header = hasSignature ? header : Array("WEBVTT".utf8)
        ends = OpenEndResolver(inputEnd: inputEnd)
    }

    /// Writes the header.
    package mutating func begin(into output: inout [[UInt8]]) {
        guard !output.isEmpty else { return }
        output[0] += header
        output[0].append(Byte.lineFeed)
    }

    /// Writes a packet, or holds it back until the next one determines its end.
    package mutating func write(_ packet: Packet, into output: inout [[UInt8]]) {
        guard let start = diagnostics.start(of: packet) else { return }
        for entry in ends.close(at: start) { append(entry, to: &output) }
        let block = WebVTTBlock(packet, start: start, hasRelativeTimes: hasRelativeTimes)
        cueCount += 1
        let end = packet.duration == 0 ? nil : packet.end
        for entry in ends.add(block, start: start, end: end, byteCount: packet.data.count) {
            append(entry, to: &output)
        }
    }

    /// Writes a packet that was held back.
    package mutating func finish(into output: inout [[UInt8]]) {
        for entry in ends.finish() { append(entry, to: &output) }
    }

    private func append(_ entry: TimedEntry<WebVTTBlock>, to output: inout [[UInt8]]) {
        guard !output.isEmpty else { return }
        let end = max(entry.end, entry.start + 1)
        entry.body.append(start: entry.start, end: end, to: &output[0])
    }
}
