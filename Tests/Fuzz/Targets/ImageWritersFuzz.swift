import UndertextCore
import UndertextFormats

/// Makes cues of images from the input and writes them as .sup and as VobSub.
///
/// A cue is: how long after the one before, how long it lasts, flags and number of images; a
/// image is: place, size, number of colors, and bytes that its indices repeat.
func imageWritersFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var reader = ByteReader(Array(UnsafeBufferPointer(start: start, count: count)))
    var sup = SUPWriter()
    var vobSub = VobSubWriter()
    var (file, pair): ([[UInt8]], [[UInt8]]) = ([[]], [[], []])
    var time: Int64 = 0
    var order = 0
    while let gap = reader.uint8(), let length = reader.uint8(), let flags = reader.uint8(),
        order < 64
    {
        time += Int64(gap) * (gap > 250 ? 1_000_000_007 : 37)
        let images = (0..<Int(flags & 7)).compactMap { _ in image(&reader) }
        let canvas: PixelSize? =
            flags & 8 == 0
            ? PixelSize(width: 720, height: 576)
            : flags & 16 == 0
                ? nil : PixelSize(width: 7680, height: 64)
        let cue = Cue(
            order: order, start: .milliseconds(time),
            end: .milliseconds(time + Int64(length) * (length > 250 ? 100_000 : 90)),
            isForced: flags & 32 != 0, layer: Int(flags >> 6),
            content: .images(CueImages(canvas: canvas, images: images)))
        order += 1
        sup.write(cue, into: &file)
        vobSub.write(cue, into: &pair)
    }
    sup.finish(into: &file)
    vobSub.finish(into: &pair)
    precondition(file[0].isEmpty || file[0].starts(with: [0x50, 0x47]))
    precondition(pair[1].count % 2048 == 0)
    return 0
}

private func image(_ reader: inout ByteReader) -> PlacedBitmap? {
    guard let x = reader.uint8(), let y = reader.uint8(), let width = reader.uint8(),
        let height = reader.uint8(), let colors = reader.uint8(), let size = reader.uint8()
    else { return nil }
    let bytes = Array(reader.slice(Int(size) + 1) ?? [])
    guard width > 0, height > 0, !bytes.isEmpty else { return nil }
    let number = Int(colors) + 1
    let indices = (0..<Int(width) * Int(height)).map { place in
        UInt8(Int(bytes[place % bytes.count]) % number)
    }
    let palette = (0..<number).map { RGBA(rawValue: UInt32($0) &* 0x9E37_79B1) }
    return IndexedBitmap(
        width: Int(width), height: Int(height), indices: indices, palette: palette
    ).map { PlacedBitmap(x: Int(x) * 5 - 100, y: Int(y) * 4 - 100, bitmap: $0) }
}
