extension Cue {
    /// The cue with its words, lines, times and place, without their look.
    ///
    /// Ruby stands above its base for reading and goes too; voices and languages do as well.
    public var withoutStyling: Cue {
        guard case .text(let text) = content else { return self }
        var plain = self
        plain.content = .text(StyledText(text.plainText))
        plain.source = nil
        if plain.layout.background != nil { plain.layout.background = nil }
        return plain
    }
}
