internal import Undertext
internal import UndertextCore

/// A file of the cache: magic, key, name, payload and their check sum, numbers with the highest byte first.
enum CacheRecord {
    private static let magic = Array("UTsubc1\n".utf8)
    private static let sumSize = 8

    /// The name of the file for a key: 128 bits of hash in hexadecimal digits.
    static func name(of key: String) -> String {
        var hash = UInt128(0x6C62_272E_07BB_0142) << 64 | 0x62B8_2175_6295_C58D
        let prime = UInt128(1) << 88 | 0x13B
        for byte in key.utf8 {
            // FNV-1a. A collision is harmless: the record contains its key.
            hash ^= UInt128(byte)
            hash = hash &* prime
        }
        return zeroPadded(hash, to: 32, radix: 16)
    }

    /// The record of a file.
    static func bytes(of content: CachedFile, key: String) -> [UInt8] {
        var bytes = magic
        for part in [Array(key.utf8), Array(content.name.utf8), content.bytes] {
            bytes.appendBigEndian(UInt64(part.count))
            bytes += part
        }
        bytes.appendBigEndian(checkSum(bytes[...]))
        return bytes
    }

    /// The file of a record; `nil` if it is damaged or has another key.
    static func content(of bytes: [UInt8], key: String) -> CachedFile? {
        guard bytes.starts(with: magic), bytes.count >= magic.count + sumSize else { return nil }
        var rest = bytes[magic.count..<bytes.count - sumSize]
        guard number(bytes[(bytes.count - sumSize)...]) == checkSum(bytes.dropLast(sumSize)) else {
            return nil
        }
        guard let stored = part(&rest), let name = part(&rest), let payload = part(&rest),
            rest.isEmpty, stored.elementsEqual(key.utf8)
        else { return nil }
        return CachedFile(name: String(decoding: name, as: UTF8.self), bytes: Array(payload))
    }

    private static func part(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.count >= 8, let count = Int(exactly: number(rest.prefix(8))),
            count <= rest.count - 8
        else { return nil }
        let part = rest.dropFirst(8).prefix(count)
        rest = rest.dropFirst(8 + count)
        return part
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// FNV-1a with 64 bits: it finds damage, not forgery.
    private static func checkSum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
