internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// Makes the job of each planned track.
struct TrackJobFactory {
    let options: ExtractionOptions
    let file: Media
    let facts: RunSummary
    /// Shared by the tracks of a run that writes to standard output.
    let standardOutput: StandardOutput?
    /// Shared by the tracks of a run that recognizes text.
    let recognition: RecognitionPool?
    /// The decoders of the jobs that write cues.
    private(set) var decoders: [TrackDecoder] = []

    init(
        options: ExtractionOptions, file: Media, facts: RunSummary,
        standardOutput: StandardOutput?, recognition: RecognitionPool?
    ) {
        self.options = options
        self.file = file
        self.facts = facts
        self.standardOutput = standardOutput
        self.recognition = recognition
    }

    /// Makes the job of a track, which is inactive if the track is not written.
    mutating func job(for item: ExtractionPlan.Item) -> TrackJob {
        if let verdict = item.verdict { return TrackJob(verdict) }
        var report = TrackReport(
            stream: item.stream, status: .empty,
            wasNamed: options.tracks.names(item.stream))
        if item.stream.kind == .text { report.charset = charset(of: item.stream) }
        do throws(UndertextError) {
            if options.existing == .skip, let reason = try reasonToSkip(item, &report) {
                report.status = .skipped
                report.reason = reason
                return TrackJob(report)
            }
        } catch {
            report.status = .failed
            report.reason = error.description
            return TrackJob(report)
        }
        report.record(item.notes)
        if let refusal = file.demuxer.refusal(ofStream: item.stream.index) {
            report.status = .failed
            report.reason = refusal.description
            report.remedy = refusal.remedy
            return TrackJob(report)
        }
        do throws(UndertextError) {
            return try job(for: item, report)
        } catch {
            report.status = error.code == .unsupported ? .skipped : .failed
            report.reason = error.message
            report.remedy = error.remedy
            return TrackJob(report)
        }
    }

    /// Why a track with existing outputs is left alone; `nil` if it has none.
    private func reasonToSkip(
        _ item: ExtractionPlan.Item, _ report: inout TrackReport
    ) throws(UndertextError) -> String? {
        var present: [String] = []
        for path in item.paths where !options.ownOutputs.contains(path) {
            if try options.outputs.exists(path, isFolder: item.isFolder) { present.append(path) }
        }
        guard let first = present.first else { return nil }
        // An incomplete pair of files does not satisfy the request.
        let missing = item.paths.first { !present.contains($0) }
        report.wasNamed = missing != nil
        report.wasLeftOnRequest = missing == nil
        guard let missing else { return "'\(first)' exists already" }
        report.remedy = .replaceOutputs
        return "'\(first)' exists already and '\(missing)' does not"
    }

    /// In which characters text is stored, where that is known before it is decoded.
    private func charset(of stream: StreamDescription) -> TextCharset? {
        if let found = file.charset { return found }
        guard PacketTextPreparation.isText(stream) else { return nil }
        return options.reading.charset.map {
            TextCharset(name: $0.lowercased(), source: .option, confidence: 1)
        }
    }

    private mutating func job(
        for item: ExtractionPlan.Item, _ report: TrackReport
    ) throws(UndertextError) -> TrackJob {
        guard let format = item.format else { return TrackJob(report) }
        let files = TrackFiles(
            item.paths, as: format, replacing: options.replaces(item.paths),
            standardOutput: standardOutput, cancellation: file.options.cancellation)
        let found = DiagnosticSink()
        if item.isNative {
            guard
                let writer = SubtitleFormat.packetWriter(
                    of: item.stream,
                    options: .init(
                        inputEnd: inputEnd, windowEnd: options.window.end,
                        dropsFrames: options.dropsFrames),
                    diagnostics: found)
            else {
                throw UndertextError(
                    .unsupported, "\(item.stream.codec) has no file format of its own",
                    streamIndex: item.stream.index)
            }
            return PacketJob(
                report, writer: writer, found: found, mapping: file.timeline, files: files)
        }
        let decoder = try SubtitleTrack(media: file, stream: item.stream)
            .decoder(forcedOnly: options.forcedOnly, diagnostics: found)
        let header = header(of: decoder)
        let index = item.stream.index
        // A document of lost images must not fill memory.
        let lost = DiagnosticSink(capacity: 1000)
        let job = CueJob(
            report, found: found,
            sink: try sink(
                item.stream, format, header, files, decoder.budget,
                lost.changing { $0.streamIndex = index }), lost: lost,
            recognizer: recognizer(for: item, header, found.changing { $0.streamIndex = index }),
            stripsStyling: options.stripsStyling,
            cancellation: file.options.cancellation)
        decoders.append(decoder)
        return job
    }

    /// The header that writers get: without styles where cues lose theirs.
    private func header(of decoder: TrackDecoder) -> SubtitleHeader {
        var header = decoder.header
        if options.stripsStyling {
            header.styleSheets = []
            // A script's styles go with its header.
            header.codecPrivate = []
        }
        return header
    }

    private func recognizer(
        for item: ExtractionPlan.Item, _ header: SubtitleHeader, _ diagnostics: DiagnosticSink
    ) -> CueRecognizer? {
        guard item.needsRecognition, let recognition, let format = item.format else { return nil }
        let canvas = header.canvas ?? ImageTransform.fallbackCanvas(of: item.stream)
        return CueRecognizer(
            recognition, becomesText: !format.takes.contains(.bitmap), canvas: canvas,
            diagnostics: diagnostics)
    }

    private func sink(
        _ stream: StreamDescription, _ format: SubtitleFormat, _ header: SubtitleHeader,
        _ files: TrackFiles, _ budget: PixelBudget, _ diagnostics: DiagnosticSink
    ) throws(UndertextError) -> any CueSink {
        // A text file is read whole before its first cue: its cues may as well come in order.
        let isStreaming = standardOutput != nil && !file.isTextFile
        let isRecords = format.isRecords && !format.makesFolder(of: stream.kind)
        let hasTimecodes = stream.kind == .bitmap && !isRecords
        var frameRate = options.images.frameRate
        if frameRate == nil, hasTimecodes { frameRate = try file.timecodeRate() }
        let images = ImageSettings(
            options.images, stream: stream, frameRate: frameRate,
            limits: options.reading.limits, budget: budget)
        if isRecords {
            // Pixels are not held back.
            return JSONSink(
                stream: stream, format: format, header: header, files: files, facts: facts,
                transform: images.transform, isStreaming: isStreaming || stream.kind == .bitmap)
        }
        if stream.kind == .bitmap, format.takes.contains(.bitmap) {
            return imageSink(stream, format, header, files, images, budget, diagnostics)
        }
        let writing = CueWriterOptions(
            isStreaming: isStreaming, dropsFrames: options.dropsFrames,
            frameRate: options.reading.frameRate)
        let sink = DocumentSink(
            header,
            makeWriter: { format.cueWriter(header: $0, options: writing) },
            isStreaming: isStreaming, files: files)
        guard let sink else {
            throw UndertextError(
                .unsupported, "\(stream.codec) cannot be written as \(format.name)",
                streamIndex: stream.index)
        }
        return sink
    }

    private func imageSink(
        _ stream: StreamDescription, _ format: SubtitleFormat, _ header: SubtitleHeader,
        _ files: TrackFiles, _ images: ImageSettings, _ budget: PixelBudget,
        _ diagnostics: DiagnosticSink
    ) -> any CueSink {
        let canvas = options.images.scale ?? header.canvas ?? images.canvas
        guard case .images(let makeWriter) = format.output else {
            return ImageFolderSink(
                stream: stream, header: header, format: format, files: files, facts: facts,
                images: images)
        }
        let writer = makeWriter(
            .init(
                canvas: canvas, frameRate: images.frameRate ?? FrameRate(canvas: canvas),
                language: stream.language, budget: budget), diagnostics)
        return ImageFileSink(
            writer: writer, files: files, transform: images.transform,
            cancellation: file.options.cancellation)
    }

    /// The end of the input on the clock of written packets, for formats of text; their containers state it.
    private var inputEnd: Timestamp? {
        file.description.storedEnd.map(file.timeline.mapped)
    }
}
