import UndertextPNG

/// Decodes the input, and writes an image made of it, which must come back exactly.
func pngFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let image = try? PNGDecoder.decodeRGBA(bytes, largestSide: 512) {
        precondition(image.rgba.count == image.width * image.height * 4)
    }
    roundTrip(bytes)
    return 0
}

private func roundTrip(_ bytes: [UInt8]) {
    guard bytes.count > 6 else { return }
    let width = Int(bytes[0] % 64) + 1
    let palette = bytes.dropFirst().prefix(64).map { UInt32($0) &* 0x0183_1F2B }
    let indices = bytes.map { UInt8(Int($0) % palette.count) }
    let height = indices.count / width
    guard height > 0 else { return }
    let pixels = Array(indices[..<(width * height)])
    guard
        let file = try? PNGEncoder.encode(
            width: width, height: height, indices: pixels, palette: palette),
        let image = try? PNGDecoder.decodeRGBA(file)
    else { fatalError("an image was not written, or not read back") }
    for (position, index) in pixels.enumerated() {
        let stored = image.rgba[(position * 4)..<(position * 4 + 4)]
        precondition(stored.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } == palette[Int(index)])
    }
}
