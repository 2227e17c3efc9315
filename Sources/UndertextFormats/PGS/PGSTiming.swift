internal import UndertextCore

/// The decoding times of a display set by the model of the disc standard, in ticks of 90 kHz.
///
/// Patent US20090185789A1: the graphics plane is cleared and windows are drawn at 256 Mbit/s, objects are
/// decoded at 128 Mbit/s, sequentially; a window is drawn after its objects are decoded.
struct PGSTiming {
    /// Ticks from the start of decoding to each object's end.
    let objects: [Int64]
    /// Ticks for drawing the windows.
    let windows: Int64
    /// Ticks from the start of decoding to the display.
    let whole: Int64

    /// Times of a composition that starts an epoch.
    init(_ composition: PGSScreen, canvas: PixelSize) {
        var decoded: [Int64] = []
        var sum: Int64 = 0
        for object in composition.objects {
            let bitmap = object.image.bitmap
            sum += Self.ticks(pixels: bitmap.width * bitmap.height, perTick: 1600)
            decoded.append(sum)
        }
        let drawing = composition.windows.map(Self.drawing)
        var time = Self.ticks(pixels: canvas.width * canvas.height, perTick: 3200)
        for (index, window) in drawing.enumerated() {
            let last = composition.objects.lastIndex { $0.window == index }
            if let last { time = max(time, decoded[last]) }
            time += window
        }
        objects = decoded
        windows = drawing.reduce(0, +)
        whole = time
    }

    /// Times of a composition that clears windows.
    init(clearing windows: [PixelRectangle]) {
        objects = []
        self.windows = windows.map(Self.drawing).reduce(0, +)
        whole = self.windows
    }

    private static func drawing(_ window: PixelRectangle) -> Int64 {
        ticks(pixels: window.width * window.height, perTick: 3200)
    }

    /// 8 bits a pixel, 90000 ticks a second: `pixels * 9 / perTick`, rounded up.
    private static func ticks(pixels: Int, perTick: Int) -> Int64 {
        Int64(clamping: (Int128(pixels) * 9 + Int128(perTick) - 1) / Int128(perTick))
    }
}
