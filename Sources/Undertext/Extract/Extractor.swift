internal import UndertextCore
internal import UndertextIO

/// Writes the subtitle tracks of media files, each input in one pass.
package final class Extractor {
    /// The tracks to extract, their formats and their destination.
    package let options: ExtractionOptions

    private let cancellation: Cancellation?
    private let followingStop: LiveReadingToken
    private let progress: (@Sendable (ExtractionProgress) -> Void)?

    /// Creates an extractor.
    ///
    /// - Parameters:
    ///   - options: the tracks, formats and destination.
    ///   - cancellation: stops the run from another thread; nothing unfinished stays on disk.
    ///   - followingStop: ends the following of live presentations from another thread; their outputs are
    ///     completed, and later inputs are not read.
    ///   - progress: called ten times a second on a background thread while inputs are read, and at the end of each
    ///     input on the thread of the extraction.
    package init(
        options: ExtractionOptions = ExtractionOptions(), cancellation: Cancellation? = nil,
        followingStop: LiveReadingToken = LiveReadingToken(),
        progress: (@Sendable (ExtractionProgress) -> Void)? = nil
    ) {
        self.options = options
        self.cancellation = cancellation
        self.followingStop = followingStop
        self.progress = progress
    }

    /// Extracts from one input: a path, an URL (`scheme://…`) or `-`.
    package func extract(_ argument: String) throws(UndertextError) -> InputReport {
        try extract([MediaInput(argument: argument)])[0]
    }

    /// Extracts from each input in turn; the reports are in the order of `inputs`.
    ///
    /// An input that cannot be written, because an output exists or another input writes it, fails alone
    /// unless the options are strict.
    ///
    /// - Throws: `UndertextError` before anything is written; with code `invalid-request` if the options
    ///   contradict each other, the inputs or the outputs.
    package func extract(_ inputs: [MediaInput]) throws(UndertextError) -> [InputReport] {
        try InputFiles.record { () throws(UndertextError) in
            var prepared: [PreparedInput] = []
            for input in inputs {
                var candidate = PreparedInput(input, extractor: self)
                if inputs.count > 1 { candidate.close() }
                prepared.append(candidate)
            }
            return try run(&prepared)
        }
    }

    /// Extracts from an input that is open.
    func extract(_ media: Media) throws(UndertextError) -> InputReport {
        try media.inputFiles.record { () throws(UndertextError) in
            var prepared = [PreparedInput(media, extractor: self)]
            return try run(&prepared)[0]
        }
    }

    private func run(_ prepared: inout [PreparedInput]) throws(UndertextError) -> [InputReport] {
        try OutputCheck.refuseConflicts(&prepared, options: options)

        let recognition = try recognitionPool(for: prepared)
        for input in prepared where input.refusal == nil {
            try options.willWrite?(input.plannedPaths(options))
        }
        let folders = try OutputFolders.prepare(&prepared, options: options)
        defer { folders.removeEmpty() }
        if options.isStrict, let refusal = prepared.lazy.compactMap(\.refusal).first {
            throw refusal
        }
        var reports: [InputReport] = []
        let reporter = progress.map { ProgressReporter(inputCount: prepared.count, $0) }
        defer { reporter?.stop() }
        for (index, input) in prepared.enumerated() {
            reporter?.begin(input.input, at: index)
            let run = InputRun(
                input, options: options, recognition: recognition, cancellation: cancellation,
                progress: reporter)
            let report = run.perform()
            reports.append(report)
            reporter?.end(isComplete: report.error == nil)
            if cancellation?.isCancelled == true || followingStop.isAsked { break }
        }
        return reports
    }

    /// Creates the text recognizers if a track needs them; missing language data is reported before anything is
    /// written.
    private func recognitionPool(
        for inputs: [PreparedInput]
    ) throws(UndertextError) -> RecognitionPool? {
        guard let recognition = options.recognition else { return nil }
        guard RecognitionOptions.isAvailable else {
            throw UndertextError(.invalidRequest, RecognitionPool.isMissing)
        }
        let items = inputs.flatMap { $0.plan?.items ?? [] }
        guard items.contains(where: { $0.verdict == nil && $0.needsRecognition }) else {
            return nil
        }
        return try RecognitionPool(recognition, cancellation: cancellation)
    }

    /// The options for opening inputs.
    var fileOptions: Media.Options {
        var opening = options.reading
        opening.readsPackets = true
        opening.opensStream = options.tracks.mayTake
        opening.tracks = options.tracks
        opening.cancellation = cancellation
        opening.followingStop = followingStop
        return opening
    }
}
