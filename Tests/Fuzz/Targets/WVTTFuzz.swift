import UndertextCore
import UndertextFormats

/// Uses the input as samples of a WebVTT track in MP4, each after a byte with its length in units of 8.
func wvttFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var unpacker = WVTTUnpacker()
    var rest = bytes[...]
    var pts: Int64 = 0
    var total = 0
    func check(_ packets: [Packet]) {
        for packet in packets {
            precondition((packet.duration ?? 1) > 0)
            total += 1
        }
    }
    while let head = rest.popFirst() {
        let data = Array(rest.prefix(Int(head & 0x7F) * 8))
        rest = rest.dropFirst(data.count)
        let duration: Int64? = head & 0x80 == 0 ? 1000 : nil
        check(
            unpacker.add(
                Packet(
                    streamIndex: 0, pts: pts, duration: duration, timeBase: .milliseconds,
                    data: data)))
        pts += 1000
    }
    check(unpacker.finish())
    precondition(total <= count)
    return 0
}
