internal import UndertextCore

/// Takes apart the lines of a Scenarist SCC file.
struct SCCParser {
    /// The pairs that one line sends.
    struct Line {
        /// The frame of the first pair.
        var frame: Int64
        /// 0 or 1.
        var field: UInt8
        /// Two bytes for each frame, with parity bits.
        var pairs: [UInt8]
        /// Bytes of the file up to its end.
        var end: Int
    }

    private(set) var lines: [Line] = []
    private(set) var notes: TextFileNotes
    private let rate: Int64
    private let limits: Limits
    /// The first frame that is free, for each field.
    private var free: [Int64] = [0, 0]
    /// The time code of the line before, for each field.
    private var last: [Int64] = [0, 0]
    private var field: UInt8 = 0
    /// The frames before the day of the line at hand.
    private var day: Int64 = 0

    /// A parser of time codes that count to `rate`.
    init(rate: Int64, limits: Limits, diagnostics: DiagnosticSink) {
        notes = TextFileNotes(diagnostics)
        self.rate = rate
        self.limits = limits
    }

    /// Takes apart a file.
    mutating func parse(_ text: [UInt8]) {
        var cursor = LineCursor(text)
        while let range = cursor.next() {
            var rest = text[range].trimmed
            if rest.isEmpty || lines.isEmpty && rest.hasPrefix("Scenarist_SCC") { continue }
            if Self.comments.contains(where: rest.hasPrefix) { continue }
            guard range.count <= limits.lineLength else {
                note(.error, "long-line", cursor, "the line is too long: it is left out")
                continue
            }
            guard let time = SCCTimecode(&rest, rate: rate) else {
                note(.error, "bad-timing", cursor, "a line without a time code is left out")
                continue
            }
            let pairs = pairs(of: rest, cursor)
            guard !pairs.isEmpty else { continue }
            guard lines.count < limits.cues else {
                notes.add(
                    .error, "too-many-cues", at: .init(line: cursor.number), kept: 1,
                    "more than \(limits.cues) lines: the rest of the file is left out")
                break
            }
            field = Self.field(of: pairs) ?? field
            add(pairs, at: continued(time, cursor), end: range.upperBound, cursor)
        }
        addParity()
    }

    private static let comments = ["//", "#", ";"]

    private mutating func note(
        _ severity: Diagnostic.Severity, _ code: String, _ cursor: LineCursor, _ message: String,
        kept: Int = TextFileNotes.kept
    ) {
        notes.add(severity, code, at: .init(line: cursor.number), kept: kept, message)
    }

    private mutating func pairs(of text: ArraySlice<UInt8>, _ cursor: LineCursor) -> [UInt8] {
        var pairs: [UInt8] = []
        for word in text.split(whereSeparator: { $0.isSpace || $0 == Byte.comma || $0 >= 0x80 }) {
            let digits = word.compactMap(\.hexValue)
            guard digits.count == word.count, digits.count % 4 == 0 else {
                note(
                    .error, "bad-pair", cursor,
                    "'\(word.prefix(16).text)' is not four hexadecimal digits")
                continue
            }
            for index in stride(from: 0, to: digits.count, by: 2) {
                pairs.append(digits[index] << 4 | digits[index + 1])
            }
        }
        return pairs
    }

    /// The frame of a time code, counted from the first day: time codes begin again at midnight.
    private mutating func continued(_ time: SCCTimecode, _ cursor: LineCursor) -> Int64 {
        let length = time.day(rate: rate)
        if (last.max() ?? 0) - day - time.frame > length / 2 {
            day += length
            note(
                .info, "midnight", cursor,
                "the time codes pass midnight: they continue on the next day", kept: 1)
        }
        return day + time.frame
    }

    /// The field that the codes of a line belong to, or `nil` if no code determines it.
    private static func field(of pairs: [UInt8]) -> UInt8? {
        for index in stride(from: 0, to: pairs.count, by: 2) {
            let (first, second) = (pairs[index] & 0x7F, pairs[index + 1] & 0x7F)
            // CTA-608-E, section 8.4: miscellaneous codes of field 2 begin with 0x15 and 0x1D.
            if first & 0x76 == 0x14, 0x20...0x2F ~= second { return first & 1 }
            if 0x01...0x0F ~= first { return 1 }
        }
        return nil
    }

    /// Adds a line; a field has room for one pair in a frame, so a line may have to wait for the one before it.
    private mutating func add(
        _ pairs: [UInt8], at stated: Int64, end: Int, _ cursor: LineCursor
    ) {
        let place = Int(field)
        var frame = stated
        if stated < last[place] {
            note(
                .warning, "time-order", cursor, "the line has an earlier time than the one before")
        } else if stated < free[place] {
            note(
                .info, "late-line", cursor,
                "the line before is still being sent: its data comes later than its time code",
                kept: 1)
            frame = free[place]
        }
        last[place] = stated
        free[place] = frame + Int64(pairs.count / 2)
        lines.append(Line(frame: frame, field: field, pairs: pairs, end: end))
    }

    /// Sets the parity bits of a file that has none.
    private mutating func addParity() {
        var (count, wrong) = (0, 0)
        for line in lines {
            for byte in line.pairs where byte != 0 {
                count += 1
                if byte.nonzeroBitCount % 2 == 0 { wrong += 1 }
            }
        }
        // Without parity bits every second byte is wrong, with them few are.
        guard wrong * 4 > count else { return }
        notes.add(
            .info, "no-parity", at: .init(line: 1), "the data has no parity bits: none are checked")
        for index in lines.indices {
            lines[index].pairs = lines[index].pairs.map(Self.withParity)
        }
    }

    /// The byte with the parity bit that makes its bits odd.
    static func withParity(_ byte: UInt8) -> UInt8 {
        let code = byte & 0x7F
        return code.nonzeroBitCount % 2 == 0 ? code | 0x80 : code
    }
}
