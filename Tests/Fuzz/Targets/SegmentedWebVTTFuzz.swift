import UndertextCore
import UndertextStreaming

/// Uses the input as segments of WebVTT, separated by `0xFF`, and each as media with a first time.
func segmentedWebVTTFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var joiner = WebVTTJoiner()
    let clock = MediaClock(start: .zero, firstPTS: Int64(count) * 90_000_000)
    for (index, segment) in bytes.split(separator: 0xFF).enumerated() {
        let packets = joiner.packets(
            of: .init(Array(segment), start: .seconds(Int64(index)), clock: clock))
        for packet in packets {
            precondition((packet.pts ?? -1) >= 0, "a time before the beginning")
            precondition((packet.duration ?? 0) > 0, "a cue that never shows")
        }
    }
    if let first = FirstTime.ofSegment(bytes) { precondition((0..<1 << 33).contains(first)) }
    _ = FirstTime.ofSegment(
        Array(bytes.dropFirst(count / 2)), initialization: Array(bytes.prefix(count / 2)))
    return 0
}
