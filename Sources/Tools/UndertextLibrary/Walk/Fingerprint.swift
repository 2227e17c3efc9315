package import UndertextCore
internal import UndertextIO

/// A hash of the beginning and the end of a file, where containers have their headers and indexes.
///
/// It recognizes a file that was renamed; it proves nothing about the bytes in between.
package enum Fingerprint {
    /// Bytes read at each end.
    private static let window = 32 << 10

    /// The fingerprint of a file.
    package static func of(_ path: String) throws(UndertextError) -> Int64 {
        let source = try FileSource(path: path, isInput: false)
        let size = source.size ?? 0
        var hash = FNV1a()
        hash.add(size.littleEndianBytes)
        hash.add(try source.read(at: 0, count: window))
        if size > UInt64(window) {
            let start = max(UInt64(window), size - UInt64(window))
            hash.add(try source.read(at: start, count: window))
        }
        return Int64(bitPattern: hash.value)
    }

    /// The hash of a text.
    static func hash(of text: String) -> UInt64 {
        var hash = FNV1a()
        hash.add(Array(text.utf8))
        return hash.value
    }
}

/// The 64-bit hash of Fowler, Noll and Vo, FNV-1a.
private struct FNV1a {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}

extension UInt64 {
    fileprivate var littleEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * UInt64($0))) }
    }
}
