import UndertextCore
import UndertextFormats

/// Decodes the input as a SubRip packet; its first 16 bytes serve as coordinates, too.
func subRipFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var decoder = SubRipDecoder(
        stream: StreamDescription(index: 0, kind: .text, codec: .subRip))
    let packet = Packet(
        streamIndex: 0, pts: 1000, duration: 1000, timeBase: .milliseconds, data: bytes,
        sideData: [SideData(.subtitlePosition, Array(bytes.prefix(16)))])
    for case .cue(let draft) in decoder.decode(packet) {
        precondition((draft.cue().plainText?.utf8.count ?? 0) <= count * 3)
        precondition(draft.end != nil)
    }
    return 0
}
