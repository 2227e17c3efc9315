package import UndertextCore
internal import UndertextFormats

/// Checks the cues of a track against a profile.
///
/// The work is O(n log n) for n cues, and linear in their text.
package struct TrackCheck {
    /// What is known of the track beside its cues.
    package struct Track: Sendable {
        /// The language, or `nil` if unknown.
        package var language: LanguageTag?
        /// The regions that cues refer to.
        package var regions: [Region] = []
        /// The frame rate of the video, or `nil` if unknown.
        package var frameRate: TimeBase?
        /// The times of shot changes, ascending; `nil` if they are not known, so that their rules are not checked.
        package var shotChanges: [Timestamp]?
        /// The charset of a text file by iconv's name, or `nil` for other inputs.
        package var charset: String?
        /// The findings of the reader about cues that it left out or repaired.
        package var readerFindings: [ReaderFinding] = []

        /// Creates a description of which nothing is known.
        package init() {}
    }

    /// A cue that the reader of a file left out or repaired.
    package struct ReaderFinding: Hashable, Sendable {
        /// The rule that it breaks.
        package var rule: CheckRule
        /// The line, or `nil` if unknown.
        package var line: Int?
        /// The description.
        package var message: String

        /// Creates a finding.
        package init(rule: CheckRule, line: Int?, message: String) {
            self.rule = rule
            self.line = line
            self.message = message
        }
    }

    /// Findings of a rule that are kept; the others are counted.
    package static let findingsAtMost = 10_000

    let profile: CheckProfile
    let track: Track
    /// The entries that apply, by script of a cue.
    private var settings: [WritingSystem?: [CheckRule: CheckProfile.Entry]] = [:]
    /// The script of most letters of the track.
    private var script: WritingSystem?
    var repertoires = Repertoires()
    private(set) var result = CheckResult()

    /// Creates a check of one track.
    package init(_ profile: CheckProfile, of track: Track = Track()) {
        self.profile = profile
        self.track = track
    }

    /// Checks the cues of a track.
    ///
    /// - Parameter cues: The cues in any order; ``CheckedCue/number`` is their order in the file.
    /// - Returns: The findings, by cue and rule.
    package mutating func check(_ cues: [CheckedCue]) -> CheckResult {
        result = CheckResult()
        result.cueCount = cues.count
        var counts = WritingSystemCounts()
        for cue in cues { if let text = cue.text { counts.add(text) } }
        script = counts.most
        checkFile()
        let inFile = cues.sorted { $0.number < $1.number }
        checkOrder(inFile)
        for cue in inFile {
            checkDuration(cue)
            checkText(cue)
            checkPosition(cue)
        }
        checkShotChanges(inFile)
        checkNeighbors(
            inFile.sorted { ($0.cue.start, $0.number) < ($1.cue.start, $1.number) })
        // A stable sort: by cue, then in the order of the rules.
        let order = Dictionary(
            uniqueKeysWithValues: CheckRule.allCases.enumerated().map { ($1, $0) })
        result.findings = result.findings.enumerated().sorted { one, other in
            let (left, right) = (one.element, other.element)
            return (left.line ?? 0, left.cue ?? 0, order[left.rule] ?? 0, one.offset)
                < (right.line ?? 0, right.cue ?? 0, order[right.rule] ?? 0, other.offset)
        }.map(\.element)
        return result
    }

    // MARK: For the rules

    /// The script of a cue; of Chinese characters alone in a Japanese track, Japanese.
    func script(of cue: CheckedCue) -> WritingSystem? {
        guard let text = cue.text else { return script }
        var counts = WritingSystemCounts()
        counts.add(text)
        guard let own = counts.most else { return script }
        return own == .han && script == .japanese ? .japanese : own
    }

    /// The entries that apply to a script.
    mutating func settings(for script: WritingSystem?) -> [CheckRule: CheckProfile.Entry] {
        if let known = settings[script] { return known }
        let found = profile.settings(language: track.language, script: script)
        settings[script] = found
        return found
    }

    /// The entry of a rule that does not depend on the text of a cue.
    mutating func setting(_ rule: CheckRule) -> CheckProfile.Entry? {
        settings(for: script)[rule]
    }

    /// The limit of an entry as a number in the unit of its rule; a time is in milliseconds, down or up to a whole one,
    /// which is the precision of text files.
    func milliseconds(_ entry: CheckProfile.Entry, roundedUp: Bool = false) -> Double? {
        var exact: Double
        switch entry.limit {
        case .number(let seconds): exact = seconds * 1000
        case .frames(let frames):
            guard let rate = track.frameRate ?? profile.frameRate else { return nil }
            exact = frames * 1000 * Double(rate.denominator) / Double(rate.numerator)
        default: return nil
        }
        // A product such as 0.083 * 1000 is not exact.
        exact = (exact * 1e6).rounded() / 1e6
        return exact.rounded(roundedUp ? .up : .down)
    }

    /// Adds a finding about a cue.
    mutating func add(
        _ entry: CheckProfile.Entry, _ cue: CheckedCue?, line: Int? = nil,
        measured: Double? = nil, limit: Double? = nil, _ message: @autoclosure () -> String
    ) {
        guard let severity = entry.severity else { return }
        result.counts[entry.rule, default: 0] += 1
        guard result.counts[entry.rule, default: 0] <= Self.findingsAtMost else { return }
        result.findings.append(
            CheckFinding(
                rule: entry.rule, severity: severity, cue: cue?.number, start: cue?.cue.start,
                line: line ?? cue?.line, offset: cue?.offset, measured: measured, limit: limit,
                message: message()))
    }

    /// Checks what is known of the file: its charset, and the cues that its reader left out or repaired.
    private mutating func checkFile() {
        for finding in track.readerFindings {
            guard let entry = setting(finding.rule) else { continue }
            add(entry, nil, line: finding.line, finding.message)
        }
        guard let charset = track.charset?.lowercased(), let entry = setting(.charset),
            case .charset(let wanted) = entry.limit, charset != wanted,
            // ASCII is the same in UTF-8.
            !(wanted == "utf-8" && ["ascii", "us-ascii"].contains(charset))
        else { return }
        add(entry, nil, "the charset of the file is \(escapedForTerminal(charset)), not \(wanted)")
    }
}

/// A number without needless decimals, at most three.
func shortNumber(_ value: Double) -> String {
    let rounded = (value * 1000).rounded() / 1000
    return String(decoding: JSON.decimal(rounded).compact, as: UTF8.self)
}

/// A time in milliseconds as seconds with three decimals.
func secondsText(_ milliseconds: Double) -> String {
    let whole = Int64(max(min(milliseconds.rounded(), 9e15), -9e15))
    let magnitude = whole.magnitude
    return (whole < 0 ? "-" : "") + "\(magnitude / 1000).\(zeroPadded(magnitude % 1000, to: 3)) s"
}
