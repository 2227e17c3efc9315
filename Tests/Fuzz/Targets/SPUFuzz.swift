import UndertextCore
import UndertextFormats

/// Decodes the input as a track of sub-pictures.
///
/// The first byte is the length of the track's header that follows (lines of an .idx file, or 64 bytes of
/// palette); the rest is one unit, and the same again in two packets.
func spuFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let header = bytes.dropFirst().prefix(Int(bytes.first ?? 0))
    let unit = Array(bytes.dropFirst(1 + header.count))
    var options = DecodingOptions()
    options.limits.canvas = 512
    options.limits.packetSize = 1 << 16
    let stream = StreamDescription(
        index: 0, kind: .bitmap, codec: .dvd, codecPrivate: Array(header))
    guard
        var decoder = SubtitleFormat.decoder(
            of: stream, options: options, diagnostics: DiagnosticSink())
    else { return 0 }
    let middle = unit.count / 2
    var events: [DecodedEvent] = []
    for (number, part) in [unit[...], unit[..<middle], unit[middle...]].enumerated() {
        let packet = Packet(
            streamIndex: 0, pts: number < 2 ? Int64(number) * 1000 : nil, duration: 500,
            timeBase: .milliseconds, data: Array(part))
        events += decoder.decode(packet)
    }
    events += decoder.finish()
    for case .cue(let draft) in events {
        guard case .images(let content) = draft.content else { continue }
        for placed in content.images {
            precondition(placed.bitmap.width <= 512 && placed.bitmap.height <= 512)
        }
        if let end = draft.end { precondition(end.time > draft.start) }
    }
    _ = SubPictureUnit(unit)?.ownEnd
    return 0
}
