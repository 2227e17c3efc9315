internal import UndertextCore

/// A section of a table with the header that all of them share (ISO/IEC 13818-1, section 2.4.4.11).
struct TableSection {
    /// table_id.
    let table: UInt8
    /// table_id_extension: the number of a transport stream, a program or a source.
    let number: Int
    /// version_number.
    let version: Int
    /// section_number.
    let section: Int
    /// last_section_number.
    let lastSection: Int
    /// The bytes between the header and the check sum.
    var body: ByteReader

    /// Reads the header; `nil` if the section is cut off, or not in force yet.
    init?(_ section: ArraySlice<UInt8>) {
        // After the body are four bytes of check sum.
        var reader = ByteReader(section.dropLast(4))
        guard let table = reader.uint8(), reader.skip(2), let number = reader.uint16(),
            let flags = reader.uint8(), flags & 1 == 1, let index = reader.uint8(),
            let last = reader.uint8()
        else { return nil }
        self.table = table
        self.number = Int(number)
        version = Int(flags >> 1 & 0x1F)
        self.section = Int(index)
        lastSection = Int(last)
        body = reader
    }
}

extension ByteReader {
    /// Reads a list of descriptors after its length, which `mask` separates from reserved bits.
    ///
    /// - Returns: The descriptors; `nil` if the list reaches beyond the section.
    mutating func descriptors(mask: UInt16 = 0x0FFF) -> [StreamDescriptor]? {
        guard let length = uint16(), let bytes = slice(Int(length & mask)) else { return nil }
        var list = ByteReader(bytes)
        var result: [StreamDescriptor] = []
        while let tag = list.uint8(), let count = list.uint8(), let body = list.slice(Int(count)) {
            result.append(StreamDescriptor(tag: tag, bytes: Array(body)))
        }
        return result
    }
}
