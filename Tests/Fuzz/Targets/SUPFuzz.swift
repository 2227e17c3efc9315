import UndertextContainers
import UndertextCore

/// Reads the input as a .sup file, damaged or not.
func supFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = MemorySource(Array(UnsafeBufferPointer(start: start, count: count)))
    guard let file = try? SUPFile(source: source) else { return 0 }
    let reader = file.packetReader()
    var next: UInt64 = 0
    while let packet = try? reader.nextPacket() {
        precondition((3...0xFFFF + 3).contains(packet.data.count), "no segment")
        guard let position = packet.position else { preconditionFailure("no place") }
        precondition(position >= next, "segments overlap")
        next = position + UInt64(packet.data.count) + 10
        precondition(next <= UInt64(count), "beyond the end")
    }
    _ = reader.diagnostics.take()
    return 0
}
