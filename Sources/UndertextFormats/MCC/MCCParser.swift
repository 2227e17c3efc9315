internal import UndertextCore

/// Takes apart the lines of a MacCaption MCC file.
struct MCCParser {
    /// The captions of all lines, their times in frames.
    private(set) var captions = CaptionFrames()
    private(set) var rate: MCCRate
    /// Frames a second, as the first packet that states them says.
    private(set) var frameRate: TimeBase?
    private(set) var notes: TextFileNotes
    private let limits: Limits
    /// The frames before the day of the line at hand.
    private var day: Int64 = 0
    /// `true` if the rate is the caller's.
    private let isRateKnown: Bool

    /// A parser of time codes of that rate; `nil` = as the file says.
    init(rate: MCCRate?, limits: Limits, diagnostics: DiagnosticSink) {
        notes = TextFileNotes(diagnostics)
        self.rate = rate ?? MCCRate()
        isRateKnown = rate != nil
        self.limits = limits
    }

    /// Takes apart a file.
    mutating func parse(_ text: [UInt8]) {
        var cursor = LineCursor(text)
        while let range = cursor.next() {
            var rest = text[range].trimmed
            if rest.isEmpty || rest.hasPrefix("//") { continue }
            guard rest.first?.isDigit == true else {
                readHeader(rest, cursor.number)
                continue
            }
            guard range.count <= limits.lineLength else {
                note(.error, "long-line", cursor.number, "the line is too long: it is left out")
                continue
            }
            let line = rest
            guard let stated = rate.frame(of: &rest) else {
                note(
                    .error, "bad-timing", cursor.number,
                    "a line without a time code of the file's rate is left out")
                continue
            }
            guard captions.frames.count < limits.cues else {
                note(
                    .error, "too-many-cues", cursor.number,
                    "more than \(limits.cues) lines: the rest of the file is left out", kept: 1)
                break
            }
            readData(rest.trimmed, cursor.number)
            guard captions.triplets.count > captions.frames.last?.range.upperBound ?? 0 else {
                continue
            }
            let code = line[..<rest.startIndex]
            let frame = continued(
                stated, dropsFrames: rate.dropsFrames || code.contains(Byte.semicolon),
                cursor.number)
            if let last = captions.frames.last, frame < last.time {
                note(
                    .warning, "time-order", cursor.number,
                    "the line has an earlier time than the one before")
            }
            captions.endFrame(at: frame, end: range.upperBound)
        }
    }

    private mutating func note(
        _ severity: Diagnostic.Severity, _ code: String, _ line: Int, _ message: String,
        kept: Int = TextFileNotes.kept
    ) {
        notes.add(severity, code, at: .init(line: line), kept: kept, message)
    }

    /// The frame of a time code, counted from the first day: time codes begin again at midnight.
    private mutating func continued(_ frame: Int64, dropsFrames: Bool, _ line: Int) -> Int64 {
        let length = rate.day(dropsFrames: dropsFrames)
        if let last = captions.frames.last, last.time - day - frame > length / 2 {
            day += length
            note(
                .info, "midnight", line,
                "the time codes pass midnight: they continue on the next day", kept: 1)
        }
        return day + frame
    }

    /// Reads a line such as `Time Code Rate=30DF`; other names have no meaning for captions.
    private mutating func readHeader(_ text: ArraySlice<UInt8>, _ line: Int) {
        guard let sign = text.firstIndex(of: 0x3D) else {
            if !captions.frames.isEmpty {
                note(.error, "bad-timing", line, "a line without a time code is left out")
            }
            return
        }
        guard text[..<sign].trimmed.equalsIgnoringCase("time code rate"), !isRateKnown else {
            return
        }
        guard let found = MCCRate(text[(sign + 1)...].trimmed) else {
            note(.warning, "bad-rate", line, "the rate of the time codes is not known: 30 is taken")
            return
        }
        rate = found
    }

    // MARK: Data

    /// Reads an ancillary data packet: its kind, its size, user data words and a checksum.
    ///
    /// SMPTE ST 291-1 with the low eight bits of each word.
    private mutating func readData(_ text: ArraySlice<UInt8>, _ line: Int) {
        guard let bytes = Self.bytes(of: text) else {
            note(.error, "bad-data", line, "the data is not hexadecimal: the line is left out")
            return
        }
        guard bytes.count > 3 else {
            note(.error, "bad-data", line, "the data is too short: the line is left out")
            return
        }
        let size = Int(bytes[2])
        let words = bytes.dropFirst(3).prefix(size)
        let rest = bytes.dropFirst(3 + size)
        if let checksum = rest.first, checksum != bytes.prefix(3 + size).reduce(0, &+) {
            note(
                .warning, "checksum", line, "the ancillary data has a wrong checksum")
        }
        switch (bytes[0], bytes[1]) {
        case (0x61, 0x01): readCaptions(words, line)
        // SMPTE ST 334-1: a pair of CEA-608, with the field in the first bit.
        case (0x61, 0x02) where words.count >= 3:
            let field: UInt8 = words[words.startIndex] & 0x80 == 0 ? 1 : 0
            captions.triplets += [CaptionTriplet.marker | field] + words.dropFirst().prefix(2)
        default:
            note(
                .info, "other-data", line,
                "the file has ancillary data that is no caption: it is left out", kept: 1)
        }
    }

    private mutating func readCaptions(_ words: ArraySlice<UInt8>, _ line: Int) {
        guard let packet = CaptionDistributionPacket(words) else {
            note(.error, "bad-data", line, "the data is no caption distribution packet")
            return
        }
        captions.triplets += packet.triplets
        if packet.damage.contains(.truncated) {
            note(.error, "bad-data", line, "the caption distribution packet is damaged or cut off")
        } else if packet.damage == .checksum {
            note(
                .warning, "checksum", line, "the caption distribution packet has a wrong checksum")
        }
        if frameRate == nil { frameRate = packet.frameRate }
        for service in packet.services where captions.languages[service.name] == nil {
            captions.languages[service.name] = service.language
        }
    }

    /// The bytes of hexadecimal digits and the letters that stand for usual sequences; `nil` if there is anything
    /// else.
    ///
    /// Nothing follows the largest packet, so what is longer is cut.
    static func bytes(of text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text where !character.isSpace {
            if bytes.count > 3 + 255 + 1 { break }
            if let digit = character.hexValue {
                if let first = high {
                    bytes.append(first << 4 | digit)
                    high = nil
                } else {
                    high = digit
                }
            } else if high == nil, let sequence = sequence(character.lowercased) {
                bytes += sequence
            } else {
                return nil
            }
        }
        return high == nil ? bytes : nil
    }

    /// The bytes that a letter from `g` abbreviates.
    private static func sequence(_ letter: UInt8) -> [UInt8]? {
        switch letter {
        case UInt8(ascii: "g")...UInt8(ascii: "o"):
            let count = Int(letter - UInt8(ascii: "g")) + 1
            return (0..<count).flatMap { _ in [0xFA, 0, 0] }
        case UInt8(ascii: "p"): return [0xFB, 0x80, 0x80]
        case UInt8(ascii: "q"): return [0xFC, 0x80, 0x80]
        case UInt8(ascii: "r"): return [0xFD, 0x80, 0x80]
        case UInt8(ascii: "s"): return CaptionDistributionPacket.identifier
        case UInt8(ascii: "t"): return [0x61, 0x01]
        case UInt8(ascii: "u"): return [0xE1, 0, 0, 0]
        case UInt8(ascii: "z"): return [0]
        default: return nil
        }
    }
}
