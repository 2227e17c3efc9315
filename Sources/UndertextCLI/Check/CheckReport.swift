internal import Undertext
internal import UndertextChecks
internal import UndertextCore

/// What `check` found in one input.
struct CheckReport {
    /// A checked track.
    struct Track {
        let stream: StreamDescription
        let result: CheckResult
    }

    let input: String
    var tracks: [Track] = []
    /// The tracks that could not be checked, with the reasons.
    var skipped: [(stream: StreamDescription, reason: UndertextError)] = []
    var error: UndertextError?
    var diagnostics: [Diagnostic] = []
    /// The number of repaired cues by rule; `nil` without `--fix`.
    var fixes: [CheckRule: Int]?
    /// What the format of the repaired file cannot represent.
    var losses = ConversionLosses()

    init(input: String) { self.input = input }

    /// The exit code of the input alone.
    var exitCode: Int32 {
        if let error { return error.code == .noTrack ? ExitStatus.noTrack : ExitStatus.nothing }
        if tracks.isEmpty { return ExitStatus.nothing }
        let isIncomplete = diagnostics.contains { $0.severity == .error } || hasFailedTracks
        if isIncomplete { return ExitStatus.partial }
        return tracks.contains { $0.result.counts(of: [.error, .warning]) > 0 }
            ? ExitStatus.findings : ExitStatus.success
    }

    /// `true` if a track failed that has a decoder; others are only skipped.
    private var hasFailedTracks: Bool { skipped.contains { $0.reason.code != .unsupported } }

    /// Combines the exit codes of several inputs.
    static func combined(_ codes: [Int32]) -> Int32 {
        let complete: Set<Int32> = [ExitStatus.success, ExitStatus.noTrack, ExitStatus.findings]
        guard Set(codes).count > 1, codes.contains(ExitStatus.findings) else {
            return ExitStatus.combined(codes)
        }
        return codes.allSatisfy(complete.contains) ? ExitStatus.findings : ExitStatus.partial
    }
}

extension CheckResult {
    /// The number of findings of some severities; those that are left out count as their rule's first one.
    func counts(of severities: Set<Diagnostic.Severity>) -> Int {
        let severityOfRule = Dictionary(findings.map { ($0.rule, $0.severity) }) { first, _ in first
        }
        var count = findings.count { severities.contains($0.severity) }
        for (rule, total) in counts where total > TrackCheck.findingsAtMost {
            guard let severity = severityOfRule[rule], severities.contains(severity) else {
                continue
            }
            count += total - TrackCheck.findingsAtMost
        }
        return count
    }
}

/// The forms of a report.
enum CheckReportFormat: String, CaseIterable {
    case text
    case json
    case sarif
}

// MARK: - Text

/// The findings as lines for people, and for programs that read `FILE:LINE: message`.
enum CheckText {
    static func lines(of report: CheckReport) -> [String] {
        let name = escapedForTerminal(withoutSecrets(report.input))
        var lines: [String] = []
        for track in report.tracks {
            let stream =
                report.tracks.count > 1 || report.input == "-" || track.stream.index > 0
                ? "stream \(track.stream.label)" : nil
            for finding in track.result.findings {
                lines.append(line(finding, in: name, stream: stream))
            }
            if track.result.leftOut > 0 {
                lines.append("\(name): \(track.result.leftOut) further findings are left out")
            }
        }
        return lines
    }

    private static func line(_ finding: CheckFinding, in name: String, stream: String?) -> String {
        var place = name
        if let line = finding.line {
            place += ":\(line)"
        } else if let start = finding.start {
            place += ": \(start)"
        }
        if let stream { place += ": \(stream)" }
        var subject = ""
        if let cue = finding.cue {
            subject = "cue \(cue)"
            if finding.line != nil, let start = finding.start { subject += " at \(start)" }
            subject += " "
        }
        return "\(place): \(finding.severity.rawValue): \(finding.rule.rawValue): "
            + subject + finding.message
    }

    /// One line for each checked track.
    static func summary(of report: CheckReport, profile: String) -> [String] {
        let name = escapedForTerminal(withoutSecrets(report.input))
        return report.tracks.map { track in
            let result = track.result
            let cues = "\(result.cueCount) \(result.cueCount == 1 ? "cue" : "cues")"
            let stream =
                report.tracks.count > 1 || track.stream.index > 0
                ? "stream \(track.stream.label): " : ""
            let counts = [
                (Diagnostic.Severity.error, "error", "errors"), (.warning, "warning", "warnings"),
                (.info, "note", "notes"),
            ].compactMap { severity, one, several -> String? in
                let count = result.counts(of: [severity])
                return count > 0 ? "\(count) \(count == 1 ? one : several)" : nil
            }
            return
                "\(name): \(stream)\(counts.isEmpty ? "no findings" : counts.joined(separator: ", "))"
                + " in \(cues) (profile \(escapedForTerminal(profile)))"
        }
    }
}

// MARK: - JSON

/// The findings as a JSON document.
enum CheckJSON {
    static func document(_ reports: [CheckReport], profile: CheckProfile) -> JSON {
        .object([
            .init("version", .string(undertextVersion)),
            .init(
                "profile",
                .object([
                    .init("name", .string(profile.name)), .init("title", .string(profile.title)),
                ])),
            .init("inputs", .array(reports.map(input))),
        ])
    }

    private static func input(_ report: CheckReport) -> JSON {
        var members: [JSON.Member] = [
            .init("input", .string(withoutSecrets(report.input))),
            .init("exitCode", .integer(report.exitCode)),
            .init("error", report.error.map(failure) ?? .null),
            .init("tracks", .array(report.tracks.map(track))),
            .init(
                "skipped",
                .array(
                    report.skipped.map { stream, reason in
                        .object([
                            .init("track", .integer(stream.index)),
                            .init("codec", .string(stream.codec.rawValue)),
                            .init("reason", .string(reason.message)),
                        ])
                    })),
            .init("diagnostics", .array(report.diagnostics.prefix(100).map(diagnostic))),
        ]
        if let fixes = report.fixes {
            members.append(.init("fixes", counts(fixes)))
            members.append(
                .init(
                    "losses",
                    .array(
                        report.losses.entries.map {
                            .object([
                                .init("kind", .string($0.name)), .init("count", .integer($0.count)),
                            ])
                        })))
        }
        return .object(members)
    }

    private static func counts(_ counts: [CheckRule: Int]) -> JSON {
        .object(
            CheckRule.allCases.compactMap { rule in
                counts[rule].map { .init(rule.rawValue, .integer($0)) }
            })
    }

    private static func failure(_ error: UndertextError) -> JSON {
        .object([
            .init("code", .string(error.code.name)), .init("message", .string(error.message)),
        ])
    }

    private static func diagnostic(_ diagnostic: Diagnostic) -> JSON {
        .object([
            .init("severity", .string(diagnostic.severity.rawValue)),
            .init("code", .string(diagnostic.code)),
            .init("track", diagnostic.streamIndex.map { .integer($0) } ?? .null),
            .init("message", .string(diagnostic.message)),
        ])
    }

    private static func track(_ track: CheckReport.Track) -> JSON {
        .object([
            .init("track", .integer(track.stream.index)),
            .init("codec", .string(track.stream.codec.rawValue)),
            .init("language", .optional(track.stream.language?.rawValue)),
            .init("cues", .integer(track.result.cueCount)),
            .init("counts", counts(track.result.counts)),
            .init("leftOut", .integer(track.result.leftOut)),
            .init("findings", .array(track.result.findings.map(finding))),
        ])
    }

    private static func finding(_ finding: CheckFinding) -> JSON {
        .object(
            [
                .init("rule", .string(finding.rule.rawValue)),
                .init("severity", .string(finding.severity.rawValue)),
                .init("cue", finding.cue.map { .integer($0) } ?? .null),
                .init("start", finding.start.map { .seconds($0) } ?? .null),
                .init("line", finding.line.map { .integer($0) } ?? .null),
                .init("offset", finding.offset.map { .integer($0) } ?? .null),
                .init("measured", finding.measured.map { .decimal($0) } ?? .null),
                .init("limit", finding.limit.map { .decimal($0) } ?? .null),
                .init("message", .string(finding.message)),
            ])
    }
}

// MARK: - SARIF

/// The findings in the Static Analysis Results Interchange Format (OASIS SARIF 2.1.0).
enum CheckSARIF {
    static func document(
        _ reports: [CheckReport], profile: CheckProfile, exitCode: Int32
    ) -> JSON {
        var results: [JSON] = []
        for report in reports {
            for track in report.tracks {
                results += track.result.findings.map { result($0, report.input, track.stream) }
            }
        }
        let notifications = reports.flatMap(notifications)
        return .object([
            .init("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
            .init("version", .string("2.1.0")),
            .init(
                "runs",
                .array([
                    .object([
                        .init("tool", .object([.init("driver", driver(profile))])),
                        .init(
                            "invocations",
                            .array([
                                .object([
                                    .init(
                                        "executionSuccessful",
                                        .bool(reports.allSatisfy(\.isChecked))),
                                    .init("exitCode", .integer(exitCode)),
                                    .init("toolExecutionNotifications", .array(notifications)),
                                ])
                            ])),
                        .init("columnKind", .string("unicodeCodePoints")),
                        .init("results", .array(results)),
                    ])
                ])),
        ])
    }

    private static func driver(_ profile: CheckProfile) -> JSON {
        .object([
            .init("name", .string("undertext")),
            .init("version", .string(undertextVersion)),
            .init(
                "rules",
                .array(
                    CheckRule.allCases.map { rule in
                        let sources = profile.entries.filter { $0.rule == rule }.compactMap(
                            \.source)
                        var members: [JSON.Member] = [
                            .init("id", .string(rule.rawValue)),
                            .init("shortDescription", text(rule.summary)),
                        ]
                        if let source = sources.last {
                            members.append(
                                .init(
                                    "fullDescription",
                                    text("\(rule.summary): \(source.description)")))
                            if let url = source.url, URI(url).urlScheme != nil {
                                members.append(.init("helpUri", .string(URI.repaired(url))))
                            }
                        }
                        return .object(members)
                    })),
        ])
    }

    private static func text(_ text: String) -> JSON { .object([.init("text", .string(text))]) }

    private static func level(_ severity: Diagnostic.Severity) -> String {
        severity == .info ? "note" : severity.rawValue
    }

    private static func location(
        _ input: String, line: Int? = nil, offset: UInt64? = nil
    ) -> JSON {
        var members: [JSON.Member] = [
            .init("artifactLocation", .object([.init("uri", .string(uri(of: input)))]))
        ]
        if let line {
            members.append(.init("region", .object([.init("startLine", .integer(line))])))
        } else if let offset, offset <= UInt64(Int64.max) {
            members.append(.init("region", .object([.init("byteOffset", .integer(offset))])))
        }
        return .object([.init("physicalLocation", .object(members))])
    }

    /// The input as a URI reference: an absolute path becomes a `file` URI, a relative one stays relative.
    static func uri(of input: String) -> String {
        if input == "-" { return "stdin" }
        let input = withoutSecrets(input)
        if URI(input).urlScheme != nil { return URI.repaired(input) }
        let path = URI.escaped(input) { URI.isUnreserved($0) || $0 == UInt8(ascii: "/") }
        return (input.hasPrefix("/") ? "file://" : "") + path
    }

    private static func result(
        _ finding: CheckFinding, _ input: String, _ stream: StreamDescription
    ) -> JSON {
        var properties: [JSON.Member] = [.init("track", .integer(stream.index))]
        if let cue = finding.cue { properties.append(.init("cue", .integer(cue))) }
        if let start = finding.start { properties.append(.init("start", .seconds(start))) }
        if let measured = finding.measured {
            properties.append(.init("measured", .decimal(measured)))
        }
        if let limit = finding.limit { properties.append(.init("limit", .decimal(limit))) }
        let subject = finding.cue.map { "Cue \($0) " } ?? ""
        return .object([
            .init("ruleId", .string(finding.rule.rawValue)),
            .init(
                "ruleIndex", .integer(CheckRule.allCases.firstIndex(of: finding.rule) ?? 0)),
            .init("level", .string(level(finding.severity))),
            .init("message", text(subject + finding.message)),
            .init(
                "locations",
                .array([location(input, line: finding.line, offset: finding.offset)])),
            .init("properties", .object(properties)),
        ])
    }

    private static func notifications(_ report: CheckReport) -> [JSON] {
        var notes: [(Diagnostic.Severity, String)] = []
        if let error = report.error { notes.append((.error, error.message)) }
        for (stream, reason) in report.skipped {
            notes.append((.warning, "stream \(stream.label): \(reason.message)"))
        }
        for diagnostic in report.diagnostics.prefix(100) {
            notes.append((diagnostic.severity, diagnostic.message))
        }
        return notes.map { severity, message in
            .object([
                .init("level", .string(level(severity))), .init("message", text(message)),
                .init("locations", .array([location(report.input)])),
            ])
        }
    }
}

extension CheckReport {
    /// `true` if all of the input was checked.
    fileprivate var isChecked: Bool {
        [ExitStatus.success, ExitStatus.findings].contains(exitCode)
    }
}
