internal import MediaCore

/// The ranges that were promised, in their order, and what has become of them.
struct PrefetchQueue {
    enum Progress {
        case waiting
        case running
        case done(Result<[UInt8], MediaError>)
    }

    private struct Entry {
        let number: UInt64
        let range: ByteRange
        var progress: Progress
    }

    /// What a search for a range finds.
    enum Find {
        /// The range was not promised, or nobody has begun with it: the asker reads it.
        case absent
        case running
        case done(Result<[UInt8], MediaError>)
    }

    private var entries: [Entry] = []
    /// Entries before this one have been asked for, or passed over.
    private var first = 0
    private var nextNumber: UInt64 = 0
    /// The first entry that nobody has begun.
    private var nextToRun = 0
    private(set) var statistics = ReadStatistics()
    /// Whether the workers are to end.
    var isClosed = false
    /// Whether a thread waits for something to do.
    var isWorkerIdle = false
    /// Whether the asker waits for a range.
    var isAskerWaiting = false

    mutating func append(_ ranges: [ByteRange]) {
        if first > 256 {
            entries.removeFirst(first)
            nextToRun -= first
            first = 0
        }
        for range in ranges where range.count > 0 {
            entries.append(Entry(number: nextNumber, range: range, progress: .waiting))
            nextNumber += 1
        }
    }

    /// Up to `count` ranges to be fetched, with their numbers; `nil` if there is nothing to do.
    mutating func take(_ count: Int) -> [(number: UInt64, range: ByteRange)]? {
        nextToRun = max(nextToRun, first)
        guard nextToRun < entries.count else { return nil }
        var taken: [(UInt64, ByteRange)] = []
        while taken.count < count, nextToRun < entries.count {
            entries[nextToRun].progress = .running
            taken.append((entries[nextToRun].number, entries[nextToRun].range))
            nextToRun += 1
        }
        return taken
    }

    /// Stores what was fetched, unless it was passed over meanwhile.
    mutating func store(_ number: UInt64, _ result: Result<[UInt8], MediaError>) {
        if case .success(let bytes) = result {
            statistics.bytesRead += UInt64(bytes.count)
            statistics.requests += 1
        }
        guard let base = entries.first?.number, number >= base else { return }
        let place = Int(number - base)
        guard place >= first, place < entries.count else { return }
        entries[place].progress = .done(result)
    }

    /// Looks for a promised range and forgets it, and those before it, unless it is running.
    mutating func find(_ offset: UInt64, _ count: Int) -> Find {
        guard
            let place = entries[first...].firstIndex(where: {
                $0.range.offset == offset && $0.range.count == count
            })
        else { return .absent }
        switch entries[place].progress {
        case .running: return .running
        case .waiting:
            pass(place)
            return .absent
        case .done(let result):
            pass(place)
            return .done(result)
        }
    }

    private mutating func pass(_ place: Int) {
        // Their bytes go, too.
        for passed in first...place { entries[passed].progress = .waiting }
        first = place + 1
    }
}
