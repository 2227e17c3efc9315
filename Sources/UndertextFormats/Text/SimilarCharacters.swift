/// Characters that writers of a limited set replace by others.
enum SimilarCharacters {
    /// Characters that readers take for the same.
    static let all: [Character: String] = [
        "\t": " ", "\u{A0}": " ", "\u{202F}": " ", "\u{2009}": " ", "…": "...", "–": "-", "‐": "-",
        "‑": "-", "−": "-", "―": "—", "„": "“", "‚": "‘", "′": "'", "″": "\"", "´": "'", "`": "'",
        "’": "'", "‘": "'", "“": "\"", "”": "\"", "—": "-", "♫": "♪", "×": "x", "œ": "oe",
        "Œ": "OE", "æ": "ae", "Æ": "AE",
    ]

    /// A Boolean value that indicates whether a character is invisible and only affects the shape of others.
    static func isInvisible(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy {
            $0.properties.isDefaultIgnorableCodePoint || $0.properties.isBidiControl
        }
    }
}
