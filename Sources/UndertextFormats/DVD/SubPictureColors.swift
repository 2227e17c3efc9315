internal import UndertextCore

/// Turns places in the palette and opacities into colours.
struct SubPictureColors {
    private let settings: VobSubSettings
    private let palette: [RGBA]
    private let matrix: ColorMatrix

    /// The colours for a unit that makes `visible` places of the palette visible.
    ///
    /// - Parameters:
    ///   - settings: the palette, the custom colours, the opacity.
    ///   - visible: the places that pixels use; where there is no palette they get greys from
    ///     dark to bright, so that letters differ from their outlines.
    ///   - matrix: for the colours that a unit itself holds as Y, Cr, Cb.
    init(_ settings: VobSubSettings, visible: Set<UInt8>, matrix: ColorMatrix) {
        self.settings = settings
        self.matrix = matrix
        if let palette = settings.palette {
            self.palette = palette.colors
        } else {
            var greys = [RGBA](repeating: .black, count: 16)
            let places = visible.sorted()
            for (rank, place) in places.enumerated() {
                let level = places.count == 1 ? 255 : rank * 255 / (places.count - 1)
                let grey = UInt8(clamping: level)
                greys[Int(place & 15)] = RGBA(red: grey, green: grey, blue: grey)
            }
            palette = greys
        }
    }

    /// The colours of the four pixel values.
    func four(colors: [UInt8], contrasts: [UInt8]) -> [RGBA] {
        (0..<4).map { value in
            if let custom = settings.customColors?[value] { return faded(custom, custom.alpha) }
            return faded(palette[Int(colors[value] & 15)], (contrasts[value] & 15) * 17)
        }
    }

    /// The colours of the 256 pixel values of HD DVD.
    func full(colors: [UInt8]?, contrasts: [UInt8]?) -> [RGBA] {
        (0..<256).map { value in
            let alpha = 255 - (contrasts?[value] ?? 0)
            guard let colors else {
                let grey = UInt8(value)
                return faded(RGBA(red: grey, green: grey, blue: grey), alpha)
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
