internal import Undertext
internal import UndertextAlignment
internal import UndertextCore
internal import UndertextIO

/// Runs `undertext sync`: reads both sides, searches, reports, and writes.
struct SyncRun {
    let command: SyncCommand
    let options: ExtractionOptions
    let search: AlignmentOptions
    let referenceTrack: TrackSelection?
    let console: Console

    /// Runs the command and returns its exit code.
    func perform() -> Int32 {
        let bar = ProgressBar(quiet: command.verbosity.quiet)
        var result = SyncResult(subtitle: command.subtitle)
        var code: Int32
        var written: [InputReport] = []
        do throws(UndertextError) {
            try read(into: &result, bar)
            bar.clear()
            code = try finish(&result, &written)
        } catch {
            bar.clear()
            result.error = error
            console.fail(error, in: .sync)
            code = error.code == .noTrack ? ExitStatus.noTrack : ExitStatus.nothing
        }
        guard let path = command.report else { return code }
        do throws(UndertextError) {
            try write(
                SyncJSON.document(result, search: command.search, written: written, exitCode: code),
                to: path)
            return code
        } catch {
            console.endIfReaderLeft(error)
            console.fail(error)
            return code == ExitStatus.success ? ExitStatus.partial : code
        }
    }

    /// Reads the times of both sides and compares them.
    private func read(into result: inout SyncResult, _ bar: ProgressBar) throws(UndertextError) {
        var reading = options.reading
        reading.cancellation = console.cancellation
        let media = try Media(MediaInput(argument: command.subtitle), options: reading)
        let tracks = media.subtitleTracks.filter { options.tracks.takes($0.stream) }
        guard let track = tracks.first(where: { $0.refusal == nil }) ?? tracks.first else {
            throw UndertextError(
                .noTrack,
                media.subtitleTracks.isEmpty
                    ? "it has no subtitle track" : "no subtitle track matches",
                path: command.subtitle)
        }
        if tracks.count > 1, !command.verbosity.quiet {
            console.say(
                "\(command.subtitle) has \(tracks.count) tracks; stream \(track.stream.label) is aligned; "
                    + "--subtitle-track selects another")
        }
        result.stream = track.stream
        let times = try track.times(cancellation: console.cancellation) { bar.update($0) }
        let reference = try ReferenceTimes(
            of: MediaInput(argument: command.reference), track: referenceTrack,
            speech: command.speech ? .always : .ifNeeded, language: track.language,
            console: console, bar: bar
        ) { note in
            bar.clear()
            if !command.verbosity.quiet { console.say(note) }
        }
        result.compare(times, with: reference, search)
    }

    /// Reports what was found, and writes the output if it is sure enough.
    private func finish(
        _ result: inout SyncResult, _ written: inout [InputReport]
    ) throws(UndertextError) -> Int32 {
        let threshold = command.search.minConfidence
        guard let alignment = result.alignment, alignment.confidence >= threshold else {
            result.isRefused = true
            console.fail(result.refusal(below: threshold))
            return ExitStatus.nothing
        }
        let lines = SyncText.lines(of: alignment, result)
        guard let output = command.output else {
            let standardOutput = StandardOutput()
            if command.report != "-" {
                try standardOutput.write(lines.joined(separator: "\n") + "\n")
                try standardOutput.flush()
            }
            return ExitStatus.success
        }
        if !command.verbosity.quiet { for line in lines { console.say(line) } }
        var options = options
        if let stream = result.stream { options.tracks = .stream(stream.index) }
        options.reading.retiming = alignment.retiming
        options.reading.retiming.keepsOrder = result.stream?.kind == .bitmap
        let run = ExtractionRun(
            inputs: [command.subtitle], options: options, command: .sync, report: nil,
            verbosity: command.verbosity)
        let (code, reports) = run.reported(console)
        written = reports
        result.isWritten = reports.contains { $0.tracks.contains { $0.status == .written } }
        if output != "-", !result.isWritten, code == ExitStatus.success,
            !reports.contains(where: { $0.tracks.contains { $0.status == .skipped } })
        {
            return ExitStatus.nothing
        }
        return code
    }

    private func write(_ report: JSON, to path: String) throws(UndertextError) {
        try ExtractionRun.write(report, to: path, replacing: command.force || command.skipExisting)
    }
}

/// The result of comparing a subtitle with a reference.
struct SyncResult {
    let subtitle: String
    var stream: StreamDescription?
    var reference: ReferenceTimes?
    /// The best alignment; `nil` if a side has too few cues.
    var alignment: Alignment?
    var cueCount = 0
    var isRefused = false
    var isWritten = false
    var error: UndertextError?

    /// The result before anything was read.
    init(subtitle: String) { self.subtitle = subtitle }

    /// Searches the alignment of times with those of a reference.
    mutating func compare(
        _ times: [Range<Timestamp>], with reference: ReferenceTimes, _ search: AlignmentOptions
    ) {
        self.reference = reference
        cueCount = times.count
        var search = search
        search.reference = reference.kind
        alignment = CueAligner(times, to: reference.times, options: search).align()
    }

    /// The message of a refusal.
    func refusal(below threshold: Double) -> String {
        let name = withoutSecrets(subtitle)
        let reference = reference?.name ?? ""
        guard let alignment else {
            let isSpeech = self.reference?.kind == .speech
            return
                "\(name): not aligned with \(reference): \(cueCount) \(isSpeech ? "cues " : "")and "
                + "\(self.reference?.times.count ?? 0) \(isSpeech ? "ranges of speech" : "cues") are too few to compare; "
                + "nothing was written"
        }
        return "\(name): not aligned with \(reference): the confidence of the best times is "
            + "\(SyncText.percent(alignment.confidence)), less than \(SyncText.percent(threshold)); nothing was "
            + "written; check that both belong to the same video, or select another track with --track"
    }
}
