package import UndertextCore

/// A source that fetches on threads of its own what its reader says it is going to read.
///
/// So reading goes on while the last bytes are worked on, and where each request takes long, many
/// of them are under way at once. Not `Sendable`: one reader at a time.
package final class PrefetchingSource: RandomAccessSource {
    /// Opens a further connection to the same input, for one thread.
    ///
    /// Reads of the connection end when the cancellation that it is given is raised.
    package typealias Connector =
        @Sendable (Cancellation) throws(UndertextError) -> any RandomAccessSource

    /// How the source is read best.
    package let policy: ReadPolicy

    private let primary: any RandomAccessSource
    /// What reads for who promises nothing.
    private let blocks: any RandomAccessSource
    private let connect: Connector
    private let stop: Cancellation
    private let queue: Monitor<PrefetchQueue>
    private var threads: [WorkerThread] = []
    private static let longRead = 16 << 10

    /// Reads through `primary` what was not promised, and through connections what was.
    ///
    /// Before the first promise, and for long reads, requests are for `least` bytes or more.
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

    /// What is read, for messages: a path or an URL.
    package var name: String { primary.name }
    /// The length in bytes; `nil` if it is not known.
    package var size: UInt64? { primary.size }
    /// The position of the underlying source.
    package var readPosition: ReadPosition? { primary.readPosition }
    /// What was asked of all connections so far.
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
        case .failure(let error) where error.code == .cancelled: throw error
        // A connection may have been lost: the other one tries again.
        case .failure, nil: break
        }
        // Who promises knows what it needs: a block around that would be for nothing. Long reads
        // come from who has given up on promises and goes through all of it.
        return try (count < Self.longRead ? primary : blocks).read(at: offset, count: count)
    }

    /// What was fetched of a promised range; `nil` if it was not promised.
    private func prepared(_ offset: UInt64, _ count: Int) -> Result<[UInt8], UndertextError>? {
        var wantsWorker = false
        let batch = primary.rangesAtOnce
        let found = queue.wait(.consumers) { queue -> PrefetchQueue.Find? in
            let found = queue.find(offset, count, batch: batch)
            if case .running = found {
                queue.isAskerWaiting = true
                return nil
            }
            queue.isAskerWaiting = false
            wantsWorker = queue.wantsWorker
            return found
        }
        if wantsWorker { queue.wakeOne(.producers) }
        switch found {
        case .done(let result): return result
        case .waiting(let tickets): return fetch(tickets)
        case .absent, .running: return nil
        }
    }

    /// Fetches what nobody has begun with, and returns the first of it.
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

    /// Fetches `ranges` in the background, before the others if they are read `first`.
    package func prepare(_ ranges: [ByteRange], first: Bool) {
        guard !ranges.isEmpty else { return }
        let wantsWorker = queue.with { queue in
            queue.append(ranges, first: first)
            return queue.wantsWorker
        }
        if threads.isEmpty { startThreads() }
        if wantsWorker { queue.wakeOne(.producers) }
    }

    private func startThreads() {
        for _ in 0..<policy.concurrency {
            let worker = PrefetchWorker(
                queue: queue, stop: stop, connect: connect,
                // One of many takes little, so that none waits while another has a heap.
                batch: policy.concurrency > 1 ? 1 : 64)
            // Without threads everything is read when it is asked for.
            guard let thread = WorkerThread({ worker.run() }) else { return }
            threads.append(thread)
        }
    }
}
