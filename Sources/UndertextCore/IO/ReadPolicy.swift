/// A policy for reading a source, based on the cost of requests and bytes.
package struct ReadPolicy: Hashable, Sendable {
    /// The minimum size of a request in bytes; 0 means as needed.
    package var blockSize: Int
    /// The distance in bytes below which two ranges are read with one request.
    package var joinedGap: Int
    /// The number of concurrent requests.
    package var concurrency: Int
    /// The number of bytes that may be read ahead.
    package var readAhead: Int

    /// Creates a policy.
    package init(blockSize: Int, joinedGap: Int, concurrency: Int, readAhead: Int) {
        self.blockSize = max(0, blockSize)
        self.joinedGap = max(0, joinedGap)
        self.concurrency = max(1, concurrency)
        self.readAhead = max(0, readAhead)
    }

    /// A local disk: requests cost microseconds, so many small ones are made.
    package static let local = ReadPolicy(
        blockSize: 0, joinedGap: 512, concurrency: 1, readAhead: 4 << 20)

    /// A file system on another machine or in a program: a request takes about a millisecond.
    ///
    /// Gaps are read where that costs less than a request, and several requests are concurrent.
    package static let networkFile = ReadPolicy(
        blockSize: 16 << 10, joinedGap: 128 << 10, concurrency: 8, readAhead: 16 << 20)

    /// A remote server: a request takes tens of milliseconds, and bytes are expensive.
    ///
    /// Many requests are concurrent, so no more bytes are read than from a disk.
    package static let remote = ReadPolicy(
        blockSize: 0, joinedGap: 4 << 10, concurrency: 24, readAhead: 8 << 20)
}
