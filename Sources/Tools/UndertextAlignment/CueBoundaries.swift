internal import UndertextCore

/// The boundaries of one side of an alignment, in milliseconds.
///
/// Scoring is approximate, so that floating point does; results are timestamps again.
struct CueBoundaries {
    /// The distinct starts, ascending.
    let starts: [Double]
    /// The end of the cue at the same position of ``starts``.
    let ends: [Double]
    /// The distinct ends, ascending.
    let sortedEnds: [Double]

    /// Starts or ends that are closer are one: the lines of one dialogue, the layers of one sign.
    private static let resolution = 20.0
    /// About 300 years of `Timestamp` are more than any clock of media; further times say nothing.
    private static let latest = 1e10

    /// Takes the boundaries of intervals in any order.
    init(_ intervals: [Range<Timestamp>]) {
        let sorted =
            intervals.map {
                (start: Self.milliseconds($0.lowerBound), end: Self.milliseconds($0.upperBound))
            }
            .filter { abs($0.start) < Self.latest && abs($0.end) < Self.latest }
            .sorted { $0.start < $1.start }
        var starts: [Double] = []
        var ends: [Double] = []
        for (start, end) in sorted {
            if let last = starts.last, start - last < Self.resolution {
                ends[ends.count - 1] = max(ends[ends.count - 1], end)
            } else {
                starts.append(start)
                ends.append(max(end, start))
            }
        }
        self.init(starts: starts, ends: ends)
    }

    private init(starts: [Double], ends: [Double]) {
        self.starts = starts
        self.ends = ends
        var distinct: [Double] = []
        for end in ends.sorted() where distinct.last.map({ end - $0 >= Self.resolution }) ?? true {
            distinct.append(end)
        }
        sortedEnds = distinct
    }

    /// The same with all times multiplied.
    func scaled(by factor: Double) -> CueBoundaries {
        factor == 1
            ? self
            : CueBoundaries(starts: starts.map { $0 * factor }, ends: ends.map { $0 * factor })
    }

    /// Some of the cues.
    func part(_ range: Range<Int>) -> CueBoundaries {
        range.count == count
            ? self : CueBoundaries(starts: Array(starts[range]), ends: Array(ends[range]))
    }

    /// The number of distinct cues.
    var count: Int { starts.count }

    /// The time of which the cues say something: up to two seconds before the first and after the last of them.
    var covered: ClosedRange<Double> {
        let (first, last) = ((starts.first ?? 0) - 2000, (sortedEnds.last ?? 0) + 2000)
        return min(first, last)...max(first, last)
    }

    /// The time from the first start to the last one.
    var span: Double { (starts.last ?? 0) - (starts.first ?? 0) }

    private static func milliseconds(_ time: Timestamp) -> Double { Double(time.nanoseconds) / 1e6 }
}
