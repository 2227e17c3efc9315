public import UndertextCore

/// Reads an MPL2 file as packets: `[100][200]text`, times in tenths of a second.
///
/// A cue that states no end, or none after its start, lasts until the next one.
public final class MPL2FileReader: TextFileReader {
    /// The one stream of the file.
    public let stream = StreamDescription(index: 0, kind: .text, codec: .mpl2)
    private var table: TimedTextTable

    /// Takes apart `text`: valid UTF-8 without a byte order mark.
    public init(_ text: [UInt8], limits: Limits) {
        table = TimedTextTable(text, timeBase: TimeBase(1, 10), limits: limits)
        table.addLines(times: Self.times)
    }

    /// Bytes of the text that have been taken apart.
    public var position: Int { table.position }

    /// Why `text` is no MPL2; `nil` if it is.
    public static func refusal(of text: ArraySlice<UInt8>) -> String? {
        let line = LineCursor.firstLine(of: text)
        return times(line, 0..<line.count) == nil
            ? "its first line has no times such as [100][200]" : nil
    }

    private static func times(_ bytes: [UInt8], _ line: Range<Int>) -> TimedLine? {
        TimedLine(
            bytes, line, open: UInt8(ascii: "["), close: UInt8(ascii: "]"))
    }

    /// The next cue's packet; `nil` at the end of the file.
    public func nextPacket() throws(UndertextError) -> Packet? { table.nextPacket() }

    /// The diagnostics since the last call.
    public func takeDiagnostics() -> [Diagnostic] { table.notes.take() }
}
