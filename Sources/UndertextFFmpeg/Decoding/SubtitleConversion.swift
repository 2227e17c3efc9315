internal import CFFmpeg
internal import UndertextCore

/// Copies an `AVSubtitle` and validates everything that libavcodec does not.
struct SubtitleConversion {
    let limits: Limits
    /// The omissions and repairs, as codes and messages.
    private(set) var problems: [(Diagnostic.Severity, String, String)] = []

    init(limits: Limits) { self.limits = limits }

    /// The checked copy.
    mutating func value(of subtitle: borrowing SubtitleBuffer, canvas: PixelSize?)
        -> DecodedSubtitle
    {
        let pts = unsafe subtitle.pointer.pointee.pts
        let end = unsafe subtitle.pointer.pointee.end_display_time
        let startOffset = unsafe subtitle.pointer.pointee.start_display_time
        var result = DecodedSubtitle(
            start: known(pts).flatMap { Timestamp(ticks: $0, timeBase: .microseconds) },
            startOffset: startOffset == .max ? 0 : startOffset,
            // 0 is "unknown", the largest value "until something replaces it".
            endOffset: end == 0 || end == .max ? nil : end, canvas: canvas)
        var pixels = 0
        let count = unsafe Int(subtitle.pointer.pointee.num_rects)
        if count > limits.objects {
            problems.append(
                (.error, "too-many-objects", "\(count) images at once; the rest was left out"))
        }
        for index in 0..<min(count, limits.objects) {
            guard let rect = unsafe subtitle.pointer.pointee.rects?[index] else { continue }
            switch unsafe rect.pointee.type {
            case SUBTITLE_BITMAP:
                if let image = unsafe image(rect, &pixels) { result.images.append(image) }
            case SUBTITLE_ASS:
                if let line = unsafe rect.pointee.ass {
                    unsafe result.assLines.append(text(line))
                }
            case SUBTITLE_TEXT:
                if let plain = unsafe rect.pointee.text {
                    // No decoder of 5.1 makes these; the form is that of the other lines.
                    unsafe result.assLines.append("0,0,Default,,0,0,0,," + text(plain))
                }
            default: break
            }
        }
        return result
    }

    private mutating func text(_ characters: UnsafePointer<CChar>) -> String {
        if let valid = unsafe String(validatingCString: characters) { return valid }
        problems.append(
            (.error, "invalid-utf8", "text that is not valid UTF-8 was repaired with U+FFFD"))
        return unsafe String(cString: characters)
    }

    private mutating func image(
        _ rect: UnsafeMutablePointer<AVSubtitleRect>, _ pixels: inout Int
    ) -> DecodedSubtitle.Image? {
        let width = unsafe Int(rect.pointee.w)
        let height = unsafe Int(rect.pointee.h)
        let stride = unsafe Int(rect.pointee.linesize.0)
        let colors = unsafe Int(rect.pointee.nb_colors)
        // An image that a decoder gave up on has no size and no palette.
        guard width > 0, height > 0, let source = unsafe rect.pointee.data.0,
            let palette = unsafe rect.pointee.data.1, stride >= width, colors > 0
        else {
            problems.append((.error, "damaged-image", "a damaged image was left out"))
            return nil
        }
        let (sum, overflow) = pixels.addingReportingOverflow(width &* height)
        guard width <= limits.canvas, height <= limits.canvas, !overflow,
            sum <= limits.canvas &* limits.canvas
        else {
            problems.append(
                (.error, "image-too-large", "an image of \(width)x\(height) was left out"))
            return nil
        }
        pixels = sum
        var indices: [UInt8] = []
        indices.reserveCapacity(width * height)
        for row in 0..<height {
            unsafe indices.append(
                contentsOf: UnsafeBufferPointer(start: source + row * stride, count: width))
        }
        return unsafe DecodedSubtitle.Image(
            x: Int(rect.pointee.x), y: Int(rect.pointee.y), width: width, height: height,
            indices: indices, palette: colorTable(palette, min(colors, 256)),
            isForced: rect.pointee.flags & AV_SUBTITLE_FLAG_FORCED != 0)
    }

    /// 256 colors, so that every index has one: `0xAARRGGBB` in the machine's order to RGBA.
    private func colorTable(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> [UInt32] {
        var colors = [UInt32](repeating: 0, count: 256)
        let raw = UnsafeRawPointer(bytes)
        for index in 0..<count {
            let argb = unsafe raw.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
            colors[index] = argb << 8 | argb >> 24
        }
        return colors
    }
}
