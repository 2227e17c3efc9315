package import UndertextCore

/// Writes the packets of a SubRip or plain text track as a SubRip file.
///
/// Text is kept byte for byte up to a NUL, tags and invalid UTF-8 included, except for content that would end
/// the cue in a file: line endings become line feeds, an empty line before or within the text gets a no-break
/// space, and a line that looks like the times of another cue gets a word joiner (U+2060) in its arrow, each
/// with a diagnostic. Coordinates follow the times. Packets without text are skipped. A packet without a
/// duration lasts until the next one that starts later.
///
/// Differences from `mkvextract`: no byte order mark; invalid UTF-8 is kept; a lone carriage return is a line
/// break; text cannot end its cue; times round half up; a last packet without a duration is written, and a
/// duration of zero means none; a packet without a duration before one that starts earlier does not last as
/// long as the difference.
package struct SubRipPacketWriter: PacketWriter {
    /// One file.
    package let fileExtensions = ["srt"]
    /// Number of cues accepted so far.
    package private(set) var cueCount = 0
    private var written = 0
    /// The times of a cue.
    private var scratch = ByteScratch()
    private var ends: OpenEndResolver<Body>
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    /// The content of a cue without its times.
    private struct Body {
        var text: [UInt8]
        var coordinates: SubRipCoordinates?
    }

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - inputEnd: the end of a last cue without a duration, if known.
    ///   - diagnostics: the sink for skipped and repaired content.
    package init(inputEnd: Timestamp? = nil, diagnostics: DiagnosticSink = .init()) {
        self.diagnostics = diagnostics
        ends = OpenEndResolver(inputEnd: inputEnd)
    }

    /// Writes nothing: SubRip has no header.
    package mutating func begin(into output: inout [[UInt8]]) {}

    /// Writes a packet, or holds it back until the next one determines its end.
    package mutating func write(_ packet: Packet, into output: inout [[UInt8]]) {
        guard let start = diagnostics.start(of: packet) else { return }
        if ends.isEmpty, packet.duration != 0, packet.sideData.isEmpty, let end = packet.end,
            Self.isPlain(packet.data)
        {
            let first = max(0, start.roundedMilliseconds)
            cueCount += 1
            written += 1
            guard !output.isEmpty else { return }
            // A number and two times have 80 digits at most.
            scratch.begin(size: 128)
            scratch.putDecimal(written)
            scratch.put(Byte.lineFeed)
            scratch.putTimes(
                first, max(first, end.roundedMilliseconds), separator: Byte.comma)
            scratch.put(Byte.lineFeed)
            output[0] += scratch.made
            output[0] += packet.data
            output[0].append(Byte.lineFeed)
            output[0].append(Byte.lineFeed)
            return
        }
        for entry in ends.close(at: start) { append(entry, to: &output) }
        let text = unifiedLineEnds(
            packet.data[..<(packet.data.firstIndex(of: 0) ?? packet.data.endIndex)])
        guard !text.isEmpty else { return }
        cueCount += 1
        let end = packet.duration == 0 ? nil : packet.end
        let body = Body(
            text: readable(text, of: packet),
            coordinates: packet.sideData(.subtitlePosition).flatMap { SubRipCoordinates($0) })
        for entry in ends.add(body, start: start, end: end, byteCount: packet.data.count) {
            append(entry, to: &output)
        }
    }

    /// `true` if a text is written as it is: not empty, and without NUL, carriage return, empty line and what may be
    /// an arrow after a time.
    private static func isPlain(_ text: [UInt8]) -> Bool {
        let bytes = text.span
        var last = Byte.lineFeed
        var lineHasDigit = false
        for index in bytes.indices {
            let byte = bytes[index]
            if byte <= Byte.greater {
                if byte == 0 || byte == Byte.carriageReturn { return false }
                if byte == Byte.lineFeed {
                    if last == Byte.lineFeed { return false }
                    lineHasDigit = false
                } else if byte == Byte.greater {
                    if lineHasDigit { return false }
                } else if byte.isDigit {
                    lineHasDigit = true
                }
            }
            last = byte
        }
        return last != Byte.lineFeed
    }

    /// Writes a packet that was held back.
    package mutating func finish(into output: inout [[UInt8]]) {
        for entry in ends.finish() { append(entry, to: &output) }
    }

    /// The text as a file can hold it: in a packet nothing ends it but its length.
    private func readable(_ text: [UInt8], of packet: Packet) -> [UInt8] {
        // Line ends after the last line do not belong to any cue.
        let end = (text.lastIndex { $0 != Byte.lineFeed } ?? -1) + 1
        var lineIsEmpty = true
        let filled = fillingEmptyLines(Array(text[..<end]), lineIsEmpty: &lineIsEmpty)
        if filled.count != end {
            diagnostics.report(
                .warning, "empty-line",
                "an empty line, which would end the cue, got a no-break space", for: packet)
        }
        let result = SubRipCueEncoder.withoutTimingLines(filled)
        if result.count != filled.count {
            diagnostics.report(
                .warning, "timing-line",
                "a line that looks like times, which would begin a cue, got a word joiner",
                for: packet)
        }
        return result + text[end...]
    }

    private mutating func append(_ entry: TimedEntry<Body>, to output: inout [[UInt8]]) {
        guard !output.isEmpty else { return }
        written += 1
        SubRipBlock.append(
            number: written, start: entry.start, end: entry.end,
            coordinates: entry.body.coordinates, text: entry.body.text, to: &output[0])
    }
}
