public import UndertextCore

/// The hash by which Shooter identifies a video: the MD5 hashes of four blocks of 4096 bytes.
public struct ShooterHash: Hashable, Sendable, CustomStringConvertible {
    /// The hash as four times 32 hexadecimal digits, separated by semicolons.
    public let description: String

    private static let blockLength = 4096
    private static let shortest: UInt64 = 12288

    /// Creates a hash of the blocks at 4096, at two thirds and one third of the file, and at 8192 before its end.
    ///
    /// - Returns: The hash, or `nil` for a source shorter than 12288 bytes.
    /// - Throws: ``UndertextCore/UndertextError`` if the source fails, or with code `io` if it ends before its size.
    public init?(of source: any ByteSource) throws(UndertextError) {
        try self.init(of: CheckedSource(source))
    }

    /// Reads a source of the engine, whose length may be unknown.
    package init?(of source: any RandomAccessSource) throws(UndertextError) {
        guard let size = source.size, size >= Self.shortest else { return nil }
        let third = size / 3
        let blocks = try source.read(
            [4096, third * 2, third, size - 8192].map {
                ByteRange(offset: $0, count: Self.blockLength)
            })
        guard blocks.allSatisfy({ $0.count == Self.blockLength }) else { throw shorter(source) }
        description = blocks.map(MD5.hexadecimal).joined(separator: ";")
    }
}
