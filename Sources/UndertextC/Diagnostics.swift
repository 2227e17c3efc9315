internal import CUndertext
internal import Undertext
internal import UndertextCore

extension Diagnostic {
    /// The diagnostic as a line for people.
    var line: String {
        var line = "\(severity.rawValue): \(message)"
        if let time { line += ", at \(clockText(Timestamp.zero.duration(to: time)))" }
        return line + " [\(code)]"
    }
}

/// A queue of diagnostics that C takes one by one.
@safe final class DiagnosticQueue {
    private var waiting: [Diagnostic] = []
    private var texts = CTexts()

    /// `true` if all diagnostics were taken.
    var isEmpty: Bool { waiting.isEmpty }

    /// Appends diagnostics; those beyond `limit` pending ones are dropped.
    func add(_ diagnostics: [Diagnostic], atMost limit: Int = .max) {
        // Stored in reverse, so that the next one is removed from the end.
        waiting.insert(
            contentsOf: diagnostics.prefix(max(0, limit - waiting.count)).reversed(), at: 0)
    }

    /// Returns the next diagnostic as a line that is valid until the next call, or NULL if there is none.
    func next() -> UnsafePointer<CChar>? {
        texts = CTexts()
        return unsafe texts.keep(waiting.popLast()?.line)
    }
}

/// Returns the value of a struct member that holds an `undertext_kind`.
func kindValue(isBitmap: Bool) -> Int32 {
    Int32((isBitmap ? UNDERTEXT_KIND_BITMAP : UNDERTEXT_KIND_TEXT).rawValue)
}
