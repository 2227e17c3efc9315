/// An element in memory.
struct Element: Sendable {
    /// The element ID.
    var id: ElementID
    /// Its data.
    var data: ArraySlice<UInt8>
    /// The offset of its first byte from the start of its parent's data.
    var offset: Int

    /// An unsigned integer (RFC 8794, section 7.2); `nil` if it is longer than eight bytes.
    var unsigned: UInt64? {
        guard data.count <= 8 else { return nil }
        return data.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A signed integer (section 7.1); `nil` if it is longer than eight bytes.
    var signed: Int64? {
        guard let unsigned else { return nil }
        guard let first = data.first, first & 0x80 != 0 else {
            return Int64(bitPattern: unsigned)
        }
        let shift = UInt64(64 - 8 * data.count)
        return Int64(bitPattern: unsigned << shift) >> Int64(shift)
    }

    /// A floating-point number (section 7.3); `nil` unless it has zero, four or eight bytes.
    var float: Double? {
        switch data.count {
        case 0: return 0
        case 4: return unsigned.map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
        case 8: return unsigned.map { Double(bitPattern: $0) }
        default: return nil
        }
    }

    /// A string (sections 7.4 and 7.5), which a NUL ends; invalid UTF-8 becomes U+FFFD.
    var string: String {
        String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Its children.
    var children: ElementCursor { ElementCursor(data) }
}

/// Walks the elements of a parent's data in memory; Void and CRC-32 are left out.
struct ElementCursor: Sequence, IteratorProtocol {
    private let data: ArraySlice<UInt8>
    private var position: Int
    /// `true` if the walk ended at something that is no whole element.
    private(set) var isDamaged = false
    private let clips: Bool

    /// Walks the elements of `data`.
    ///
    /// - Parameters:
    ///   - data: The data of their parent.
    ///   - clips: Whether the data is the beginning of more, so that the last element ends with it.
    init(_ data: ArraySlice<UInt8>, clips: Bool = false) {
        self.data = data
        self.clips = clips
        position = data.startIndex
    }

    /// The next element, or `nil` at the end or at damage.
    mutating func next() -> Element? {
        while position < data.endIndex {
            let start = position
            guard let prefix = ElementPrefix(data[position...]), let size = prefix.size,
                let length = dataLength(size, room: data.endIndex - start - prefix.length)
            else {
                isDamaged = true
                position = data.endIndex
                return nil
            }
            let dataStart = start + prefix.length
            position = dataStart + length
            if prefix.id == .void || prefix.id == .crc32 { continue }
            return Element(
                id: prefix.id, data: data[dataStart..<position], offset: start - data.startIndex)
        }
        return nil
    }

    private func dataLength(_ size: UInt64, room: Int) -> Int? {
        guard let length = Int(exactly: size), length <= room else { return clips ? room : nil }
        return length
    }
}
