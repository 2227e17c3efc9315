extension Cue {
    /// The cue with its text, line breaks, times and position, but without styles.
    ///
    /// Ruby, voices and languages are removed, too.
    package var withoutStyling: Cue {
        guard case .text(let text) = content else { return self }
        var plain = self
        plain.content = .text(StyledText(text.plainText))
        plain.source = nil
        if plain.layout.background != nil { plain.layout.background = nil }
        return plain
    }
}
