internal import Undertext
internal import UndertextAlignment
internal import UndertextCore

/// The JSON report of an alignment, in its documented form.
enum SyncJSON {
    /// Creates the report.
    static func document(
        _ result: SyncResult, search: AlignmentArguments, written: [InputReport], exitCode: Int32
    ) -> JSON {
        .object([
            .init("version", .string(undertextVersion)),
            .init("exitCode", .integer(exitCode)),
            .init("status", .string(status(of: result))),
            .init("error", result.error.map(failure) ?? .null),
            .init("subtitle", side(result.subtitle, result.stream, cues: result.cueCount)),
            .init("reference", result.reference.map(reference) ?? .null),
            .init("minConfidence", .decimal(search.minConfidence)),
            .init("alignment", result.alignment.map(alignment) ?? .null),
            .init(
                "outputs",
                .array(
                    written.map {
                        ReportJSON.input($0, exitCode: ExitStatus.code(of: $0.outcome))
                    })),
        ])
    }

    /// The times with which a subtitle was compared.
    static func reference(_ reference: ReferenceTimes) -> JSON {
        side(
            reference.input, reference.stream, cues: reference.times.count, kind: reference.kind)
    }

    /// An alignment: its confidence, its speed and its segments.
    static func alignment(_ alignment: Alignment) -> JSON {
        let speed = alignment.speed
        return .object([
            .init("confidence", .decimal((alignment.confidence * 1e4).rounded(.down) / 1e4)),
            .init("evidence", .decimal((alignment.evidence * 10).rounded() / 10)),
            .init("cues", .integer(alignment.cues)),
            .init("matched", .integer(alignment.matched)),
            .init("chance", .decimal((alignment.chance * 1e4).rounded() / 1e4)),
            .init("displaced", .integer(alignment.displaced)),
            .init("uncovered", .integer(alignment.uncovered)),
            .init(
                "speed",
                .object([
                    .init("numerator", .integer(speed.numerator)),
                    .init("denominator", .integer(speed.denominator)),
                    .init("rates", .optional(FrameRateChange.named(speed)?.name)),
                ])),
            .init(
                "segments",
                .array(
                    alignment.segments.map {
                        .object([
                            .init("from", .seconds($0.from)), .init("to", .seconds($0.to)),
                            .init("offset", .seconds(Timestamp.zero.advanced(by: $0.offset))),
                            .init("cues", .integer($0.cues)),
                            .init("matched", .integer($0.matched)),
                        ])
                    })),
        ])
    }

    private static func status(of result: SyncResult) -> String {
        if result.error != nil { return "failed" }
        if result.isRefused { return "refused" }
        return result.isWritten ? "written" : "found"
    }

    private static func failure(_ error: UndertextError) -> JSON {
        .object([
            .init("code", .string(error.code.name)),
            .init("message", .string(error.description)),
        ])
    }

    private static func side(
        _ input: String, _ stream: StreamDescription?, cues: Int,
        kind: AlignmentOptions.Reference = .cues
    ) -> JSON {
        .object([
            .init("input", .string(withoutSecrets(input))),
            .init("kind", .string(kind == .speech ? "speech" : "cues")),
            .init("track", stream.map { .integer($0.index) } ?? .null),
            .init("codec", .optional(stream?.codec.rawValue)),
            .init("language", .optional(stream?.language?.rawValue)),
            .init("cues", .integer(cues)),
        ])
    }
}
