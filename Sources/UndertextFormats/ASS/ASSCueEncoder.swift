internal import UndertextCore

/// Encodes the text of a cue as the text of an event.
///
/// The escapes are those of libass: `\{` is a brace. An invisible word joiner (U+2060) follows each backslash
/// that would begin something else; the decoder removes it.
struct ASSCueEncoder {
    /// The name of the style.
    private(set) var style = ""
    /// The speaker.
    private(set) var name = ""
    /// The text with its override tags; empty if there is nothing to show.
    private(set) var bytes: [UInt8] = []
    /// The losses of the text.
    private(set) var losses: LossKinds = []

    private var tags = ""

    /// The text of a cue whose times are those of `span`.
    init(
        _ text: StyledText, placement: ASSPlacement, span: CentisecondSpan,
        resolver: ASSStyleResolver, styles: inout ASSStyleTable
    ) {
        let runs = text.runs.filter { !$0.text.isEmpty }
        guard !runs.isEmpty else { return }
        setName(runs)
        if runs.contains(where: { $0.ruby != nil }) { losses.insert(.ruby) }
        let looks = runs.map { run in
            let look = resolver.look(of: run.style, losses: &losses)
            if run.style.statesLineHeight { losses.insert(.style) }
            // The box replaces the outline.
            guard look.box != nil, look != look.withoutEffects else { return look }
            losses.insert(.style)
            return look.withoutEffects
        }
        let common = looks.dropFirst().reduce(looks[0]) {
            $0.common(with: $1, standard: resolver.standard)
        }
        let base = styles.style(for: common)
        style = base.name
        var current = base.look
        place(placement, isSSA: styles.isSSA)
        setBreaking(runs)
        let syllables = ASSKaraoke(runs, span: span)
        if syllables.losesTimes { losses.insert(.karaoke) }
        for (index, run) in runs.enumerated() {
            tags += syllables.tags[index]
            change(from: &current, to: looks[index], styles: &styles)
            if !tags.isEmpty {
                bytes += "{\(tags)}".utf8
                tags = ""
            }
            ASSTextEscaping.append(run.text, isLast: index == runs.count - 1, to: &bytes)
        }
    }

    private mutating func setName(_ runs: [TextRun]) {
        guard let voice = runs.lazy.compactMap(\.style.voice).first, !voice.isEmpty else { return }
        if runs.contains(where: { $0.style.voice != voice }) { losses.insert(.voice) }
        let line = voice.utf8.map { $0 < Byte.space ? Byte.space : $0 }
        // A field ends at a comma.
        if line.contains(Byte.comma) { losses.insert(.voice) }
        let field = line.map { $0 == Byte.comma ? 0x3B : $0 }
        name = String(decoding: field[...], as: UTF8.self)
        while name.first == " " { name.removeFirst() }
        while name.last == " " { name.removeLast() }
    }

    // MARK: Tags

    /// The text breaks lines itself, or long lines are wrapped: in a script, this applies to the entire text.
    private mutating func setBreaking(_ runs: [TextRun]) {
        guard runs.contains(where: \.style.isUnbroken) else { return }
        if runs.allSatisfy(\.style.isUnbroken) { tags += "\\q2" } else { losses.insert(.style) }
    }

    private mutating func place(_ placement: ASSPlacement, isSSA: Bool) {
        if placement.key != 2 {
            // SSA counts 1 to 3 at the bottom, 5 to 7 at the top, 9 to 11 in the middle.
            let legacy = [1, 2, 3, 9, 10, 11, 5, 6, 7][placement.key - 1]
            tags += isSSA ? "\\a\(legacy)" : "\\an\(placement.key)"
        }
        if let (x, y) = placement.position {
            tags += "\\pos(\(decimalText(thousandths: x)),\(decimalText(thousandths: y)))"
        }
    }

    private mutating func change(
        from current: inout ASSResolvedStyle, to look: ASSResolvedStyle, styles: inout ASSStyleTable
    ) {
        if (current.box == nil) != (look.box == nil) {
            // Only a style can state that there is a box, or that there is none.
            let style = styles.style(for: look)
            tags += "\\r\(style.name)"
            current = style.look
            if (current.box == nil) != (look.box == nil) { losses.insert(.background) }
        }
        if look.isBold != current.isBold { tags += "\\b\(look.isBold ? 1 : 0)" }
        if look.isItalic != current.isItalic { tags += "\\i\(look.isItalic ? 1 : 0)" }
        if look.isUnderlined != current.isUnderlined { tags += "\\u\(look.isUnderlined ? 1 : 0)" }
        if look.isStruckThrough != current.isStruckThrough {
            tags += "\\s\(look.isStruckThrough ? 1 : 0)"
        }
        if look.font != current.font { tags += "\\fn\(look.font)" }
        if look.size != current.size { tags += "\\fs\(decimalText(thousandths: look.size))" }
        change(current.color, to: look.color, colorTag: "\\c", alphaTag: "\\1a")
        if let box = look.box, let now = current.box {
            change(now, to: box, colorTag: "\\3c", alphaTag: "\\3a")
        }
        tags += look.effectTags(after: current)
        current = look
    }

    private mutating func change(
        _ current: RGBA, to color: RGBA, colorTag: String, alphaTag: String
    ) {
        if current.rawValue >> 8 != color.rawValue >> 8 {
            tags += "\(colorTag)&H\(ASSColor.hex(color))&"
        }
        if current.alpha != color.alpha {
            tags += "\(alphaTag)&H\(ASSColor.hex(255 - color.alpha))&"
        }
    }
}

/// The tags before each run that make it appear in time.
struct ASSKaraoke {
    /// `\k` and the length of what comes until the next time, for each run; empty where none begins.
    private(set) var tags: [String]
    /// `true` if a time is outside the cue, or before an earlier one.
    private(set) var losesTimes = false
    /// `true` if any run appears later than the cue.
    let hasTimes: Bool

    /// The syllables of a cue whose times are those of `span`.
    init(_ runs: [TextRun], span: CentisecondSpan) {
        tags = [String](repeating: "", count: runs.count)
        hasTimes = runs.contains { $0.appearsAt != nil }
        guard hasTimes else { return }
        var onsets: [Int64] = []
        for run in runs {
            let last = onsets.last ?? 0
            let time = run.appearsAt.map { CentisecondSpan.rounded($0) - span.start } ?? 0
            if time < last || time > span.end - span.start {
                losesTimes = true
                onsets.append(last)
            } else {
                onsets.append(time)
            }
        }
        if onsets[0] > 0 { tags[0] = "\\k\(onsets[0])" }
        var index = 0
        while index < onsets.count {
            let next = onsets[index...].firstIndex { $0 != onsets[index] } ?? onsets.count
            let end = next < onsets.count ? onsets[next] : span.end - span.start
            tags[index] += "\\k\(end - onsets[index])"
            index = next
        }
    }
}

/// Letters as the text of an event writes them.
enum ASSTextEscaping {
    /// Appends text; line feeds become `\N`, braces and backslashes keep their meaning.
    ///
    /// - Parameters:
    ///   - text: the characters.
    ///   - isLast: `true` if nothing follows, not even tags.
    ///   - bytes: the buffer to append to.
    static func append(_ text: String, isLast: Bool, to bytes: inout [UInt8]) {
        let letters = unifiedLineEnds(text.utf8)
        for (index, byte) in letters.enumerated() {
            switch byte {
            case Byte.lineFeed: bytes += [0x5C, 0x4E]
            case 0: bytes += Byte.replacement
            case 0x7B: bytes += [0x5C, 0x7B]
            case 0x5C:
                bytes.append(byte)
                let next = index + 1 < letters.count ? letters[index + 1] : nil
                if needsJoiner(next, isLast: isLast) { bytes += [0xE2, 0x81, 0xA0] }
            default: bytes.append(byte)
            }
        }
    }

    /// `true` if a backslash before `next` would begin something: `N n h { }` and a word joiner do.
    private static func needsJoiner(_ next: UInt8?, isLast: Bool) -> Bool {
        switch next {
        // The text that follows another run begins with a brace.
        case nil: !isLast
        case 0x4E, 0x6E, 0x68, 0x7D, 0xE2: true
        default: false
        }
    }
}
