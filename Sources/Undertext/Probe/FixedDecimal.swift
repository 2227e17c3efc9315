internal import UndertextCore

/// A time as ffprobe prints it: ticks times the time base as a double, by `printf("%f")`.
///
/// `nil` where ffprobe would print no number: an invalid time base, `AV_NOPTS_VALUE`.
func ffprobeSeconds(_ ticks: Int64, _ timeBase: TimeBase) -> String? {
    guard ticks != .min, timeBase.denominator != 0 else { return nil }
    return sixDecimals(
        Double(ticks) * (Double(timeBase.numerator) / Double(timeBase.denominator)))
}

/// C's `%f`: six decimals of the exact binary value, halves to even; `nil` if it is not finite.
func sixDecimals(_ value: Double) -> String? {
    guard value.isFinite, value.magnitude < 0x1p126 else { return nil }
    let significand = UInt128(value.significandBitPattern)
    let isSubnormal = value.exponentBitPattern == 0
    let mantissa = isSubnormal ? significand : significand | 1 << 52
    let exponent = (isSubnormal ? 1 : Int(value.exponentBitPattern)) - 1075
    let sign = value.sign == .minus ? "-" : ""
    guard exponent < 0 else { return sign + String(mantissa << UInt128(exponent)) + ".000000" }
    let scaled = mantissa * 1_000_000
    var millionths: UInt128 = 0
    if exponent > -100 {
        let shift = UInt128(-exponent)
        millionths = scaled >> shift
        let remainder = scaled - (millionths << shift)
        let half = (1 as UInt128) << (shift - 1)
        if remainder > half || (remainder == half && millionths % 2 == 1) { millionths += 1 }
    }
    let fraction = String(millionths % 1_000_000)
    return sign + String(millionths / 1_000_000) + "."
        + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
}
