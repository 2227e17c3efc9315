import UndertextContainers
import UndertextCore

/// Uses the input as a pair of an .idx and a .sub file, as a .sub file alone and as the information file of a
/// DVD.
///
/// The lines of the .idx file end at the first byte 0; the .sub file follows.
func vobSubFileFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    _ = DVDInformation(bytes)
    let lines = bytes.prefix { $0 != 0 }
    let units = MemorySource(Array(bytes.dropFirst(lines.count + 1)))
    let index = MemorySource(Array(lines))
    var limits = Limits()
    limits.packetSize = 1 << 16
    limits.streams = 40
    let files = [
        try? VobSubFile(index: index, units: units, limits: limits),
        try? VobSubFile(units: units, index: index, limits: limits),
        try? VobSubFile(units: units, limits: limits),
    ]
    for file in files.compactMap({ $0 }) {
        let streams = Set(file.description.streams.map(\.index))
        for window in [.all, TimeWindow(from: .seconds(2), until: .seconds(3))] {
            let reader = file.packetReader(for: streams, window: window)
            while let packet = try? reader.nextPacket() {
                precondition(packet.data.count <= count)
            }
            _ = reader.diagnostics.take()
        }
    }
    return 0
}
