import TestSupport
import UndertextCore

/// An image of one color but for a frame of another one.
func framedImage(
    x: Int, y: Int, width: Int, height: Int, fill: RGBA = .white, frame: RGBA = .black
) -> PlacedBitmap {
    var indices: [UInt8] = []
    for row in 0..<height {
        for column in 0..<width {
            let isEdge = row == 0 || column == 0 || row == height - 1 || column == width - 1
            indices.append(isEdge ? 1 : 0)
        }
    }
    return image(x, y, width, indices, [fill, frame])
}

/// An image of random indices below the number of colors.
func noisyImage(
    x: Int = 0, y: Int = 0, width: Int, height: Int, palette: [RGBA], seed: UInt64 = 1
) -> PlacedBitmap {
    var generator = SeededGenerator(seed: seed)
    let indices = (0..<width * height).map { _ in
        UInt8(Int.random(in: 0..<palette.count, using: &generator))
    }
    return image(x, y, width, indices, palette)
}

/// A placed image; the indices must fit.
func image(
    _ x: Int, _ y: Int, _ width: Int, _ indices: [UInt8], _ palette: [RGBA]
) -> PlacedBitmap {
    guard
        let bitmap = IndexedBitmap(
            width: width, height: indices.count / width, indices: indices, palette: palette)
    else { preconditionFailure("the image of the test does not fit its size") }
    return PlacedBitmap(x: x, y: y, bitmap: bitmap)
}

/// A cue of images, times in milliseconds.
func imageCue(
    _ start: Int64, _ end: Int64, _ images: [PlacedBitmap], order: Int = 0,
    isForced: Bool = false, canvas: PixelSize? = PixelSize(width: 720, height: 576)
) -> Cue {
    Cue(
        order: order, start: .milliseconds(start), end: .milliseconds(end), isForced: isForced,
        content: .images(CueImages(canvas: canvas, images: images)))
}
