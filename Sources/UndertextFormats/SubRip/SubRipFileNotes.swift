internal import UndertextCore

/// The diagnostics of the reader of SubRip files: each repair and each loss, by name.
///
/// The page `Documentation/Formats/SubRip.md` lists them.
struct SubRipFileNotes {
    /// A repair or a loss.
    enum Note {
        case badTiming, missingTimes, cutOff, strayText, longLine, longCue, tooManyCues
        case negativeDuration, zeroDuration, emptyCue
        case missingNumber, missingBlankLine, blankBeforeTimes, blankInText
        case badCoordinates, settings, textAfterTimes, null, lineEnds
    }

    private var notes: TextFileNotes

    init(_ diagnostics: DiagnosticSink) { notes = TextFileNotes(diagnostics) }

    /// Adds a note at a line.
    mutating func add(_ note: Note, line: Int, column: Int = 1) {
        let place = TextFileNotes.Place(line: line, column: column)
        switch note {
        case .badTiming:
            notes.add(
                .error, "bad-timing", at: place,
                "the times before or after the arrow cannot be read; the cue is left out")
        case .missingTimes:
            notes.add(.error, "missing-times", at: place, "a cue without times is left out")
        case .cutOff:
            notes.add(.error, "cut-off", at: place, "the file ends after the number of a cue")
        case .strayText:
            notes.add(.error, "stray-text", at: place, "text before the first times is left out")
        case .longLine:
            notes.add(.error, "long-line", at: place, "the line is too long: it is cut")
        case .longCue:
            notes.add(.error, "long-cue", at: place, "the text of the cue is too long: it is cut")
        case .tooManyCues:
            notes.add(
                .error, "too-many-cues", at: place,
                "there are too many cues: the rest of the file is left out")
        case .negativeDuration:
            notes.add(
                .warning, "negative-duration", at: place,
                "the cue ends before it starts: it lasts until the next one")
        case .zeroDuration:
            notes.add(
                .warning, "zero-duration", at: place,
                "the cue ends when it starts: it lasts until the next one")
        case .emptyCue:
            notes.add(.info, "empty-cue", at: place, "a cue without text is left out")
        default: addHabit(note, at: place)
        }
    }

    /// Adds a note that usually recurs throughout a file: once, with a count at the end.
    private mutating func addHabit(_ note: Note, at place: TextFileNotes.Place) {
        let (severity, code, message): (Diagnostic.Severity, String, String) =
            switch note {
            case .missingNumber: (.info, "missing-number", "the cue has no number")
            case .missingBlankLine:
                (.warning, "missing-blank-line", "the empty line before the cue is missing")
            case .blankBeforeTimes:
                (.warning, "blank-line", "there is an empty line between number and times")
            case .blankInText:
                (.warning, "blank-line", "there is an empty line in the text; it is kept")
            case .badCoordinates:
                (.warning, "bad-coordinates", "coordinates that are not X1 X2 Y1 Y2 are ignored")
            case .settings:
                (.warning, "ignored-settings", "WebVTT settings after the times are ignored")
            case .textAfterTimes:
                (.warning, "text-after-times", "text after the times is read as the first line")
            case .null: (.warning, "nul", "NUL became U+FFFD")
            case .lineEnds: (.info, "line-ends", "CR CR LF is read as one end of a line")
            default: (.warning, "oddity", "the line is unusual")
            }
        notes.add(severity, code, at: place, kept: 1, message)
    }

    /// Adds notes about the spelling of times.
    mutating func add(_ oddities: SubRipTimingLine.Oddities, line: Int) {
        for (oddity, severity, code, message) in Self.spellings where oddities.contains(oddity) {
            notes.add(severity, code, at: .init(line: line), kept: 1, message)
        }
    }

    private static let spellings:
        [(SubRipTimingLine.Oddities, Diagnostic.Severity, String, String)] = [
            (.point, .info, "decimal-point", "no comma before the milliseconds"),
            (.fraction, .warning, "fraction", "a fraction without three digits: read as decimals"),
            (.noHours, .warning, "missing-hours", "times without hours"),
            (.overflow, .warning, "time-overflow", "minutes or seconds above 59: they are added"),
            (.arrow, .warning, "arrow", "an arrow other than -->"),
            (.negative, .warning, "negative-time", "a time before zero"),
            (.number, .warning, "number-before-times", "number and times on one line"),
        ]

    /// Reports the number of further occurrences.
    mutating func finish() { notes.finish() }
}
