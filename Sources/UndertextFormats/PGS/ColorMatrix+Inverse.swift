internal import UndertextCore

/// A color as PGS palettes store it, limited range.
struct LumaChroma: Hashable {
    var y: UInt8
    var cb: UInt8
    var cr: UInt8
}

extension ColorMatrix {
    /// The Y, Cb and Cr whose color by this matrix is nearest to `color`; alpha is ignored.
    ///
    /// Rounding the three components independently may miss by more than one, so their neighbors are tried: a
    /// color that was converted from Y, Cb and Cr is reproduced exactly.
    func lumaChroma(of color: RGBA) -> LumaChroma {
        // Kr and Kb of the recommendations, in 1/10000.
        let (kr, kb): (Int, Int) =
            switch self {
            case .bt601: (2990, 1140)
            case .bt709: (2126, 722)
            case .bt2020: (2627, 593)
            }
        let (red, green, blue) = (Int(color.red), Int(color.green), Int(color.blue))
        let luma = kr * red + (10000 - kr - kb) * green + kb * blue
        func rounded(_ value: Int, _ divisor: Int) -> Int {
            (value >= 0 ? value + divisor / 2 : value - divisor / 2) / divisor
        }
        let y = 16 + rounded(luma * 219, 2_550_000)
        let cb = 128 + rounded((blue * 10000 - luma) * 224, 2 * (10000 - kb) * 255)
        let cr = 128 + rounded((red * 10000 - luma) * 224, 2 * (10000 - kr) * 255)
        var best = (error: Int.max, value: LumaChroma(y: 16, cb: 128, cr: 128))
        for offset in Self.neighbors {
            let candidate = LumaChroma(
                y: UInt8(clamping: y + offset.0), cb: UInt8(clamping: cb + offset.1),
                cr: UInt8(clamping: cr + offset.2))
            let back = self.color(
                y: candidate.y, cb: candidate.cb, cr: candidate.cr, alpha: color.alpha)
            let error =
                Self.square(back.red, color.red) + Self.square(back.green, color.green)
                + Self.square(back.blue, color.blue)
            if error < best.error { best = (error, candidate) }
            if error == 0 { break }
        }
        return best.value
    }

    /// The rounded components themselves first.
    private static let neighbors: [(Int, Int, Int)] = {
        let steps = [0, -1, 1]
        return steps.flatMap { y in steps.flatMap { cb in steps.map { (y, cb, $0) } } }
    }()

    private static func square(_ one: UInt8, _ other: UInt8) -> Int {
        let difference = Int(one) - Int(other)
        return difference * difference
    }
}
