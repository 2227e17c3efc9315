package import UndertextCore

/// The settings of images in the header of an .idx file, before its first time.
///
/// Matroska stores those lines as a track's header, and libavformat gives them for MP4 too.
package struct VobSubSettings: Hashable, Sendable {
    /// The canvas: `size: 720x576`.
    package var size: PixelSize?
    /// The offset of the left edges of images: the first number of `org: 0, 0`.
    package var left = 0
    /// The offset of the top edges of images: the second number of `org: 0, 0`.
    package var top = 0
    /// Percent of images' widths and left edges: the first number of `scale: 100%, 100%`.
    package var horizontalScale = 100
    /// Percent of images' heights and top edges: the second number of `scale: 100%, 100%`.
    package var verticalScale = 100
    /// Percent of the images' opacity: `alpha: 100%`.
    package var alpha = 100
    /// The sixteen colors: `palette: 000000, ffffff, …`.
    package var palette: SubPicturePalette?
    /// Colors that replace those of the palette, with their opacity: `custom colors: ON, tridx: 1000, colors:
    /// …`; a 1 makes the pixel value at that position transparent, the others are opaque.
    package var customColors: [RGBA]?
    /// `true` if a player is to show forced cues only: `forced subs: ON`.
    package var showsForcedOnly = false

    /// Reads a track's header: lines of an .idx file, or an MP4's 64 bytes of palette.
    package init(codecPrivate: [UInt8], matrix: ColorMatrix? = nil) {
        if let palette = SubPicturePalette(yCrCb: codecPrivate, matrix: matrix ?? .bt601) {
            self.palette = palette
            return
        }
        for line in codecPrivate.split(whereSeparator: { $0 == 10 || $0 == 13 || $0 == 0 }) {
            guard let colon = line.firstIndex(of: 0x3A) else { continue }
            let key = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = String(decoding: line[(colon + 1)...].prefix(1024), as: UTF8.self)
            read(key.filter { $0 != " " && $0 != "\u{FEFF}" }, value.lowercased())
        }
    }

    private mutating func read(_ key: String, _ value: String) {
        let numbers = Self.numbers(value)
        switch key {
        case "size":
            guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return }
            size = PixelSize(width: numbers[0], height: numbers[1])
        case "org":
            if numbers.count == 2 { (left, top) = (numbers[0], numbers[1]) }
        case "scale":
            if numbers.count == 2, numbers.allSatisfy({ (1...1000).contains($0) }) {
                (horizontalScale, verticalScale) = (numbers[0], numbers[1])
            }
        case "alpha":
            if let percent = numbers.first { alpha = min(100, max(0, percent)) }
        case "palette":
            let colors = Self.colors(value)
            if !colors.isEmpty { palette = SubPicturePalette(colors) }
        case "customcolors": customColors = Self.customColors(value)
        case "forcedsubs": showsForcedOnly = Self.isOn(value)
        default: break
        }
    }

    private static func isOn(_ value: String) -> Bool {
        let word = value.drop { $0 == " " || $0 == "\t" }.prefix { $0 != "," && $0 != " " }
        return word == "on" || word == "1"
    }

    /// The value `on, tridx: 1000, colors: 000000, 444444, 888888, cccccc`.
    private static func customColors(_ value: String) -> [RGBA]? {
        let parts = value.split(separator: ":")
        guard isOn(value), parts.count == 3 else { return nil }
        let bits = parts[1].filter { $0 == "0" || $0 == "1" }
        let colors = colors(String(parts[2]))
        guard bits.count == 4, colors.count == 4 else { return nil }
        return zip(colors, bits).map { color, bit in
            RGBA(rawValue: color.rawValue & 0xFFFF_FF00 | (bit == "1" ? 0 : 255))
        }
    }

    /// Hexadecimal numbers RRGGBB between commas or spaces.
    private static func colors(_ value: String) -> [RGBA] {
        value.split { $0 == "," || $0 == " " || $0 == "\t" }.compactMap { word in
            guard word.utf8.count <= 8, let color = UInt32(word, radix: 16) else { return nil }
            return RGBA(rawValue: (color & 0xFF_FFFF) << 8 | 255)
        }
    }

    /// The whole numbers of a line, at most six digits each.
    private static func numbers(_ value: String) -> [Int] {
        value.split { !("0"..."9").contains($0) && $0 != "-" }.compactMap { word in
            word.utf8.count <= 7 ? Int(word) : nil
        }
    }
}
