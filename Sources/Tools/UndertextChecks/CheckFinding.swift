package import UndertextCore

/// A cue, or a file, that breaks a rule.
package struct CheckFinding: Hashable, Sendable {
    /// The rule.
    package var rule: CheckRule
    /// The severity that the profile gives it.
    package var severity: Diagnostic.Severity
    /// The number of the cue in the file, from 1; `nil` for a finding about the file.
    package var cue: Int?
    /// The start of the cue.
    package var start: Timestamp?
    /// The line of the file, from 1, or `nil` if unknown.
    package var line: Int?
    /// The byte offset of the packet with the cue, or `nil` if unknown.
    package var offset: UInt64?
    /// The measured value in the unit of the rule, or `nil` if it has none; times are seconds.
    package var measured: Double?
    /// The limit in the same unit, or `nil` if the rule has none.
    package var limit: Double?
    /// The description, a clause that begins in lower case.
    package var message: String
}

/// The result of checking one track.
package struct CheckResult: Hashable, Sendable {
    /// The findings by cue.
    package var findings: [CheckFinding] = []
    /// The number of findings of each rule, including those that are left out.
    package var counts: [CheckRule: Int] = [:]
    /// The number of checked cues.
    package var cueCount = 0

    /// The number of all findings.
    package var total: Int { counts.values.reduce(0, +) }
    /// The number of findings that are left out, because there are too many of a rule.
    package var leftOut: Int { total - findings.count }
}
