internal import UndertextCore

/// Turns a `tx3g` sample into styled text.
struct TX3GStyler {
    let description: TX3GSampleDescription
    let timeBase: TimeBase
    let start: Timestamp

    /// The text of a sample with line feeds only, none at the end.
    func styledText(of sample: TX3GSample) -> StyledText {
        var characters = sample.characters[...]
        while let last = characters.last, last == "\n" || last == "\r" { characters.removeLast() }
        let modifiers = sample.modifiers
        var builder = StyledTextBuilder(style: textStyle(description.style))
        var record = 0
        var syllable = -1
        // Changes are rare; between them nothing is looked up.
        var nextChange = 0
        for (index, scalar) in characters.enumerated() {
            if index == nextChange {
                while record < modifiers.styles.count, modifiers.styles[record].end <= index {
                    record += 1
                }
                while syllable + 1 < modifiers.karaoke.count,
                    modifiers.karaoke[syllable + 1].characters.lowerBound <= index
                {
                    syllable += 1
                }
                builder.setStyle(style(at: index, record: record, in: modifiers))
                builder.setAppearsAt(time(at: index, syllable: syllable, in: modifiers))
                nextChange = Self.change(
                    after: index, record: record, syllable: syllable, in: modifiers)
            }
            append(scalar, at: index, of: characters, to: &builder)
        }
        return builder.finish()
    }

    private func append(
        _ scalar: Unicode.Scalar, at index: Int, of characters: ArraySlice<Unicode.Scalar>,
        to builder: inout StyledTextBuilder
    ) {
        if scalar == "\r" {
            // A line feed after it is the same line break.
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            if next != "\n" { builder.append(0x0A) }
        } else if scalar.isASCII {
            builder.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            builder.append(String(scalar))
        }
    }

    private func style(at index: Int, record: Int, in modifiers: TX3GModifiers) -> TextStyle {
        var style = textStyle(description.style)
        if record < modifiers.styles.count, modifiers.styles[record].start <= index {
            style = textStyle(modifiers.styles[record].style)
        }
        if modifiers.highlight?.contains(index) == true {
            // A highlight without a color swaps those of the text.
            style.background = modifiers.highlightColor ?? style.color ?? .white
            if modifiers.highlightColor == nil { style.color = .black }
        }
        return style
    }

    private func time(
        at index: Int, syllable: Int, in modifiers: TX3GModifiers
    ) -> Timestamp? {
        guard syllable >= 0, modifiers.karaoke[syllable].characters.contains(index),
            modifiers.karaoke[syllable].start > 0,
            let offset = Duration(ticks: modifiers.karaoke[syllable].start, timeBase: timeBase)
        else { return nil }
        return start.advanced(by: offset)
    }

    /// The next position at which the style or the time may change.
    private static func change(
        after index: Int, record: Int, syllable: Int, in modifiers: TX3GModifiers
    ) -> Int {
        var next = Int.max
        func consider(_ place: Int) { if place > index, place < next { next = place } }
        if record < modifiers.styles.count {
            consider(modifiers.styles[record].start)
            consider(modifiers.styles[record].end)
        }
        if let highlight = modifiers.highlight {
            consider(highlight.lowerBound)
            consider(highlight.upperBound)
        }
        if syllable >= 0 { consider(modifiers.karaoke[syllable].characters.upperBound) }
        if syllable + 1 < modifiers.karaoke.count {
            consider(modifiers.karaoke[syllable + 1].characters.lowerBound)
        }
        return next
    }

    /// The style in neutral terms, without properties that equal the default of players or of the track.
    ///
    /// Programs write a font and size that users did not choose; the color after the box is opaque black in
    /// every file of FFmpeg, and players draw no box.
    private func textStyle(_ style: TX3GStyle) -> TextStyle {
        var result = TextStyle()
        result.isBold = style.face & 1 != 0
        result.isItalic = style.face & 2 != 0
        result.isUnderlined = style.face & 4 != 0
        result.color = style.color == .white ? nil : style.color
        if style.font != description.style.font { result.font = description.fonts[style.font] }
        let usual = Int(description.style.size)
        if usual > 0, style.size > 0, Int(style.size) != usual {
            result.fontSize = .percent(Int(style.size) * 100 / usual)
        }
        return result
    }
}
