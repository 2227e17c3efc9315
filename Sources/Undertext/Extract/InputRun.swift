internal import UndertextContainers
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// The extraction of one input: one pass over its packets.
final class InputRun {
    private let prepared: PreparedInput
    private let options: ExtractionOptions
    private let recognition: RecognitionPool?
    private let cancellation: Cancellation?
    private let progress: ProgressReporter?
    private let facts = RunSummary()
    private let standardOutput: StandardOutput?
    private var report: InputReport

    init(
        _ prepared: PreparedInput, options: ExtractionOptions, recognition: RecognitionPool?,
        cancellation: Cancellation?, progress: ProgressReporter?
    ) {
        self.prepared = prepared
        self.options = options
        self.recognition = recognition
        self.cancellation = cancellation
        self.progress = progress
        standardOutput = options.destination == .standardOutput ? StandardOutput() : nil
        report = InputReport(input: prepared.input)
    }

    func perform() -> InputReport {
        let clock = ContinuousClock()
        let began = clock.now
        do throws(UndertextError) {
            if let refusal = prepared.refusal {
                report.error = refusal
            } else {
                try extract(from: prepared.opened())
            }
        } catch {
            report.error = error
        }
        report.elapsed = clock.now - began
        report.outcome = report.outcome(isStrict: options.isStrict)
        return report
    }

    private func extract(from file: Media) throws(UndertextError) {
        // libavformat lists every name of a family: the first one is the family's.
        report.container = file.description.formatName.split(separator: ",").first.map(String.init)
        report.timeline = file.timeline
        report.inputSize = file.size
        progress?.follow(file)
        guard let plan = prepared.plan, !plan.items.isEmpty else {
            report.diagnostics += file.diagnostics
            if prepared.plan == nil { return }
            report.diagnostics += file.captionDiagnostics(options.tracks)
            report.error = UndertextError(
                .noTrack, Self.nothingMatched(file, prepared.plan?.leftOut ?? []),
                path: file.input.argument, remedy: Self.searchOfVideo(file, options.tracks))
            if let note = prepared.plan?.noteOnSkipped { report.diagnostics.append(note) }
            return
        }
        if let note = plan.noteOnSkipped { report.diagnostics.append(note) }
        if options.reading.liveDuration != nil, !file.isLive {
            report.diagnostics.append(
                .ignored(
                    [.liveDuration], "the presentation is not live and is read to its end"))
        }
        if options.reading.charset != nil, file.isPresentation {
            report.diagnostics.append(
                .ignored([.charset], "text of presentations is UTF-8"))
        }
        if !file.usesStatedLanguage {
            report.diagnostics.append(
                .ignored([.language], "every track states its language"))
        }
        var factory = TrackJobFactory(
            options: options, file: file, facts: facts, standardOutput: standardOutput,
            recognition: recognition)
        var jobs: [TrackJob] = []
        for item in plan.items { jobs.append(factory.job(for: item)) }
        record(file.diagnostics, jobs)
        report.tracks = jobs.map(\.report)
        if jobs.contains(where: \.isActive) { try read(jobs, factory.decoders, of: file) }
        report.diagnostics += file.captionDiagnostics(options.tracks)
        try writeAttachments(of: file)
    }

    private func read(
        _ jobs: [TrackJob], _ decoders: [TrackDecoder], of file: Media
    ) throws(UndertextError) {
        let wanted = jobs.filter(\.isActive).map { SubtitleTrack(media: file, stream: $0.stream) }
        let reader: CueReader
        do throws(UndertextError) {
            // One track of text that is only copied may take the short way.
            reader = try CueReader(
                wanted, of: file, decoders: decoders, in: options.window,
                takesPlainCues: !options.stripsStyling && jobs.count == 1)
        } catch {
            for job in jobs { job.abandon(error.message) }
            report.tracks = jobs.map(\.report)
            throw error
        }
        var failure: UndertextError?
        do throws(UndertextError) {
            try pump(reader, into: jobs)
        } catch {
            failure = error
        }
        report.io = reader.summary
        facts.summary = reader.summary
        report.tracks = jobs.map(\.report)
        if let failure, failure.code == .cancelled {
            for job in jobs { job.abandon(failure.message) }
            report.tracks = jobs.map(\.report)
            throw failure
        }
        // Keep everything that was read before the error.
        if let failure {
            report.diagnostics.append(
                Diagnostic(
                    .error, failure.code.name, failure.description, byteOffset: failure.byteOffset))
        }
        facts.isPartial = report.diagnostics.contains { $0.severity == .error }
        for job in jobs { job.finish(reader) }
        // Images that wait to be read may take their time, and be stopped.
        if cancellation?.isCancelled == true, jobs.contains(where: { $0.report.status == .failed })
        {
            report.tracks = jobs.map(\.report)
            throw UndertextError(.cancelled, "stopped", path: prepared.input.argument)
        }
        summarize(jobs)
        report.tracks = jobs.map(\.report)
    }

    /// The last record of JSON on standard output, which may carry several tracks.
    private func summarize(_ jobs: [TrackJob]) {
        guard let standardOutput, !standardOutput.hasFailed, options.writesJSON,
            let summary = facts.summary
        else { return }
        let record = JSONCueSummary(
            cues: jobs.reduce(0) { $0 + $1.report.cues }, path: summary.path.rawValue,
            bytesRead: summary.statistics.bytesRead,
            partial: facts.isPartial || jobs.contains { $0.report.lostInput })
        do throws(UndertextError) {
            try standardOutput.write(JSONCueRecord.summary(record).compact + [0x0A])
            try standardOutput.flush()
        } catch {
            // The reader of a pipe may close it once it has what it needs.
            guard error.code != .closedPipe else { return }
            report.diagnostics.append(Diagnostic(.error, error.code.name, error.description))
        }
    }

    private func pump(
        _ reader: CueReader, into jobs: [TrackJob]
    ) throws(UndertextError) {
        var byStream = StreamTable(jobs.map { (stream: $0.stream.index, value: $0) })
        defer { record(reader.takeDiagnostics(), jobs) }
        var active = jobs.count { $0.isActive }
        // Memory that is used again.
        var cues: [Cue] = []
        while active > 0, let step = try reader.step(finishing: &cues) {
            if let place = byStream.position(of: step.streamIndex) {
                let job = byStream[position: place]
                job.take(step, finishing: cues, reader)
                // A full disk or a closed pipe may have ended the last one.
                if !job.isActive { active = jobs.count { $0.isActive } }
            }
            if !cues.isEmpty { cues.removeAll(keepingCapacity: true) }
            try stopIfCancelled()
        }
    }

    private func stopIfCancelled() throws(UndertextError) {
        guard cancellation?.isCancelled == true else { return }
        throw UndertextError(.cancelled, "stopped", path: prepared.input.argument)
    }

    private func record(_ diagnostics: [Diagnostic], _ jobs: [TrackJob]) {
        var byStream = StreamTable(jobs.map { (stream: $0.stream.index, value: $0) })
        for diagnostic in diagnostics {
            if let index = diagnostic.streamIndex, let place = byStream.position(of: index) {
                byStream[position: place].report.record([diagnostic])
            } else {
                report.diagnostics.append(diagnostic)
            }
        }
    }

    private func writeAttachments(of file: Media) throws(UndertextError) {
        guard let directory = options.attachments else { return }
        let writer = AttachmentWriter(
            directory: directory, existing: options.existing, outputs: options.outputs,
            cancellation: cancellation)
        let result = try writer.write(from: file)
        report.attachments = result.records
        report.diagnostics += result.diagnostics
    }

    /// Captions may begin after the part of the video that is searched for them.
    private static func searchOfVideo(_ file: Media, _ tracks: TrackSelection) -> Remedy? {
        guard file.subtitleTracks.isEmpty, tracks.services.isEmpty else { return nil }
        let streams = file.description.streams
        // The video of a presentation is read for services that are named; its codec may be unknown until then.
        if file.isPresentation {
            return streams.contains { $0.kind == .video }
                ? .set(.tracks, to: ["cc1", "service1"]) : nil
        }
        guard streams.contains(where: CaptionExtractor.takes) else { return nil }
        return tracks.namesAnyCaptions ? nil : .set(.tracks, to: ["cc"])
    }

    private static func nothingMatched(
        _ file: Media, _ leftOut: [StreamDescription]
    ) -> String {
        let subtitles = file.subtitleTracks
        guard !subtitles.isEmpty else {
            return file.isPresentation
                ? "the presentation declares no subtitle track"
                : "the input has no subtitle track"
        }
        guard leftOut.isEmpty else {
            return "the input has no track for this format"
        }
        let present = subtitles.map { "stream \($0.stream.label)" }
        return "no subtitle track matches; there is " + present.joined(separator: ", ")
    }
}
