import TestSupport
import Testing
import Undertext
import UndertextCore

/// A run of `extract` or `convert` with its decoded report.
struct ReportedRun {
    /// The exit code and what the command printed.
    let result: ToolResult
    /// The report; `null` if the command wrote none.
    let report: JSON

    /// The exit code.
    var status: Int32 { result.status }
    /// The inputs of the report.
    var inputs: [JSON] { report["inputs"]?.elements ?? [] }
    /// The error code of each input, `nil` for those without an error.
    var errors: [String?] { inputs.map { $0["error"]?["code"]?.text } }
    /// The exit code of each input.
    var exitCodes: [Int?] { inputs.map { $0["exitCode"]?.wholeNumber } }
    /// The tracks of all inputs.
    var tracks: [JSON] { inputs.flatMap { $0["tracks"]?.elements ?? [] } }
    /// The status of each track.
    var statuses: [String?] { tracks.map { $0["status"]?.text } }
    /// The cues of all tracks.
    var cues: Int { tracks.reduce(0) { $0 + ($1["cues"]?.wholeNumber ?? 0) } }
    /// The diagnostics of all inputs and tracks.
    var diagnostics: [JSON] { (inputs + tracks).flatMap { $0["diagnostics"]?.elements ?? [] } }
    /// The codes of ``diagnostics``, each once.
    var codes: Set<String> { Set(diagnostics.compactMap { $0["code"]?.text }) }

    /// The diagnostics with a code.
    func diagnostics(_ code: String) -> [JSON] { diagnostics.filter { $0["code"]?.text == code } }

    /// The codes of diagnostics with a severity, each once.
    func codes(_ severity: Diagnostic.Severity) -> Set<String> {
        Set(
            diagnostics.filter { $0["severity"]?.text == severity.rawValue }
                .compactMap { $0["code"]?.text })
    }

    /// The number of diagnostics with a code in all tracks.
    func count(_ code: String) -> Int {
        tracks.reduce(0) { $0 + ($1["diagnosticCounts"]?[code]?.wholeNumber ?? 0) }
    }

    /// The losses of all tracks: how many of each kind.
    var losses: [String: Int] {
        var counts: [String: Int] = [:]
        for loss in tracks.flatMap({ $0["losses"]?.elements ?? [] }) {
            counts[loss["kind"]?.text ?? "", default: 0] += loss["count"]?.wholeNumber ?? 0
        }
        return counts
    }
}

extension ToolResult {
    /// The records of JSON lines on standard output with a type.
    func records(_ type: String) -> [JSON] {
        text.split(separator: "\n").compactMap { try? JSON(parsing: $0.utf8) }
            .filter { $0["type"]?.text == type }
    }
}

extension Command {
    /// Runs `extract` or `convert` with a report.
    static func reported(
        _ arguments: [String], stdin: [UInt8] = [], environment: [String: String?] = [:],
        directory: String? = nil
    ) -> ReportedRun {
        let folder = TemporaryDirectory()
        let path = folder / "report.json"
        let result = run(
            self.path, arguments.prefix(1) + ["--report", path] + arguments.dropFirst(),
            stdin: stdin, environment: environment, directory: directory)
        let report = fileBytes(path).flatMap { try? JSON(parsing: $0) }
        return ReportedRun(result: result, report: report ?? .null)
    }

    /// Runs `probe --json`; the decoded answer.
    static func probed(_ arguments: [String]) -> JSON {
        let result = run(path, ["probe", "--json"] + arguments)
        return (try? JSON(parsing: result.stdout)) ?? .null
    }
}
