internal import UndertextCore

/// Finds the end of the headers of a packet's first picture: captions precede its slices.
struct PictureHead {
    /// Tells if a unit that begins with that byte is a slice.
    private let isSlice: @Sendable (UInt8) -> Bool
    /// The offset from which on no start code has been looked for.
    private var offset = 0

    /// The bytes of a slice that its header may take.
    private static let sliceLength = 32

    /// Creates a finder for a codec whose packets have start codes; `nil` for codecs without captions.
    init?(codec: CodecID) {
        switch codec.rawValue {
        case "mpeg1video", "mpeg2video": isSlice = { (0x01...0xAF).contains($0) }
        case "h264": isSlice = { [1, 2, 5].contains($0 & 0x1F) }
        case "hevc": isSlice = { $0 >> 1 & 0x3F <= 31 }
        // OBU_FRAME_HEADER, OBU_FRAME, OBU_REDUNDANT_FRAME_HEADER.
        case "av1": isSlice = { [3, 6, 7].contains($0 >> 3 & 0x0F) }
        default: return nil
        }
    }

    /// Begins with another packet.
    mutating func begin() { offset = 0 }

    /// `true` if the packet, which grows from call to call, reaches into the first slice.
    mutating func ends(in packet: [UInt8]) -> Bool {
        while let unit = StartCodeUnits.afterStartCode(in: packet, from: offset) {
            guard packet.count - unit >= Self.sliceLength else { return false }
            if isSlice(packet[unit]) { return true }
            offset = unit
        }
        offset = max(offset, packet.count - 2)
        return false
    }
}
