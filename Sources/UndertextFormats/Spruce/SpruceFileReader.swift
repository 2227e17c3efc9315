package import UndertextCore

/// Reads a Spruce STL file as packets: `00:00:01:00 , 00:00:02:12 , text`, times in frames.
///
/// A packet is the text, after the settings that hold for it (`$Italic = TRUE`), one a line. The frame rate is the
/// caller's, or 25 frames a second, or 30000/1001 if a time has more frames than that.
package final class SpruceFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file.
    package let stream = StreamDescription(index: 0, kind: .text, codec: .spruce)

    private let text: [UInt8]
    private let limits: Limits
    private var entries: [Entry] = []
    private var notes: TextFileNotes
    private var next = 0
    private var timeBase = TimeBase(1, 25)
    private var rate: Int64 = 25

    private struct Entry {
        var start: SpruceTimecode
        var end: SpruceTimecode
        var text: Range<Int>
        var settings: [SpruceSetting]
        var line: Int
    }

    /// Parses `text`: valid UTF-8 without a byte order mark.
    package convenience init(
        _ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()
    ) {
        self.init(text, limits: limits, frameRate: nil, diagnostics: diagnostics)
    }

    /// Parses `text`, whose times are frames of `frameRate`; `nil` to guess the rate from the times.
    init(_ text: [UInt8], limits: Limits, frameRate: TimeBase?, diagnostics: DiagnosticSink) {
        self.text = text
        self.limits = limits
        self.diagnostics = diagnostics
        notes = TextFileNotes(diagnostics)
        parse()
        setRate(frameRate)
    }

    private func parse() {
        var cursor = LineCursor(text)
        var settings: [SpruceSetting] = []
        while let line = cursor.next() {
            let words = text[line].trimmed
            if words.isEmpty || words.hasPrefix("//") { continue }
            if let setting = SpruceSetting(words) {
                settings.removeAll { $0.name == setting.name }
                if setting.isUsed { settings.append(setting) }
            } else if let times = SpruceTimes(text, text.trimmed(line)) {
                add(times, settings, line: cursor.number)
            } else if words.first != SpruceSetting.mark {
                notes.add(
                    .error, "stray-text", at: .init(line: cursor.number),
                    "a line without times is left out")
            }
        }
    }

    private func add(_ times: SpruceTimes, _ settings: [SpruceSetting], line: Int) {
        guard !times.text.isEmpty else {
            notes.add(.info, "empty-cue", at: .init(line: line), "a cue without text is left out")
            return
        }
        guard entries.count < limits.cues else {
            notes.add(
                .error, "too-many-cues", at: .init(line: line), kept: 1,
                "too many cues: the rest of the file is left out")
            return
        }
        if times.text.count > limits.lineLength {
            notes.add(
                .error, "long-line", at: .init(line: line), "the line is too long: it is cut")
        }
        entries.append(
            Entry(
                start: times.start, end: times.end, text: times.text.prefix(limits.lineLength),
                settings: settings, line: line))
    }

    /// Counts frames by the caller's rate, or assumes one.
    private func setRate(_ named: TimeBase?) {
        if let named, named.isValid {
            timeBase = TimeBase(named.denominator, named.numerator)
            rate =
                (Int64(named.numerator) + Int64(named.denominator) - 1) / Int64(named.denominator)
            return
        }
        guard let first = entries.first else { return }
        let most = entries.lazy.map { max($0.start.frames, $0.end.frames) }.max() ?? 0
        if most >= rate {
            timeBase = TimeBase(1001, 30_000)
            rate = 30
        }
        notes.add(
            .warning, "frame-rate-assumed", at: .init(line: first.line), remedy: .set(.frameRate),
            "the file states no frame rate: times are counted with \(rate == 30 ? "29.97" : "25") frames "
                + "a second")
    }

    /// The number of bytes of the text that have been parsed.
    package var position: Int { next == 0 ? 0 : entries[next - 1].text.upperBound }

    /// The reason why `text` is not Spruce STL; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        var cursor = LineCursor(Array(text.prefix(64 << 10)))
        while let line = cursor.next() {
            let words = cursor.bytes[line].trimmed
            if words.isEmpty || words.hasPrefix("//") || words.first == SpruceSetting.mark {
                continue
            }
            guard SpruceTimes(cursor.bytes, cursor.bytes.trimmed(line)) == nil else { return nil }
            break
        }
        return "its first line has no times such as 00:00:01:00 , 00:00:02:00 ,"
    }

    /// The next cue's packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? {
        guard next < entries.count else {
            notes.finish()
            return nil
        }
        let entry = entries[next]
        next += 1
        let start = entry.start.frame(rate: rate)
        let end = entry.end.frame(rate: rate)
        if end <= start {
            notes.add(
                .warning, end < start ? "negative-duration" : "zero-duration",
                at: .init(line: entry.line),
                "the cue does not end after it starts: it lasts until the next one")
        }
        let range = entry.text.prefix(limits.packetSize)
        let words = TextLines.repaired(range, of: text, longest: limits.lineLength)
        return Packet(
            streamIndex: 0, pts: start, duration: end > start ? end - start : nil,
            timeBase: timeBase, data: entry.settings.flatMap(\.bytes) + words)
    }
}

/// The times at the beginning of a line, and the text after them.
private struct SpruceTimes {
    let start: SpruceTimecode
    let end: SpruceTimecode
    let text: Range<Int>

    init?(_ bytes: [UInt8], _ line: Range<Int>) {
        let parts = bytes[line].split(
            separator: Byte.comma, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let start = SpruceTimecode(parts[0].trimmed),
            let end = SpruceTimecode(parts[1].trimmed)
        else { return nil }
        (self.start, self.end) = (start, end)
        text = bytes.trimmed(parts[2].indices)
    }
}

/// Hours, minutes, seconds and frames.
private struct SpruceTimecode {
    let frames: Int64
    private let seconds: Int64

    init?(_ text: ArraySlice<UInt8>) {
        let fields = text.split(omittingEmptySubsequences: false) {
            [Byte.colon, UInt8(ascii: ";"), Byte.period].contains($0)
        }
        guard fields.count == 4,
            fields.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(\.isDigit) })
        else { return nil }
        let values = fields.map { $0.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } }
        seconds = (values[0] * 60 + values[1]) * 60 + values[2]
        frames = values[3]
    }

    func frame(rate: Int64) -> Int64 { seconds * rate + frames }
}
