internal import UndertextCore

/// Times within a document: nanoseconds from its zero, never negative.
///
/// Far-off times end at ``latest``, so that sums of them cannot overflow.
typealias TTMLTime = Int64

extension TTMLTime {
    /// No end.
    static let indefinite = TTMLTime.max
    /// The latest time that counts: 73 years, a whole number of seconds.
    static let latest: TTMLTime = 2_305_843_009_000_000_000

    /// The time `offset` later.
    func later(by offset: TTMLTime) -> TTMLTime {
        self == .indefinite || offset == .indefinite
            ? .indefinite : Swift.min(self + offset, .latest)
    }
}

/// Reads time expressions.
///
/// TTML2, section 12.3.1 (`<time-expression>`) and appendix I (time expression semantics).
struct TTMLClock: Hashable {
    /// The time base of `begin`, `end` and `dur`.
    enum Base: Hashable {
        case media
        case smpte
    }

    var base = Base.media
    /// Frames of a second as counted.
    var frameRate: Int64 = 30
    /// The multiplier of the frame rate.
    var multiplier: (numerator: Int64, denominator: Int64) = (1, 1)
    var subFrameRate: Int64 = 1
    /// Ticks of a second; `nil` = as frames say.
    var tickRate: Int64?
    var statesFrameRate = false
    /// The drop mode: the frame numbers that are left out.
    var drop = Drop.none

    /// Frame numbers that are left out so that the clock keeps to 29.97 frames.
    enum Drop: Hashable {
        case none
        case ntsc
        case pal
    }

    static func == (left: TTMLClock, right: TTMLClock) -> Bool {
        left.base == right.base && left.frameRate == right.frameRate
            && left.multiplier == right.multiplier && left.subFrameRate == right.subFrameRate
            && left.tickRate == right.tickRate && left.drop == right.drop
    }

    func hash(into hasher: inout Hasher) { hasher.combine(frameRate) }

    private static let second: Int128 = 1_000_000_000

    /// The time that an attribute states; `nil` where it is no time expression.
    func time(_ text: some StringProtocol) -> TTMLTime? {
        let bytes = Array(text.utf8)
        let body = bytes[...].trimmed
        guard let first = body.first, first.isDigit || first == 0x2E else { return nil }
        return body.contains(0x3A) ? clock(body) : offset(body)
    }

    // MARK: Clock times

    private func clock(_ text: ArraySlice<UInt8>) -> TTMLTime? {
        let parts = text.split(separator: 0x3A, maxSplits: 4, omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), let hours = integer(parts[0]),
            let minutes = integer(parts[1])
        else { return nil }
        let whole = hours * 3600 + minutes * 60
        guard parts.count == 4 else {
            // A comma is what SubRip writes, and converters leave.
            guard let seconds = TTMLNumber(parts[2], allowsComma: true) else { return nil }
            return clamped(whole * Self.second + seconds.scaled(by: Self.second))
        }
        guard let seconds = integer(parts[2]), let frames = TTMLNumber(parts[3], dot: 0x2E) else {
            return nil
        }
        // Sub-frames follow the point: they are counted, not decimals.
        let subFrames = min(frames.digitsAfter, Int128(subFrameRate))
        let counted =
            frames.wholePart * Int128(subFrameRate) + subFrames
        let total = whole + seconds
        switch base {
        case .media: return clamped(total * Self.second + duration(ofSubFrames: counted))
        case .smpte:
            let all = (total * Int128(frameRate) - dropped(at: total)) * Int128(subFrameRate)
            return clamped(duration(ofSubFrames: all + counted))
        }
    }

    /// Frame numbers left out up to a second of the clock.
    private func dropped(at seconds: Int128) -> Int128 {
        let minutes = seconds / 60
        switch drop {
        case .none: return 0
        case .ntsc: return (minutes - minutes / 10) * 2
        // Four in each second minute, but for each twentieth.
        case .pal: return (minutes / 2 - minutes / 20) * 4
        }
    }

    private func duration(ofSubFrames count: Int128) -> Int128 {
        let divisor = Int128(frameRate) * Int128(multiplier.numerator) * Int128(subFrameRate)
        return rounded(count * Int128(multiplier.denominator) * Self.second, divisor)
    }

    // MARK: Offsets

    private func offset(_ text: ArraySlice<UInt8>) -> TTMLTime? {
        let end = text.firstIndex { !$0.isDigit && $0 != 0x2E } ?? text.endIndex
        guard let number = TTMLNumber(text[..<end]) else { return nil }
        switch text[end...].text {
        case "h": return clamped(number.scaled(by: 3600 * Self.second))
        case "m": return clamped(number.scaled(by: 60 * Self.second))
        // Without a unit it is none of TTML's, but files mean seconds.
        case "s", "": return clamped(number.scaled(by: Self.second))
        case "ms": return clamped(number.scaled(by: 1_000_000))
        case "f":
            let factor = Int128(multiplier.denominator) * Self.second
            return clamped(
                number.scaled(by: factor, over: Int128(frameRate) * Int128(multiplier.numerator)))
        case "t": return clamped(number.scaled(by: Self.second, over: ticks))
        default: return nil
        }
    }

    /// Ticks of a second, as a fraction made whole: TTML2, section 7.2.12 (`ttp:tickRate`).
    private var ticks: Int128 {
        if let tickRate { return Int128(tickRate) }
        return statesFrameRate ? Int128(frameRate) * Int128(subFrameRate) : 1
    }

    private func integer(_ text: ArraySlice<UInt8>) -> Int128? {
        guard (1...12).contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int128($1 &- 0x30) }
    }

    private func clamped(_ value: Int128) -> TTMLTime {
        TTMLTime(Swift.min(Swift.max(value, 0), Int128(TTMLTime.latest)))
    }
}

/// A decimal number that is not negative, exact to 18 digits after the point.
struct TTMLNumber {
    private(set) var wholePart: Int128 = 0
    /// The digits after the point as a number by themselves.
    private(set) var digitsAfter: Int128 = 0
    /// Ten to the number of these digits.
    private var scale: Int128 = 1

    /// Reads digits with at most one point; `nil` if malformed, or with more than 15 digits before the point.
    init?(_ text: ArraySlice<UInt8>, allowsComma: Bool = false, dot: UInt8 = 0x2E) {
        var isBehind = false
        var hasDigit = false
        for byte in text {
            if byte.isDigit {
                hasDigit = true
                let digit = Int128(byte &- 0x30)
                if !isBehind {
                    wholePart = wholePart * 10 + digit
                    guard wholePart < 1_000_000_000_000_000 else { return nil }
                } else if scale < 1_000_000_000_000_000_000 {
                    digitsAfter = digitsAfter * 10 + digit
                    scale *= 10
                }
            } else if byte == dot || allowsComma && byte == 0x2C, !isBehind {
                isBehind = true
            } else {
                return nil
            }
        }
        guard hasDigit else { return nil }
    }

    /// The number times `factor` over `divisor`, rounded half up.
    func scaled(by factor: Int128, over divisor: Int128 = 1) -> Int128 {
        // Fifteen digits times a factor of at most fourteen, and eighteen times the same: both fit.
        let whole = rounded(wholePart * factor, divisor)
        guard digitsAfter > 0 else { return whole }
        // Only the two together round as the number does.
        let (product, overflow) = wholePart.multipliedReportingOverflow(by: scale)
        if !overflow {
            let (sum, carry) = product.addingReportingOverflow(digitsAfter)
            let (all, more) = sum.multipliedReportingOverflow(by: factor)
            let (over, most) = divisor.multipliedReportingOverflow(by: scale)
            if !carry, !more, !most { return rounded(all, over) }
        }
        return whole
    }
}

/// The quotient of a number that is not negative, rounded half up.
private func rounded(_ value: Int128, _ divisor: Int128) -> Int128 {
    guard divisor > 0 else { return 0 }
    return (value + divisor / 2) / divisor
}
