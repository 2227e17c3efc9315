package import UndertextCore

/// A change of speed between two of the usual frame rates.
package struct FrameRateChange: Hashable, Sendable {
    /// The factor for times: the rate that the subtitle was made for, divided by that of the reference.
    package let speed: TimeBase
    /// Both rates, such as `25:23.976`.
    package let name: String

    /// The factor as a number.
    var factor: Double { Double(speed.numerator) / Double(speed.denominator) }

    private static let rates: [(name: String, up: Int64, down: Int64)] = [
        ("23.976", 24_000, 1001), ("24", 24, 1), ("25", 25, 1), ("29.97", 30_000, 1001),
        ("30", 30, 1),
    ]

    /// The different changes between the usual rates, without that of no change.
    package static let usual: [FrameRateChange] = {
        var found: [FrameRateChange] = []
        for from in rates {
            for to in rates where from.name != to.name {
                guard let speed = try? Retiming.speed(parsing: "\(from.name):\(to.name)"),
                    !found.contains(where: { $0.speed == speed })
                else { continue }
                found.append(FrameRateChange(speed: speed, name: "\(from.name):\(to.name)"))
            }
        }
        return found
    }()

    /// The usual change of a speed; `nil` if it is another one.
    package static func named(_ speed: TimeBase) -> FrameRateChange? {
        usual.first { $0.speed == speed }
    }
}
