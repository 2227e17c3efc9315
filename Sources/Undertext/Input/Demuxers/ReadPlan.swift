internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextIO

/// The paths by which a container can read some of its streams, in the order in which they are tried.
struct ReadPlan {
    let streams: Set<Int>
    /// The part that is wanted, on the container's own clock.
    let window: TimeWindow
    let record: ReadRecord
    /// The proof that the index is complete.
    var proof: String?

    private let access: InputAccess
    /// The streams whose packets are samples that have to be unpacked.
    private let sampled: [StreamDescription]
    private(set) var paths: ArraySlice<Path> = []
    private(set) var refused: [ReadSummary.Refusal] = []

    /// A path that may be taken.
    struct Path {
        /// Its name.
        let path: ReadPath
        /// Opens its reader, which reports to the sink; an error with the code `unsupported` means that the next path is taken.
        let open: (DiagnosticSink) throws(UndertextError) -> any PacketReader
    }

    init(
        _ streams: Set<Int>, of description: ContainerDescription, in window: TimeWindow,
        _ access: InputAccess, describer: FFmpegDemuxer? = nil
    ) {
        self.streams = streams
        self.window = window
        self.access = access
        record = ReadRecord(ffmpeg: describer)
        sampled = description.streams.filter { streams.contains($0.index) && $0.isSampled }
    }

    /// The read path requested by the caller.
    var preference: ReadPathPreference { access.options.io }

    /// Returns `true` if the caller requests this path or leaves the choice to the demuxer.
    func allows(_ path: ReadPathPreference) -> Bool { preference == .auto || preference == path }

    /// Adds a path; if opening it fails with the code `unsupported`, the next one is taken.
    mutating func add(
        _ path: ReadPath,
        open: @escaping (ReadRecord, DiagnosticSink) throws(UndertextError) -> any PacketReader
    ) {
        paths.append(
            .init(path: path) { [record, sampled] (diagnostics) throws(UndertextError) in
                let reader = try open(record, diagnostics)
                return sampled.isEmpty
                    ? reader
                    : SampleUnpackingReader(reader, sampled, diagnostics: diagnostics)
            })
    }

    /// Makes packets of services of the packets that carry them.
    ///
    /// - Parameters:
    ///   - services: The services.
    ///   - own: The streams whose packets are wanted as they are.
    ///   - streams: The streams of the container.
    ///   - known: The names of all services that are tracks.
    mutating func carry(
        _ services: [StreamDescription], besides own: Set<Int>, in streams: [StreamDescription],
        known: Set<String>
    ) {
        let paths = paths.map { path in
            Path(path: path.path) { (diagnostics) throws(UndertextError) in
                ServiceReader(
                    try path.open(diagnostics), services, besides: own, in: streams, known: known,
                    diagnostics: diagnostics)
            }
        }
        self.paths = paths[...]
    }

    /// Records why a path is not taken.
    mutating func refuse(_ path: ReadPath, _ reason: String) {
        refused.append(.init(path: path, reason: reason))
    }

    /// The bytes and requests of the input so far.
    var statistics: ReadStatistics {
        record.others.reduce(access.statistics(with: record.ffmpeg)) { $0 + $1() }
    }

    /// Reports what turns out to be missing when the reading has ended.
    ///
    /// - Parameter isWhole: `true` if the reading reached the end of the input.
    /// - Returns: One diagnostic for each loss.
    func losses(isWhole: Bool) -> [Diagnostic] {
        record.checks.flatMap { $0(isWhole) } + (isWhole ? access.truncation : [])
    }

    /// The error of a reader that opened none of the paths.
    func explained(_ error: UndertextError) -> UndertextError {
        guard error.code == .unsupported, preference == .index || preference == .walk else {
            return error
        }
        let name = preference.rawValue
        var reason = refused.last?.reason ?? error.message
        if reason.hasSuffix(".") { reason.removeLast() }
        return UndertextError(
            .unsupported, "the \(name) cannot be used: \(reason)",
            path: access.input.argument, remedy: .omit([.readPath], value: name))
    }
}

/// The requests of the readers of one ``ReadPlan``, and their checks at the end of the input.
final class ReadRecord {
    /// libavformat, if it scans the input or has described it.
    var ffmpeg: FFmpegDemuxer?
    /// The statistics of sources other than the input's own.
    var others: [() -> ReadStatistics] = []
    /// Comparisons of the packets read with the container's own counts, made at the end of reading.
    var checks: [(_ isWhole: Bool) -> [Diagnostic]] = []

    init(ffmpeg: FFmpegDemuxer?) { self.ffmpeg = ffmpeg }
}

extension InputAccess {
    /// Reports that a file is shorter than when it was opened.
    fileprivate var truncation: [Diagnostic] {
        guard let file = source as? FileSource, let sizeWhenOpened else { return [] }
        return Diagnostic.truncation(at: file.currentSize, of: sizeWhenOpened)
    }
}

extension Diagnostic {
    /// Reports that an input ended before the length that it had or states.
    static func truncation(at end: UInt64, of size: UInt64) -> [Diagnostic] {
        guard end < size else { return [] }
        return [
            Diagnostic(
                .error, "truncated",
                "the input ended \(size - end) bytes before its end: it was cut off, or became "
                    + "shorter while it was read")
        ]
    }
}
