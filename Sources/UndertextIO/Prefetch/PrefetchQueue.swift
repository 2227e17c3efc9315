internal import UndertextCore

/// The ranges that a reader has announced, in order, with their progress.
struct PrefetchQueue {
    /// The result of looking up a range.
    enum Find {
        /// The range was not announced.
        case absent
        /// No worker has started on the range; the reader fetches these ranges itself.
        case waiting([Ticket])
        case running
        case done(Result<[UInt8], UndertextError>)
    }

    /// An announced range with a unique number.
    struct Ticket: Sendable {
        let number: UInt64
        let range: ByteRange
    }

    /// A connection on which no request is running.
    struct Connection: @unchecked Sendable {
        // Unchecked: it moves between threads, but only one at a time uses it.
        let source: any RandomAccessSource
    }

    private enum Progress {
        case waiting
        case running
        case done(Result<[UInt8], UndertextError>)
    }

    private struct Announcement {
        let ticket: Ticket
        var progress: Progress
    }

    private(set) var statistics = ReadStatistics()
    /// `true` if the workers must stop.
    var isClosed = false
    /// The number of workers that wait for ranges.
    var idleWorkers = 0
    /// `true` if the reader waits for a range.
    var isReaderWaiting = false
    /// `true` if the reader must not wait.
    var isInterrupted = false

    /// The maximum number of bytes to prefetch; longer ranges are left to the reader.
    private let room: Int
    /// The number of bytes that are being fetched or not yet read.
    private var held = 0
    /// The announced ranges that have not been read, by offset.
    private var announcements: [UInt64: Announcement] = [:]
    private var lane = FirstInFirstOut<Ticket>()
    private var fastLane = FirstInFirstOut<Ticket>()
    private var nextNumber: UInt64 = 0
    private var connections: [Connection] = []

    /// The maximum number of pending announcements; further ones are dropped.
    private static let maximumCount = 16384

    init(room: Int) { self.room = room }

    /// Adds announced ranges at the end, or before all others if they are read first.
    mutating func append(_ ranges: [ByteRange], first: Bool) {
        for range in ranges where range.count > 0 && range.count <= room {
            guard announcements.count < Self.maximumCount else { return }
            let ticket = Ticket(number: nextNumber, range: range)
            nextNumber += 1
            if let old = announcements[range.offset], case .done = old.progress {
                held -= old.ticket.range.count
            }
            announcements[range.offset] = Announcement(ticket: ticket, progress: .waiting)
            if first { fastLane.append(ticket) } else { lane.append(ticket) }
        }
    }

    /// `true` if an idle worker could fetch a range.
    var hasWorkForIdleWorker: Bool {
        idleWorkers > 0 && held <= room && !(fastLane.isEmpty && lane.isEmpty)
    }

    /// Removes up to `count` ranges for fetching; empty if there is nothing to fetch.
    mutating func take(_ count: Int) -> [Ticket] {
        var taken: [Ticket] = []
        while taken.count < count, held <= room,
            let ticket = fastLane.popFirst() ?? lane.popFirst()
        {
            // The reader may have fetched it in the meantime.
            guard let announcement = announcements[ticket.range.offset],
                announcement.ticket.number == ticket.number, case .waiting = announcement.progress
            else { continue }
            announcements[ticket.range.offset]?.progress = .running
            held += ticket.range.count
            taken.append(ticket)
        }
        return taken
    }

    /// Removes a waiting range and the next ones for fetching, up to `count` in total.
    private mutating func take(_ ticket: Ticket, _ count: Int) -> [Ticket] {
        announcements[ticket.range.offset]?.progress = .running
        held += ticket.range.count
        return [ticket] + take(count - 1)
    }

    /// Removes announced ranges that will not be read.
    mutating func withdraw(_ ranges: [ByteRange]) {
        for range in ranges {
            guard let announcement = announcements[range.offset],
                announcement.ticket.range == range
            else { continue }
            announcements[range.offset] = nil
            // A range in flight counts until it arrives.
            if case .done = announcement.progress { held -= range.count }
        }
    }

    /// Takes a connection on which no request is running, the latest one first: it is the least likely to be closed.
    mutating func takeConnection() -> Connection? { connections.popLast() }

    /// Keeps a connection for the next request.
    mutating func keep(_ connection: Connection) { connections.append(connection) }

    /// Adds the statistics of a connection.
    mutating func count(_ added: ReadStatistics) { statistics = statistics + added }

    /// Stores the fetched bytes or errors, one for each range.
    mutating func store(_ tickets: [Ticket], _ results: [Result<[UInt8], UndertextError>]) {
        for (ticket, result) in zip(tickets, results) { store(ticket, result) }
    }

    private mutating func store(_ ticket: Ticket, _ result: Result<[UInt8], UndertextError>) {
        guard let announcement = announcements[ticket.range.offset],
            announcement.ticket.number == ticket.number
        else {
            held -= ticket.range.count
            return
        }
        announcements[ticket.range.offset] = Announcement(ticket: ticket, progress: .done(result))
    }

    /// Looks up an announced range, and removes it if it has been fetched.
    ///
    /// If no worker has started on the range, the caller gets up to `batch` ranges to fetch with one request.
    mutating func find(_ offset: UInt64, _ count: Int, batch: Int) -> Find {
        guard let announcement = announcements[offset], announcement.ticket.range.count == count
        else {
            return .absent
        }
        switch announcement.progress {
        case .running: return .running
        case .waiting: return .waiting(take(announcement.ticket, batch))
        case .done(let result):
            announcements[offset] = nil
            held -= count
            return .done(result)
        }
    }
}
