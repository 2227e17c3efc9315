package import UndertextCore

/// Finds shot changes by the differences of small gray images.
///
/// A frame begins a shot if it differs from the one before it much more than the frames around it differ, and if the next
/// one does not return to what was before, as after a flash.
package struct ShotChangeDetector {
    private struct Frame {
        var time: Timestamp
        var luma: [UInt8]
        /// The difference from the frame before it.
        var difference: Double
    }

    /// The last frames, in the order of their times.
    private var frames: [Frame] = []
    /// The times at which shots begin, ascending.
    package private(set) var changes: [Timestamp] = []
    /// `true` if the frames are only some of the video, so that neighbors say less.
    private let isSparse: Bool

    /// The frames before and after one that are compared with it.
    private static let (before, after) = (6, 3)
    /// Differences of fewer levels, on average over the image, are no shot changes.
    private static let least = 7.0
    /// A change differs that much more than what is around it.
    private static let factor = 3.0

    /// Creates a detector.
    ///
    /// - Parameter isSparse: `true` if only key frames are added: each that differs much begins a shot.
    package init(isSparse: Bool = false) { self.isSparse = isSparse }

    /// Adds the next frame; one whose time is not after that before it is ignored.
    ///
    /// - Parameters:
    ///   - luma: The gray image, of the same size as all others.
    ///   - time: The time at which the frame begins.
    package mutating func add(_ luma: [UInt8], at time: Timestamp) {
        if let last = frames.last {
            guard time > last.time, luma.count == last.luma.count else { return }
            frames.append(
                Frame(time: time, luma: luma, difference: Self.difference(last.luma, luma)))
        } else {
            frames.append(Frame(time: time, luma: luma, difference: 0))
        }
        if isSparse {
            if frames.count > 1, frames[1].difference > 2 * Self.least {
                changes.append(time)
            }
            if frames.count > 1 { frames.removeFirst() }
            return
        }
        if frames.count > Self.after { decide(frames.count - 1 - Self.after) }
        if frames.count > Self.before + Self.after + 1 { frames.removeFirst() }
    }

    /// Ends the video.
    package mutating func finish() {
        guard !isSparse else { return }
        for index in max(0, frames.count - Self.after)..<max(0, frames.count) { decide(index) }
        frames = []
    }

    /// Decides whether a frame, whose successors are known, begins a shot.
    private mutating func decide(_ index: Int) {
        guard index > 0 else { return }
        let frame = frames[index]
        guard frame.difference > Self.least, changes.last.map({ $0 < frame.time }) ?? true else {
            return
        }
        let around = frames.indices.filter { abs($0 - index) > 0 && $0 > 0 }
            .map { frames[$0].difference }.sorted()
        // One more change nearby does not hide this one.
        let usual = around.isEmpty ? 0 : around[around.count * 2 / 3]
        guard frame.difference > Self.factor * usual else { return }
        if index + 1 < frames.count {
            let returned = Self.difference(frames[index - 1].luma, frames[index + 1].luma)
            guard returned > Self.least else { return }
            // The end of a flash, whose beginning was no change, returns to what was before it.
            if index > 1, frames[index - 1].difference > Self.least,
                Self.difference(frames[index - 2].luma, frame.luma) < Self.least
            {
                return
            }
        }
        changes.append(frame.time)
    }

    /// The mean of the differences of the pixels.
    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        var sum = 0
        for index in one.indices { sum += abs(Int(one[index]) - Int(other[index])) }
        return Double(sum) / Double(max(1, one.count))
    }
}
