internal import Undertext
internal import UndertextChecks
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// Runs `undertext check`: reads the inputs, checks their tracks, and reports.
struct CheckRun {
    let command: CheckCommand
    let profile: CheckProfile
    let options: Media.Options
    let selection: TrackSelection
    let format: CheckReportFormat
    let console: Console
    /// The shot changes of the video that is named, once they are known.
    let videoShotChanges = Monitor<ShotChanges?>(nil)

    private var isQuiet: Bool { command.verbosity.quiet }

    /// Runs the command and returns its exit code.
    func perform() -> Int32 {
        let output = StandardOutput()
        var reports: [CheckReport] = []
        do throws(UndertextError) {
            for input in command.inputs where !console.cancellation.isCancelled {
                let report = command.fix ? fixed(input) : checked(MediaInput(argument: input))
                writeMessages(of: report)
                if format == .text { try write(report, to: output) }
                reports.append(report)
            }
            let code = CheckReport.combined(reports.map(\.exitCode))
            if format != .text {
                try output.write(document(format, reports, code).pretty + [0x0A])
            }
            try output.flush()
            guard let path = command.report else {
                writeSummary(of: reports)
                return code
            }
            let kind: CheckReportFormat = path.hasSuffix(".sarif") ? .sarif : .json
            try ExtractionRun.write(
                document(kind, reports, code), to: path, replacing: command.force)
            writeSummary(of: reports)
            return code
        } catch {
            console.endIfReaderLeft(error)
            console.fail(error)
            return ExitStatus.partial
        }
    }

    private func document(
        _ format: CheckReportFormat, _ reports: [CheckReport], _ code: Int32
    ) -> JSON {
        format == .sarif
            ? CheckSARIF.document(reports, profile: profile, exitCode: code)
            : CheckJSON.document(reports, profile: profile)
    }

    /// Writes findings as text; to standard error if standard output has the repaired file.
    private func write(_ report: CheckReport, to output: StandardOutput) throws(UndertextError) {
        var lines = CheckText.lines(of: report)
        if !isQuiet { lines += CheckText.summary(of: report, profile: profile.name) }
        guard !lines.isEmpty else { return }
        if command.output == "-" {
            for line in lines { console.say(line) }
        } else {
            try output.write(lines.joined(separator: "\n") + "\n")
        }
    }

    private func writeSummary(of reports: [CheckReport]) {
        guard !isQuiet, reports.count > 1 else { return }
        let codes = reports.map(\.exitCode)
        let words: [(Int32, String)] = [
            (ExitStatus.success, "without findings"), (ExitStatus.findings, "with findings"),
            (ExitStatus.noTrack, "without a matching subtitle track"),
            (ExitStatus.partial, "incomplete"), (ExitStatus.nothing, "failed"),
        ]
        let parts = words.compactMap { code, word -> String? in
            let count = codes.count { $0 == code }
            return count > 0 ? "\(count) \(word)" : nil
        }
        console.say("\(codes.count) inputs: \(parts.joined(separator: ", "))")
    }

    // MARK: Messages

    /// Writes errors, skipped tracks and diagnostics to standard error.
    private func writeMessages(of report: CheckReport) {
        let subject = command.inputs.count > 1 ? report.input : nil
        if let error = report.error { console.fail(error) }
        for (stream, reason) in report.skipped {
            console.say(
                "warning: stream \(stream.label): not checked: \(reason.message)", about: subject)
        }
        var counts: [String: Int] = [:]
        for diagnostic in report.diagnostics { counts[diagnostic.code, default: 0] += 1 }
        var reported: Set<String> = []
        for diagnostic in report.diagnostics where isShown(diagnostic) {
            guard command.verbosity.verbose || reported.insert(diagnostic.code).inserted else {
                continue
            }
            var line = diagnostic.text(for: .other)
            let more = (counts[diagnostic.code] ?? 1) - 1
            if more > 0, !command.verbosity.verbose {
                line += " (and \(more) more like it; -v lists them)"
            }
            console.say(line, about: subject)
        }
        guard !isQuiet else { return }
        if let fixes = report.fixes {
            let parts = CheckRule.allCases.compactMap { rule in
                fixes[rule].map { "\(rule.rawValue) ×\($0)" }
            }
            console.say(
                "\(withoutSecrets(command.output ?? "")): "
                    + (parts.isEmpty
                        ? "nothing to repair" : "repaired \(parts.joined(separator: ", "))"))
        }
        if !report.losses.isEmpty {
            console.say("the format of the output cannot represent \(report.losses)")
        }
    }

    private func isShown(_ diagnostic: Diagnostic) -> Bool {
        switch diagnostic.severity {
        case .error: true
        // What is a finding is not reported twice.
        case .warning:
            !isQuiet
                && (command.verbosity.verbose || CheckedTrack.finding(diagnostic) == nil)
        case .info: command.verbosity.verbose
        }
    }

    // MARK: Checking

    /// Reads and checks the selected tracks of an input.
    private func checked(_ input: MediaInput) -> CheckReport {
        var report = CheckReport(input: input.argument)
        do throws(UndertextError) {
            let media = try opened(input)
            report.diagnostics += media.diagnostics
            let tracks = try selectedTracks(of: media)
            let changes = try shotChanges(of: media, &report.diagnostics)
            for track in tracks { try check(track, of: media, changes, &report) }
        } catch {
            report.error = error
        }
        return report
    }

    private func opened(_ input: MediaInput) throws(UndertextError) -> Media {
        var options = options
        options.cancellation = console.cancellation
        return try Media(input, options: options)
    }

    private func selectedTracks(of media: Media) throws(UndertextError) -> [SubtitleTrack] {
        let streams = media.streams(for: selection).filter { selection.takes($0) }
        guard !streams.isEmpty else {
            throw UndertextError(
                .noTrack,
                media.subtitleTracks.isEmpty
                    ? "it has no subtitle track" : "no subtitle track matches",
                path: media.input.argument)
        }
        var tracks: [SubtitleTrack] = []
        for stream in streams { tracks.append(try media.subtitleTrack(id: stream.index)) }
        if tracks.count > 1, media.isReadOnce {
            throw UndertextError(
                .unsupported,
                "it has \(tracks.count) subtitle tracks and can be read only once; select one with --tracks, or "
                    + "save it to a file first", path: media.input.argument)
        }
        return tracks
    }

    private func check(
        _ track: SubtitleTrack, of media: Media, _ changes: [Timestamp]?,
        _ report: inout CheckReport
    ) throws(UndertextError) {
        do throws(UndertextError) {
            if let refusal = track.refusal { throw refusal }
            let read = try self.read(track, of: media)
            report.diagnostics += read.diagnostics
            var track = describe(read, of: media)
            track.shotChanges = changes
            var check = TrackCheck(profile, of: track)
            report.tracks.append(.init(stream: read.stream, result: check.check(read.cues)))
        } catch {
            guard error.code != .cancelled else { throw error }
            report.skipped.append((track.stream, error))
        }
    }

    /// Reads a track and shows the progress.
    private func read(
        _ track: SubtitleTrack, of media: Media, keepsPackets: Bool = false
    ) throws(UndertextError) -> CheckedTrack {
        let bar = ProgressBar(quiet: isQuiet)
        defer { bar.clear() }
        return try CheckedTrack(
            track, keepsPackets: keepsPackets, lines: media.parsedText.map(LineFinder.init),
            console: console, bar: bar)
    }

    /// Describes a track for the rules.
    private func describe(_ read: CheckedTrack, of media: Media) -> TrackCheck.Track {
        var track = TrackCheck.Track()
        track.language = read.stream.language ?? read.header.language
        track.regions = read.header.regions
        let video = media.description.streams.first { $0.kind == .video }
        track.frameRate = options.frameRate ?? video?.frameRate.flatMap { $0.isValid ? $0 : nil }
        track.charset = media.charset?.name
        track.readerFindings = read.readerFindings
        if track.language == nil, profile.dependsOnLanguage, !isQuiet {
            console.say(
                "the language of stream \(read.stream.label) is not known, and limits for certain languages are not "
                    + "used; state it with --language", about: media.input.argument)
        }
        return track
    }

    // MARK: Repairing

    /// Repairs one track, writes it, and checks what was written.
    private func fixed(_ argument: String) -> CheckReport {
        let input = MediaInput(argument: argument)
        var report = CheckReport(input: argument)
        do throws(UndertextError) {
            let media = try opened(input)
            report.diagnostics += media.diagnostics
            let tracks = try selectedTracks(of: media)
            guard tracks.count == 1, let track = tracks.first else {
                throw UndertextError(
                    .unsupported,
                    "it has \(tracks.count) subtitle tracks, and --fix writes one; select it with --tracks",
                    path: argument)
            }
            if let refusal = track.refusal { throw refusal }
            let read = try self.read(track, of: media, keepsPackets: media.isTextFile)
            report.diagnostics += read.diagnostics
            var description = describe(read, of: media)
            description.shotChanges = try shotChanges(of: media, &report.diagnostics)
            let writer = try FixedSubtitle(
                read, track: track, format: (try? command.outputFormat()) ?? nil)
            var fixer = CueFixer(profile, of: description, unit: writer.timeUnit)
            let result = fixer.fixed(read.cues)
            let encoded = try writer.encoded(result)
            try write(encoded.bytes)
            report.fixes = result.counts
            // Packets without a cue are left out, too.
            let empty = read.readerFindings.count { $0.rule == .emptyCue }
            if empty > 0 { report.fixes?[.emptyCue, default: 0] += empty }
            report.losses = encoded.losses
            report.diagnostics += encoded.diagnostics
            try checkOutput(encoded.bytes, writer, description, &report)
        } catch {
            report.error = error
        }
        return report
    }

    private func write(_ bytes: [UInt8]) throws(UndertextError) {
        guard let path = command.output else { return }
        if path == "-" {
            let output = StandardOutput()
            try output.write(bytes)
            try output.flush()
        } else {
            let file = try OutputFile(path: path)
            try file.write(bytes)
            try file.commit(replacing: command.force)
        }
    }

    /// Checks the repaired file as it was written.
    private func checkOutput(
        _ bytes: [UInt8], _ writer: FixedSubtitle, _ description: TrackCheck.Track,
        _ report: inout CheckReport
    ) throws(UndertextError) {
        var options = options
        options.charset = nil
        options.language = description.language
        options.inputFormat = writer.format
        options.opensStream = nil
        options.tracks = nil
        let media = try Media(
            .bytes(bytes, name: command.output ?? "-"), options: options)
        guard let track = media.subtitleTracks.first else { return }
        let read = try self.read(track, of: media)
        var remaining = description
        remaining.regions = read.header.regions
        remaining.charset = media.charset?.name
        remaining.readerFindings = read.readerFindings
        var check = TrackCheck(profile, of: remaining)
        report.tracks.append(.init(stream: read.stream, result: check.check(read.cues)))
    }
}
