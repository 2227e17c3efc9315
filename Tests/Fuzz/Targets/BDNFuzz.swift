import UndertextCore
import UndertextFormats

/// Reads the input as BDN XML; what comes out is in order, and no name leads out of its folder.
func bdnFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    _ = BDNReader.recognizes(bytes)
    guard let document = try? BDNReader.read(bytes) else { return 0 }
    var last = Timestamp.zero
    for event in document.events {
        precondition(event.start >= last && event.end > event.start)
        last = event.start
        precondition(!event.graphics.isEmpty)
        for graphic in event.graphics {
            let name = graphic.file.utf8
            precondition(!name.isEmpty && name.count <= 255)
            precondition(graphic.file != ".." && !name.contains(0x2F) && !name.contains(0))
        }
    }
    return 0
}
