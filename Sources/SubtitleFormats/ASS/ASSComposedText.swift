internal import CueModel
internal import MediaCore

/// The text of a cue as a script's event writes it.
///
/// Written as in libass: `\{` is a brace. A word joiner (U+2060), which shows nothing, follows each
/// backslash that would begin something else; our decoder takes it away again.
struct ASSComposedText {
    /// The name of the style.
    private(set) var style = ""
    /// Who speaks.
    private(set) var name = ""
    /// The text with its override tags; empty if there is nothing to show.
    private(set) var bytes: [UInt8] = []
    /// What the text could not carry.
    private(set) var losses: LossKinds = []

    private var tags = ""

    /// The text of a cue whose times are those of `span`.
    init(
        _ text: StyledText, placement: ASSPlacement, span: CentisecondSpan,
        resolver: ASSLookResolver, styles: inout ASSStyleTable
    ) {
        let runs = text.runs.filter { !$0.text.isEmpty }
        guard !runs.isEmpty else { return }
        setName(runs)
        if runs.contains(where: { $0.ruby != nil }) { losses.insert(.ruby) }
        let looks = runs.map { resolver.look(of: $0.style, losses: &losses) }
        let common = looks.dropFirst().reduce(looks[0]) {
            $0.common(with: $1, standard: resolver.standard)
        }
        let base = styles.style(for: common)
        style = base.name
        var current = base.look
        place(placement, isSSA: styles.isSSA)
        let syllables = syllables(runs, span: span)
        for (index, run) in runs.enumerated() {
            tags += syllables[index]
            change(from: &current, to: looks[index], styles: &styles)
            if !tags.isEmpty {
                bytes += "{\(tags)}".utf8
                tags = ""
            }
            append(run.text, isLast: index == runs.count - 1)
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

    private mutating func place(_ placement: ASSPlacement, isSSA: Bool) {
        if placement.key != 2 {
            // SSA counts 1 to 3 at the bottom, 5 to 7 at the top, 9 to 11 in the middle.
            let legacy = [1, 2, 3, 9, 10, 11, 5, 6, 7][placement.key - 1]
            tags += isSSA ? "\\a\(legacy)" : "\\an\(placement.key)"
        }
        if let (x, y) = placement.position {
            tags += "\\pos(\(ASSNumber.text(thousandths: x)),\(ASSNumber.text(thousandths: y)))"
        }
    }

    private mutating func change(
        from current: inout ASSLook, to look: ASSLook, styles: inout ASSStyleTable
    ) {
        if (current.box == nil) != (look.box == nil) {
            // Only a style can say that there is a box, or that there is none.
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
        if look.size != current.size { tags += "\\fs\(ASSNumber.text(thousandths: look.size))" }
        change(current.color, to: look.color, colorTag: "\\c", alphaTag: "\\1a")
        if let box = look.box, let now = current.box {
            change(now, to: box, colorTag: "\\3c", alphaTag: "\\3a")
        }
        current = look
    }

    private mutating func change(
        _ current: RGBA, to color: RGBA, colorTag: String, alphaTag: String
    ) {
        if current.rawValue >> 8 != color.rawValue >> 8 {
            tags += "\(colorTag)&H\(ASSNumber.hex(color))&"
        }
        if current.alpha != color.alpha {
            tags += "\(alphaTag)&H\(ASSNumber.hex(255 - color.alpha))&"
        }
    }

    /// What stands before each run so that it appears in its time: `\k` and the length of what
    /// comes until the next time.
    private mutating func syllables(_ runs: [TextRun], span: CentisecondSpan) -> [String] {
        var result = [String](repeating: "", count: runs.count)
        guard runs.contains(where: { $0.appearsAt != nil }) else { return result }
        var onsets: [Int64] = []
        for run in runs {
            let last = onsets.last ?? 0
            let time = run.appearsAt.map { CentisecondSpan.rounded($0) - span.start } ?? 0
            if time < last || time > span.end - span.start {
                losses.insert(.karaoke)
                onsets.append(last)
            } else {
                onsets.append(time)
            }
        }
        if onsets[0] > 0 { result[0] = "\\k\(onsets[0])" }
        var index = 0
        while index < onsets.count {
            let next = onsets[index...].firstIndex { $0 != onsets[index] } ?? onsets.count
            let end = next < onsets.count ? onsets[next] : span.end - span.start
            result[index] += "\\k\(end - onsets[index])"
            index = next
        }
        return result
    }

    // MARK: Letters

    private mutating func append(_ text: String, isLast: Bool) {
        let letters = unifiedLineEnds(text.utf8)
        for (index, byte) in letters.enumerated() {
            switch byte {
            case Byte.lineFeed: bytes += [0x5C, 0x4E]
            case 0: bytes += Byte.replacement
            case 0x7B: bytes += [0x5C, 0x7B]
            case 0x5C:
                bytes.append(byte)
                let next = index + 1 < letters.count ? letters[index + 1] : nil
                if Self.needsJoiner(next, isLast: isLast) { bytes += [0xE2, 0x81, 0xA0] }
            default: bytes.append(byte)
            }
        }
    }

    /// Whether a backslash before `next` would begin something: `N n h { }` and a word joiner do.
    private static func needsJoiner(_ next: UInt8?, isLast: Bool) -> Bool {
        switch next {
        // What follows another run begins with a brace.
        case nil: !isLast
        case 0x4E, 0x6E, 0x68, 0x7D, 0xE2: true
        default: false
        }
    }
}
