internal import UndertextCore

/// Converts palette indices and opacities to colors.
struct SubPictureColors {
    private let settings: VobSubSettings
    private let palette: [RGBA]
    private let matrix: ColorMatrix

    /// The colors for a unit.
    ///
    /// - Parameters:
    ///   - settings: the palette, the custom colors, the opacity.
    ///   - visible: the palette indices that pixels use; without a palette they get grays from dark to bright,
    ///     so that text differs from its outline.
    ///   - matrix: converts colors that a unit stores as Y, Cr, Cb.
    init(_ settings: VobSubSettings, visible: Set<UInt8>, matrix: ColorMatrix) {
        self.settings = settings
        self.matrix = matrix
        if let palette = settings.palette {
            self.palette = palette.colors
        } else {
            var grays = [RGBA](repeating: .black, count: 16)
            let places = visible.sorted()
            for (rank, place) in places.enumerated() {
                let level = places.count == 1 ? 255 : rank * 255 / (places.count - 1)
                let gray = UInt8(clamping: level)
                grays[Int(place & 15)] = RGBA(red: gray, green: gray, blue: gray)
            }
            palette = grays
        }
    }

    /// The colors of the four pixel values.
    func four(colors: [UInt8], contrasts: [UInt8]) -> [RGBA] {
        (0..<4).map { value in
            if let custom = settings.customColors?[value] { return faded(custom, custom.alpha) }
            return faded(palette[Int(colors[value] & 15)], (contrasts[value] & 15) * 17)
        }
    }

    /// The colors of the 256 pixel values of HD DVD.
    func full(colors: [UInt8]?, contrasts: [UInt8]?) -> [RGBA] {
        (0..<256).map { value in
            let alpha = 255 - (contrasts?[value] ?? 0)
            guard let colors else {
                let gray = UInt8(value)
                return faded(RGBA(red: gray, green: gray, blue: gray), alpha)
            }
            let color = matrix.color(
                y: colors[value * 3], cb: colors[value * 3 + 2], cr: colors[value * 3 + 1],
                alpha: 255)
            return faded(color, alpha)
        }
    }

    private func faded(_ color: RGBA, _ alpha: UInt8) -> RGBA {
        let shown = (Int(alpha) * settings.alpha + 50) / 100
        return RGBA(rawValue: color.rawValue & 0xFFFF_FF00 | UInt32(shown))
    }
}
