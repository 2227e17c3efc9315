internal import Undertext
internal import UndertextCore

extension ReportJSON {
    /// Creates the report of a run.
    ///
    /// - Parameters:
    ///   - inputs: The reports of the inputs.
    ///   - avformat: The libavformat version; `nil` if it was not loaded.
    ///   - exitCode: Returns the exit code that the command would have for one input alone.
    /// - Returns: The JSON document.
    static func document(
        _ inputs: [InputReport], avformat: String?, exitCode: (InputReport) -> Int32
    ) -> JSON {
        .object([
            .init("version", .string(undertextVersion)),
            .init("avformat", .optional(avformat)),
            .init("inputs", .array(inputs.map { input($0, exitCode: exitCode($0)) })),
        ])
    }

    /// Creates the report of an input with its exit code.
    static func input(_ report: InputReport, exitCode: Int32) -> JSON {
        input(report, .init("exitCode", .integer(exitCode)))
    }
}
