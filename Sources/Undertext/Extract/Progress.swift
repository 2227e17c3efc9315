internal import UndertextCore
internal import UndertextIO

/// The progress of an extraction.
public struct ExtractionProgress: Hashable, Sendable {
    /// The input being read.
    package var input: String
    /// The index of the input, from 0.
    package var inputIndex: Int
    /// The number of inputs.
    package var inputCount: Int
    /// ``position`` as a part of the input's length, 0 to 1; `nil` if either is not known.
    ///
    /// It is 1 in the last report of a complete input.
    public var fraction: Double?
    /// The offset that the readers have reached in the input, in bytes; `nil` if unknown.
    public var position: UInt64?
}

/// Reports the progress of a run ten times a second, also while no cue arrives, and at the end of each input.
final class ProgressReporter: Sendable {
    private struct Input {
        var progress: ExtractionProgress
        var position: ReadPosition?
        var size: UInt64?

        /// The progress at this moment.
        var current: ExtractionProgress {
            var progress = progress
            progress.position = position?.value
            if let position = progress.position, let size, size > 0 {
                progress.fraction = min(1, Double(position) / Double(size))
            }
            return progress
        }
    }

    private let current: Monitor<Input?>
    private let ticker: Ticker
    private let inputCount: Int
    private let report: @Sendable (ExtractionProgress) -> Void
    /// Prevents two reports at a time.
    private let reporting: Monitor<Void>

    /// Starts to report ten times a second.
    init(inputCount: Int, _ report: @escaping @Sendable (ExtractionProgress) -> Void) {
        self.inputCount = inputCount
        self.report = report
        let (current, reporting) = (Monitor<Input?>(nil), Monitor(()))
        self.current = current
        self.reporting = reporting
        ticker = Ticker(every: .milliseconds(100)) {
            reporting.with { _ in
                guard let input = current.with({ $0 }) else { return }
                report(input.current)
            }
        }
    }

    /// Starts the next input.
    func begin(_ input: MediaInput, at index: Int) {
        let progress = ExtractionProgress(
            input: withoutSecrets(input.argument), inputIndex: index, inputCount: inputCount)
        current.with { $0 = Input(progress: progress) }
    }

    /// Follows the readers of the input's file.
    func follow(_ file: Media) {
        let (position, size) = (file.source?.readPosition, file.size)
        current.with { input in
            input?.position = position
            input?.size = size
        }
    }

    /// Makes the last report of the input; no other one of it follows.
    ///
    /// - Parameter isComplete: `true` if all of the input that is needed was read, which is all of the work even if
    ///   an index left out most of the file.
    func end(isComplete: Bool) {
        reporting.with { _ in
            let last = current.with { input in
                defer { input = nil }
                return input
            }
            guard var progress = last?.current else { return }
            if isComplete {
                progress.fraction = 1
                progress.position = last?.size ?? progress.position
            }
            report(progress)
        }
    }

    /// Stops the reports and returns after the report in progress, if any, has ended.
    func stop() { ticker.stop() }
}
