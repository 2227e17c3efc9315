/// The check sum of sections (ISO/IEC 13818-1, annex A): polynomial 0x04C11DB7, not reflected.
enum SectionCheckSum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { value, _ in
            value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
        }
    }

    /// `true` if a section, its check sum included, is whole.
    static func holds(for section: ArraySlice<UInt8>) -> Bool {
        section.reduce(UInt32.max) { sum, byte in
            sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)]
        } == 0
    }
}
