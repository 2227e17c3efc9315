/// How much the levels of each frame exceed the background, one byte a frame.
///
/// The background of a band is the level that 30 % of the frames within ten seconds are below.
struct SpeechScores {
    /// One value for each frame: the excess of a band, on average, in steps of 1/31 dB up to 8 dB.
    private var scores: [UInt8] = []
    /// The unsmoothed levels of the last frames, at most five.
    private var recent: [[UInt8]] = []
    private var added = 0

    /// The smoothed levels of whole seconds, band by band for each frame, whose scores are still missing or that are needed
    /// for the background of others.
    private var seconds: [[UInt8]] = []
    /// The number of the first of `seconds`.
    private var firstSecond = 0
    private var current: [UInt8] = []
    /// The number of frames of each level, for each band, in the window.
    private var histogram = [Int32](repeating: 0, count: BandLevels.count * 256)
    private var framesInWindow = 0
    /// The second whose background is next.
    private var next = 0
    private var lastFloor: [Float]?

    private static let bands = BandLevels.count
    private static let framesOfSecond = 100
    /// The seconds on each side.
    private static let reach = 10
    private static let share = 0.3
    /// Half decibels above the background that say nothing, and those that count.
    private static let (ignored, counted): (Float, Float) = (8, 16)

    /// The number of frames.
    var count: Int { added }

    /// The score of a frame.
    subscript(frame: Int) -> UInt8 { frame < scores.count ? scores[frame] : 0 }

    /// Adds the levels of a frame, one byte for each band.
    mutating func add(_ levels: [UInt8]) {
        added += 1
        recent.append(levels)
        if recent.count > 5 { recent.removeFirst() }
        // The frame in the middle of the last five has all of its neighbors.
        if added >= 3 { append(smoothed(recent)) }
    }

    /// Ends the audio.
    mutating func finish() {
        for _ in 0..<min(2, added) {
            if recent.count > 3 || added > 3 { recent.removeFirst() }
            append(smoothed(recent))
        }
        if !current.isEmpty { complete() }
        while next < firstSecond + seconds.count { measure() }
        // The last half second has the background of the last second.
        if let lastFloor { score(until: added, lastFloor, lastFloor, from: scores.count) }
    }

    private func smoothed(_ frames: [[UInt8]]) -> [UInt8] {
        var sums = [Int](repeating: frames.count / 2, count: Self.bands)
        for frame in frames { for band in 0..<Self.bands { sums[band] += Int(frame[band]) } }
        return sums.map { UInt8($0 / max(1, frames.count)) }
    }

    private mutating func append(_ levels: [UInt8]) {
        current += levels
        if current.count == Self.framesOfSecond * Self.bands { complete() }
    }

    /// Ends a second, which may complete the window of an earlier one.
    private mutating func complete() {
        count(current, 1)
        seconds.append(current)
        current = []
        if firstSecond + seconds.count > next + Self.reach { measure() }
    }

    private mutating func count(_ levels: [UInt8], _ change: Int32) {
        for index in levels.indices {
            histogram[index % Self.bands * 256 + Int(levels[index])] += change
        }
        framesInWindow += Int(change) * levels.count / Self.bands
    }

    /// Measures the background of the next second, and scores the frames up to the middle of it.
    private mutating func measure() {
        let floor = (0..<Self.bands).map { band in
            let wanted = Int32(Double(framesInWindow) * Self.share)
            var (sum, level): (Int32, Int) = (0, 0)
            while level < 255 {
                sum += histogram[band * 256 + level]
                if sum > wanted { break }
                level += 1
            }
            return Float(level)
        }
        let middle = next * Self.framesOfSecond + Self.framesOfSecond / 2
        score(
            until: min(middle, added), lastFloor ?? floor, floor, from: middle - Self.framesOfSecond
        )
        lastFloor = floor
        next += 1
        // What is out of reach of the next second is forgotten.
        if firstSecond < next - Self.reach, seconds.count > 1 {
            count(seconds[0], -1)
            seconds.removeFirst()
            firstSecond += 1
        }
    }

    /// Scores frames, whose background changes evenly from the frame `start` on to `end`.
    private mutating func score(
        until end: Int, _ old: [Float], _ new: [Float], from start: Int
    ) {
        let ignored = Self.ignored
        while scores.count < end {
            let frame = scores.count
            let position = frame - firstSecond * Self.framesOfSecond
            let second = position / Self.framesOfSecond
            guard position >= 0, second < seconds.count else { return }
            let offset = position % Self.framesOfSecond * Self.bands
            let levels = seconds[second]
            guard offset + Self.bands <= levels.count else { return }
            let part = min(max(Float(frame - start) / Float(Self.framesOfSecond), 0), 1)
            var sum: Float = 0
            for band in 0..<Self.bands {
                let floor = old[band] + (new[band] - old[band]) * part
                let excess = Float(levels[offset + band]) - floor - ignored
                sum += min(max(excess, 0), Self.counted)
            }
            // 16 half decibels are 248.
            scores.append(UInt8(sum / Float(Self.bands) * 15.5))
        }
    }

    /// The loudest around each second.
    func loudest() -> Loudest { Loudest(scores) }
}

/// The score that a tenth of the frames within half a minute exceed, for each frame.
struct Loudest {
    private var seconds: [Float] = []
    /// Less is noise.
    private static let least: Float = 62

    init(_ scores: [UInt8]) {
        var histogram = [Int](repeating: 0, count: 256)
        let count = (scores.count + 99) / 100
        var (low, high) = (0, 0)
        for second in 0..<count {
            let window = max(0, (second - 30) * 100)..<min(scores.count, (second + 31) * 100)
            while high < window.upperBound {
                histogram[Int(scores[high])] += 1
                high += 1
            }
            while low < window.lowerBound {
                histogram[Int(scores[low])] -= 1
                low += 1
            }
            var (sum, level) = (0, 255)
            while level > 0 {
                sum += histogram[level]
                if sum * 10 > window.count { break }
                level -= 1
            }
            seconds.append(max(Float(level), Self.least))
        }
    }

    /// The value at a frame, between those in the middle of two seconds.
    subscript(frame: Int) -> Float {
        guard let last = seconds.last else { return Self.least }
        let position = max(0, Float(frame - 50) / 100)
        let second = Int(position)
        guard second + 1 < seconds.count else { return last }
        let part = position - Float(second)
        return seconds[second] * (1 - part) + seconds[second + 1] * part
    }
}
