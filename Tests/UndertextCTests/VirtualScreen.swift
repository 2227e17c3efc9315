import TestSupport
import Testing

/// An X server whose screen is a file.
final class VirtualScreen {
    /// The value of `DISPLAY`.
    let display: String
    private let process: Int32
    private let folder = TemporaryDirectory()

    /// Starts a server; `nil` if it does not.
    init?(width: Int, height: Int) {
        folder.write("", to: "in")
        let path = ["/usr/bin/Xvfb", "/usr/local/bin/Xvfb"].first { exists($0) } ?? "Xvfb"
        let arguments = [
            "Xvfb", "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-fbdir",
            folder.path,
            "-nolisten", "tcp", "-noreset",
        ]
        let out = folder / "out"
        guard
            let process = spawn(
                path, arguments, input: folder / "in", output: out, error: folder / "err")
        else { return nil }
        self.process = process
        var number = ""
        let isUp = eventually {
            number = String(decoding: fileBytes(out) ?? [], as: UTF8.self)
            return number.hasSuffix("\n")
        }
        display = ":" + number.split(separator: "\n").joined()
        if !isUp { return nil }
    }

    deinit {
        send(signal: 15, to: process)
        _ = waitForExit(process)
    }

    /// The current image of the screen; `nil` while the server's file is incomplete.
    var image: ScreenImage? {
        fileBytes(folder / "Xvfb_screen0").flatMap { ScreenImage(xwd: $0) }
    }

    /// The first image that is as wanted; `nil` if none is in time.
    func wait(_ isWanted: (ScreenImage) -> Bool) -> ScreenImage? {
        var found: ScreenImage?
        _ = eventually {
            guard let now = image, isWanted(now) else { return false }
            found = now
            return true
        }
        return found
    }
}

/// Columns and rows that hold something.
struct Bounds: Equatable {
    var x: ClosedRange<Int>
    var y: ClosedRange<Int>
}

/// A color of the screen.
struct ScreenPixel {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    /// The strongest of the three.
    var brightness: UInt8 { max(red, green, blue) }
    /// `true` if it is nearly pure red.
    var isRed: Bool { red > 150 && green < 60 && blue < 60 }
}

/// An image of the screen.
struct ScreenImage {
    let width: Int
    let height: Int
    private let pixels: [ScreenPixel]

    /// Reads the X window dump that the server keeps: 32 bits a pixel, blue first.
    init?(xwd bytes: [UInt8]) {
        func word(_ offset: Int) -> Int {
            guard offset + 4 <= bytes.count else { return 0 }
            return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        // XWDFile.h: header_size, …, pixmap_width, pixmap_height, …, bits_per_pixel, bytes_per_line, …
        let (width, height, stride) = (word(16), word(20), word(48))
        let start = word(0) + word(76) * 12
        guard word(44) == 32, width > 0, height > 0, bytes.count >= start + stride * height else {
            return nil
        }
        self.width = width
        self.height = height
        pixels = (0..<height).flatMap { y in
            (0..<width).map { x in
                let at = start + y * stride + x * 4
                return ScreenPixel(red: bytes[at + 2], green: bytes[at + 1], blue: bytes[at])
            }
        }
    }

    /// Around all pixels of a kind; `nil` if there are none.
    func bounds(where isWanted: (ScreenPixel) -> Bool) -> Bounds? {
        var result: Bounds?
        for (index, pixel) in pixels.enumerated() where isWanted(pixel) {
            let (x, y) = (index % width, index / width)
            guard let known = result else {
                result = Bounds(x: x...x, y: y...y)
                continue
            }
            result = Bounds(
                x: min(known.x.lowerBound, x)...max(known.x.upperBound, x),
                y: known.y.lowerBound...y)
        }
        return result
    }

    /// The text that is read in it, dark on white.
    func letters() -> String {
        var file = Array("P5\n\(width) \(height)\n255\n".utf8)
        for pixel in pixels { file.append(255 - pixel.brightness) }
        let folder = TemporaryDirectory()
        folder.write(file, to: "screen.pgm")
        return run("tesseract", [folder / "screen.pgm", "-", "--psm", "11"]).text
    }
}
