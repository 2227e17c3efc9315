package import UndertextCore

/// Reads a SubRip file as packets: the text of a cue, with coordinates as side data.
///
/// The reader accepts files as they exist; `Documentation/Formats/SubRip.md` lists the repairs. A cue that does
/// not end after its start has a packet without a duration and lasts until the next one.
package final class SubRipFileReader: TextFileReader, PlainCueReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file.
    package let stream = StreamDescription(index: 0, kind: .text, codec: .subRip)
    private var parser: SubRipFileParser
    private let limits: Limits
    private var count = 0
    private var isAtEnd = false
    /// All cues, once plain ones are requested: their order is known only when all are read.
    private var table: SubRipCueTable?

    /// Parses `text`: valid UTF-8 without a byte order mark.
    package init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()) {
        self.limits = limits
        self.diagnostics = diagnostics
        parser = SubRipFileParser(
            text, longestLine: limits.lineLength, diagnostics: diagnostics)
    }

    /// The number of bytes of the text that have been parsed.
    package var position: Int { parser.position }

    /// The reason why `text` is not SubRip; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        if WebVTTFileParser.hasSignature(text) { return "it begins with WEBVTT" }
        var cursor = LineCursor(Array(text.prefix(1 << 20)))
        while let line = cursor.next() {
            if cursor.traits.contains(.greater), SubRipTimingLine(cursor.bytes, line) != nil {
                return nil
            }
        }
        return "no line has times such as 00:00:01,000 --> 00:00:02,000"
    }

    /// The next cue's packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while !isAtEnd, let cue = nextCue() {
            guard !cue.text.isEmpty else { continue }
            guard count < limits.cues else {
                parser.note(.tooManyCues, line: cue.line)
                break
            }
            count += 1
            return packet(of: cue)
        }
        if !isAtEnd { parser.finishNotes() }
        isAtEnd = true
        return nil
    }

    /// The plain cues up to the next one that is not.
    package func nextPlainCues(atMost most: Int) -> PlainCues? {
        if table == nil { table = SubRipCueTable(&parser, longest: limits.packetSize) }
        let most = min(most, limits.cues - count)
        guard !isAtEnd, most > 0,
            let entries = table?.takePlain(atMost: most, of: parser.text)
        else { return nil }
        count += entries.count
        return PlainCues(text: parser.text, entries: entries)
    }

    private func nextCue() -> SubRipFileCue? {
        table == nil ? parser.next() : table?.next()
    }

    private func packet(of cue: SubRipFileCue) -> Packet {
        var range = cue.text
        if range.count > limits.packetSize {
            range = range.lowerBound..<range.lowerBound + limits.packetSize
            parser.note(.longCue, line: cue.line)
        }
        var packet = Packet(
            streamIndex: 0, pts: cue.start, duration: cue.end - cue.start,
            timeBase: .milliseconds, position: UInt64(range.lowerBound),
            data: parser.content(range))
        if cue.end <= cue.start { packet.duration = nil }
        if let coordinates = parser.coordinates(of: cue) {
            packet.sideData = [SideData(.subtitlePosition, coordinates)]
        }
        return packet
    }
}
