internal import UndertextDeflate

/// The result of checking the CRC-32 element at the start of a master element (RFC 8794, section 11.3.1).
enum Checksum {
    case absent
    case right
    case wrong

    /// Checks the whole data of a master element.
    init(of data: ArraySlice<UInt8>) {
        guard let prefix = ElementPrefix(data), prefix.id == .crc32 else {
            self = .absent
            return
        }
        let start = data.startIndex + prefix.length
        guard prefix.size == 4, data.endIndex - start >= 4 else {
            self = .wrong
            return
        }
        let stored = data[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self = crc32(data[(start + 4)...]) == stored ? .right : .wrong
    }
}
