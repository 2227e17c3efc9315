internal import MediaCore

/// What one thread of a ``PrefetchingSource`` does: it takes ranges and fetches them.
struct PrefetchWorker: Sendable {
    let queue: Monitor<PrefetchQueue>
    let stop: Cancellation
    let connect: PrefetchingSource.Connector
    /// Ranges taken at a time.
    let batch: Int

    /// Works until the queue is closed.
    func run() {
        var connection: (any ByteSource)?
        while let taken = next() {
            var results: [Result<[UInt8], MediaError>] = []
            results.reserveCapacity(taken.count)
            for ticket in taken {
                results.append(fetch(ticket.range, &connection))
            }
            let isAwaited = queue.with { queue in
                for (place, result) in results.enumerated() {
                    queue.store(taken[place], result)
                }
                return queue.isAskerWaiting
            }
            if isAwaited { queue.wakeAll() }
        }
    }

    private func next() -> [PrefetchQueue.Ticket]? {
        queue.wait { queue -> [PrefetchQueue.Ticket]?? in
            if queue.isClosed { return .some(nil) }
            let taken = queue.take(batch)
            if !taken.isEmpty { return taken }
            queue.isWorkerIdle = true
            return nil
        }
    }

    private func fetch(
        _ range: ByteRange, _ connection: inout (any ByteSource)?
    ) -> Result<[UInt8], MediaError> {
        do throws(MediaError) {
            let source: any ByteSource
            if let connection { source = connection } else { source = try connect(stop) }
            connection = source
            return .success(try source.read(at: range.offset, count: range.count))
        } catch {
            // The next range gets a fresh connection.
            connection = nil
            return .failure(error)
        }
    }
}
