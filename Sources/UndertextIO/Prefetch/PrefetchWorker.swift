internal import UndertextCore

/// What one thread of a ``PrefetchingSource`` does: it takes ranges and fetches them.
struct PrefetchWorker: Sendable {
    let queue: Monitor<PrefetchQueue>
    let stop: Cancellation
    let connect: PrefetchingSource.Connector
    /// Ranges taken at a time at least.
    let batch: Int

    /// Works until the queue is closed.
    func run() {
        var connection: (any RandomAccessSource)?
        while let taken = next(max(batch, connection?.rangesAtOnce ?? 1)) {
            var asked = ReadStatistics()
            let results = fetch(taken.map(\.range), &connection, &asked)
            let isAwaited = queue.with { queue in
                queue.count(asked)
                queue.store(taken, results)
                return queue.isAskerWaiting
            }
            if isAwaited { queue.wakeAll(.consumers) }
        }
    }

    private func next(_ count: Int) -> [PrefetchQueue.Ticket]? {
        var wasIdle = false
        let (taken, isMoreWanted) = queue.wait(.producers) {
            queue -> ([PrefetchQueue.Ticket]?, Bool)? in
            if wasIdle { queue.idleWorkers -= 1 }
            wasIdle = false
            if queue.isClosed { return (nil, false) }
            let taken = queue.take(count)
            if !taken.isEmpty { return (taken, queue.wantsWorker) }
            queue.idleWorkers += 1
            wasIdle = true
            return nil
        }
        // Each wakes the next one while there is work, so that none wakes for nothing.
        if isMoreWanted { queue.wakeOne(.producers) }
        return taken
    }

    private func fetch(
        _ ranges: [ByteRange], _ connection: inout (any RandomAccessSource)?,
        _ asked: inout ReadStatistics
    ) -> [Result<[UInt8], UndertextError>] {
        do throws(UndertextError) {
            let source: any RandomAccessSource
            if let connection { source = connection } else { source = try connect(stop) }
            connection = source
            let before = source.statistics
            defer { asked = source.statistics - before }
            return try source.read(ranges).map { .success($0) }
        } catch {
            // The next ranges get a fresh connection.
            connection = nil
            return Array(repeating: .failure(error), count: ranges.count)
        }
    }
}
