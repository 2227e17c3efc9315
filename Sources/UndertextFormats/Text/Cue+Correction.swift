package import UndertextCore

extension Cue {
    /// Returns the cue with another text: styles, tags and position stay with what is left of the old text.
    ///
    /// The stored form is kept if it can show the new text; otherwise writers use the styled text.
    package func corrected(to new: String) -> Cue {
        guard case .text(let text) = content else { return self }
        let old = text.plainText
        guard !old.utf8.elementsEqual(new.utf8) else { return self }
        let correction = TextCorrection(from: old, to: new)
        var cue = self
        cue.content = .text(correction.applied(to: text))
        if let source { cue.source = correction.applied(to: source) }
        // The boxes of a grid are as wide as the old text.
        if !layout.captionLines.lines.isEmpty { cue.layout.captionLines = CaptionLines() }
        return cue
    }
}
