internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// The work on one input, which runs on a thread of its own.
struct BatchJob: Sendable {
    let claim: Claim
    let options: ExtractionOptions
    let cancellation: Cancellation
    let journal: Journal

    /// The result of a job.
    struct Result: Sendable {
        var report: InputReport
        var fingerprint: Int64?
        /// `true` if the file had another size or time of change at the end.
        var hasChanged = false
        /// `true` if the file had gone at the end.
        var isGone = false
    }

    /// Extracts; never throws, so that every claim ends.
    func perform() -> Result {
        let input = claim.file.input
        var options = options
        options.outputs = journal.outputs
        options.willWrite = { [journal, claim] paths throws(UndertextError) in
            try journal.plan(paths, of: claim)
        }
        var result = Result(report: InputReport(input: input))
        // A record of its own: that of the process would grow with every input.
        InputFiles().record {
            result.fingerprint = claim.file.isObject ? nil : try? Fingerprint.of(claim.file.path)
            do throws(UndertextError) {
                let extractor = Extractor(options: options, cancellation: cancellation)
                let reports = try extractor.extract([input])
                if let report = reports.first { result.report = report }
            } catch {
                result.report.error = error
                result.report.outcome = .failed
            }
        }
        // The reader of an object notices if it changes.
        if claim.file.isObject { return result }
        do throws(UndertextError) {
            let now = try FileStatus.ofInput(claim.file.path)
            let before = claim.file.status
            result.hasChanged = now.size != before.size || now.modified != before.modified
        } catch {
            result.hasChanged = true
            result.isGone = error.code == .notFound
        }
        return result
    }
}

extension FoundFile {
    /// `true` for an object of object storage.
    var isObject: Bool { S3Location.isLocation(path) }

    /// The input that is extracted.
    var input: MediaInput { MediaInput(argument: path) }
}

extension RecordedOutcome {
    init(_ outcome: InputOutcome) {
        self =
            switch outcome {
            case .complete: .complete
            case .noTrack: .noTrack
            case .incomplete: .partial
            case .failed: .failed
            }
    }
}
