package import UndertextCore

/// A local file whose reader jumps from one place to the next; if the file is on a disk, scouts go ahead of it.
///
/// Scouts read, on threads of their own, what the reader will read, so that it is in the page cache then. A disk serves
/// many requests in the time of one; for a file that is cached already, scouts would be useless.
package final class ScoutedSource: RandomAccessSource {
    /// Reads with a source of its own, and returns when nothing is left or a read fails.
    package typealias Scout = @Sendable (any RandomAccessSource) -> Void

    private let file: any RandomAccessSource
    private let connect: PrefetchingSource.Connector
    private let scout: Scout
    private let stop: Cancellation
    private let requests = Monitor(ReadStatistics())
    private var latency = ReadLatency()
    private var threads: [WorkerThread]?
    private static let threadCount = 16

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
    package var statistics: ReadStatistics { file.statistics + requests.with { $0 } }

    /// Reads `count` bytes at `offset`; fewer only at the end of the file.
    ///
    /// - Throws: ``UndertextError`` as the file does.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        guard threads == nil else { return try file.read(at: offset, count: count) }
        let bytes = try latency.measure { () throws(UndertextError) in
            try file.read(at: offset, count: count)
        }
        if latency.isThatOfADisk { startScouts() }
        return bytes
    }

    private func startScouts() {
        var started: [WorkerThread] = []
        for _ in 0..<Self.threadCount {
            let thread = WorkerThread { [connect, scout, stop, requests] in
                guard let source = try? connect(stop) else { return }
                scout(source)
                requests.with { $0 = $0 + source.statistics }
            }
            guard let thread else { break }
            started.append(thread)
        }
        threads = started
    }
}
