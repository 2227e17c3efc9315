/// How a source is read best: what a request costs there against what a byte costs.
public struct ReadPolicy: Hashable, Sendable {
    /// Bytes of one request at least; 0 = as many as are needed.
    public var blockSize: Int
    /// Ranges that lie closer than this are worth one request, in bytes.
    public var joinedGap: Int
    /// Requests that are under way at the same time.
    public var concurrency: Int
    /// Bytes that may be fetched before they are asked for.
    public var readAhead: Int

    /// Creates a policy.
    public init(blockSize: Int, joinedGap: Int, concurrency: Int, readAhead: Int) {
        self.blockSize = max(0, blockSize)
        self.joinedGap = max(0, joinedGap)
        self.concurrency = max(1, concurrency)
        self.readAhead = max(0, readAhead)
    }

    /// A local disk: requests cost microseconds, so little is read and often.
    public static let local = ReadPolicy(
        blockSize: 0, joinedGap: 512, concurrency: 1, readAhead: 4 << 20)

    /// A file system on another machine, or in a program: a request takes about a millisecond.
    ///
    /// Gaps are read where that costs less than a request, and several requests wait at once.
    public static let networkFile = ReadPolicy(
        blockSize: 16 << 10, joinedGap: 128 << 10, concurrency: 8, readAhead: 16 << 20)

    /// A server far away: a request takes tens of milliseconds, and bytes are dear.
    ///
    /// Many requests wait at once instead of reading more, so the bytes stay those of a disk.
    public static let remote = ReadPolicy(
        blockSize: 0, joinedGap: 4 << 10, concurrency: 24, readAhead: 8 << 20)
}
