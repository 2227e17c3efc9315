import UndertextCore
import UndertextFormats

/// Reads packets of DVB subtitles, each after two bytes of length; the first byte is the length of the header
/// before them.
func dvbFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var reader = ByteReader(bytes)
    let header = reader.uint8().flatMap { reader.slice(min(Int($0), reader.remaining)) } ?? []
    let stream = StreamDescription(
        index: 0, kind: .bitmap, codec: .dvb, codecPrivate: Array(header))
    var options = DecodingOptions()
    // Enough for every rule; larger images only cost time.
    options.limits.canvas = 1024
    var decoder = DVBDecoder(stream: stream, options: options)
    let rule = SubtitleFormat.randomAccess(of: stream)
    var time: Int64 = 0
    var events: [DecodedEvent] = []
    while let size = reader.uint16() {
        let data = Array(reader.slice(min(Int(size & 0x7FFF), reader.remaining)) ?? [])
        // The upper bit holds the time.
        if size & 0x8000 == 0 { time += 1000 }
        _ = rule.role(of: data)
        events += decoder.decode(
            Packet(streamIndex: 0, pts: time, timeBase: .milliseconds, data: data))
    }
    events += decoder.finish()
    for case .cue(let draft) in events {
        guard case .images(let content) = draft.content, let canvas = content.canvas else {
            preconditionFailure("a cue without a canvas")
        }
        for image in content.images {
            precondition(image.x >= 0 && image.x + image.bitmap.width <= canvas.width)
            precondition(image.y >= 0 && image.y + image.bitmap.height <= canvas.height)
        }
    }
    return 0
}
