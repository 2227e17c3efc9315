/// Bytes that the engine reads at any offset: a file, memory, a ranged network resource, or a ``CheckedSource``.
///
/// Not `Sendable`: one reader at a time. Callers implement ``ByteSource``.
package protocol RandomAccessSource: AnyObject {
    /// The name for messages: a path or a URL.
    var name: String { get }
    /// The length in bytes; `nil` if it is not known (a file still being written has one).
    var size: UInt64? { get }
    /// The statistics of the reads so far.
    var statistics: ReadStatistics { get }

    /// Reads `count` bytes at `offset`; fewer only at the end of the source.
    ///
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/io`` or ``UndertextError/Code/cancelled``.
    func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8]

    /// Reads `count` bytes at `offset` into a reusable buffer; fewer only at the end.
    ///
    /// For frequent reads: allocating memory costs as much as filling it.
    ///
    /// - Parameters:
    ///   - offset: the offset of the first byte.
    ///   - count: the number of bytes.
    ///   - buffer: The memory, which grows as needed; its contents are replaced.
    /// - Returns: the range of the bytes in `buffer`; its other bytes are undefined.
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/io`` or ``UndertextError/Code/cancelled``.
    func read(
        at offset: UInt64, count: Int, into buffer: inout [UInt8]
    ) throws(UndertextError) -> Range<Int>

    /// Reads several ranges, each as ``read(at:count:)`` does, with as few requests as possible.
    ///
    /// - Throws: ``UndertextError`` as ``read(at:count:)`` does; no range is returned in that case.
    func read(_ ranges: [ByteRange]) throws(UndertextError) -> [[UInt8]]

    /// The position shared by all readers of the same input; `nil` if the source does not record it.
    var readPosition: ReadPosition? { get }

    /// The maximum number of ranges in one request.
    var rangesAtOnce: Int { get }

    /// The policy for reading the source.
    var policy: ReadPolicy { get }

    /// The open file that contains all bytes unchanged, or `nil` if there is none.
    ///
    /// The descriptor is valid as long as the source exists; reads at an offset (C: `pread`) have no side effects.
    var fileDescriptor: Int32? { get }

    /// Announces the ranges of later reads, in this order and with these bounds.
    ///
    /// A source may fetch them immediately in the background. Ranges that are not read later only cost time
    /// and bytes.
    ///
    /// - Parameters:
    ///   - ranges: The ranges of later reads.
    ///   - first: `true` to read these ranges before those announced earlier.
    func prepare(_ ranges: [ByteRange], first: Bool)

    /// Gives up ranges that were announced and will not be read, because their reader is abandoned.
    ///
    /// It may be called while another thread reads.
    func withdraw(_ ranges: [ByteRange])
}

extension RandomAccessSource {
    /// Reads one after another.
    package func read(_ ranges: [ByteRange]) throws(UndertextError) -> [[UInt8]] {
        var result: [[UInt8]] = []
        for range in ranges { result.append(try read(at: range.offset, count: range.count)) }
        return result
    }

    /// One.
    package var rangesAtOnce: Int { 1 }

    /// Reads into fresh memory.
    package func read(
        at offset: UInt64, count: Int, into buffer: inout [UInt8]
    ) throws(UndertextError) -> Range<Int> {
        buffer = []
        buffer = try read(at: offset, count: count)
        return 0..<buffer.count
    }

    /// None.
    package var fileDescriptor: Int32? { nil }

    /// None.
    package var readPosition: ReadPosition? { nil }

    /// The policy of a local disk.
    package var policy: ReadPolicy { .local }

    /// Does nothing: where reading is cheap, there is nothing to prepare.
    package func prepare(_ ranges: [ByteRange], first: Bool) {}

    /// Does nothing.
    package func withdraw(_ ranges: [ByteRange]) {}
}

/// Statistics of the reads from a source.
public struct ReadStatistics: Hashable, Sendable {
    /// The number of requested bytes, including headers and index.
    public var bytesRead: UInt64
    /// The number of read or seek requests.
    public var requests: UInt64

    /// Creates statistics.
    public init(bytesRead: UInt64 = 0, requests: UInt64 = 0) {
        self.bytesRead = bytesRead
        self.requests = requests
    }

    /// Returns the reads since `right` was recorded.
    public static func - (left: ReadStatistics, right: ReadStatistics) -> ReadStatistics {
        ReadStatistics(
            bytesRead: left.bytesRead - min(left.bytesRead, right.bytesRead),
            requests: left.requests - min(left.requests, right.requests))
    }

    /// Returns the sum of the statistics of two readers.
    public static func + (left: ReadStatistics, right: ReadStatistics) -> ReadStatistics {
        ReadStatistics(
            bytesRead: left.bytesRead + right.bytesRead, requests: left.requests + right.requests)
    }
}

/// A source over bytes in memory.
package final class MemorySource: RandomAccessSource {
    /// The name for messages.
    package let name: String
    /// The statistics of the reads so far.
    package private(set) var statistics = ReadStatistics()
    private let bytes: [UInt8]

    /// Reads from `bytes`.
    package init(_ bytes: [UInt8], name: String = "memory") {
        self.bytes = bytes
        self.name = name
    }

    /// The number of bytes.
    package var size: UInt64? { UInt64(bytes.count) }

    /// Reads `count` bytes at `offset`; fewer only at the end.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        statistics.bytesRead += UInt64(max(0, count))
        statistics.requests += 1
        guard count > 0, offset < UInt64(bytes.count) else { return [] }
        let start = Int(offset)
        return Array(bytes[start..<start + min(count, bytes.count - start)])
    }
}
