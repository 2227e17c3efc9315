internal import UndertextCore

/// The words between a video's name and the extension, read from the last to the first.
struct SidecarTail {
    /// The positions at which language, flags and number are allowed.
    enum Places {
        /// In any part between dots, as Jellyfin reads names.
        case anywhere
        /// At the end only: preceding words may be the name of another video.
        case atEnd
        /// At the end only, or a number before them: `2_English`.
        case atEndAfterNumber
    }

    private(set) var language: LanguageTag?
    private(set) var statesLanguage = false
    private(set) var isForced = false
    private(set) var isHearingImpaired = false
    private(set) var isDefault = false
    private(set) var isCommentary = false
    private(set) var number: Int?
    /// The words that no rule accepted, in the order of the name.
    private(set) var leftovers: [ArraySlice<UInt8>] = []
    /// The number of words `hi`: Hindi, or hearing impaired.
    private var hiCount = 0

    /// Parts that are examined; the rest is a title.
    private static let partLimit = 32

    init(_ tail: ArraySlice<UInt8>, _ places: Places) {
        var rest = tail
        var parts = 0
        while !rest.isEmpty, parts < Self.partLimit {
            let dot = rest.lastIndex(of: UInt8(ascii: "."))
            let part = Self.trimmed(rest[(dot.map { $0 + 1 } ?? rest.startIndex)...])
            rest = rest[..<(dot ?? rest.startIndex)]
            if part.isEmpty { continue }
            parts += 1
            // A number after a space belongs to another title: `Movie 2`.
            let allowsNumber = dot != nil || places == .atEndAfterNumber
            if takesNumber(part, if: allowsNumber) || takes(Self.unwrapped(part)) { continue }
            let left = peel(part, allowsNumber: places == .atEndAfterNumber)
            if left.isEmpty { continue }
            leftovers.append(left)
            if places != .anywhere { break }
        }
        let unread = Self.trimmed(rest)
        if !unread.isEmpty { leftovers.append(unread) }
        leftovers.reverse()
        if places == .anywhere { takeUnknownLanguage() }
        settleHindi()
    }

    /// A language that no list has, if it is the only word and has the spelling of extraction: `Movie.qaa.vtt`.
    private mutating func takeUnknownLanguage() {
        guard !statesLanguage, hiCount == 0, leftovers.count == 1,
            let tag = SidecarWords.tagAsWritten(leftovers[0])
        else { return }
        language = tag
        statesLanguage = true
        leftovers = []
    }

    /// `hi` alone is Hindi, beside another language it is a flag.
    private mutating func settleHindi() {
        guard hiCount > 0 else { return }
        if statesLanguage {
            isHearingImpaired = true
        } else {
            language = "hi"
            statesLanguage = true
            if hiCount > 1 { isHearingImpaired = true }
        }
    }

    /// Consumes a part of digits; years are not file numbers, so four digits are accepted only below 1900.
    private mutating func takesNumber(_ part: ArraySlice<UInt8>, if isAllowed: Bool) -> Bool {
        guard isAllowed, number == nil, part.count <= 4, part.allSatisfy(\.isDigit),
            let value = Int(String(decoding: part, as: UTF8.self)), (1..<1900).contains(value)
        else { return false }
        number = value
        return true
    }

    /// Consumes a flag or a language.
    ///
    /// - Parameters:
    ///   - word: the word or words.
    ///   - codes: `true` to accept codes and flags of two or three letters, which may also be words.
    /// - Returns: `true` if it was a flag or a language.
    private mutating func takes(_ word: ArraySlice<UInt8>, codes: Bool = true) -> Bool {
        guard (2...SidecarWords.lengthLimit).contains(word.count) else { return false }
        let key = SidecarWords.key(word)
        if let flag = SidecarWords.flags[key], codes || key.utf8.count > 2 {
            switch flag {
            case .forced: isForced = true
            case .hearingImpaired: isHearingImpaired = true
            case .hindiOrHearingImpaired: hiCount += 1
            case .default: isDefault = true
            case .commentary: isCommentary = true
            }
            return true
        }
        // The last language of a name counts; an earlier one is part of the title.
        guard !statesLanguage else { return false }
        if codes, key == "und" {
            statesLanguage = true
            return true
        }
        guard
            let tag = SidecarWords.language(named: key) ?? (codes ? SidecarWords.code(word) : nil)
        else { return false }
        language = tag
        statesLanguage = true
        return true
    }

    /// Consumes known words from the end of a part with several words; returns the rest.
    private mutating func peel(
        _ part: ArraySlice<UInt8>, allowsNumber: Bool
    ) -> ArraySlice<UInt8> {
        let words = NameWord.words(of: part)
        // Codes may be words of a title, so they are accepted only if the part consists of such words.
        var whole = self
        if whole.peel(part, words, codes: true, allowsNumber: allowsNumber).isEmpty {
            self = whole
            return []
        }
        // A tag whose subtags look like words stays complete: `en-x-forced`.
        if SidecarWords.tagAsWritten(part) != nil { return part }
        return peel(part, words, codes: false, allowsNumber: allowsNumber)
    }

    private mutating func peel(
        _ part: ArraySlice<UInt8>, _ words: [NameWord], codes: Bool, allowsNumber: Bool
    ) -> ArraySlice<UInt8> {
        var end = words.count
        search: while end > 0 {
            for count in stride(from: min(3, end), through: 2, by: -1) {
                let group = words[(end - count)..<end]
                if takesGroup(group, of: part) {
                    end -= count
                    continue search
                }
            }
            let word = words[end - 1]
            let isTaken =
                takes(part[word.range], codes: codes || word.isBracketed)
                || (end == 1 && takesNumber(part[word.range], if: allowsNumber))
            if !isTaken { break }
            end -= 1
        }
        guard end < words.count else { return part }
        return Self.trimmed(part[..<words[end].start])
    }

    /// Consumes words that form a name together: `Portuguese (Brazil)`, `English (US)`.
    private mutating func takesGroup(
        _ group: ArraySlice<NameWord>, of part: ArraySlice<UInt8>
    ) -> Bool {
        guard let first = group.first, let last = group.last else { return false }
        let text = part[first.range.lowerBound..<last.range.upperBound]
        if takes(text, codes: false) { return true }
        guard !statesLanguage, group.count == 2, last.isBracketed, last.range.count == 2 else {
            return false
        }
        let region = SidecarWords.key(part[last.range])
        guard SidecarWords.flags[region] == nil,
            let name = SidecarWords.language(named: SidecarWords.key(part[first.range])),
            let tag = LanguageTag(name.rawValue + "-" + region)
        else { return false }
        language = tag
        statesLanguage = true
        return true
    }

    /// Less separators at both ends.
    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop(while: \.isNameSeparator)
        while text.last?.isNameSeparator == true { text.removeLast() }
        return text
    }

    /// Less the one pair of brackets around it.
    private static func unwrapped(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.count > 2, text.first?.opensBracket == true, text.last?.closesBracket == true
        else { return text }
        let inner = text.dropFirst().dropLast()
        return inner.contains { $0.opensBracket || $0.closesBracket } ? text : inner
    }
}

/// A word of a part of a name.
private struct NameWord {
    /// The range of the word.
    var range: Range<Int>
    /// The start, with a preceding bracket.
    var start: Int
    /// `true` if it is in brackets.
    var isBracketed: Bool

    /// The words between spaces, underscores and brackets, and between hyphens unless those are in a language
    /// tag; only the last few, because no rule uses more.
    static func words(of part: ArraySlice<UInt8>) -> [NameWord] {
        var words: [NameWord] = []
        var start: Int?
        var bracket: Int?
        func end(at index: Int) {
            guard let first = start else { return }
            start = nil
            let range = first..<index
            let opening = bracket
            if !part[range].contains(UInt8(ascii: "-")) || SidecarWords.code(part[range]) != nil {
                words.append(
                    NameWord(range: range, start: opening ?? first, isBracketed: opening != nil))
                return
            }
            for piece in part[range].split(separator: UInt8(ascii: "-")) {
                words.append(
                    NameWord(
                        range: piece.startIndex..<piece.endIndex,
                        start: opening ?? piece.startIndex, isBracketed: opening != nil))
            }
        }
        for index in part.indices {
            let byte = part[index]
            if byte == 0x20 || byte == 0x5F {
                end(at: index)
            } else if byte.opensBracket {
                end(at: index)
                bracket = index
            } else if byte.closesBracket {
                end(at: index)
                bracket = nil
            } else if start == nil {
                start = index
            }
        }
        end(at: part.endIndex)
        return words
    }
}
