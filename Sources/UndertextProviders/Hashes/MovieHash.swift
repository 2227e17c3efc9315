public import UndertextCore

/// The hash by which OpenSubtitles identifies a video, based on its size and both ends.
public struct MovieHash: Hashable, Sendable {
    /// The value of the hash.
    public let value: UInt64

    /// Bytes at either end.
    static let blockLength = 1 << 16

    /// Creates a hash from a known value.
    public init(value: UInt64) { self.value = value }

    /// Creates the sum, modulo 2^64, of a file's size and of its first and last 64 KiB as 64-bit little-endian numbers.
    ///
    /// - Returns: The hash, or `nil` for a source shorter than both blocks.
    /// - Throws: ``UndertextCore/UndertextError`` if the source fails, or with code `io` if it ends before its size.
    public init?(of source: any ByteSource) throws(UndertextError) {
        try self.init(of: CheckedSource(source))
    }

    /// Reads a source of the engine, whose length may be unknown.
    package init?(of source: any RandomAccessSource) throws(UndertextError) {
        let block = Self.blockLength
        guard let size = source.size, size >= UInt64(2 * block) else { return nil }
        let ends = try source.read([
            ByteRange(offset: 0, count: block),
            ByteRange(offset: size - UInt64(block), count: block),
        ])
        var sum = size
        for end in ends {
            guard end.count == block else { throw shorter(source) }
            for start in stride(from: 0, to: block, by: 8) {
                var number: UInt64 = 0
                for index in 0..<8 { number |= UInt64(end[start + index]) << UInt64(8 * index) }
                sum &+= number
            }
        }
        value = sum
    }
}

extension MovieHash: CustomStringConvertible {
    /// The hash as 16 lowercase hexadecimal digits.
    public var description: String { zeroPadded(value, to: 16, radix: 16) }
}

/// The error of a source that has fewer bytes than its size.
func shorter(_ source: any RandomAccessSource) -> UndertextError {
    UndertextError(.io, "it got shorter while its hash was made", path: source.name)
}
