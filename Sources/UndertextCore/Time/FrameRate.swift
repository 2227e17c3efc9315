/// A frame rate of timecodes; the raw values are those of BDN XML.
///
/// Timecodes count frames of the next whole rate: NTSC rates are 1000/1001 of it, and their
/// timecodes are non-drop-frame (SMPTE ST 12-1), so they lag the clock by 3.6 s per hour.
package enum FrameRate: String, Hashable, Sendable, CaseIterable {
    /// 24000/1001 frames a second.
    case film = "23.976"
    /// 24 frames a second.
    case cinema = "24"
    /// 25 frames a second.
    case pal = "25"
    /// 30000/1001 frames a second.
    case ntsc = "29.97"
    /// 50 frames a second.
    case palFields = "50"
    /// 60000/1001 frames a second.
    case ntscFields = "59.94"

    /// The next whole rate, in which timecodes count.
    package var integerRate: Int64 {
        switch self {
        case .film, .cinema: 24
        case .pal: 25
        case .ntsc: 30
        case .palFields: 50
        case .ntscFields: 60
        }
    }

    /// `true` if a frame lasts 1001/1000 of a frame of the whole rate.
    package var isNTSC: Bool { self == .film || self == .ntsc || self == .ntscFields }

    /// Creates the rate nearest to a number of frames per second, or `nil` if none is within half a per mille.
    ///
    /// Frame rates from containers are rounded: 23.976 may come as 2997/125 or 24000/1001.
    package init?(framesPerSecond rate: TimeBase) {
        guard rate.isValid else { return nil }
        let match = Self.allCases.first { candidate in
            let scale: Int64 = candidate.isNTSC ? 1001 : 1000
            let wanted = Int128(candidate.integerRate) * 1000 * Int128(rate.denominator)
            let actual = Int128(rate.numerator) * Int128(scale)
            return (wanted - actual).magnitude * 2000 <= wanted.magnitude
        }
        guard let match else { return nil }
        self = match
    }

    /// Creates the default for a canvas: 25 for 576 lines, 29.97 for 480 lines, otherwise 23.976, the rate of nearly
    /// every movie on disc.
    package init(canvas: PixelSize?) {
        switch canvas?.height {
        case 576: self = .pal
        case 480: self = .ntsc
        default: self = .film
        }
    }

    /// Returns the frame nearest to `time`, halves rounded up; 0 for negative times.
    package func frame(at time: Timestamp) -> Int64 {
        guard time > .zero else { return 0 }
        // frame = time * rate / second, and a second of NTSC lasts 1.001 s.
        let second: Int128 = (isNTSC ? 1_001_000_000 : 1_000_000_000)
        let doubled = Int128(time.nanoseconds) * Int128(integerRate) * 2
        return Int64(clamping: (doubled + second) / (2 * second))
    }

    /// Returns the start of `frame`, to the nearest nanosecond; saturates.
    package func time(ofFrame frame: Int64) -> Timestamp {
        let second: Int128 = (isNTSC ? 1_001_000_000 : 1_000_000_000)
        let (quotient, remainder) = (Int128(max(0, frame)) * second)
            .quotientAndRemainder(dividingBy: Int128(integerRate))
        let rounded = quotient + (remainder * 2 >= Int128(integerRate) ? 1 : 0)
        return Timestamp(nanoseconds: Int64(clamping: rounded))
    }
}
