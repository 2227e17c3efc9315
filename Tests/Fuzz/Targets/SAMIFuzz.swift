import UndertextCore
import UndertextFormats

/// Reads the input as a SAMI file and decodes what it holds.
func samiFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var limits = Limits()
    limits.packetSize = 2000
    _ = SAMIFileReader.refusal(of: bytes[...])
    // Readers take valid UTF-8; what is not must not trap all the same.
    read(bytes, limits)
    read(Array(String(decoding: bytes, as: UTF8.self).utf8), limits)
    return 0
}

private func read(_ bytes: [UInt8], _ limits: Limits) {
    let reader = SAMIFileReader(bytes, limits: limits)
    var decoders = reader.streams.map { SAMIDecoder(stream: $0) }
    var last = Int64.min
    while let packet = try? reader.nextPacket() {
        precondition((packet.duration ?? 1) > 0)
        precondition((packet.pts ?? last) >= last)
        last = packet.pts ?? last
        for case .cue(let draft) in decoders[packet.streamIndex].decode(packet) {
            precondition((draft.cue().plainText?.utf8.count ?? 0) <= packet.data.count * 3)
        }
    }
    precondition(reader.position == bytes.count)
    precondition(reader.diagnostics.take().count <= 101 * 10)
}
