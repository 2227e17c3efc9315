internal import UndertextCore

/// A subtitling segment (EN 300 743, section 7.2): its type, its page and what it holds.
struct DVBSegment: Hashable, Sendable {
    /// segment_type.
    var type: Kind
    /// page_id.
    var page: UInt16
    /// segment_data_field.
    var body: ArraySlice<UInt8>

    /// segment_type (EN 300 743, table 7): an open set.
    struct Kind: RawRepresentable, Hashable, Sendable {
        let rawValue: UInt8

        static let pageComposition = Kind(rawValue: 0x10)
        static let regionComposition = Kind(rawValue: 0x11)
        static let clutDefinition = Kind(rawValue: 0x12)
        static let objectData = Kind(rawValue: 0x13)
        static let displayDefinition = Kind(rawValue: 0x14)
        static let disparity = Kind(rawValue: 0x15)
        static let alternativeCLUT = Kind(rawValue: 0x16)
        static let endOfDisplaySet = Kind(rawValue: 0x80)
    }
}

/// Splits a packet into segments.
///
/// A packet may begin with data_identifier and subtitle_stream_id and end with its end marker (section 7.1), or
/// contain only segments. After damage, reading continues at the next sync byte.
struct DVBSegmentReader {
    private static let headerSize = 6

    private let bytes: [UInt8]
    private var position = 0
    /// `true` if bytes were left out that belong to no segment.
    private(set) var isDamaged = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0x20, 0x00]) { position = 2 }
    }

    /// The next segment; `nil` at the end.
    mutating func next() -> DVBSegment? {
        while position < bytes.count {
            if let size = size(at: position) {
                let start = position
                position = start + Self.headerSize + size
                return DVBSegment(
                    type: .init(rawValue: bytes[start + 1]),
                    page: UInt16(bytes[start + 2]) << 8 | UInt16(bytes[start + 3]),
                    body: bytes[start + Self.headerSize..<position])
            }
            // After end_of_PES_data_field_marker there is stuffing, or another data field.
            if bytes[position] != 0xFF { isDamaged = true }
            repeat { position += 1 } while position < bytes.count && !isLikelyStart(position)
        }
        return nil
    }

    /// The length of the segment that begins at `start`; `nil` where none does.
    private func size(at start: Int) -> Int? {
        guard bytes.count - start >= Self.headerSize, bytes[start] == 0x0F else { return nil }
        let size = Int(bytes[start + 4]) << 8 | Int(bytes[start + 5])
        return size <= bytes.count - start - Self.headerSize ? size : nil
    }

    /// A sync byte alone occurs in pixels too: the type has to be known and the length to fit.
    private func isLikelyStart(_ start: Int) -> Bool {
        guard let size = size(at: start) else { return false }
        let type = bytes[start + 1]
        guard (0x10...0x16).contains(type) || type == 0x80 else { return false }
        let end = start + Self.headerSize + size
        return end == bytes.count || bytes[end] == 0x0F || bytes[end] == 0xFF
    }
}
