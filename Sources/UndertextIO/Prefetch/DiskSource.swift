internal import Glibc
package import UndertextCore

/// A local file that announces future reads to the system if the file is not in the page cache.
///
/// A read from the page cache takes about two microseconds, as long as announcing it would. A read from the
/// disk takes about a hundred, and disks serve many requests at the same time.
package final class DiskSource: RandomAccessSource {
    /// The policy of cached files until reads prove that the file is on the disk.
    package var policy: ReadPolicy { latency.isThatOfADisk ? Self.onDisk : .local }

    private static let onDisk = ReadPolicy(
        blockSize: 0, joinedGap: 512, concurrency: 16, readAhead: 4 << 20)
    private let file: any RandomAccessSource
    private var latency = ReadLatency()
    private var hasPrepared = false

    /// Creates a source that reads through `file`.
    package init(_ file: any RandomAccessSource) { self.file = file }

    /// The path, for messages.
    package var name: String { file.name }
    /// The length in bytes.
    package var size: UInt64? { file.size }
    /// The position of the underlying source.
    package var readPosition: ReadPosition? { file.readPosition }
    /// The requests to the file so far.
    package var statistics: ReadStatistics { file.statistics }

    /// Reads `count` bytes at `offset`; fewer only at the end of the file.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        // After prefetching, a fast read no longer proves that the file is cached.
        guard !hasPrepared else { return try file.read(at: offset, count: count) }
        return try latency.measure { () throws(UndertextError) in
            try file.read(at: offset, count: count)
        }
    }

    /// Announces `ranges` to the system if the file is not in the page cache.
    package func prepare(_ ranges: [ByteRange], first: Bool) {
        guard latency.isThatOfADisk else { return }
        hasPrepared = true
        file.prepare(ranges, first: first)
    }
}

/// Distinguishes disk reads from page cache reads by their duration.
struct ReadLatency {
    /// One bit for each recent read, set if it was slow; the latest read is the lowest bit.
    private var slow: UInt16 = 0

    /// The duration in nanoseconds above which a read is slow; cached reads take less.
    static let threshold: Int64 = 25_000

    /// Measures a read that succeeds.
    mutating func measure<Bytes>(
        _ read: () throws(UndertextError) -> Bytes
    ) throws(UndertextError) -> Bytes {
        let start = Self.now
        let bytes = try read()
        note(Self.now - start)
        return bytes
    }

    /// Records the duration of a read in nanoseconds.
    mutating func note(_ nanoseconds: Int64) {
        slow = slow << 1 | (nanoseconds > Self.threshold ? 1 : 0)
    }

    /// `true` if at least half of the last sixteen reads were slow; a busy machine delays only single reads.
    var isThatOfADisk: Bool { slow.nonzeroBitCount >= 8 }

    /// The current time in nanoseconds; C: `clock_gettime`.
    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
