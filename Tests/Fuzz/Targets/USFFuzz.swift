import UndertextCore
import UndertextFormats

/// Uses the first byte as the length of the header, the rest as a packet.
func usfFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let header = bytes.dropFirst().prefix(Int(bytes.first ?? 0))
    let stream = StreamDescription(
        index: 0, kind: .text, codec: .usf, codecPrivate: Array(header))
    var decoder = USFDecoder(stream: stream)
    let packet = Packet(
        streamIndex: 0, pts: 1000, duration: 1000, timeBase: .milliseconds,
        data: Array(bytes.dropFirst(1 + header.count)))
    var length = 0
    for case .cue(let draft) in decoder.decode(packet) {
        length += draft.cue().plainText?.utf8.count ?? 0
    }
    // Damage makes three bytes of one.
    precondition(length <= count * 3)
    return 0
}
