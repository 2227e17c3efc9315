package import UndertextCore

/// A conversion of Y, Cb and Cr of limited range (16 to 235 and 16 to 240) to red, green and blue.
package enum ColorMatrix: String, Hashable, Sendable, CaseIterable {
    /// Standard definition: ITU-R BT.601.
    case bt601
    /// High definition: ITU-R BT.709.
    case bt709
    /// Ultra high definition: ITU-R BT.2020, non-constant luminance.
    case bt2020

    /// The matrix that discs of that image height are authored with: BT.709 above 576 lines.
    ///
    /// Ultra high definition discs are authored with BT.709 graphics too, so BT.2020 is never
    /// guessed.
    package init(height: Int) { self = height > 576 ? .bt709 : .bt601 }

    /// The color, components clamped to 0…255.
    package func color(y: UInt8, cb: UInt8, cr: UInt8, alpha: UInt8) -> RGBA {
        let luma = (Int(y) - 16) * Self.lumaScale
        let blueDifference = Int(cb) - 128
        let redDifference = Int(cr) - 128
        let factors = factors
        return RGBA(
            red: Self.component(luma + factors.redFromCr * redDifference),
            green: Self.component(
                luma - factors.greenFromCb * blueDifference - factors.greenFromCr * redDifference),
            blue: Self.component(luma + factors.blueFromCb * blueDifference),
            alpha: alpha)
    }

    /// 255 / 219 in 1/65536.
    private static let lumaScale = 76309

    /// Factors in 1/65536: `2 (1 - Kr) 255/224` and so on, from Kr and Kb of each recommendation.
    private var factors: (redFromCr: Int, greenFromCb: Int, greenFromCr: Int, blueFromCb: Int) {
        switch self {
        case .bt601: (104_597, 25_675, 53_279, 132_201)
        case .bt709: (117_489, 13_975, 34_925, 138_438)
        case .bt2020: (110_014, 12_277, 42_626, 140_363)
        }
    }

    private static func component(_ scaled: Int) -> UInt8 {
        UInt8(clamping: (scaled + (1 << 15)) >> 16)
    }
}
