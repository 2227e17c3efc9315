/// Puts right what Tesseract confuses, by context: `I`, `l` and `1`, and spaces between Han characters.
struct OCRPostProcessor {
    private let words: [String: String]
    private let hasEnglish: Bool
    private let hasLatin: Bool
    private let hasHan: Bool

    init(_ languages: [RecognitionLanguage]) {
        let names = Set(languages.map(\.tesseractName))
        hasEnglish = names.contains("eng")
        hasLatin = hasEnglish || names.contains("deu")
        hasHan = !names.isDisjoint(with: ["chi_sim", "chi_tra", "jpn"])
        var words: [String: String] = [:]
        if hasEnglish { words.merge(Self.english) { first, _ in first } }
        if names.contains("deu") { words.merge(Self.german) { first, _ in first } }
        self.words = words
    }

    /// Returns the most likely intended text.
    func repaired(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            var words = line.split(separator: " ").map { String($0) }
            if hasLatin {
                for place in words.indices {
                    let next = place + 1 < words.count ? words[place + 1] : nil
                    words[place] = repaired(word: words[place], next: next)
                }
            }
            let line = words.joined(separator: " ")
            return hasHan ? Self.closed(line) : line
        }.joined(separator: "\n")
    }

    /// Words that exist in neither case and with no other letter: keys are what is read.
    private static let english: [String: String] = {
        var words = ["l": "I", "lt": "It", "lf": "If", "ls": "Is", "ln": "In", "lsn": "Isn"]
        words.merge(["1t": "It", "1f": "If", "1s": "Is", "1n": "In", "lts": "Its"]) { $1 }
        for word in ["like", "look", "let", "love", "little", "long", "last", "later", "life"] {
            words["I" + word.dropFirst()] = word
        }
        return words
    }()

    private static let german: [String: String] = [
        "lch": "Ich", "1ch": "Ich", "lhr": "Ihr", "lhre": "Ihre", "lhren": "Ihren",
        "lhrem": "Ihrem", "lhrer": "Ihrer", "lhn": "Ihn", "lhm": "Ihm", "lhnen": "Ihnen",
        "lst": "Ist", "lm": "Im", "ln": "In", "lmmer": "Immer",
    ]

    /// Words that follow "I" and never a number.
    private static let verbs: Set<String> = [
        "am", "was", "have", "had", "do", "don't", "did", "didn't", "can", "can't", "could",
        "couldn't", "will", "won't", "would", "wouldn't", "should", "shouldn't", "must", "may",
        "might", "know", "knew", "think", "thought", "want", "wanted", "need", "like", "love",
        "mean", "guess", "hope", "saw", "see", "said", "say", "told", "feel", "felt", "just",
        "never", "always", "really", "haven't", "hadn't", "wasn't", "believe", "understand",
    ]

    private func repaired(word: String, next: String?) -> String {
        // Quotes, dashes and full stops around it are not part of a word.
        let isPart = { (scalar: Unicode.Scalar) in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        }
        let scalars = word.unicodeScalars
        guard let first = scalars.firstIndex(where: isPart) else { return word }
        let core = scalars[first...].prefix(while: isPart)
        let before = String(scalars[..<first])
        let after = String(scalars[core.endIndex...])
        return before + repaired(core: String(core), after: after, next: next) + after
    }

    private func repaired(core: String, after: String, next: String?) -> String {
        let isShort = after.hasPrefix("'") || after.hasPrefix("’")
        if hasEnglish, core == "l" || core == "1" {
            let ending = after.dropFirst().prefix { $0.isLetter }
            if isShort, ["m", "ll", "ve", "d"].contains(String(ending)) { return "I" }
            if core == "1", after.isEmpty, let next, Self.verbs.contains(Self.bare(next)) {
                return "I"
            }
        }
        if core == "l", isShort { return core }
        if let known = words[core] { return known }
        return Self.withoutCapitals(core)
    }

    private static func bare(_ word: String) -> String {
        String(word.prefix { $0.isLetter || $0 == "'" })
    }

    /// `I` after a small letter is an `l`: "wiII", "teIl".
    private static func withoutCapitals(_ word: String) -> String {
        var result = String.UnicodeScalarView()
        var isInside = false
        for scalar in word.unicodeScalars {
            if scalar == "I", isInside {
                result.append("l")
            } else {
                result.append(scalar)
                isInside = scalar.properties.isLowercase
            }
        }
        return String(result)
    }

    /// Without spaces between characters of scripts that know none.
    private static func closed(_ line: String) -> String {
        let scalars = Array(line.unicodeScalars)
        var result = String.UnicodeScalarView()
        for (place, scalar) in scalars.enumerated() {
            if scalar == " ", place > 0, place + 1 < scalars.count, isHan(scalars[place - 1]),
                isHan(scalars[place + 1])
            {
                continue
            }
            result.append(scalar)
        }
        return String(result)
    }

    /// Han, kana, and the punctuation that goes with them.
    private static func isHan(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3000...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
