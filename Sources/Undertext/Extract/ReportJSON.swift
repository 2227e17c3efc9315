package import UndertextCore

/// The JSON of the report of an extraction, in its documented form.
package enum ReportJSON {
    /// Creates the report of an input.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - verdict: A member for the outcome, which follows the input.
    /// - Returns: The JSON object.
    package static func input(_ report: InputReport, _ verdict: JSON.Member) -> JSON {
        .object([
            .init("input", .string(report.input)),
            verdict,
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
                .init("losses", losses(report.losses)),
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

    /// Creates the list of losses.
    package static func losses(_ losses: ConversionLosses) -> JSON {
        .array(losses.entries.map(loss))
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
