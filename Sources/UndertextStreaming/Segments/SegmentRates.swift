internal import UndertextCore

/// The bit rates of a playlist's segments, as stated in a master playlist.
///
/// RFC 8216, sections 4.1 and 4.3.4.2: `BANDWIDTH` and `AVERAGE-BANDWIDTH`.
public struct SegmentRates: Hashable, Sendable {
    /// The largest rate of any run of segments that is half to one and a half target durations long.
    public let peak: Int64
    /// The rate of all segments together.
    public let average: Int64

    /// Segments of a run that is looked at: of shorter ones than that no player fetches one at a time.
    private static let longestRun = 64

    /// Counts the bits; `nil` where the segments take no time.
    ///
    /// - Parameters:
    ///   - segments: length and bytes of each, in order.
    ///   - target: the target duration.
    public init?(_ segments: [(duration: Duration, bytes: Int64)], target: Duration) {
        guard
            let average = Self.rate(
                segments.reduce(0) { $0 + Int128($1.bytes) },
                segments.reduce(0) { $0 + $1.duration.nanoseconds128 })
        else { return nil }
        let (shortest, longest) = (target.nanoseconds128 / 2, target.nanoseconds128 * 3 / 2)
        var peak: Int64?
        for first in segments.indices {
            var (bytes, length) = (Int128(0), Int128(0))
            for segment in segments[first...].prefix(Self.longestRun) {
                bytes += Int128(segment.bytes)
                length += segment.duration.nanoseconds128
                if length > longest { break }
                if length >= shortest, let rate = Self.rate(bytes, length) {
                    peak = max(peak ?? rate, rate)
                }
            }
        }
        self.peak = max(peak ?? average, average)
        self.average = average
    }

    private static func rate(_ bytes: Int128, _ nanoseconds: Int128) -> Int64? {
        guard nanoseconds > 0 else { return nil }
        return Int64(clamping: max(1, bytes * 8_000_000_000 / nanoseconds))
    }
}
