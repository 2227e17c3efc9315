internal import UndertextCore

/// The ranges that were promised, in their order, and what has become of them.
struct PrefetchQueue {
    /// What a search for a range finds.
    enum Find {
        /// The range was not promised.
        case absent
        /// Nobody has begun with it: the asker fetches it, and what comes with it.
        case waiting([Ticket])
        case running
        case done(Result<[UInt8], UndertextError>)
    }

    /// A range with a number of its own.
    struct Ticket: Sendable {
        let number: UInt64
        let range: ByteRange
    }

    private enum Progress {
        case waiting
        case running
        case done(Result<[UInt8], UndertextError>)
    }

    private struct Promise {
        let ticket: Ticket
        var progress: Progress
    }

    private(set) var statistics = ReadStatistics()
    /// `true` if the workers are to end.
    var isClosed = false
    /// Threads that wait for something to do.
    var idleWorkers = 0
    /// `true` if the asker waits for a range.
    var isAskerWaiting = false

    /// Bytes that are fetched before they are asked for; longer ranges are left to the asker.
    private let room: Int
    /// Bytes that are being fetched, or wait to be asked for.
    private var held = 0
    /// What is promised and not read, by offset.
    private var promises: [UInt64: Promise] = [:]
    private var lane = FirstInFirstOut<Ticket>()
    private var fastLane = FirstInFirstOut<Ticket>()
    private var nextNumber: UInt64 = 0

    /// Promises that are open at the same time; a reader with more does not keep them.
    private static let mostOpen = 16384

    init(room: Int) { self.room = room }

    /// Takes promises: behind the others, or before them where they are read first.
    mutating func append(_ ranges: [ByteRange], first: Bool) {
        for range in ranges where range.count > 0 && range.count <= room {
            guard promises.count < Self.mostOpen else { return }
            let ticket = Ticket(number: nextNumber, range: range)
            nextNumber += 1
            if let old = promises[range.offset], case .done = old.progress {
                held -= old.ticket.range.count
            }
            promises[range.offset] = Promise(ticket: ticket, progress: .waiting)
            if first { fastLane.append(ticket) } else { lane.append(ticket) }
        }
    }

    /// `true` if an idle thread would find something to do.
    var wantsWorker: Bool { idleWorkers > 0 && held <= room && !(fastLane.isEmpty && lane.isEmpty) }

    /// Up to `count` ranges to be fetched; none if there is nothing to do.
    mutating func take(_ count: Int) -> [Ticket] {
        var taken: [Ticket] = []
        while taken.count < count, held <= room,
            let ticket = fastLane.popFirst() ?? lane.popFirst()
        {
            // The asker may have begun with it meanwhile.
            guard let promise = promises[ticket.range.offset],
                promise.ticket.number == ticket.number, case .waiting = promise.progress
            else { continue }
            promises[ticket.range.offset]?.progress = .running
            held += ticket.range.count
            taken.append(ticket)
        }
        return taken
    }

    /// A range that waits, and up to `count` in all that are to be fetched next.
    private mutating func take(_ ticket: Ticket, _ count: Int) -> [Ticket] {
        promises[ticket.range.offset]?.progress = .running
        held += ticket.range.count
        return [ticket] + take(count - 1)
    }

    /// Counts what a connection has asked for.
    mutating func count(_ asked: ReadStatistics) { statistics = statistics + asked }

    /// Stores what was fetched, a result for each.
    mutating func store(_ tickets: [Ticket], _ results: [Result<[UInt8], UndertextError>]) {
        for (ticket, result) in zip(tickets, results) { store(ticket, result) }
    }

    private mutating func store(_ ticket: Ticket, _ result: Result<[UInt8], UndertextError>) {
        guard let promise = promises[ticket.range.offset], promise.ticket.number == ticket.number
        else {
            held -= ticket.range.count
            return
        }
        promises[ticket.range.offset] = Promise(ticket: ticket, progress: .done(result))
    }

    /// Looks for a promised range, and forgets it once it is there.
    ///
    /// If nobody has begun with it, the asker gets up to `batch` ranges to fetch with one request.
    mutating func find(_ offset: UInt64, _ count: Int, batch: Int) -> Find {
        guard let promise = promises[offset], promise.ticket.range.count == count else {
            return .absent
        }
        switch promise.progress {
        case .running: return .running
        case .waiting: return .waiting(take(promise.ticket, batch))
        case .done(let result):
            promises[offset] = nil
            held -= count
            return .done(result)
        }
    }
}
