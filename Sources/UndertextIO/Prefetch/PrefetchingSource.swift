package import UndertextCore

/// A source that fetches announced ranges on background threads.
///
/// Reading continues while earlier bytes are processed, and slow requests run concurrently. The source is not
/// `Sendable`: it supports one reader at a time.
package final class PrefetchingSource: RandomAccessSource {
    /// Opens another connection to the same input, for one thread.
    ///
    /// The connection's reads end when the passed cancellation is cancelled.
    package typealias Connector =
        @Sendable (Cancellation) throws(UndertextError) -> any RandomAccessSource

    /// The recommended read policy.
    package let policy: ReadPolicy

    private let primary: any RandomAccessSource
    /// The source for reads that were not announced.
    private let blocks: any RandomAccessSource
    private let connect: Connector
    private let stop: Cancellation
    private let queue: Monitor<PrefetchQueue>
    private var threads: [WorkerThread] = []
    private static let longRead = 16 << 10

    /// Creates a source that reads announced ranges through connections and other ranges through `primary`.
    ///
    /// Before the first announcement, and for long reads, requests have at least `least` bytes.
    package init(
        _ primary: any RandomAccessSource, policy: ReadPolicy, cancellation: Cancellation,
        least: Int = 0, connect: @escaping Connector
    ) {
        self.primary = primary
        blocks = least > 0 ? BlockSource(primary, least: least) : primary
        self.policy = policy
        self.connect = connect
        queue = Monitor(PrefetchQueue(room: policy.readAhead))
        stop = Cancellation(parent: cancellation)
    }

    deinit {
        stop.cancel()
        queue.with { $0.isClosed = true }
        queue.wakeAll(.producers)
        for thread in threads { thread.join() }
    }

    /// The path or URL of the input, for messages.
    package var name: String { primary.name }
    /// The length in bytes; `nil` if unknown.
    package var size: UInt64? { primary.size }
    /// The position of the underlying source.
    package var readPosition: ReadPosition? { primary.readPosition }
    /// The requests of all connections so far.
    package var statistics: ReadStatistics {
        primary.statistics + queue.with { $0.statistics }
    }

    /// Reads `count` bytes at `offset`; fewer only at the end of the source.
    ///
    /// - Throws: ``UndertextError`` with code `io` or `cancelled`.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        guard !threads.isEmpty else { return try blocks.read(at: offset, count: count) }
        switch prepared(offset, count) {
        case .success(let bytes): return bytes
        case .failure(let error) where error.code == .cancelled || error.code == .interrupted:
            throw error
        // The prefetching connection may have been lost, so retry on the primary one.
        case .failure, nil: break
        }
        // A reader that announces ranges reads exactly those, so a larger block would be wasted. Long reads
        // come from a sequential reader that no longer announces ranges.
        return try (count < Self.longRead ? primary : blocks).read(at: offset, count: count)
    }

    /// The fetched bytes of an announced range; `nil` if it was not announced.
    private func prepared(_ offset: UInt64, _ count: Int) -> Result<[UInt8], UndertextError>? {
        var hasWorkForIdleWorker = false
        let batch = primary.rangesAtOnce
        let found = queue.wait(.consumers) { queue -> PrefetchQueue.Find? in
            if queue.isInterrupted {
                queue.isInterrupted = false
                queue.isReaderWaiting = false
                return .done(
                    .failure(UndertextError(.interrupted, "reading was interrupted", path: name)))
            }
            let found = queue.find(offset, count, batch: batch)
            if case .running = found {
                queue.isReaderWaiting = true
                return nil
            }
            queue.isReaderWaiting = false
            hasWorkForIdleWorker = queue.hasWorkForIdleWorker
            return found
        }
        if hasWorkForIdleWorker { queue.wakeOne(.producers) }
        switch found {
        case .done(let result): return result
        case .waiting(let tickets): return fetch(tickets)
        case .absent, .running: return nil
        }
    }

    /// Fetches ranges that no worker has started on, and returns the first one.
    private func fetch(_ tickets: [PrefetchQueue.Ticket]) -> Result<[UInt8], UndertextError>? {
        let results: [Result<[UInt8], UndertextError>]
        do throws(UndertextError) {
            results = try primary.read(tickets.map(\.range)).map { .success($0) }
        } catch {
            results = Array(repeating: .failure(error), count: tickets.count)
        }
        guard let first = tickets.first else { return nil }
        return queue.with { queue in
            queue.store(tickets, results)
            guard
                case .done(let result) = queue.find(
                    first.range.offset, first.range.count, batch: 1)
            else { return nil }
            return result
        }
    }

    /// Fetches `ranges` in the background; ranges that are read `first` precede all others.
    package func prepare(_ ranges: [ByteRange], first: Bool) {
        guard !ranges.isEmpty else { return }
        let hasWorkForIdleWorker = queue.with { queue in
            queue.append(ranges, first: first)
            return queue.hasWorkForIdleWorker
        }
        if threads.isEmpty { startThreads() }
        if hasWorkForIdleWorker { queue.wakeOne(.producers) }
    }

    /// Interrupts the reader of a source, from any thread.
    package struct Interrupter: Sendable {
        fileprivate let queue: Monitor<PrefetchQueue>

        /// Makes the current or next read of announced ranges throw `interrupted`, unless it is a request of the reader's own.
        package func interrupt() {
            queue.with { $0.isInterrupted = true }
            queue.wakeAll(.consumers)
        }

        /// Takes back an interruption that no read has noticed.
        package func reset() { queue.with { $0.isInterrupted = false } }
    }

    /// Interrupts the reader of this source.
    package var interrupter: Interrupter { Interrupter(queue: queue) }

    /// Gives up ranges that were announced and will not be read.
    package func withdraw(_ ranges: [ByteRange]) {
        guard !ranges.isEmpty else { return }
        queue.with { $0.withdraw(ranges) }
    }

    private func startThreads() {
        for _ in 0..<policy.concurrency {
            let worker = PrefetchWorker(
                queue: queue, stop: stop, connect: connect,
                // With several workers, each takes one range at a time to share the work evenly.
                batch: policy.concurrency > 1 ? 1 : 64, firstBatch: primary.rangesAtOnce)
            // If no thread can be started, every range is fetched when it is read.
            guard let thread = WorkerThread({ worker.run() }) else { return }
            threads.append(thread)
        }
    }
}
