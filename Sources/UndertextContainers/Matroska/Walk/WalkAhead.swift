internal import UndertextCore

/// Chooses how much to request at the header of an element.
///
/// A header has a few bytes, and the next one may follow immediately or after 300 KB. If blocks are small, one
/// read covers many of them; if they are large, reading more than a header is useless.
struct WalkAhead: Sendable {
    /// The minimum request size of the source; 0 for none.
    private let blockSize: Int
    private let start: UInt64
    private let askedBefore: UInt64
    private var length = Self.tight
    private var headers: UInt64 = 0
    /// The end of the last read.
    private(set) var readEnd: UInt64

    /// The longest usual start of a BlockGroup up to its Block's track number.
    static let tight = 32
    /// Reading on over a gap of that many bytes takes no longer than a request.
    private static let smallGap: UInt64 = 2048
    private static let longest = 64 << 10
    /// If the average distance of headers is larger, skipping saves bytes.
    private static let sparse: UInt64 = 4096
    /// The divisor for the share of the walked bytes that may be read.
    private static let share: UInt64 = 25

    init(from start: UInt64, policy: ReadPolicy, asked: UInt64) {
        self.start = start
        blockSize = policy.blockSize
        askedBefore = asked
        readEnd = start
    }

    /// The number of bytes from the last read to `position` that are read instead of skipped.
    ///
    /// `nil` if it is to be jumped over: what is far away is another request anyway.
    func bridge(to position: UInt64) -> ByteRange? {
        guard blockSize > 0, position > readEnd, position - readEnd < UInt64(blockSize) else {
            return nil
        }
        return ByteRange(offset: readEnd, count: blockSize)
    }

    /// The number of bytes to request at `position`, which is not buffered.
    mutating func next(at position: UInt64, asked: UInt64) -> Int {
        guard blockSize == 0 else { return blockSize }
        let gap = position > readEnd ? position - readEnd : 0
        if gap <= Self.smallGap {
            length = min(max(length * 2, 512), Self.longest)
        } else {
            length = Self.tight
        }
        let walked = position > start ? position - start : 0
        let isSparse = walked / Self.sparse > headers
        if isSparse, asked - askedBefore > walked / Self.share + UInt64(Self.longest) {
            length = Self.tight
        }
        return length
    }

    /// Records that a header was examined.
    mutating func passedHeader() { headers += 1 }

    /// Records the end of the buffered bytes.
    mutating func hasRead(to end: UInt64) { readEnd = max(readEnd, end) }
}
