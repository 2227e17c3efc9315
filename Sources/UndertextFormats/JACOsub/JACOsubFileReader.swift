package import UndertextCore

/// Reads a JACOsub script as packets: `0:00:01.00 0:00:02.50 directives text`, or `@30 @75 text`.
///
/// The last field of a time, and a number after `@`, count ticks of the script's clock: `#TIMERES 25` (`#T25`), 30 without
/// it. `#SHIFT 0:00:01.00` (`#S`) shifts all cues after it. A line that ends in `\` continues on the next. A packet is the text after the times.
package final class JACOsubFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file.
    package let stream = StreamDescription(index: 0, kind: .text, codec: .jacoSub)
    private var table: TimedTextTable

    private static let usualClock: Int64 = 30

    /// Parses `text`: valid UTF-8 without a byte order mark.
    package convenience init(
        _ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()
    ) {
        self.init(text, limits: limits, frameRate: nil, diagnostics: diagnostics)
    }

    /// Parses `text`, whose clock has `frameRate` ticks per second; `nil` for the rate that the script states.
    init(_ text: [UInt8], limits: Limits, frameRate: TimeBase?, diagnostics: DiagnosticSink) {
        self.diagnostics = diagnostics
        table = TimedTextTable(
            text, timeBase: .microseconds, limits: limits, diagnostics: diagnostics)
        let named = frameRate.flatMap { $0.isValid ? $0 : nil }
        var clock = named ?? TimeBase(Int32(Self.usualClock), 1)
        var shift: Int64 = 0
        var cursor = LineCursor(text)
        while let first = cursor.next() {
            if table.isBlank(first) { continue }
            table.noteLine(first, cursor)
            let number = cursor.number
            var line = first
            var last = first
            while text[last].trimmed.last == UInt8(ascii: "\\"), let more = cursor.next() {
                table.noteLine(more, cursor)
                last = more
                line = line.lowerBound..<more.upperBound
            }
            if text[line].trimmed.first == UInt8(ascii: "#") {
                let command = JACOsubCommand(text[line].trimmed)
                if let ticks = command.clock, named == nil { clock = TimeBase(ticks, 1) }
                if let time = command.shift(clock) { shift = time }
            } else if let times = JACOsubTimes(text, line, clock: clock) {
                let start = max(0, times.start + shift)
                table.add(
                    start: start, end: times.end + shift,
                    text: times.textStart..<line.upperBound, line: number)
            } else {
                table.notes.add(
                    .error, "stray-text", at: .init(line: number),
                    "a line without times is left out")
            }
        }
    }

    /// The number of bytes of the text that have been parsed.
    package var position: Int { table.position }

    /// The reason why `text` is not JACOsub; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        var cursor = LineCursor(Array(text.prefix(64 << 10)))
        while let line = cursor.next() {
            let words = cursor.bytes[line].trimmed
            if words.isEmpty || words.first == UInt8(ascii: "#") { continue }
            guard JACOsubTimes(cursor.bytes, line, clock: TimeBase(30, 1)) == nil else {
                return nil
            }
            break
        }
        return "its first line has no times such as 0:00:01.00 0:00:02.50"
    }

    /// The next cue's packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? { table.nextPacket() }
}

/// A line that begins with `#`: a command, or a comment.
private struct JACOsubCommand {
    private let letter: UInt8
    private let value: ArraySlice<UInt8>

    init(_ line: ArraySlice<UInt8>) {
        let words = line.dropFirst().drop(while: \.isSpace)
        letter = words.first?.lowercased ?? 0
        let name = words.prefix { $0.isLetter }
        // `#S0:00:01` and `#SHIFT 0:00:01`; other words are comments.
        let isKnown = ["s", "shift", "t", "timeres"].contains { name.equalsIgnoringCase($0) }
        value = isKnown ? words.dropFirst(name.count).trimmed : []
    }

    /// The ticks of a second that it states.
    var clock: Int32? {
        guard letter == UInt8(ascii: "t"), let ticks = value.leadingInteger,
            (1...1000).contains(ticks)
        else { return nil }
        return Int32(ticks)
    }

    /// Microseconds by which all that follows comes later.
    func shift(_ clock: TimeBase) -> Int64? {
        guard letter == UInt8(ascii: "s"), !value.isEmpty else { return nil }
        let isNegative = value.first == UInt8(ascii: "-")
        let digits =
            value.first.map { [0x2B, 0x2D].contains($0) } == true ? value.dropFirst() : value
        guard let time = JACOsubTimes.time(digits.trimmed.prefix { !$0.isSpace }, clock: clock)
        else { return nil }
        return isNegative ? -time : time
    }
}

/// The times at the beginning of a line, in microseconds.
private struct JACOsubTimes {
    let start: Int64
    let end: Int64
    let textStart: Int

    init?(_ bytes: [UInt8], _ line: Range<Int>, clock: TimeBase) {
        var position = line.lowerBound
        func field() -> ArraySlice<UInt8> {
            while position < line.upperBound, bytes[position].isSpace { position += 1 }
            let start = position
            while position < line.upperBound, !bytes[position].isSpace, position - start < 32 {
                position += 1
            }
            return bytes[start..<position]
        }
        let fields = [field(), field()]
        let isCounted = fields.allSatisfy { $0.first == UInt8(ascii: "@") }
        let times = fields.compactMap {
            isCounted ? Self.ticks($0.dropFirst(), clock) : Self.time($0, clock: clock)
        }
        guard times.count == 2 else { return nil }
        (start, end) = (times[0], times[1])
        textStart = position
    }

    /// A number of ticks.
    private static func ticks(_ text: ArraySlice<UInt8>, _ clock: TimeBase) -> Int64? {
        guard (1...9).contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
        return microseconds(ticks: text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }, clock)
    }

    /// `H:MM:SS.FF` or `MM:SS.FF`; FF counts ticks.
    static func time(_ text: ArraySlice<UInt8>, clock: TimeBase) -> Int64? {
        let halves = text.split(separator: Byte.period, omittingEmptySubsequences: false)
        let fields = (halves.first ?? []).split(
            separator: Byte.colon, omittingEmptySubsequences: false)
        guard halves.count == 2, (2...3).contains(fields.count),
            (fields + [halves[1]]).allSatisfy({
                (1...4).contains($0.count) && $0.allSatisfy(\.isDigit)
            })
        else { return nil }
        func number(_ text: ArraySlice<UInt8>) -> Int64 {
            text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        let seconds = fields.reduce(Int64(0)) { $0 * 60 + number($1) }
        return seconds * 1_000_000 + microseconds(ticks: number(halves[1]), clock)
    }

    private static func microseconds(ticks: Int64, _ clock: TimeBase) -> Int64 {
        (ticks * 1_000_000 * Int64(clock.denominator) + Int64(clock.numerator) / 2)
            / Int64(clock.numerator)
    }
}
