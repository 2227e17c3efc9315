package import UndertextCore

/// Finds the ranges of speech in audio of one channel.
///
/// Every 10 ms the level of 16 frequency bands is compared with the background of that band, which is measured around that
/// time. Speech is what exceeds it in many bands, compared with the loudest around. Documentation/Decisions/speech.md has
/// the comparison with another detector.
package struct SpeechDetector {
    /// A frame that does not follow the one before it, and its time.
    private struct Anchor {
        var frame: Int
        var time: Timestamp
    }

    private var bands = BandLevels()
    private var scores = SpeechScores()
    private var anchors: [Anchor] = []
    private var rate = 0
    /// The samples since the last anchor.
    private var samples = 0

    /// The length of a frame.
    private static let frame = Duration.milliseconds(10)
    /// Times that differ less from what the samples say are inaccurate rather than a gap.
    private static let inaccuracy = Duration.milliseconds(40)
    /// A score begins speech from this share of the loudest on, and continues it from that share on.
    private static let (begin, keep): (Float, Float) = (0.25, 0.18)
    /// Frames that begin speech, and quiet frames that end it.
    private static let (beginFrames, quietFrames) = (4, 15)
    /// 100 hours.
    private static let framesAtMost = 100 * 3600 * 100

    /// Creates a detector.
    package init() {}

    /// `true` if the audio has reached 100 hours; what follows is ignored.
    package var isFull: Bool { scores.count >= Self.framesAtMost }

    /// Adds samples that follow those before.
    ///
    /// - Parameters:
    ///   - block: Samples of one channel; full scale is 1.
    ///   - rate: Samples per second; others than 2000 to 768,000 are ignored.
    ///   - time: The time of the first one; `nil` if they follow without a gap.
    package mutating func add(_ block: [Float], rate: Int, at time: Timestamp?) {
        guard !isFull, (2000...768_000).contains(rate), !block.isEmpty else { return }
        if let last = anchors.last {
            let expected = last.time.advanced(by: Self.duration(of: samples, rate: self.rate))
            let start = time ?? expected
            let gap = expected.duration(to: start)
            if rate != self.rate || gap > Self.inaccuracy || gap < .zero - Self.inaccuracy {
                begin(at: start, rate: rate)
            }
        } else {
            begin(at: time ?? .zero, rate: rate)
        }
        samples += block.count
        bands.add(block) { scores.add($0) }
    }

    private mutating func begin(at time: Timestamp, rate: Int) {
        bands.flush { scores.add($0) }
        if rate != self.rate { bands.prepare(rate: rate) }
        self.rate = rate
        samples = 0
        anchors.append(Anchor(frame: scores.count, time: time))
    }

    private static func duration(of samples: Int, rate: Int) -> Duration {
        .nanoseconds(Int64(clamping: Int128(samples) * 1_000_000_000 / Int128(max(1, rate))))
    }

    /// Ends the audio and returns the ranges of speech in the order in which they were read.
    package mutating func finish() -> [Range<Timestamp>] {
        bands.flush { scores.add($0) }
        scores.finish()
        let loudest = scores.loudest()
        var ranges: [Range<Timestamp>] = []
        for (index, anchor) in anchors.enumerated() {
            let end = index + 1 < anchors.count ? anchors[index + 1].frame : scores.count
            for speech in speech(in: anchor.frame..<max(anchor.frame, end), loudest) {
                let start = anchor.time.advanced(
                    by: Self.frame * (speech.lowerBound - anchor.frame))
                let stop = anchor.time.advanced(by: Self.frame * (speech.upperBound - anchor.frame))
                if start < stop { ranges.append(start..<stop) }
            }
        }
        return ranges
    }

    /// The frames of speech among frames that follow each other.
    private func speech(in frames: Range<Int>, _ loudest: Loudest) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var (start, loud, last) = (-1, 0, 0)
        for frame in frames {
            let (score, peak) = (Float(scores[frame]), loudest[frame])
            if start < 0 {
                loud = score > Self.begin * peak ? loud + 1 : score < Self.keep * peak ? 0 : loud
                if loud >= Self.beginFrames { (start, last) = (frame - loud + 1, frame) }
            } else if score > Self.keep * peak {
                last = frame
            } else if frame - last > Self.quietFrames {
                found.append(start..<last + 1)
                (start, loud) = (-1, 0)
            }
        }
        if start >= 0 { found.append(start..<last + 1) }
        return found
    }
}
