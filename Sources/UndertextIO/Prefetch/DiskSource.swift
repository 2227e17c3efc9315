internal import Glibc
package import UndertextCore

/// A file on a local disk that is told what comes, once it turns out not to be in memory.
///
/// From the page cache a read takes two microseconds, and telling the system of it first would
/// take as long. From the disk it takes a hundred, and disks answer many requests at once.
package final class DiskSource: RandomAccessSource {
    /// That of a file in memory, until it turns out to be on the disk.
    package var policy: ReadPolicy { latency.isThatOfADisk ? Self.onDisk : .local }

    private static let onDisk = ReadPolicy(
        blockSize: 0, joinedGap: 512, concurrency: 16, readAhead: 4 << 20)
    private let file: any RandomAccessSource
    private var latency = ReadLatency()
    private var hasPrepared = false

    /// Reads a file through `file`.
    package init(_ file: any RandomAccessSource) { self.file = file }

    /// The path, for messages.
    package var name: String { file.name }
    /// The length in bytes.
    package var size: UInt64? { file.size }
    /// The position of the underlying source.
    package var readPosition: ReadPosition? { file.readPosition }
    /// What was asked of the file so far.
    package var statistics: ReadStatistics { file.statistics }

    /// Reads `count` bytes at `offset`; fewer only at the end of the file.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        let start = Self.now
        let bytes = try file.read(at: offset, count: count)
        // Once ranges were fetched ahead, fast reads say nothing of the disk.
        if !hasPrepared { latency.note(Self.now - start) }
        return bytes
    }

    /// Lets the system fetch `ranges` if the file is not in memory.
    package func prepare(_ ranges: [ByteRange], first: Bool) {
        guard latency.isThatOfADisk else { return }
        hasPrepared = true
        file.prepare(ranges, first: first)
    }

    /// Nanoseconds; C: `clock_gettime`.
    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Tells a disk from the page cache by how long reads take.
struct ReadLatency {
    /// One bit a read, the last one lowest: whether it was slow.
    private var slow: UInt16 = 0

    /// No read from memory takes that long, unless the processor did something else meanwhile.
    static let threshold: Int64 = 25_000

    /// Notes a read of that many nanoseconds.
    mutating func note(_ nanoseconds: Int64) {
        slow = slow << 1 | (nanoseconds > Self.threshold ? 1 : 0)
    }

    /// `true` if half of the last sixteen reads were slow: a busy machine delays one, not many.
    var isThatOfADisk: Bool { slow.nonzeroBitCount >= 8 }
}
