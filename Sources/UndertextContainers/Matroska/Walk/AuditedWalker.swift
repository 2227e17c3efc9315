internal import UndertextCore

/// A walk that reports blocks which the index names and the walk does not find.
///
/// Scanning block headers cannot detect that a block's track number has changed, or that a plausible number is
/// wrong. An index that listed all blocks, and was found wrong in one place, can. Times are compared, not
/// positions, since the positions may be wrong.
struct AuditedWalker: BlockIterator {
    private struct Expectation {
        var stream: Int
        var timeBase: TimeBase
        /// The number of blocks of a time that were not found yet.
        var times: [UInt64: Int] = [:]
        /// Blocks of times that the index does not name.
        var unexpected = 0

        /// Records a block of that time.
        mutating func find(_ time: Int128) {
            guard let time = UInt64(exactly: time), let count = times[time], count > 0 else {
                unexpected += 1
                return
            }
            times[time] = count - 1
        }
    }

    private var walker: BlockWalker
    private var expectations: [UInt64: Expectation] = [:]
    private let diagnostics: DiagnosticSink

    /// Compares with the entries of `cues` for `tracks`, as many as a file may have.
    init(
        _ walker: BlockWalker, cues: CueTable, tracks: [UInt64: BlockPacketizer],
        diagnostics: DiagnosticSink
    ) {
        self.diagnostics = diagnostics
        self.walker = walker
        for (number, track) in tracks {
            var expectation = Expectation(
                stream: track.streamIndex, timeBase: track.timeBase)
            for entry in cues.entries(of: number) {
                expectation.times[entry.time, default: 0] += 1
            }
            expectations[number] = expectation
        }
    }

    var source: any RandomAccessSource { walker.source }

    mutating func step() throws(UndertextError) -> BlockStep {
        let step = try walker.step()
        switch step {
        case .found(let track, .block(let block, let clusterTime)):
            if let header = BlockHeader(block.data) {
                expectations[track]?.find(Int128(clusterTime) + Int128(header.time))
            }
        case .end: report()
        default: break
        }
        return step
    }

    private mutating func report() {
        for expectation in expectations.values.sorted(by: { $0.stream < $1.stream }) {
            let open = expectation.times.filter { $0.value > 0 }
            let count = open.values.reduce(0, +)
            guard let first = open.keys.min() else { continue }
            let time = Int64(exactly: first).flatMap {
                Timestamp(ticks: $0, timeBase: expectation.timeBase)
            }
            let lost = max(0, count - expectation.unexpected)
            diagnostics.report(
                lost > 0
                    ? Diagnostic(
                        .error, "missing-block",
                        "The index lists blocks that are not in the file: \(lost).",
                        streamIndex: expectation.stream, time: time)
                    : Diagnostic(
                        .warning, "doubtful-time",
                        "The index states other times than the blocks themselves: \(count).",
                        streamIndex: expectation.stream, time: time))
        }
        expectations = [:]
    }
}
