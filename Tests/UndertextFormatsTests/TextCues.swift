import UndertextCore

/// A cue of styled text; times are milliseconds.
func cue(
    _ start: Int64, _ end: Int64, _ text: StyledText, _ layout: CueLayout = CueLayout()
) -> Cue {
    Cue(
        start: .milliseconds(start), end: .milliseconds(end), layout: layout, content: .text(text))
}

/// A cue of text without styles; times are milliseconds.
func cue(_ start: Int64, _ end: Int64, _ text: String, _ layout: CueLayout = CueLayout()) -> Cue {
    cue(start, end, StyledText(text), layout)
}
