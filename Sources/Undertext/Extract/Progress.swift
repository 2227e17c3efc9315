internal import UndertextCore
internal import UndertextIO

/// The progress of an extraction.
public struct ExtractionProgress: Hashable, Sendable {
    /// The input being read.
    package var input: String
    /// Its place among the inputs, from 0.
    package var inputIndex: Int
    /// The number of inputs.
    package var inputCount: Int
    /// ``position`` as a part of the input's length, 0 to 1; `nil` if either is not known.
    public var fraction: Double?
    /// The offset that the readers have reached in the input, in bytes; `nil` if unknown.
    public var position: UInt64?
}

/// Reports the progress of a run ten times a second, also while no cue arrives.
final class ProgressReporter: Sendable {
    private struct Input {
        var progress: ExtractionProgress
        var position: ReadPosition?
        var size: UInt64?
    }

    private let current: Monitor<Input?>
    private let ticker: Ticker
    private let inputCount: Int

    /// Starts to report ten times a second.
    init(inputCount: Int, _ report: @escaping @Sendable (ExtractionProgress) -> Void) {
        self.inputCount = inputCount
        let current = Monitor<Input?>(nil)
        self.current = current
        ticker = Ticker(every: .milliseconds(100)) {
            guard let input = current.with({ $0 }) else { return }
            var progress = input.progress
            progress.position = input.position?.value
            if let position = progress.position, let size = input.size, size > 0 {
                progress.fraction = min(1, Double(position) / Double(size))
            }
            report(progress)
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

    /// Stops the reports and returns after the report in progress, if any, has ended.
    func stop() { ticker.stop() }
}
