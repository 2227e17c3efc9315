package import UndertextCore

/// A local file whose reader jumps from one place to the next; if the file is on a disk, scouts go ahead of it.
///
/// Scouts read, on threads of their own, what the reader will read, so that it is in the page cache then. A disk serves
/// many requests in the time of one; for a file that is cached already, scouts would be useless.
package final class ScoutedSource: RandomAccessSource {
    /// Reads with a source of its own, and returns when nothing is left or a read fails.
    ///
    /// Before it reads at an offset, it calls the function, which waits until the reader is near, and returns `false`
    /// if the reader has ended.
    package typealias Scout = @Sendable (any RandomAccessSource, (UInt64) -> Bool) -> Void

    private struct Progress {
        /// An offset that the reader has reached.
        var reader: UInt64
        var isStopped = false
        /// The requests of scouts that have returned.
        var ofScouts = ReadStatistics()
    }

    private let file: any RandomAccessSource
    private let connect: PrefetchingSource.Connector
    private let scout: Scout
    private let stop: Cancellation
    private let progress = Monitor(Progress(reader: 0))
    private var latency = ReadLatency()
    private var threads: [WorkerThread]?
    /// The offset at which the reader next reports its progress to the scouts.
    private var nextReport: UInt64 = 0

    private static let threadCount = 16
    /// The most bytes of the file between the reader and a scout: what is read too early may leave the page cache.
    static let lead: UInt64 = 256 << 20
    private static let reportDistance: UInt64 = 16 << 20

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - file: The file, for the reader's thread.
    ///   - cancellation: Ends reading.
    ///   - connect: Opens the file for a scout.
    ///   - scout: What each scout does.
    package init(
        _ file: any RandomAccessSource, cancellation: Cancellation?,
        connect: @escaping PrefetchingSource.Connector, scout: @escaping Scout
    ) {
        self.file = file
        self.connect = connect
        self.scout = scout
        stop = Cancellation(parent: cancellation)
    }

    deinit {
        stop.cancel()
        progress.with { $0.isStopped = true }
        progress.wakeAll(.producers)
        for thread in threads ?? [] { thread.join() }
    }

    /// The path, for messages.
    package var name: String { file.name }
    /// The length in bytes.
    package var size: UInt64? { file.size }
    /// The policy of the file.
    package var policy: ReadPolicy { file.policy }
    /// The position of the reader.
    package var readPosition: ReadPosition? { file.readPosition }
    /// The requests of the reader so far, and those of scouts that have returned.
    package var statistics: ReadStatistics { file.statistics + progress.with { $0.ofScouts } }

    /// Reads `count` bytes at `offset`; fewer only at the end of the file.
    ///
    /// - Throws: ``UndertextError`` as the file does.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        guard threads == nil else {
            if offset >= nextReport { report(offset) }
            return try file.read(at: offset, count: count)
        }
        let bytes = try latency.measure { () throws(UndertextError) in
            try file.read(at: offset, count: count)
        }
        if latency.isThatOfADisk {
            report(offset)
            startScouts()
        }
        return bytes
    }

    private func report(_ offset: UInt64) {
        nextReport = offset + Self.reportDistance
        progress.with { $0.reader = offset }
        progress.wakeAll(.producers)
    }

    private func startScouts() {
        var started: [WorkerThread] = []
        for _ in 0..<Self.threadCount {
            let thread = WorkerThread { [connect, scout, stop, progress] in
                // The reader needs no scouts, and reports the failures of the file itself.
                guard let source = try? connect(stop) else { return }
                scout(source) { offset in
                    progress.wait(.producers) { progress in
                        if progress.isStopped { return false }
                        return offset <= progress.reader + Self.lead ? true : nil
                    }
                }
                progress.with { $0.ofScouts = $0.ofScouts + source.statistics }
            }
            guard let thread else { break }
            started.append(thread)
        }
        threads = started
    }
}
