internal import Undertext
internal import UndertextCore

/// Writes the result of an extraction to standard error.
struct ExtractSummary {
    let console: Console
    let verbosity: Verbosity
    let command: RemedyText.Command
    /// The input's name, which prefixes every message; `nil` if it is the only input.
    private let subject: String?
    private let report: InputReport

    init(
        _ report: InputReport, _ console: Console, _ verbosity: Verbosity,
        command: RemedyText.Command, isOneOfSeveral: Bool
    ) {
        self.report = report
        self.console = console
        self.verbosity = verbosity
        self.command = command
        subject = isOneOfSeveral ? report.input : nil
    }

    func write() {
        if let error = report.error {
            fail(error.summary + hint(error.remedy), details: error.details)
        }
        // Cancellation is reported once, not for each track.
        let isStopped = report.error?.code == .cancelled
        var reported: Set<String> = []
        for track in report.tracks where !isStopped || track.status != .failed {
            if track.readerLeft { continue }
            // A failure of standard output fails every track; report it once.
            if track.status == .failed, let reason = track.reason, reason.hasPrefix("stdout: "),
                !reported.insert(reason).inserted
            {
                continue
            }
            write(track)
        }
        for record in report.attachments where !verbosity.quiet {
            say("\(record.file): \(bytes(record.bytes))")
        }
        let counts = report.diagnostics.reduce(into: [:]) { $0[$1.code, default: 0] += 1 }
        write(report.diagnostics, counts: counts)
        guard verbosity.verbose, let io = report.io else { return }
        let proof = io.proof.map { " (index proven by \($0))" } ?? ""
        console.say(
            "read by \(io.path.rawValue)\(proof), \(bytes(io.statistics.bytesRead))"
                + " in \(io.statistics.requests) requests", about: report.input)
        for refusal in io.refused {
            console.say(
                "not read by \(refusal.path.rawValue): \(refusal.reason)", about: report.input)
        }
    }

    private func say(_ line: String) { console.say(line, about: subject) }

    /// Writes an error that names the input exactly once.
    private func fail(_ message: String, details: [String] = []) {
        let isNamed = message.hasPrefix("\(report.input):")
        console.fail(isNamed ? message : "\(report.input): \(message)", details: details)
    }

    private func hint(_ remedy: Remedy?) -> String { RemedyText.hint(remedy, for: command) }

    private func write(_ track: TrackReport) {
        let name = "stream \(track.stream.label)"
        switch track.status {
        case .written:
            guard !verbosity.quiet else { break }
            let files = track.outputs.map(\.file).filter { $0 != "-" }
            if !files.isEmpty {
                say(
                    "\(files.joined(separator: ", ")): \(track.cues) \(track.cues == 1 ? "cue" : "cues")"
                )
            }
        case .empty:
            let line = "\(name): no cues; nothing was written"
            if command != .extract {
                fail(line)
            } else if !verbosity.quiet {
                say(line)
            }
        case .skipped:
            let line = "\(name): skipped: \(track.reason ?? "")" + hint(track.remedy)
            if report.outcome == .failed {
                fail(line)
            } else if !verbosity.quiet || track.wasNamed {
                say(line)
            }
        case .failed:
            fail("\(name): \(track.reason ?? "failed")" + hint(track.remedy))
        }
        if !track.losses.isEmpty, !verbosity.quiet {
            let target = track.outputs.first?.format ?? "the format"
            say("\(name): \(target) cannot represent \(track.losses)")
        }
        writeConfidence(of: track, name: name)
        write(track.diagnostics.filter(isShown), counts: track.diagnosticCounts)
    }

    private func isShown(_ diagnostic: Diagnostic) -> Bool {
        verbosity.verbose || diagnostic.severity != .info
    }

    /// Writes the number of cues recognized with low confidence, and the first of them.
    private func writeConfidence(of track: TrackReport, name: String) {
        let count = track.diagnosticCounts["low-confidence", default: 0]
        guard count > 0, !verbosity.quiet else { return }
        let limit = Int((RecognitionOptions.lowConfidence * 100).rounded())
        say(
            "\(name): \(count) of \(track.cues) cues were recognized with less than \(limit) % "
                + "confidence; review them")
        guard !verbosity.verbose else { return }
        let low = track.diagnostics.filter { $0.code == "low-confidence" }
        low.prefix(10).forEach(write)
        if count > 10 { say("\(count - 10) more; use -v or JSON output to list them") }
    }

    private func write(_ diagnostics: [Diagnostic], counts: [String: Int]) {
        if verbosity.verbose {
            diagnostics.forEach(write)
            return
        }
        // One line for each code: the first diagnostic, and the number of others.
        var reported: Set<String> = []
        for diagnostic in diagnostics where reported.insert(diagnostic.code).inserted {
            write(diagnostic, more: (counts[diagnostic.code] ?? 1) - 1)
        }
    }

    private func write(_ diagnostic: Diagnostic) { write(diagnostic, more: 0) }

    private func write(_ diagnostic: Diagnostic, more: Int) {
        if verbosity.quiet, diagnostic.severity != .error { return }
        var line = "\(diagnostic.severity.rawValue): "
        if let index = diagnostic.streamIndex { line += "stream \(index): " }
        let message = diagnostic.message
        line += message.hasSuffix(".") ? message.dropLast() : message[...]
        if let time = diagnostic.time { line += ", at \(decimalSeconds(time)) s" }
        if let offset = diagnostic.byteOffset { line += ", byte \(offset)" }
        line += hint(diagnostic.remedy)
        let place = command == .batch ? "the report" : "-v"
        if more > 0 { line += " (and \(more) more like it; \(place) lists them)" }
        say(line)
    }

    private func bytes(_ count: UInt64) -> String {
        count < 10_000
            ? "\(count) B" : count < 10_000_000 ? "\(count / 1000) kB" : "\(count / 1_000_000) MB"
    }
}
