import UndertextCore
import UndertextFormats

/// Uses three parts separated by NUL: the file's header, the cue's text, its settings.
func webVTTFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    let header = Array(parts[0])
    let text = parts.count > 1 ? Array(parts[1]) : header
    let settings = parts.count > 2 ? Array(parts[2]) : header
    var decoder = WebVTTDecoder(
        stream: StreamDescription(index: 0, kind: .text, codec: .webVTT, codecPrivate: header))
    let packet = Packet(
        streamIndex: 0, pts: 1000, duration: 1000, timeBase: .milliseconds, data: text,
        sideData: [SideData(.blockAdditional, Array(repeating: 0, count: 8) + settings)])
    for case .cue(let draft) in decoder.decode(packet) {
        precondition((0...100).contains(draft.layout.size))
        precondition((0...100).contains(draft.layout.position ?? 0))
    }
    _ = WebVTTTimingLine(text[...])
    return 0
}
