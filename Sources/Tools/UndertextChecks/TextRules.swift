internal import UndertextCore
internal import UndertextFormats

/// The rules about text.
extension TrackCheck {
    mutating func checkText(_ cue: CheckedCue) {
        if cue.isEmpty {
            if let entry = setting(.emptyCue) {
                add(entry, cue, cue.images == nil ? "has no text" : "has no visible pixel")
            }
        }
        if let images = cue.images {
            if let entry = setting(.imageColors), case .number(let limit) = entry.limit,
                Double(images.colorCount) > limit
            {
                add(
                    entry, cue, measured: Double(images.colorCount), limit: limit,
                    "has an image with \(images.colorCount) colors, more than \(shortNumber(limit))"
                )
            }
            return
        }
        let script = script(of: cue)
        let entries = settings(for: script)
        if let entry = entries[.unbalancedTags] {
            for tag in cue.cue.source?.unbalancedTags ?? [] {
                add(entry, cue, "\(tag.text) \(tag.isClosing ? "closes no tag" : "is not closed")")
            }
        }
        guard let text = cue.text, !cue.isEmpty else { return }
        if let entry = entries[.markup], cue.cue.hasMarkup {
            add(entry, cue, "has markup")
        }
        if let entry = entries[.unsupportedCharacters] {
            checkCharacters(of: text, cue, entry)
        }
        checkLines(of: text, cue, entries)
        checkSpeed(of: text, cue, script, entries)
    }

    private mutating func checkLines(
        of text: String, _ cue: CheckedCue, _ entries: [CheckRule: CheckProfile.Entry]
    ) {
        let lines = TextMeasure.lines(of: text)
        let blankLines = text[..<(lines.first?.startIndex ?? text.startIndex)]
            .count(where: \.isNewline)
        if let entry = entries[.lineCount], case .number(let limit) = entry.limit,
            Double(lines.count) > limit
        {
            add(
                entry, cue, measured: Double(lines.count), limit: limit,
                "has \(lines.count) lines, more than \(shortNumber(limit))")
        }
        guard let entry = entries[.lineLength], case .number(let limit) = entry.limit else {
            return
        }
        for (index, line) in lines.enumerated() {
            let length = TextMeasure.characters(in: line, by: entry.count)
            guard length > limit else { continue }
            add(
                entry, cue,
                line: cue.hasFileLines ? cue.line.map { $0 + blankLines + index } : nil,
                measured: length, limit: limit,
                (lines.count > 1 ? "line \(index + 1) has " : "has ")
                    + "\(shortNumber(length)) characters, more than \(shortNumber(limit))")
        }
    }

    private mutating func checkSpeed(
        of text: String, _ cue: CheckedCue, _ script: WritingSystem?,
        _ entries: [CheckRule: CheckProfile.Entry]
    ) {
        let seconds = cue.milliseconds / 1000
        guard seconds > 0 else { return }
        if let entry = entries[.charactersPerSecond], case .number(let limit) = entry.limit {
            let count = TextMeasure.characters(in: text, by: entry.count)
            let speed = count / seconds
            // A speed at the limit is right, regardless of how the division is rounded.
            if speed > limit + 1e-9 {
                add(
                    entry, cue, measured: speed, limit: limit,
                    "\(shortNumber((speed * 100).rounded() / 100)) characters a second, more than "
                        + "\(shortNumber(limit)) (\(shortNumber(count)) characters in "
                        + "\(secondsText(seconds * 1000)))")
            }
        }
        if let entry = entries[.wordsPerMinute], case .number(let limit) = entry.limit,
            script?.separatesWords ?? true
        {
            let count = TextMeasure.words(in: text)
            let speed = Double(count) * 60 / seconds
            if speed > limit + 1e-9 {
                add(
                    entry, cue, measured: speed, limit: limit,
                    "\(shortNumber((speed * 10).rounded() / 10)) words a minute, more than "
                        + "\(shortNumber(limit)) (\(count) \(count == 1 ? "word" : "words") in "
                        + "\(secondsText(seconds * 1000)))")
            }
        }
    }

    private mutating func checkCharacters(
        of text: String, _ cue: CheckedCue, _ entry: CheckProfile.Entry
    ) {
        guard case .format(let format) = entry.limit else { return }
        var missing: [Character] = []
        for character in text where !repertoires.has(character, in: format) {
            if !missing.contains(character) { missing.append(character) }
            // A cue may have any number of them.
            if missing.count > Self.charactersAtMost { break }
        }
        guard !missing.isEmpty else { return }
        let names = missing.prefix(Self.charactersAtMost).map { character in
            let codes = character.unicodeScalars.prefix(4).map {
                "U+" + zeroPadded($0.value, to: 4, radix: 16).uppercased()
            }
            return
                "'\(escapedForTerminal(String(String(character).unicodeScalars.prefix(4).map(Character.init))))' "
                + "(\(codes.joined(separator: " ")))"
        }
        add(
            entry, cue, measured: Double(missing.count), limit: 0,
            "\(format.title) cannot represent \(names.joined(separator: ", "))"
                + (missing.count > Self.charactersAtMost ? " and others" : ""))
    }

    private static let charactersAtMost = 8
}

extension Cue {
    /// `true` if its text has a style, or its stored form has tags.
    fileprivate var hasMarkup: Bool {
        guard case .text(let text) = content else { return false }
        if text.unstyled == nil, text.runs.contains(where: { !$0.isPlain }) { return true }
        switch source {
        case .subRip(let stored), .webVTT(let stored):
            // Stored text is also kept for characters that are no tags.
            return stored.utf8.contains { $0 == 0x3C || $0 == 0x7B }
                && stored.filter { !$0.isWhitespace } != text.plainText.filter { !$0.isWhitespace }
        case .ass, nil: return false
        }
    }
}

/// The characters that target formats have, as their encoders report it.
struct Repertoires {
    /// Answers that are kept; a text may have any number of grapheme clusters.
    private static let knownAtMost = 100_000

    private var known: [SubtitleFormat: [Character: Bool]] = [:]

    /// A Boolean value that indicates whether a format represents a character.
    mutating func has(_ character: Character, in format: SubtitleFormat) -> Bool {
        if character.isWhitespace { return true }
        if let answer = known[format]?[character] { return answer }
        let answer = Self.encodes(character, in: format)
        if known[format, default: [:]].count >= Self.knownAtMost { known[format] = [:] }
        known[format, default: [:]][character] = answer
        return answer
    }

    private static func encodes(_ character: Character, in format: SubtitleFormat) -> Bool {
        guard var writer = format.cueWriter(header: SubtitleHeader()) else { return true }
        let cue = Cue(
            start: .seconds(10), end: .seconds(12),
            content: .text(StyledText("x" + String(character) + "x")))
        var bytes: [UInt8] = []
        writer.begin(into: &bytes)
        writer.write(cue, into: &bytes)
        writer.finish(into: &bytes)
        return !writer.losses.entries.contains { $0.kind == .text }
    }
}
