/// A histogram of the differences between starts: the right offset collects many, any other one a few.
struct OffsetVotes {
    /// An offset that collects more votes than its surroundings.
    struct Peak {
        /// In milliseconds.
        var offset: Double
        /// The votes above the expected number, in standard deviations.
        var excess: Double
    }

    /// The width of a bin in milliseconds.
    private let binWidth: Double
    /// Bins that count for a peak: differences of about ±140 ms, or more if bins are wider.
    private let peakBins: Int
    /// Bins that are the surroundings of a peak: about ±6 s.
    private let surroundingBins: Int

    private let lowest: Double
    private var bins: [Int32]

    /// Prepares for offsets in a range.
    init(_ range: ClosedRange<Double>, binWidth: Double = 40) {
        self.binWidth = binWidth
        peakBins = max(3, Int(280 / binWidth) | 1)
        surroundingBins = Int(12_000 / binWidth) | 1
        lowest = range.lowerBound
        bins = Array(repeating: 0, count: Int((range.upperBound - range.lowerBound) / binWidth) + 1)
    }

    /// Forgets all votes.
    mutating func reset() {
        for index in bins.indices { bins[index] = 0 }
    }

    /// Adds the differences between all starts of `reference` and every `stride`-th of `subtitle`.
    ///
    /// - Parameters:
    ///   - subtitle: Ascending starts.
    ///   - reference: Ascending starts.
    ///   - factor: The factor for the starts of `subtitle`.
    ///   - step: The distance of those that vote.
    mutating func add(
        _ subtitle: ArraySlice<Double>, _ reference: [Double], factor: Double, stride step: Int
    ) {
        let scale = 1 / binWidth
        let (count, lowest) = (bins.count, lowest)
        let width = Double(count) * binWidth
        var first = 0
        for index in stride(from: subtitle.startIndex, to: subtitle.endIndex, by: step) {
            // The differences below count from the lowest offset.
            let origin = subtitle[index] * factor + lowest
            while first < reference.count, reference[first] < origin { first += 1 }
            var position = first
            while position < reference.count {
                let difference = reference[position] - origin
                if difference >= width { break }
                bins[min(Int(difference * scale), count - 1)] += 1
                position += 1
            }
        }
    }

    /// The offsets with the most votes above their surroundings, the best first.
    ///
    /// - Parameters:
    ///   - count: The largest number of peaks.
    ///   - least: The least excess.
    /// - Returns: The peaks.
    func peaks(_ count: Int, least: Double) -> [Peak] {
        let total = bins.count
        guard total > 0 else { return [] }
        var sums: [Int64] = [0]
        sums.reserveCapacity(total + 1)
        var sum: Int64 = 0
        for votes in bins {
            sum += Int64(votes)
            sums.append(sum)
        }
        let (near, far) = (peakBins / 2, surroundingBins / 2)
        var found: [Peak] = []
        var floor = least
        for bin in 0..<total {
            let (low, high) = (max(0, bin - near), min(total, bin + near + 1))
            let votes = Double(sums[high] - sums[low])
            guard votes >= 3 else { continue }
            let (wideLow, wideHigh) = (max(0, bin - far), min(total, bin + far + 1))
            let surrounding = Double(sums[wideHigh] - sums[wideLow]) - votes
            let expected =
                surrounding * Double(high - low) / Double(max(1, wideHigh - wideLow - (high - low)))
                + 0.5
            let excess = (votes - expected) / expected.squareRoot()
            guard excess > floor else { continue }
            let offset = lowest + (Double(bin) + 0.5) * binWidth
            // Neighboring bins share their votes.
            if let last = found.last, offset - last.offset < binWidth * Double(peakBins) {
                if excess > last.excess {
                    found[found.count - 1] = Peak(offset: offset, excess: excess)
                }
            } else {
                found.append(Peak(offset: offset, excess: excess))
                if found.count > 4 * count {
                    found.sort { $0.excess > $1.excess }
                    found.removeLast(found.count - count)
                    floor = max(floor, found[found.count - 1].excess)
                    found.sort { $0.offset < $1.offset }
                }
            }
        }
        found.sort { $0.excess > $1.excess }
        return Array(found.prefix(count))
    }
}
