public import UndertextCore

/// What tells Shooter which file a video is: MD5 of four blocks of 4096 bytes.
public struct ShooterHash: Hashable, Sendable, CustomStringConvertible {
    /// Four times 32 hexadecimal digits, with semicolons between them.
    public let description: String

    private static let blockLength = 4096
    private static let shortest: UInt64 = 12288

    /// Reads the blocks at 4096, at two thirds and one third of the file, and 8192 before its end.
    ///
    /// - Returns: `nil` for a source shorter than 12288 bytes.
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
