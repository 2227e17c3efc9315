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

    func job(for item: ExtractionPlan.Item) -> TrackJob {
        if let verdict = item.verdict { return TrackJob(report: verdict, output: nil) }
        var report = TrackReport(
            stream: item.stream, status: .empty,
            wasNamed: options.tracks.names(item.stream))
        if item.stream.kind == .text { report.charset = charset(of: item.stream) }
        let present = item.paths.filter(FileSystem.exists)
        if options.existing == .skip, let first = present.first {
            report.status = .skipped
            report.reason = "'\(first)' exists already"
            // Half of a pair is not what was asked for.
            let missing = item.paths.first { !present.contains($0) }
            if let missing {
                report.reason? += " and '\(missing)' does not"
                report.remedy = .replaceOutputs
            }
            report.wasNamed = missing != nil
            report.wasLeftOnRequest = missing == nil
            return TrackJob(report: report, output: nil)
        }
        report.record(item.notes)
        if let refusal = file.demuxer.refusal(ofStream: item.stream.index) {
            report.status = .failed
            report.reason = refusal.description
            report.remedy = refusal.remedy
            return TrackJob(report: report, output: nil)
        }
        do throws(UndertextError) {
            return TrackJob(report: report, output: try output(for: item))
        } catch {
            report.status = error.code == .unsupported ? .skipped : .failed
            report.reason = error.message
            report.remedy = error.remedy
            return TrackJob(report: report, output: nil)
        }
    }

    /// In which characters text is stored, where that is known before it is decoded.
    private func charset(of stream: StreamDescription) -> TextCharset? {
        if let found = file.charset { return found }
        guard PacketTextPreparation.isText(stream) else { return nil }
        return options.charset.map {
            TextCharset(name: $0.lowercased(), source: .option, confidence: 1)
        }
    }

    private func output(for item: ExtractionPlan.Item) throws(UndertextError) -> (any TrackOutput)?
    {
        guard let format = item.format else { return nil }
        let targets = OutputTargets(
            paths: item.paths, replacing: options.existing == .replace,
            standardOutput: standardOutput)
        if item.isNative {
            guard
                let writer = SubtitleFormat.packetWriter(
                    of: item.stream,
                    options: .init(inputEnd: inputEnd, windowEnd: options.window.end))
            else {
                throw UndertextError(
                    .unsupported, "\(item.stream.codec) has no file format of its own",
                    streamIndex: item.stream.index)
            }
            return PacketOutput(
                writer: writer, format: format, mapping: file.timeline, targets: targets,
                stream: item.stream)
        }
        let decoder = try TrackDecoder(
            stream: item.stream, mapping: file.timeline, container: file.description,
            forcedOnly: options.forcedOnly, limits: options.limits, images: options.decoding,
            isTextFile: file.isTextFile)
        return CueOutput(
            decoder: decoder,
            sink: try sink(item.stream, format, header(of: decoder), targets, decoder.budget),
            window: options.window, recognizer: recognizer(for: item, header(of: decoder)),
            stripsStyling: options.stripsStyling, cancellation: file.options.cancellation)
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
        for item: ExtractionPlan.Item, _ header: SubtitleHeader
    ) -> CueRecognizer? {
        guard item.needsRecognition, let recognition, let format = item.format else { return nil }
        let canvas = header.canvas ?? ImageTransform.fallbackCanvas(of: item.stream)
        return CueRecognizer(
            recognition, becomesText: !format.takes.contains(.bitmap), canvas: canvas)
    }

    private func sink(
        _ stream: StreamDescription, _ format: SubtitleFormat, _ header: SubtitleHeader,
        _ targets: OutputTargets, _ budget: PixelBudget
    ) throws(UndertextError) -> any CueSink {
        // A text file is read whole before its first cue: its cues may as well come in order.
        let isStreaming = standardOutput != nil && !file.isTextFile
        let images = ImageSettings(
            options.images, stream: stream, container: file.description,
            limits: options.limits, budget: budget)
        if format.isRecords, !format.makesFolder(of: stream.kind) {
            // Pixels are not held back.
            return JSONSink(
                stream: stream, format: format, header: header, targets: targets, facts: facts,
                transform: images.transform, isStreaming: isStreaming || stream.kind == .bitmap)
        }
        if stream.kind == .bitmap, format.takes.contains(.bitmap) {
            return imageSink(stream, format, header, targets, images, budget)
        }
        let sink = DocumentSink(
            header,
            makeWriter: { format.cueWriter(header: $0, isStreaming: isStreaming) },
            format: format, isStreaming: isStreaming, targets: targets)
        guard let sink else {
            throw UndertextError(
                .unsupported, "\(stream.codec) cannot be written as \(format.name)",
                streamIndex: stream.index)
        }
        return sink
    }

    private func imageSink(
        _ stream: StreamDescription, _ format: SubtitleFormat, _ header: SubtitleHeader,
        _ targets: OutputTargets, _ images: ImageSettings, _ budget: PixelBudget
    ) -> any CueSink {
        let canvas = options.images.scale ?? header.canvas ?? images.canvas
        guard case .images(let makeWriter) = format.output else {
            return ImageFolderSink(
                stream: stream, header: header, format: format, targets: targets, facts: facts,
                images: images)
        }
        let writer = makeWriter(
            .init(
                canvas: canvas, frameRate: images.frameRate ?? FrameRate(canvas: canvas),
                language: stream.language, budget: budget))
        return ImageFileSink(
            writer: writer, format: format, targets: targets, transform: images.transform,
            cancellation: file.options.cancellation)
    }

    /// Where the input ends, on the clock that packets are written with.
    private var inputEnd: Timestamp? {
        file.description.storedEnd.map(file.timeline.mapped)
    }
}
