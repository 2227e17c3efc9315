internal import Undertext
internal import UndertextCore

/// The JSON report of an extraction, in its documented form.
enum ReportJSON {
    /// Creates the report.
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

    static func input(_ report: InputReport, exitCode: Int32) -> JSON {
        .object([
            .init("input", .string(report.input)),
            .init("exitCode", .integer(exitCode)),
            .init("error", report.error.map(failure) ?? .null),
            .init("container", .optional(report.container)),
            .init("timeline", report.timeline.map(timeline) ?? .null),
            .init("io", report.io.map { io($0, size: report.inputSize) } ?? .null),
            .init("seconds", .decimal(report.elapsed / .seconds(1))),
            .init("tracks", .array(report.tracks.map(track))),
            .init("attachments", .array(report.attachments.map(output))),
            .init("diagnostics", .array(report.diagnostics.map(diagnostic))),
        ])
    }

    private static func failure(_ error: UndertextError) -> JSON {
        .object([
            .init("code", .string(error.code.name)),
            .init("message", .string(error.description)),
            .init("offset", error.byteOffset.map { .integer($0) } ?? .null),
        ])
    }

    private static func timeline(_ mapping: TimelineMapping) -> JSON {
        .object([
            .init("view", .string(mapping.view.rawValue)),
            .init("offset", .seconds(mapping.offset)),
        ])
    }

    private static func io(_ summary: ReadSummary, size: UInt64?) -> JSON {
        .object([
            .init("path", .string(summary.path.rawValue)),
            .init("proof", .optional(summary.proof)),
            .init(
                "refused",
                .array(
                    summary.refused.map {
                        .object([
                            .init("path", .string($0.path.rawValue)),
                            .init("reason", .string($0.reason)),
                        ])
                    })),
            .init("bytesRead", .integer(summary.statistics.bytesRead)),
            .init("requests", .integer(summary.statistics.requests)),
            .init("inputSize", size.map { .integer($0) } ?? .null),
        ])
    }

    private static func track(_ report: TrackReport) -> JSON {
        let stream = report.stream
        var members: [JSON.Member] = [
            .init("track", .integer(stream.index)),
            .init("codec", .string(stream.codec.rawValue)),
        ]
        if let service = stream.service { members.append(.init("service", .string(service))) }
        return .object(
            members + [
                .init("language", .optional(stream.language?.rawValue)),
                .init("title", .optional(stream.title)),
                .init("forced", .bool(stream.isForced)),
                .init("hearingImpaired", .bool(stream.isHearingImpaired)),
                .init("status", .string(report.status.rawValue)),
                .init("reason", .optional(report.reason)),
                .init("cues", .integer(report.cues)),
                .init("first", report.first.map { .seconds($0) } ?? .null),
                .init("last", report.last.map { .seconds($0) } ?? .null),
                .init("outputs", .array(report.outputs.map(output))),
                .init("charset", report.charset.map(charset) ?? .null),
                .init("losses", .array(report.losses.entries.map(loss))),
                .init("diagnostics", .array(report.diagnostics.map(diagnostic))),
                .init(
                    "diagnosticCounts",
                    .object(
                        report.diagnosticCounts.sorted { $0.key < $1.key }
                            .map { .init($0.key, .integer($0.value)) })),
            ])
    }

    private static func output(_ record: OutputRecord) -> JSON {
        .object([
            .init("file", .string(record.file)),
            .init("format", .string(record.format)),
            .init("bytes", .integer(record.bytes)),
        ])
    }

    private static func charset(_ charset: TextCharset) -> JSON {
        .object([
            .init("name", .string(charset.name)),
            .init("source", .string(charset.source.rawValue)),
            .init("confidence", .decimal(charset.confidence)),
        ])
    }

    private static func loss(_ entry: ConversionLosses.Entry) -> JSON {
        .object([
            .init("kind", .string(entry.kind.rawValue)),
            .init("count", .integer(entry.count)),
            .init(
                "example",
                .object([
                    .init("cue", .integer(entry.cue)), .init("start", .seconds(entry.start)),
                ])),
        ])
    }

    private static func diagnostic(_ diagnostic: Diagnostic) -> JSON {
        .object([
            .init("severity", .string(diagnostic.severity.rawValue)),
            .init("code", .string(diagnostic.code)),
            .init("track", diagnostic.streamIndex.map { .integer($0) } ?? .null),
            .init("time", diagnostic.time.map { .seconds($0) } ?? .null),
            .init("offset", diagnostic.byteOffset.map { .integer($0) } ?? .null),
            .init("message", .string(diagnostic.message)),
        ])
    }
}
