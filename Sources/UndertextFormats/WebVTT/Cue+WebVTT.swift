package import UndertextCore

extension Cue {
    /// The text as WebVTT cue text, with tags; empty for images.
    ///
    /// Colors are WebVTT's default classes (`white`, `bg_blue`, …); it has no others without a style
    /// sheet. Chromium shows them only where a `::cue(.white)` rule, or the like, gives them their color.
    package var webVTTText: String {
        var colors = WebVTTColors(allowsRules: false)
        return String(decoding: WebVTTCueEncoder(self, colors: &colors).bytes, as: UTF8.self)
    }
}

extension CueLayout {
    /// WebVTT's cue settings, separated by spaces; empty for the default position.
    ///
    /// Percentages are clamped to 0 to 100. W3C WebVTT, section 4.4.
    package var webVTTSettings: String {
        var bytes: [UInt8] = []
        _ = WebVTTSettingsText.append(self, to: &bytes)
        return String(decoding: bytes.dropFirst(), as: UTF8.self)
    }
}
