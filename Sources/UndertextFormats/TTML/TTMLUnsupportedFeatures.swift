internal import UndertextCore

/// Visible style properties that the cue model cannot represent.
enum TTMLUnsupportedFeatures {
    /// `true` if stating a value of a property loses something.
    ///
    /// Properties of audio and of the repetition of background images have no visible effect.
    static func isLoss(_ name: Substring, _ value: String) -> Bool {
        let bytes = Array(value.utf8)
        let word = bytes[...].trimmed
        if name == "textDecoration" {
            return word.split(whereSeparator: \.isSpace).contains { $0.text == "overline" }
        }
        guard !word.isEmpty, let harmless = harmless[String(name)] else { return false }
        if harmless.contains(word.text) { return false }
        // Nothing of it, in any unit.
        return !(word.first == 0x30 && word.leadingNumber == 0)
    }

    /// The values of each property that change nothing: TTML2, section 10.2; IMSC 1.1, section 8.4.
    private static let harmless: [String: Set<String>] = [
        "textEmphasis": ["none"], "textCombine": ["none"],
        "textOrientation": ["mixed", "sideways"],
        "letterSpacing": ["normal"], "shear": [], "fontShear": [], "lineShear": [],
        "fontVariant": ["normal"], "rubyReserve": ["none"],
        "rubyPosition": ["outside", "before"], "border": ["none"], "disparity": [],
        "luminanceGain": ["1", "1.0"], "unicodeBidi": ["normal", "embed"], "linePadding": [],
        "multiRowAlign": ["auto"], "fillLineGap": ["false"],
    ]
}
