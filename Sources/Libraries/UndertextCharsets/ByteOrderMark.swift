/// The bytes that may begin a text in Unicode.
///
/// The Unicode Standard, section 23.8.
enum ByteOrderMark: CaseIterable {
    // The longer ones first: one begins with another.
    case utf32LittleEndian
    case utf32BigEndian
    case utf8
    case utf16LittleEndian
    case utf16BigEndian

    /// The mark that `data` begins with.
    init?(_ data: ArraySlice<UInt8>) {
        guard let mark = Self.allCases.first(where: { data.starts(with: $0.bytes) }) else {
            return nil
        }
        self = mark
    }

    var bytes: [UInt8] {
        switch self {
        case .utf32LittleEndian: [0xFF, 0xFE, 0, 0]
        case .utf32BigEndian: [0, 0, 0xFE, 0xFF]
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf16LittleEndian: [0xFF, 0xFE]
        case .utf16BigEndian: [0xFE, 0xFF]
        }
    }

    var charset: String {
        switch self {
        case .utf32LittleEndian: "utf-32le"
        case .utf32BigEndian: "utf-32be"
        case .utf8: "utf-8"
        case .utf16LittleEndian: "utf-16le"
        case .utf16BigEndian: "utf-16be"
        }
    }
}
