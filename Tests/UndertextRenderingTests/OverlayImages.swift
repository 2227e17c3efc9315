import TestSupport
import Testing
import UndertextCore
import UndertextFormats
import UndertextPNG

@testable import UndertextRendering

/// Measurements of an overlay for the tests of this target.
extension Overlay {
    /// The color of a pixel, straight.
    func color(x: Int, y: Int) -> RGBA {
        let place = y * stride + x * 4
        let bytes = straightRGBA
        return RGBA(
            red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2],
            alpha: bytes[place + 3])
    }

    /// The smallest rectangle with all pixels for which `matches` holds.
    func bounds(where matches: (RGBA) -> Bool) -> PixelRectangle {
        let bytes = straightRGBA
        var (left, top, right, bottom) = (width, height, -1, -1)
        for y in bounds.y..<bounds.y + bounds.height {
            for x in bounds.x..<bounds.x + bounds.width {
                let place = y * stride + x * 4
                let color = RGBA(
                    red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2],
                    alpha: bytes[place + 3])
                guard matches(color) else { continue }
                left = min(left, x)
                right = max(right, x)
                top = min(top, y)
                bottom = max(bottom, y)
            }
        }
        return PixelRectangle(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    /// The place of what is more opaque than not.
    var ink: PixelRectangle { bounds { $0.alpha > 127 } }

    /// Writes a PNG on gray to the folder that `UNDERTEXT_PICTURES` names, for looking at it.
    func keep(as name: String) throws {
        guard let folder = environment("UNDERTEXT_PICTURES") else { return }
        var bytes = pixels
        for place in Swift.stride(from: 0, to: bytes.count, by: 4) {
            let rest = 255 - Int(bytes[place + 3])
            let isLight = (place / 4 / width / 40 + place / 4 % width / 40) % 2 == 0
            for index in place..<place + 3 {
                bytes[index] = UInt8(
                    clamping: Int(bytes[index]) + (isLight ? 110 : 90) * rest / 255)
            }
            if format == .bgra { bytes.swapAt(place, place + 2) }
            bytes[place + 3] = 255
        }
        let file = try PNGEncoder.encodeRGBA(width: width, height: height, rgba: bytes)
        #expect(writeFile(file, to: "\(folder)/\(name).png"))
    }
}
