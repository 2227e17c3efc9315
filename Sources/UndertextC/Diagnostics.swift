internal import CUndertext
internal import Undertext

extension Diagnostic {
    /// It as a line for people.
    var line: String {
        var line = "\(severity.rawValue): \(message)"
        if let time { line += ", at \(clockText(Timestamp.zero.duration(to: time)))" }
        return line + " [\(code)]"
    }
}

/// Diagnostics that C takes one after another.
@safe final class DiagnosticQueue {
    private var waiting: [Diagnostic] = []
    private var texts = CTexts()

    /// `true` if all were taken.
    var isEmpty: Bool { waiting.isEmpty }

    /// Adds what is new, as far as no more wait than a number.
    func add(_ diagnostics: [Diagnostic], atMost limit: Int = .max) {
        // The last comes first, so that taking it costs nothing.
        waiting.insert(
            contentsOf: diagnostics.prefix(max(0, limit - waiting.count)).reversed(), at: 0)
    }

    /// The next one as a line that lasts until the next call; NULL if nothing is left to tell.
    func next() -> UnsafePointer<CChar>? {
        texts = CTexts()
        return unsafe texts.keep(waiting.popLast()?.line)
    }
}

/// What a member of C's for an `undertext_kind` holds.
func kindValue(isBitmap: Bool) -> Int32 {
    Int32((isBitmap ? UNDERTEXT_KIND_BITMAP : UNDERTEXT_KIND_TEXT).rawValue)
}
