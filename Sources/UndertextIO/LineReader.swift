package import UndertextCore

/// Reads the lines of a file that may be large or hostile.
package struct LineReader {
    private let source: FileSource
    private let limit: Int
    private var offset: UInt64 = 0
    private var buffer: [UInt8] = []
    private var start = 0
    private static let chunk = 1 << 18

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The maximum number of bytes of a line.
    ///   - isInput: `false` for one of our own files that will be replaced, see ``InputFiles``.
    /// - Throws: ``UndertextError`` as ``FileSource`` does.
    package init(path: String, limit: Int, isInput: Bool = true) throws(UndertextError) {
        source = try FileSource(path: path, access: .sequential, isInput: isInput)
        self.limit = limit
    }

    /// The number of bytes that precede the next line.
    package private(set) var position: UInt64 = 0

    /// The next line without its end; `nil` after the last one.
    ///
    /// - Throws: ``UndertextError`` with code `limit-exceeded` and the offset if a line is too long.
    package mutating func next() throws(UndertextError) -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer {
                    position += UInt64(end + 1 - start)
                    start = end + 1
                }
                return buffer[start..<end]
            }
            guard buffer.count - start <= limit else {
                throw UndertextError(
                    .limit, "a line has more than \(limit) bytes", path: source.name,
                    byteOffset: position)
            }
            buffer.removeFirst(start)
            (start, searched) = (0, buffer.count)
            let bytes = try source.read(at: offset, count: Self.chunk)
            offset += UInt64(bytes.count)
            buffer += bytes
            guard bytes.isEmpty else { continue }
            guard !buffer.isEmpty else { return nil }
            defer {
                position += UInt64(buffer.count)
                start = buffer.count
            }
            return buffer[...]
        }
    }
}
