/// The header of one transport packet and its adaptation field (ISO/IEC 13818-1, section 2.4.3.2).
struct TransportHeader {
    /// The PID of the stream, 13 bits.
    let pid: Int
    /// A Boolean value that indicates whether a PES packet or a section starts in the packet.
    let isStart: Bool
    /// `true` if a receiver could not correct the packet: transport_error_indicator.
    let hasError: Bool
    /// `true` if the payload is encrypted: transport_scrambling_control.
    let isScrambled: Bool
    /// `true` if an adaptation field control of 0 makes the packet void.
    let isVoid: Bool
    /// `true` if there is a payload.
    let hasPayload: Bool
    /// Counts the packets of the stream that have a payload, 4 bits.
    let continuity: UInt8
    /// A Boolean value that indicates whether the adaptation field announces a discontinuity of counter or
    /// clock.
    let isDiscontinuous: Bool
    /// The program clock reference in units of 90 kHz, 33 bits, if the packet has one.
    let clock: Int64?
    /// The range of the payload in the given bytes.
    let payload: Range<Int>

    /// Reads the header of the packet at `start`; the caller made sure of 188 bytes.
    init(_ bytes: [UInt8], at start: Int) {
        let end = start + PacketLayout.packetLength
        let second = bytes[start + 1]
        let fourth = bytes[start + 3]
        pid = Int(second & 0x1F) << 8 | Int(bytes[start + 2])
        isStart = second & 0x40 != 0
        hasError = second & 0x80 != 0
        isScrambled = fourth & 0xC0 != 0
        isVoid = fourth & 0x30 == 0
        hasPayload = fourth & 0x10 != 0
        continuity = fourth & 0x0F
        guard fourth & 0x20 != 0 else {
            isDiscontinuous = false
            clock = nil
            payload = start + 4..<end
            return
        }
        let length = Int(bytes[start + 4])
        let flags = length > 0 ? bytes[start + 5] : 0
        isDiscontinuous = flags & 0x80 != 0
        clock = flags & 0x10 != 0 && length >= 7 ? Self.clock(bytes[start + 6..<start + 12]) : nil
        payload = min(start + 5 + length, end)..<end
    }

    /// A base of 33 bits and, after six reserved ones, an extension of nine that counts 300ths.
    private static func clock(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // An extension beyond 299 is damage; it carries over, as in libavformat.
        return Int64(bits >> 15) + Int64(bits & 0x1FF) / 300
    }
}
