package import UndertextCore

/// The way in which the times of a subtitle become those of a reference.
package struct Alignment: Hashable, Sendable {
    /// A part of the subtitle that moves as one.
    package struct Segment: Hashable, Sendable {
        /// The first of its own times; the first segment counts for everything before, too.
        package var from: Timestamp
        /// The end of its own times; the last segment counts for everything after, too.
        package var to: Timestamp
        /// The offset that is added after the change of speed; negative means earlier.
        package var offset: Duration
        /// The cues that begin in it.
        package var cues: Int
        /// The cues of it that begin with a cue of the reference, to half a second.
        package var matched: Int
    }

    /// The factor for times; 1/1 means no change.
    package var speed: TimeBase
    /// The segments in order, at least one.
    package var segments: [Segment]
    /// The probability that the times are right, from 0 to 1.
    package var confidence: Double
    /// The evidence in units of the natural logarithm: how much better the times explain the reference than chance.
    package var evidence: Double
    /// The share of cues that would match at an arbitrary offset, from 0 to 1.
    package var chance: Double

    /// The cues before a break that come after it with their new times: the reference lacks that part.
    package var displaced = 0
    /// The cues that begin before everything in the reference or after it: their times are extrapolated.
    package var uncovered = 0

    /// The number of cues that were compared.
    package var cues: Int { segments.reduce(0) { $0 + $1.cues } }
    /// The number of cues that begin with a cue of the reference, to half a second.
    package var matched: Int { segments.reduce(0) { $0 + $1.matched } }

    /// The change of times.
    package var retiming: Retiming {
        Retiming(
            speed: speed, shift: segments[0].offset,
            breaks: segments.dropFirst().map { .init(from: $0.from, shift: $0.offset) })
    }
}
