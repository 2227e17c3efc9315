internal import UndertextCore

/// Writes ffprobe's JSON (`-show_format -show_streams -show_chapters -show_programs`).
///
/// Keys are in ffprobe's order with its value types: times and sizes are strings. Unknown keys are absent, as
/// in ffprobe's JSON, which omits values that its text prints as `N/A`.
struct ProbeJSON {
    private let report: ProbeReport
    private var container: ContainerDescription { report.container }

    init(_ report: ProbeReport) {
        self.report = report
    }

    /// The whole object.
    var value: JSON {
        .object([
            .init("programs", .array(container.programs.map(program))),
            .init("streams", .array(report.streams.map(stream))),
            .init("chapters", .array(container.chapters.map(chapter))),
            .init("format", format),
            .init(
                "undertext",
                .object([
                    .init("input", .string(report.input)),
                    .init("content", report.content.json),
                    .init("attachments", .array(container.attachments.map(attachment))),
                ])),
        ])
    }

    /// The object of an input that could not be read: ffprobe's `error` section.
    static func value(failure: UndertextError, input: String) -> JSON {
        var message = failure.message
        if let underlying = failure.underlying, !underlying.isEmpty {
            message += " (\(underlying))"
        }
        return .object([
            .init(
                "error",
                .object([
                    .init("code", .integer(ffmpegCode(failure.code))),
                    .init("string", .string(message)),
                ])),
            .init(
                "undertext",
                .object([
                    .init("input", .string(withoutSecrets(input))),
                    .init("code", .string(failure.code.name)),
                ])),
        ])
    }

    // MARK: Sections

    private func program(_ program: Program) -> JSON {
        let streams = program.streams.compactMap { index in
            report.streams.first { $0.index == index }
        }
        var members: [JSON.Member] = [.init("program_id", .integer(program.id))]
        // Only MPEG's programs are numbered; elsewhere libavformat's number is another one.
        if container.fileFormat == .mpegTS {
            members.append(.init("program_num", .integer(program.id)))
        }
        members += [
            .init("nb_streams", .integer(program.streams.count)),
            .init("pmt_pid", .integer(program.mapPID)),
            .init("pcr_pid", .integer(program.clockPID)),
        ]
        members += ffprobeTags(program.tags)
        members.append(.init("streams", .array(streams.map { .object(streamMembers($0)) })))
        return .object(members)
    }

    /// ffprobe's members.
    private func streamMembers(_ stream: StreamDescription) -> [JSON.Member] {
        StreamJSON(stream, captions: report.captions[stream.index]).members
    }

    private func stream(_ stream: StreamDescription) -> JSON {
        .object(
            streamMembers(stream) + [
                .init(
                    "undertext",
                    .object(
                        [
                            .init("kind", .string(stream.kind.rawValue)),
                            .init("codec", .string(stream.codec.rawValue)),
                            .init("language", .optional(stream.language?.rawValue)),
                            .init("extraction", extraction(report.facts[stream.index])),
                        ] + captions(of: stream) + service(of: stream)))
            ])
    }

    /// Only where there are any.
    private func captions(of stream: StreamDescription) -> [JSON.Member] {
        guard let names = report.captions[stream.index], !names.isEmpty else { return [] }
        return [.init("captions", .array(names.map(JSON.string)))]
    }

    /// Only of tracks that are one of several services.
    private func service(of stream: StreamDescription) -> [JSON.Member] {
        [
            stream.service.map { .init("service", .string($0)) },
            stream.carrier.map { .init("carrier", .integer($0)) },
        ].compactMap { $0 }
    }

    private func extraction(_ facts: ExtractionSummary?) -> JSON {
        guard let facts else { return .null }
        return .object([
            .init("kind", .string(facts.kind.rawValue)),
            .init("indexed", .bool(facts.indexed)),
            .init("packets", facts.packets.map(JSON.integer) ?? .null),
            .init("cues", facts.cues.map(JSON.integer) ?? .null),
            .init("first", facts.first.map(JSON.seconds) ?? .null),
            .init("last", facts.last.map(JSON.seconds) ?? .null),
            .init("coverage", facts.coverage.map(JSON.decimal) ?? .null),
            .init("outputs", .array(facts.outputs.map(JSON.string))),
        ])
    }

    private func chapter(_ chapter: Chapter) -> JSON {
        .object(
            [
                .init("id", .integer(chapter.id)),
                .init("time_base", .string(ffprobeFraction(chapter.timeBase))),
            ]
                + ticks("start", chapter.start, chapter.timeBase)
                + ticks("end", chapter.end, chapter.timeBase)
                + ffprobeTags(chapter.tags))
    }

    private func ticks(_ name: String, _ value: Int64, _ timeBase: TimeBase) -> [JSON.Member] {
        guard let seconds = ffprobeSeconds(value, timeBase) else { return [] }
        return [.init(name, .integer(value)), .init(name + "_time", .string(seconds))]
    }

    private var format: JSON {
        // ffprobe prints URLs with their secrets: a name without them would differ from its.
        var members: [JSON.Member] =
            report.hidesSecrets ? [] : [.init("filename", .string(report.input))]
        members += [
            .init("nb_streams", .integer(container.streams.count { $0.carrier == nil })),
            .init("nb_programs", .integer(container.programs.count)),
            .init("format_name", .string(container.formatName)),
        ]
        func add(_ key: String, _ value: JSON?) {
            if let value { members.append(.init(key, value)) }
        }
        func seconds(_ time: Int64?) -> JSON? {
            time.flatMap { ffprobeSeconds($0, .microseconds) }.map(JSON.string)
        }
        add("format_long_name", container.formatLongName.map(JSON.string))
        add("start_time", seconds(container.startTime))
        add("duration", seconds(container.duration))
        add("size", container.size.map { .string(String($0)) })
        if let rate = container.bitRate, rate > 0 { add("bit_rate", .string(String(rate))) }
        add("probe_score", container.probeScore.map(JSON.integer))
        return .object(members + ffprobeTags(container.tags))
    }

    private func attachment(_ attachment: Attachment) -> JSON {
        .object([
            .init("stream", attachment.streamIndex.map(JSON.integer) ?? .null),
            .init("fileName", .string(attachment.fileName)),
            .init("mimeType", .string(attachment.mimeType)),
            .init("size", .integer(attachment.size)),
        ])
    }
}

/// The `tags` section, which ffprobe leaves out when it would be empty.
func ffprobeTags(_ tags: [MetadataTag]) -> [JSON.Member] {
    guard !tags.isEmpty else { return [] }
    return [.init("tags", .object(tags.map { .init($0.key, .string($0.value)) }))]
}

/// A time base or rate as ffprobe prints it.
func ffprobeFraction(_ value: TimeBase) -> String { "\(value.numerator)/\(value.denominator)" }

/// The `code` that ffprobe prints for the same failure: `AVERROR` of the errno, or FFmpeg's tag.
private func ffmpegCode(_ code: UndertextError.Code) -> Int32 {
    switch code {
    case .notFound: -2  // ENOENT
    case .io: -5  // EIO
    case .permission: -13  // EACCES
    case .isDirectory: -21  // EISDIR
    case .timeout: -110  // ETIMEDOUT
    case .nestedOpen: -1  // EPERM
    case .limit: -34  // ERANGE
    case .cancelled: -1_414_092_869  // AVERROR_EXIT
    case .unsupported: -1_163_346_256  // AVERROR_PATCHWELCOME
    case .missingLibrary: -542_398_533  // AVERROR_EXTERNAL
    case .empty, .notMedia, .malformed: -1_094_995_529  // AVERROR_INVALIDDATA
    default: -1_313_558_101  // AVERROR_UNKNOWN
    }
}

/// A time as ffprobe prints it: ticks times the time base as a double, by `printf("%f")`.
///
/// `nil` where ffprobe would print no number: an invalid time base, `AV_NOPTS_VALUE`.
func ffprobeSeconds(_ ticks: Int64, _ timeBase: TimeBase) -> String? {
    guard ticks != .min, timeBase.denominator != 0 else { return nil }
    return sixDecimals(
        Double(ticks) * (Double(timeBase.numerator) / Double(timeBase.denominator)))
}

/// C's `%f`: six decimals of the exact binary value, halves to even; `nil` if it is not finite.
func sixDecimals(_ value: Double) -> String? {
    guard value.isFinite, value.magnitude < 0x1p126 else { return nil }
    let significand = UInt128(value.significandBitPattern)
    let isSubnormal = value.exponentBitPattern == 0
    let mantissa = isSubnormal ? significand : significand | 1 << 52
    let exponent = (isSubnormal ? 1 : Int(value.exponentBitPattern)) - 1075
    let sign = value.sign == .minus ? "-" : ""
    guard exponent < 0 else { return sign + String(mantissa << UInt128(exponent)) + ".000000" }
    let scaled = mantissa * 1_000_000
    var millionths: UInt128 = 0
    if exponent > -100 {
        let shift = UInt128(-exponent)
        millionths = scaled >> shift
        let remainder = scaled - (millionths << shift)
        let half = (1 as UInt128) << (shift - 1)
        if remainder > half || (remainder == half && millionths % 2 == 1) { millionths += 1 }
    }
    let fraction = String(millionths % 1_000_000)
    return sign + String(millionths / 1_000_000) + "."
        + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
}
