package import UndertextCore

/// Reads an MPL2 file as packets: `[100][200]text`, times in tenths of a second.
///
/// A cue that states no end, or none after its start, lasts until the next one.
package final class MPL2FileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file.
    package let stream = StreamDescription(index: 0, kind: .text, codec: .mpl2)
    private var table: TimedTextTable

    /// Parses `text`: valid UTF-8 without a byte order mark.
    package init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()) {
        table = TimedTextTable(
            text, timeBase: TimeBase(1, 10), limits: limits, diagnostics: diagnostics)
        self.diagnostics = diagnostics
        table.addLines(times: Self.times)
    }

    /// The number of bytes of the text that have been parsed.
    package var position: Int { table.position }

    /// The reason why `text` is not MPL2; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        let line = LineCursor.firstLine(of: text)
        return times(line, 0..<line.count) == nil
            ? "its first line has no times such as [100][200]" : nil
    }

    private static func times(_ bytes: [UInt8], _ line: Range<Int>) -> TimedLine? {
        TimedLine(
            bytes, line, open: UInt8(ascii: "["), close: UInt8(ascii: "]"))
    }

    /// The next cue's packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? { table.nextPacket() }
}
