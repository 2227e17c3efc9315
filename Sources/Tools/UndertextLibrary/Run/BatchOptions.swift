package import Undertext
package import UndertextCore
internal import UndertextIO

/// The rules of a batch run.
package struct BatchOptions: Sendable {
    /// What is extracted from each input; its destination and cancellation are set for each.
    package var extraction: ExtractionOptions
    /// The folder under which the outputs mirror the roots; `nil` = beside each input.
    package var outputFolder: String?
    /// The number of inputs that are worked on at a time.
    package var jobs: Int
    /// The number of inputs that are worked on at a time on one rotating disk.
    package var jobsPerRotatingDisk = 1
    /// Decides whether a device is a rotating disk; tests replace it.
    package var isRotating: @Sendable (_ device: UInt64) -> Bool = {
        FileStatus.isRotating(device: $0)
    }
    /// The time that an input may take; `nil` = any.
    package var timeLimit: Duration?
    /// The time that a stopped input may take to react, before its thread is given up.
    package var grace: Duration = .seconds(5)
    /// Outcomes of earlier runs that are tried again.
    package var retry: Set<RecordedOutcome> = []

    /// Creates rules with as many jobs as there are processors.
    package init(extraction: ExtractionOptions) {
        self.extraction = extraction
        jobs = SystemEnvironment.processorCount
    }

    /// The options for one input.
    func extraction(for claim: Claim) -> ExtractionOptions {
        var options = extraction
        options.ownOutputs = Set(claim.ownOutputs.map(\.path))
        guard let outputFolder else { return options }
        let folder = PathName.directoryName(claim.file.relativePath)
        options.destination = .directory(
            folder == "." ? outputFolder : PathName.joining(outputFolder, folder))
        return options
    }
}

/// How a command reports an extraction.
package struct ReportForm: Sendable {
    /// The exit code of a command with that input only.
    package var exitCode: Int32
    /// The record of the report.
    package var json: JSON

    /// Creates a form.
    package init(exitCode: Int32, json: JSON) {
        self.exitCode = exitCode
        self.json = json
    }
}

/// What became of a file in a run.
package enum BatchStatus: String, Hashable, Sendable {
    /// It was worked on.
    case done
    /// It is as an earlier run left it.
    case unchanged
    /// It was renamed together with its outputs.
    case moved
    /// Another run works on it, or did since this one looked.
    case claimed
    /// Several runs ended while it was in work; it is not tried again.
    case givenUp = "given-up"
}

/// A file that a run has dealt with.
package struct BatchRecord: Sendable {
    /// The file.
    package var file: FoundFile
    /// What became of it.
    package var status: BatchStatus
    /// Its outcome in this or an earlier run; `nil` if another run works on it.
    package var outcome: RecordedOutcome?
    /// The extraction; `nil` if there was none in this run.
    package var report: InputReport?
    /// The record of the report.
    package var json: JSON
}

/// The numbers of a run.
package struct BatchSummary: Hashable, Sendable {
    /// Files by what became of them.
    package var statuses: [BatchStatus: Int] = [:]
    /// Inputs worked on in this run, by outcome.
    package var outcomes: [RecordedOutcome: Int] = [:]
    /// Folders and files that could not be read.
    package var unreadable = 0
    /// Planned inputs that no run finished.
    package var missing = 0
    /// The bytes of the inputs that were worked on.
    package var bytes: Int64 = 0
    /// `true` if the run was stopped.
    package var isStopped = false

    /// Creates the numbers of a run that worked on inputs with these outcomes.
    package init(outcomes: [RecordedOutcome: Int] = [:]) { self.outcomes = outcomes }

    /// `true` if everything that was worked on is complete.
    package var isComplete: Bool {
        unreadable == 0 && missing == 0 && statuses[.givenUp, default: 0] == 0
            && !outcomes.hasLosses
    }
}

extension [RecordedOutcome: Int] {
    /// `true` if an input failed, or some of it was lost.
    package var hasLosses: Bool {
        self[.failed, default: 0] + self[.partial, default: 0] > 0
    }
}

/// What a run reports while it works.
package enum BatchEvent: Sendable {
    /// A file was dealt with.
    case file(BatchRecord)
    /// A file is an output of an earlier run, and therefore no input.
    case output(FoundFile)
    /// A folder or file could not be read.
    case unreadable(UndertextError)
    /// Everything that was found is done; the run waits for new and changed files.
    case waiting(BatchSummary)
}
