package import UndertextCore

/// Reads a MicroDVD file as packets: `{100}{200}text`, times in frames.
///
/// The frame rate is the caller's, or what one of the first three lines states (`{1}{1}25.000`), or
/// 23.976 frames a second, as players assume. A cue that states no end, or none after its start, lasts
/// until the next one.
package final class MicroDVDFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file; its private data is the codes of `{DEFAULT}{}`.
    package let stream: StreamDescription
    private var table: TimedTextTable

    /// The frame rate that players assume if none is stated.
    private static let usualRate = TimeBase(24_000, 1001)
    /// The number of lines that may state a frame rate or the default style.
    private static let headerLines = 3

    /// Parses `text`: valid UTF-8 without a byte order mark.
    package convenience init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init())
    {
        self.init(text, limits: limits, frameRate: nil, diagnostics: diagnostics)
    }

    /// Parses `text` with the caller's frame rate; `nil` for the rate that the file states.
    package init(
        _ text: [UInt8], limits: Limits, frameRate: TimeBase?, diagnostics: DiagnosticSink
    ) {
        self.diagnostics = diagnostics
        var stream = StreamDescription(index: 0, kind: .text, codec: .microDVD)
        let header = MicroDVDHeader(text)
        stream.codecPrivate = header.defaultCodes
        self.stream = stream
        let rate = frameRate ?? header.rate ?? Self.usualRate
        table = TimedTextTable(
            text, timeBase: TimeBase(rate.denominator, rate.numerator), limits: limits,
            diagnostics: diagnostics)
        note(rate, of: header, isNamed: frameRate != nil)
        table.addLines(except: header.lines, times: MicroDVDHeader.times)
    }

    private func note(_ rate: TimeBase, of header: MicroDVDHeader, isNamed: Bool) {
        let words = Self.words(rate)
        let line = header.rateLine ?? 1
        if isNamed {
            table.notes.add(
                .info, "frame-rate", at: .init(line: line),
                "the frame rate is \(words), as requested")
        } else if header.rate != nil {
            table.notes.add(
                .info, "frame-rate", at: .init(line: line),
                "the frame rate is \(words), as stated in the file")
        } else {
            table.notes.add(
                .warning, "frame-rate-assumed", at: .init(line: line), remedy: .set(.frameRate),
                "the file states no frame rate, and \(words) is assumed")
        }
    }

    /// A rate with three decimals, without zeros at the end.
    private static func words(_ rate: TimeBase) -> String {
        let thousandths =
            (Int64(rate.numerator) * 1000 + Int64(rate.denominator) / 2) / Int64(rate.denominator)
        return String(decoding: JSON.decimal(Double(thousandths) / 1000).compact, as: UTF8.self)
    }

    /// The number of bytes of the text that have been parsed.
    package var position: Int { table.position }

    /// The reason why `text` is not MicroDVD; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        let line = LineCursor.firstLine(of: text)
        let isFirst =
            MicroDVDHeader.times(line, 0..<line.count) != nil
            || MicroDVDHeader.defaultCodes(line[...]) != nil
        return isFirst ? nil : "its first line has no frames such as {100}{200}"
    }

    /// The next cue's packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? { table.nextPacket() }

    /// The settings in the first lines of a MicroDVD file.
    private struct MicroDVDHeader {
        /// The frame rate.
        private(set) var rate: TimeBase?
        /// The line that states it.
        private(set) var rateLine: Int?
        /// The codes for all cues.
        private(set) var defaultCodes: [UInt8] = []
        /// The lines that are no cues.
        private(set) var lines: Set<Int> = []

        init(_ text: [UInt8]) {
            // Long lines are cues.
            let head = Array(text.prefix(4096))
            var cursor = LineCursor(head)
            while cursor.number < headerLines, let line = cursor.next() {
                if let codes = Self.defaultCodes(head[line]) {
                    defaultCodes = codes
                    lines.insert(cursor.number)
                } else if rate == nil, let times = Self.times(head, line), times.start <= 1,
                    let stated = Self.rate(head[times.textStart..<line.upperBound])
                {
                    rate = stated
                    rateLine = cursor.number
                    lines.insert(cursor.number)
                }
            }
        }

        static func times(_ bytes: [UInt8], _ line: Range<Int>) -> TimedLine? {
            TimedLine(
                bytes, line, open: UInt8(ascii: "{"), close: UInt8(ascii: "}"))
        }

        /// The text after `{DEFAULT}{}`.
        static func defaultCodes(_ line: ArraySlice<UInt8>) -> [UInt8]? {
            let mark = "{DEFAULT}{}"
            guard line.starts(with: mark.utf8) else { return nil }
            return Array(line.dropFirst(mark.utf8.count))
        }

        /// A number of frames a second that a video may have.
        private static func rate(_ text: ArraySlice<UInt8>) -> TimeBase? {
            var words = text.trimmed
            if words.suffix(3).elementsEqual("fps".utf8) { words = words.dropLast(3).trimmed }
            // Some programs write a comma.
            if let comma = words.firstIndex(of: Byte.comma) { words[comma] = Byte.period }
            guard let rate = Retiming.frameRate(parsing: words.text),
                Int64(rate.numerator) >= 3 * Int64(rate.denominator),
                Int64(rate.numerator) <= 1000 * Int64(rate.denominator)
            else { return nil }
            return rate
        }
    }
}
