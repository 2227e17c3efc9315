import UndertextCore
import UndertextStreaming

/// Reads the input as an MPD and lists its segments.
func manifestFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var limits = StreamingLimits()
    limits.segments = 100
    guard let manifest = try? DASHManifest(bytes, url: "http://example.com/m.mpd", limits: limits)
    else { return 0 }
    let content = ContentInfo(dash: manifest)
    _ = content.multiLineDescription
    for stream in content.streams.prefix(20) {
        for part in manifest.representations(of: stream, in: content).prefix(20) {
            let list = manifest.segments(
                of: part.representation, in: part.period, until: .seconds(100), limits: limits)
            precondition(list.segments.count <= limits.segments)
        }
    }
    return 0
}
