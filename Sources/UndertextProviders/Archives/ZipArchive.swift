internal import UndertextCore
internal import UndertextDeflate

/// A zip archive in memory, with the parts of the format that subtitles need (APPNOTE.TXT of PKWARE, 6.3.10).
///
/// Only the central directory is used. Stored and deflated entries are read individually and into no more
/// memory than the caller allows, so that an archive cannot require more than one entry.
struct ZipArchive {
    /// An entry; what it says of itself is not checked before it is read.
    struct Entry: Hashable {
        /// The last part of its name: folders mean nothing here, and `..` leads nowhere.
        let name: String
        let isEncrypted: Bool
        let method: UInt16
        let checksum: UInt32
        let packedSize: Int
        let size: Int
        let headerOffset: Int
    }

    /// Files with a name, in the order of the directory.
    let entries: [Entry]
    private let bytes: [UInt8]

    /// Entries of the directory that are looked at; more are an error.
    private static let mostEntries = 4096
    private static let endLength = 22
    private static let largestSize: UInt32 = 0xFFFF_FFFF

    /// `true` if bytes begin as a zip archive, be it an empty one.
    static func begins(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6])
    }

    /// Reads the directory.
    ///
    /// - Throws: `UndertextError` with code `malformed-answer`, `limit-exceeded` or `unsupported`.
    init(_ bytes: [UInt8]) throws(UndertextError) {
        self.bytes = bytes
        guard let end = Self.end(of: bytes) else {
            throw UndertextError(.malformedAnswer, "the zip archive is cut off or damaged")
        }
        var reader = ByteReader(bytes[end...])
        guard reader.skip(8), let here = reader.uint16LittleEndian(),
            let all = reader.uint16LittleEndian(), let size = reader.uint32LittleEndian(),
            let start = reader.uint32LittleEndian()
        else { throw UndertextError(.malformedAnswer, "the zip archive is cut off or damaged") }
        guard here == all, start != Self.largestSize, all != .max else {
            throw UndertextError(.unsupported, "zip archives in parts or of 4 GiB are not read")
        }
        guard Int(all) <= Self.mostEntries else {
            throw UndertextError(
                .limit, "the zip archive has more than \(Self.mostEntries) entries")
        }
        guard let directoryStart = Int(exactly: start), let length = Int(exactly: size),
            directoryStart <= end, length <= end - directoryStart
        else {
            throw UndertextError(
                .malformedAnswer, "the directory of the ZIP archive is outside of the file")
        }
        var directory = ByteReader(bytes[directoryStart..<directoryStart + length])
        var entries: [Entry] = []
        for _ in 0..<all {
            guard let entry = try Self.entry(&directory) else {
                throw UndertextError(.malformedAnswer, "the zip archive's directory is damaged")
            }
            if !entry.name.isEmpty { entries.append(entry) }
        }
        self.entries = entries
    }

    /// The bytes of an entry.
    ///
    /// - Parameters:
    ///   - entry: one of ``entries``.
    ///   - limit: the maximum size in bytes.
    /// - Returns: the decompressed bytes, with the length and checksum that the directory states.
    /// - Throws: `UndertextError` with code `malformed-answer`, `limit-exceeded` or `unsupported`.
    func contents(of entry: Entry, limit: Int) throws(UndertextError) -> [UInt8] {
        guard !entry.isEncrypted else {
            throw UndertextError(.unsupported, "'\(entry.name)' is encrypted in its archive")
        }
        guard entry.size <= limit else {
            throw UndertextError(
                .limit, "'\(entry.name)' has \(entry.size) bytes, more than the \(limit) allowed")
        }
        var reader = ByteReader(bytes)
        guard reader.seek(to: entry.headerOffset), reader.uint32LittleEndian() == 0x0403_4B50,
            reader.skip(22), let nameLength = reader.uint16LittleEndian(),
            let extraLength = reader.uint16LittleEndian(),
            reader.skip(Int(nameLength) + Int(extraLength)),
            let packed = reader.slice(entry.packedSize)
        else { throw damaged(entry) }
        let contents = try unpacked(packed, entry)
        guard contents.count == entry.size, crc32(contents[...]) == entry.checksum else {
            throw damaged(entry)
        }
        return contents
    }

    private func unpacked(
        _ packed: ArraySlice<UInt8>, _ entry: Entry
    ) throws(UndertextError) -> [UInt8] {
        switch entry.method {
        case 0: return Array(packed)
        case 8:
            do throws(InflateError) {
                // No more than it says: what it says was checked.
                return try inflateRaw(packed, limit: entry.size)
            } catch {
                throw damaged(entry)
            }
        default:
            throw UndertextError(
                .unsupported,
                "'\(entry.name)' is packed by method \(entry.method) of zip, which is not read")
        }
    }

    private func damaged(_ entry: Entry) -> UndertextError {
        UndertextError(.malformedAnswer, "'\(entry.name)' is damaged in its archive")
    }

    /// Returns the start of the end record, which may be followed by a comment of up to 65535 bytes.
    private static func end(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= endLength else { return nil }
        let last = bytes.count - endLength
        for place in stride(from: last, through: max(0, last - 0xFFFF), by: -1)
        where bytes[place] == 0x50 && bytes[place...].starts(with: [0x50, 0x4B, 5, 6]) {
            let comment = Int(bytes[place + 20]) | Int(bytes[place + 21]) << 8
            if place + endLength + comment <= bytes.count { return place }
        }
        return nil
    }

    /// The next entry of the directory (section 4.3.12); `nil` where it is damaged.
    private static func entry(_ reader: inout ByteReader) throws(UndertextError) -> Entry? {
        guard reader.uint32LittleEndian() == 0x0201_4B50, reader.skip(4),
            let flags = reader.uint16LittleEndian(), let method = reader.uint16LittleEndian(),
            reader.skip(4), let checksum = reader.uint32LittleEndian(),
            let packedSize = reader.uint32LittleEndian(), let size = reader.uint32LittleEndian(),
            let nameLength = reader.uint16LittleEndian(),
            let extraLength = reader.uint16LittleEndian(),
            let commentLength = reader.uint16LittleEndian(), reader.skip(8),
            let offset = reader.uint32LittleEndian(), let name = reader.slice(Int(nameLength)),
            reader.skip(Int(extraLength) + Int(commentLength))
        else { return nil }
        guard ![packedSize, size, offset].contains(largestSize) else {
            throw UndertextError(.unsupported, "zip archives of 4 GiB and more are not read")
        }
        return Entry(
            name: flattened(name), isEncrypted: flags & 1 != 0, method: method, checksum: checksum,
            packedSize: Int(packedSize), size: Int(size), headerOffset: Int(offset))
    }

    /// Returns the part after the last slash of either kind; empty for folders, `.` and `..`.
    private static func flattened(_ name: ArraySlice<UInt8>) -> String {
        let start = name.lastIndex { $0 == 0x2F || $0 == 0x5C }.map { $0 + 1 } ?? name.startIndex
        let last = String(decoding: name[start...], as: UTF8.self)
        return last == "." || last == ".." || last.unicodeScalars.contains("\0") ? "" : last
    }
}
