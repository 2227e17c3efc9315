internal import Undertext

extension ExtractCommand {
    /// Runs the command and gives its exit code.
    func execute(_ console: Console) -> Int32 {
        guard let options = try? options() else { return ExitStatus.usage }
        reading.applyPriority(console)
        return ExtractionRun(
            inputs: inputs, options: options, report: extraction.report, verbosity: verbosity
        ).perform(console)
    }
}

/// What people are told about an extraction.
struct ExtractSummary {
    let console: Console
    let verbosity: Verbosity

    func tell(_ report: InputReport) {
        if let error = report.error { console.fail(error.message) }
        // A run that was stopped says so once, not for each of its tracks.
        let isStopped = report.error?.code == "cancelled"
        var told: Set<String> = []
        for track in report.tracks where !isStopped || track.status != .failed {
            // A reader that went away ends all tracks, and is one thing to say.
            if track.status == .failed, let reason = track.reason, reason.hasPrefix("stdout: "),
                !told.insert(reason).inserted
            {
                continue
            }
            tell(track, of: report)
        }
        for record in report.attachments where !verbosity.quiet {
            console.say("\(record.file): \(bytes(record.bytes))")
        }
        let counts = report.diagnostics.reduce(into: [:]) { $0[$1.code, default: 0] += 1 }
        tell(report.diagnostics, counts: counts)
        guard verbosity.verbose, let io = report.io else { return }
        let proof = io.proof.map { ", proved by \($0)" } ?? ""
        console.say(
            "\(report.input): read by \(io.path.rawValue)\(proof), \(bytes(io.statistics.bytesRead))"
                + " in \(io.statistics.requests) requests")
        for refusal in io.refused {
            console.say("\(report.input): not by \(refusal.path.rawValue): \(refusal.reason)")
        }
    }

    private func tell(_ track: TrackReport, of report: InputReport) {
        let name =
            "stream \(track.stream.index) (\(track.stream.language?.rawValue ?? "und"), \(track.stream.codec))"
        switch track.status {
        case .written:
            guard !verbosity.quiet else { break }
            let files = track.outputs.map(\.file).filter { $0 != "-" }
            if !files.isEmpty {
                console.say(
                    "\(files.joined(separator: ", ")): \(track.cues) \(track.cues == 1 ? "cue" : "cues")"
                )
            }
        case .empty:
            if !verbosity.quiet { console.say("\(name): no cues, nothing written") }
        case .skipped:
            if !verbosity.quiet || track.wasNamed {
                console.say("\(name): skipped: \(track.reason ?? "")")
            }
        case .failed:
            console.fail("\(report.input): \(name): \(track.reason ?? "failed")")
        }
        if !track.losses.isEmpty, !verbosity.quiet {
            let target = track.outputs.first?.format ?? "the format"
            console.say("\(name): \(target) cannot carry \(track.losses)")
        }
        tellConfidence(of: track, name: name)
        tell(track.diagnostics.filter(isNews), counts: track.diagnosticCounts)
    }

    private func isNews(_ diagnostic: Diagnostic) -> Bool {
        verbosity.verbose || diagnostic.severity != .info
    }

    /// Cues whose text was hard to recognise: how many, and the first of them.
    private func tellConfidence(of track: TrackReport, name: String) {
        let count = track.diagnosticCounts["low-confidence", default: 0]
        guard count > 0, !verbosity.quiet else { return }
        let limit = Int((RecognitionOptions.lowConfidence * 100).rounded())
        console.say(
            "\(name): \(count) of \(track.cues) cues were recognised with less than \(limit) % "
                + "confidence; look at them")
        guard !verbosity.verbose else { return }
        let low = track.diagnostics.filter { $0.code == "low-confidence" }
        low.prefix(10).forEach(tell)
        if count > 10 { console.say("and \(count - 10) more; -v and JSON list them") }
    }

    private func tell(_ diagnostics: [Diagnostic], counts: [String: Int]) {
        if verbosity.verbose {
            diagnostics.forEach(tell)
            return
        }
        // One line a kind: the first one, and how many more there are.
        var told: Set<String> = []
        for diagnostic in diagnostics where told.insert(diagnostic.code).inserted {
            tell(diagnostic, more: (counts[diagnostic.code] ?? 1) - 1)
        }
    }

    private func tell(_ diagnostic: Diagnostic) { tell(diagnostic, more: 0) }

    private func tell(_ diagnostic: Diagnostic, more: Int) {
        if verbosity.quiet, diagnostic.severity != .error { return }
        var line = "\(diagnostic.severity.rawValue): "
        if let index = diagnostic.streamIndex { line += "stream \(index): " }
        let message = diagnostic.message
        line += message.hasSuffix(".") ? message.dropLast() : message[...]
        if let time = diagnostic.time { line += ", at \(decimalSeconds(time)) s" }
        if let offset = diagnostic.byteOffset { line += ", byte \(offset)" }
        if more > 0 { line += " (and \(more) more like it; -v lists them)" }
        console.say(line)
    }

    private func bytes(_ count: UInt64) -> String {
        count < 10_000
            ? "\(count) B" : count < 10_000_000 ? "\(count / 1000) kB" : "\(count / 1_000_000) MB"
    }
}
