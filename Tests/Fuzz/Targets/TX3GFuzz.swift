import UndertextCore
import UndertextFormats

/// Uses the first byte as the length of the sample description, the rest as a sample.
func movTextFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let header = bytes.dropFirst().prefix(Int(bytes.first ?? 0))
    let stream = StreamDescription(
        index: 0, kind: .text, codec: .movText, codecPrivate: Array(header))
    var decoder = TX3GDecoder(stream: stream)
    let packet = Packet(
        streamIndex: 0, pts: 1000, duration: 1000, timeBase: .milliseconds,
        data: Array(bytes.dropFirst(1 + header.count)))
    for case .cue(let draft) in decoder.decode(packet) {
        precondition((draft.cue().plainText?.utf8.count ?? 0) <= count * 3)
    }
    return 0
}
