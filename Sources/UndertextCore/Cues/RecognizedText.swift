/// The text recognized in the images of a cue.
package struct RecognizedText: Hashable, Sendable {
    /// The text, lines separated by line feeds; empty if there is none.
    package var text: String
    /// The confidence of the recognizer, 0 to 1; 0 if there is no text.
    package var confidence: Double

    /// The confidence below which text should be reviewed.
    package static let lowConfidence = 0.8

    /// Creates a result.
    package init(text: String, confidence: Double) {
        self.text = text
        self.confidence = confidence
    }
}

extension RecognizedText {
    /// Joins several texts by line feeds; the confidence is their average, weighted by length.
    package init(joining parts: [RecognizedText]) {
        let found = parts.filter { !$0.text.isEmpty }
        let length = found.reduce(0) { $0 + $1.text.utf8.count }
        let sum = found.reduce(0) { $0 + $1.confidence * Double($1.text.utf8.count) }
        self.init(
            text: found.map(\.text).joined(separator: "\n"),
            confidence: length > 0 ? sum / Double(length) : 0)
    }
}
