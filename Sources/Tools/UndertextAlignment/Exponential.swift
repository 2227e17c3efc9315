// The standard library has neither function, and the C library is for leaf targets.

/// The exponential function, exact to about 12 digits.
func exp(_ value: Double) -> Double {
    let ln2 = 0.693_147_180_559_945_3
    let exponent = (value / ln2).rounded()
    guard exponent > -1000 else { return 0 }
    guard exponent < 1000 else { return .infinity }
    let rest = value - exponent * ln2
    var (sum, term) = (1.0, 1.0)
    for index in 1...12 {
        term *= rest / Double(index)
        sum += term
    }
    return Double(sign: .plus, exponent: Int(exponent), significand: sum)
}

/// The natural logarithm of a positive number, exact to about 9 digits.
func log(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return value > 0 ? .infinity : -.infinity }
    let ratio = (value.significand - 1) / (value.significand + 1)
    var (sum, power) = (0.0, ratio)
    for index in stride(from: 1, through: 17, by: 2) {
        sum += power / Double(index)
        power *= ratio * ratio
    }
    return 2 * sum + Double(value.exponent) * 0.693_147_180_559_945_3
}
