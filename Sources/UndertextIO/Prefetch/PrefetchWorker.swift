internal import UndertextCore

/// The work of one ``PrefetchingSource`` thread: taking ranges from the queue and fetching them.
struct PrefetchWorker: Sendable {
    let queue: Monitor<PrefetchQueue>
    let stop: Cancellation
    let connect: PrefetchingSource.Connector
    /// The minimum number of ranges to take at a time.
    let batch: Int
    /// The number of ranges that the first request may contain.
    let firstBatch: Int

    /// Fetches ranges until the queue is closed.
    func run() {
        var rangesAtOnce = firstBatch
        while let taken = next(max(batch, rangesAtOnce)) {
            var connection = queue.with { $0.takeConnection() }
            var requests = ReadStatistics()
            let results = fetch(taken.map(\.range), &connection, &requests)
            rangesAtOnce = connection?.source.rangesAtOnce ?? rangesAtOnce
            let isAwaited = queue.with { queue in
                queue.count(requests)
                queue.store(taken, results)
                if let connection { queue.keep(connection) }
                return queue.isReaderWaiting
            }
            if isAwaited { queue.wakeAll(.consumers) }
        }
    }

    private func next(_ count: Int) -> [PrefetchQueue.Ticket]? {
        var wasIdle = false
        let (taken, hasMoreWork) = queue.wait(.producers) {
            queue -> ([PrefetchQueue.Ticket]?, Bool)? in
            if wasIdle { queue.idleWorkers -= 1 }
            wasIdle = false
            if queue.isClosed { return (nil, false) }
            let taken = queue.take(count)
            if !taken.isEmpty { return (taken, queue.hasWorkForIdleWorker) }
            queue.idleWorkers += 1
            wasIdle = true
            return nil
        }
        // Each worker wakes the next one while there is work, which avoids needless wakeups.
        if hasMoreWork { queue.wakeOne(.producers) }
        return taken
    }

    private func fetch(
        _ ranges: [ByteRange], _ connection: inout PrefetchQueue.Connection?,
        _ requests: inout ReadStatistics
    ) -> [Result<[UInt8], UndertextError>] {
        do throws(UndertextError) {
            let source: any RandomAccessSource
            if let connection { source = connection.source } else { source = try connect(stop) }
            connection = PrefetchQueue.Connection(source: source)
            let before = source.statistics
            defer { requests = source.statistics - before }
            return try source.read(ranges).map { .success($0) }
        } catch {
            // Open a new connection for the next ranges.
            connection = nil
            return Array(repeating: .failure(error), count: ranges.count)
        }
    }
}
