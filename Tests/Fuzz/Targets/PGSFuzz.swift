import UndertextCore
import UndertextFormats

/// Decodes the input as segments of presentation graphics.
///
/// Byte 0 determines the packets: 0 splits at each composition, as in Matroska; other values are the binary
/// logarithm of the packet size.
func pgsFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    var limits = Limits()
    limits.canvas = 256
    limits.objects = 8
    limits.packetSize = 1 << 18
    let stream = StreamDescription(index: 0, kind: .bitmap, codec: .pgs, timeBase: .mpeg)
    guard
        var decoder = SubtitleFormat.decoder(
            of: stream, options: DecodingOptions(limits: limits), diagnostics: DiagnosticSink())
    else { return 0 }
    var rest = bytes.dropFirst()
    var time: Int64 = 0
    while !rest.isEmpty {
        let size = choice & 7 == 0 ? displaySet(rest) : 1 << Int(choice & 7)
        let data = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
        let packet = Packet(streamIndex: 0, pts: time, timeBase: .mpeg, data: data)
        check(decoder.decode(packet), limits)
        precondition(decoder.diagnostics.take().count <= 1000, "diagnostics without bound")
        _ = SubtitleFormat.randomAccess(of: stream).role(of: data)
        time += Int64(choice) * 10
    }
    check(decoder.finish(), limits)
    precondition(decoder.diagnostics.take().count <= 1000, "diagnostics without bound")
    return 0
}

/// Bytes up to the next composition.
private func displaySet(_ bytes: ArraySlice<UInt8>) -> Int {
    let next = bytes.dropFirst().firstIndex { $0 == 0x16 } ?? bytes.endIndex
    return next - bytes.startIndex
}

private func check(_ events: [DecodedEvent], _ limits: Limits) {
    for case .cue(let draft) in events {
        guard case .images(let content) = draft.content else { continue }
        precondition((1...limits.objects).contains(content.images.count), "number of images")
        for image in content.images {
            let bitmap = image.bitmap
            precondition(bitmap.width <= limits.canvas && bitmap.height <= limits.canvas, "size")
            precondition(
                bitmap.indices.contains { bitmap.palette[Int($0)].alpha > 0 }
                    || bitmap.palette.contains { $0.alpha > 0 }, "nothing to see")
            guard let canvas = content.canvas else { continue }
            precondition(image.x >= 0 && image.x + bitmap.width <= canvas.width, "x")
            precondition(image.y >= 0 && image.y + bitmap.height <= canvas.height, "y")
        }
    }
}
