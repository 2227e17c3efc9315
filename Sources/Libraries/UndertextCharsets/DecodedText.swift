package import UndertextCore

/// Text from bytes of any charset, as UTF-8 without a byte order mark.
package struct DecodedText: Hashable, Sendable {
    /// The text: valid UTF-8 without zero bytes.
    package let bytes: [UInt8]
    /// The charset used for decoding.
    package let charset: TextCharset
    /// The number of unreadable characters, which became U+FFFD.
    package let replacedCount: Int
    /// The positions in ``bytes`` of the first replaced characters, at most ``placesAtMost``.
    package let replacedAt: [Int]
    /// `true` if ``charset`` is a mere default, because the library that detects it is not installed.
    package let lacksDetector: Bool

    /// The maximum number of recorded positions.
    package static let placesAtMost = 100

    /// `true` if `name` is a charset that can be read.
    ///
    /// glibc: `iconv_open`.
    package static func isKnown(charset name: String) -> Bool {
        CharsetConverter(from: name) != nil
    }

    /// Decodes `data`.
    ///
    /// The charset is that of the byte order mark. Without one, it is UTF-16 if every other byte is often zero;
    /// otherwise, if there is an escape character and no byte beyond ASCII, the 7-bit charset that uchardet
    /// reports; otherwise UTF-8, if there is no byte beyond ASCII, or if there are valid multi-byte sequences
    /// and at most a tenth as many invalid ones; otherwise the charset that uchardet reports. Invalid
    /// characters and zeros become U+FFFD; zeros after the end of the text are dropped.
    ///
    /// Names of `charset` are those of iconv; the result is `nil` for an unknown name. If a charset is given,
    /// only the UTF-8 byte order mark is detected.
    package init?(_ data: [UInt8], charset: String? = nil) {
        var reader = TextReader()
        if let charset {
            guard reader.read(data[...], as: charset) else { return nil }
        } else {
            reader.read(data[...])
        }
        bytes = reader.text
        self.charset = reader.charset
        replacedCount = reader.replacedCount
        replacedAt = reader.replacedAt
        lacksDetector = reader.lacksDetector
    }
}

/// Chooses a charset and reads with it.
private struct TextReader {
    var text: [UInt8] = []
    var charset = TextCharset(name: "utf-8", source: .valid, confidence: 1)
    var replacedCount = 0
    var replacedAt: [Int] = []
    var lacksDetector = false

    /// The charset used if none can be detected.
    private static let fallback = "windows-1252"

    // MARK: A charset that was named

    mutating func read(_ data: ArraySlice<UInt8>, as name: String) -> Bool {
        let lower = name.lowercased()
        charset = TextCharset(name: lower, source: .option, confidence: 1)
        if lower == "utf-8" || lower == "utf8" {
            let body = data.starts(with: ByteOrderMark.utf8.bytes) ? data.dropFirst(3) : data
            repair(body, survey: UTF8Statistics(body))
            return true
        }
        guard let converter = CharsetConverter(from: name) else { return false }
        convert(data, with: converter)
        return true
    }

    // MARK: A charset to be found

    mutating func read(_ data: ArraySlice<UInt8>) {
        if let mark = ByteOrderMark(data) {
            charset = TextCharset(name: mark.charset, source: .byteOrderMark, confidence: 1)
            let body = data.dropFirst(mark.bytes.count)
            guard mark != .utf8, let converter = CharsetConverter(from: mark.charset) else {
                return repair(body, survey: UTF8Statistics(body))
            }
            return convert(body, with: converter)
        }
        let survey = UTF8Statistics(data)
        if survey.zeros > 0, let wide = Self.wideCharset(of: data),
            let converter = CharsetConverter(from: wide)
        {
            charset = TextCharset(name: wide, source: .detected, confidence: 1)
            return convert(data, with: converter)
        }
        // Charsets of seven bits shift by escape sequences: ISO 2022.
        let mayShift = survey.valid == 0 && survey.invalid == 0 && data.contains(0x1B)
        if mayShift { lacksDetector = CharsetDetector.shared == nil }
        if mayShift, let found = CharsetDetector.shared?.charset(of: data),
            let converter = CharsetConverter(from: found), found.lowercased() != "ascii"
        {
            charset = TextCharset(name: found.lowercased(), source: .detected, confidence: 0)
            convert(data, with: converter)
            charset.confidence = CharsetConfidence(text).value
            return
        }
        if survey.invalid == 0 || survey.valid > 0 && survey.invalid * 10 <= survey.valid {
            let share = survey.valid + survey.invalid
            charset.confidence = share == 0 ? 1 : Double(survey.valid) / Double(share)
            return repair(data, survey: survey)
        }
        detect(data)
    }

    private mutating func detect(_ data: ArraySlice<UInt8>) {
        lacksDetector = CharsetDetector.shared == nil
        let found = CharsetDetector.shared?.charset(of: data).map { Self.usual($0, for: data) }
        var names = [found, Self.fallback].compactMap(\.self)
        while !names.isEmpty {
            let name = names.removeFirst().lowercased()
            guard let converter = CharsetConverter(from: name) else { continue }
            charset = TextCharset(name: name, source: .detected, confidence: 0)
            convert(data, with: converter)
            if name == found?.lowercased() { charset.confidence = CharsetConfidence(text).value }
            return
        }
        // Without iconv's tables there is only UTF-8.
        repair(data, survey: UTF8Statistics(data))
    }

    /// Returns the charset that text in a charset of ISO usually has: bytes 80–9F are control characters there, and
    /// quotation marks and dashes in the superset of Windows.
    private static func usual(_ name: String, for data: ArraySlice<UInt8>) -> String {
        guard name.lowercased() == "iso-8859-1",
            data.contains(where: { (0x80...0x9F).contains($0) })
        else { return name }
        return fallback
    }

    /// UTF-16 without a byte order mark: letters of European languages leave every other byte zero,
    /// and so do the digits of times in any language.
    static func wideCharset(of data: ArraySlice<UInt8>) -> String? {
        var zeros = [0, 0]
        let sample = data.prefix(64 << 10)
        for (offset, byte) in sample.enumerated() where byte == 0 { zeros[offset & 1] += 1 }
        let pairs = max(1, sample.count / 2)
        if zeros[1] * 10 >= pairs, zeros[0] * 10 <= zeros[1] { return "utf-16le" }
        if zeros[0] * 10 >= pairs, zeros[1] * 10 <= zeros[0] { return "utf-16be" }
        return nil
    }

    // MARK: Reading

    private mutating func convert(
        _ data: ArraySlice<UInt8>, with converter: borrowing CharsetConverter
    ) {
        var (count, places) = (0, [Int]())
        var converted = converter.converted(converter.withoutTrailingZeros(data)) { place in
            count += 1
            if places.count < DecodedText.placesAtMost { places.append(place) }
        }
        // A byte order mark in the middle of the name's own charset is a character of no width.
        if converted.starts(with: ByteOrderMark.utf8.bytes) {
            converted.removeFirst(3)
            places = places.map { $0 - 3 }
        }
        // Zeros, and what a converter makes of code points that no text has.
        repair(converted[...], survey: UTF8Statistics(converted[...]), replaced: places)
        replacedCount += count
    }

    /// Decodes `data` as UTF-8; invalid sequences and zero bytes become U+FFFD.
    ///
    /// `replaced` contains the positions in `data` of characters that were already replaced.
    private mutating func repair(
        _ data: ArraySlice<UInt8>, survey: UTF8Statistics, replaced: [Int] = []
    ) {
        guard !survey.isClean else {
            text = Array(data)
            replacedAt = replaced
            return
        }
        var earlier = replaced[...]
        var body = data
        while body.last == 0 { body.removeLast() }
        text.reserveCapacity(body.count + 2 * (survey.invalid + survey.zeros))
        var index = body.startIndex
        while index < body.endIndex {
            if earlier.first == index - body.startIndex {
                earlier.removeFirst()
                note(text.count)
            }
            let sequence = utf8Sequence(in: body, at: index)
            if sequence.isValid, body[index] != 0 {
                text += body[index..<index + sequence.length]
            } else {
                replacedCount += 1
                note(text.count)
                text += utf8Replacement
            }
            index += sequence.length
        }
    }

    private mutating func note(_ place: Int) {
        if replacedAt.count < DecodedText.placesAtMost { replacedAt.append(place) }
    }
}

extension DecodedText {
    /// `true` if the beginning of a file may be text in any charset.
    package static func looksLikeText(_ head: [UInt8]) -> Bool {
        if ByteOrderMark(head[...]) != nil { return true }
        // Stray control characters are damage; binary data has them everywhere, or stuffing of ones.
        let controls = head.count { byte in
            byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D && byte != 0x0C
        }
        let ones = head.count { $0 == 0xFF }
        return controls * 10 <= head.count && ones * 4 <= head.count
            || TextReader.wideCharset(of: head[...]) != nil
    }
}
