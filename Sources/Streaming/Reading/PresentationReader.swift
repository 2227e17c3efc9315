public import MediaCore
internal import SystemIO

/// Pulls the packets of streams of subtitles out of the segments of a presentation.
///
/// Segments of all streams are fetched several at a time, in the order in which they begin; one that
/// cannot be had costs what it holds and is a diagnostic.
public final class PresentationReader: PacketReader {
    private let plan: any PresentationPlan
    private let fetcher: StreamFetcher
    private let window: TimeWindow
    private let queue: PieceQueue
    private let fetching: OrderedFetching<TextPiece>
    private var unpackers: [Int: TextUnpacker] = [:]
    private var initializations = InitializationCache()
    private var ready = FirstInFirstOut<Packet>()
    private var notes = StreamingNotes(StreamingLimits())
    private var isAtEnd = false
    /// Failures in a row of each stream.
    private var failures: [Int: Int] = [:]
    /// When following ends, on the fetcher's clock; `nil` if nothing is followed.
    private var deadline: Duration?
    /// When it is worth while to look for more.
    private var nextLook: Duration

    init(
        _ plan: any PresentationPlan, _ fetcher: StreamFetcher, headers: [Int: [UInt8]],
        window: TimeWindow, following duration: Duration?, limits: Limits
    ) {
        self.plan = plan
        self.fetcher = fetcher
        self.window = window
        for (index, header) in headers {
            unpackers[index] = TextUnpacker(stream: index, header: header, limits: limits)
        }
        let queue = PieceQueue()
        self.queue = queue
        let now = fetcher.options.clock.now()
        deadline = duration.map { now + $0 }
        nextLook = now
        fetching = OrderedFetching(fetcher) {
            guard var piece = queue.popFirst() else { return nil }
            piece.locate(by: fetcher)
            return .init(
                piece.resource, limit: piece.isWhole ? limits.textFileSize : nil, tag: piece)
        }
        for index in headers.keys.sorted() { add(plan.firstPieces(of: index)) }
    }

    /// The next packet, or `nil` at the end of the presentation.
    public func nextPacket() throws(MediaError) -> Packet? {
        while true {
            if let packet = ready.popFirst() { return packet }
            if isAtEnd { return nil }
            if fetcher.cancellation.isCancelled { throw stopped }
            if let outcome = fetching.nextOutcome() {
                try take(outcome)
            } else if try !follow() {
                isAtEnd = true
                for index in unpackers.keys.sorted() {
                    for packet in unpackers[index]?.finish() ?? [] { ready.append(packet) }
                }
            }
        }
    }

    /// What went wrong since the last call.
    public func takeDiagnostics() -> [Diagnostic] {
        var all = notes.take() + plan.takeDiagnostics()
        for index in unpackers.keys.sorted() { all += unpackers[index]?.takeDiagnostics() ?? [] }
        return all
    }

    private var stopped: MediaError {
        MediaError(.cancelled, "reading was stopped", path: fetcher.rule.named)
    }

    private func add(_ pieces: [TextPiece]) {
        queue.append(pieces.filter { $0.mayShow(in: window, reach: Self.reach) })
    }

    /// What began so long before a window is still found: samples do not say when their cue began, and
    /// not everybody repeats a cue in each segment that it touches.
    private static let reach = Duration.seconds(60)

    // MARK: Pieces

    private func take(_ outcome: OrderedFetching<TextPiece>.Outcome) throws(MediaError) {
        let piece = outcome.tag
        do throws(MediaError) {
            let answer: StreamAnswer
            switch outcome.result {
            case .success(let fetched): answer = fetched
            case .failure(let error): answer = try alternative(to: piece, error)
            case nil:
                // A gap is no loss: the playlist tells that nothing is there.
                if let refusal = piece.refusal { throw refusal }
                return
            }
            var initialization: [UInt8] = []
            if let resource = piece.initialization {
                initialization = try initializations.bytes(of: resource, fetcher)
            }
            failures[piece.stream] = 0
            let packets = unpackers[piece.stream]?.packets(
                of: piece, answer.bytes, initialization: initialization,
                clock: plan.clock(for: piece))
            for packet in packets ?? [] { ready.append(packet) }
        } catch {
            if error.code == .cancelled { throw error }
            lose(piece, error)
        }
    }

    /// The piece from elsewhere, where it is in several places.
    private func alternative(
        to piece: TextPiece, _ error: MediaError
    ) throws(MediaError) -> StreamAnswer {
        if error.code == .cancelled { throw error }
        for place in piece.others {
            let resource = try? fetcher.resource(place.uri, in: piece.parent, range: place.range)
            if let resource, let answer = try? fetcher.fetch(resource) { return answer }
        }
        throw error
    }

    private func lose(_ piece: TextPiece, _ error: MediaError) {
        let name = piece.isWhole ? "the file" : "segment \(piece.number)"
        notes.add(
            .error, error.code == .encrypted ? "encrypted" : "lost-segment", stream: piece.stream,
            time: piece.start, "\(name) is lost: \(error)")
        // What a server says at once costs nothing; one that is gone costs waiting each time.
        guard [.io, .timeout, .limit].contains(error.code) else { return }
        let count = failures[piece.stream, default: 0] + 1
        failures[piece.stream] = count
        guard count >= fetcher.options.failuresInARow else { return }
        let left = queue.removeAll(ofStream: piece.stream)
        guard left > 0 else { return }
        notes.add(
            .error, "server-gone", stream: piece.stream, time: piece.start,
            "\(count) segments in a row are lost: the other \(left) are not asked for")
    }

    // MARK: Live

    /// Waits for more of a live presentation; whether there may be some.
    private func follow() throws(MediaError) -> Bool {
        guard let deadline else { return false }
        let clock = fetcher.options.clock
        if let end = window.end, let first = queue.latestStart, first >= end { return false }
        guard nextLook < deadline else { return false }
        clock.sleep(nextLook - clock.now(), fetcher.cancellation)
        if fetcher.cancellation.isCancelled { throw stopped }
        let now = clock.now()
        let (pieces, wait) = try plan.update(Set(unpackers.keys))
        add(pieces)
        guard let wait else {
            // It has ended: what was added is the last of it.
            self.deadline = nil
            return !pieces.isEmpty
        }
        nextLook = now + wait
        return true
    }
}

/// The pieces of several streams that are not fetched yet, by their beginning.
final class PieceQueue {
    private var lists: [Int: PieceList] = [:]
    /// When the last piece begins that was ever in it.
    private(set) var latestStart: Timestamp?

    func append(_ pieces: [TextPiece]) {
        for (stream, own) in Dictionary(grouping: pieces, by: \.stream) {
            lists[stream, default: PieceList([])].append(own)
            latestStart = own.map(\.start).reduce(latestStart) { max($0 ?? $1, $1) }
        }
    }

    func popFirst() -> TextPiece? {
        var best: (stream: Int, start: Timestamp)?
        for (stream, list) in lists {
            guard let first = list.first else { continue }
            if best == nil
                || (first.start, stream) < (best?.start ?? first.start, best?.stream ?? stream)
            {
                best = (stream, first.start)
            }
        }
        return best.flatMap { lists[$0.stream]?.popFirst() }
    }

    /// Forgets the pieces of a stream; how many there were.
    func removeAll(ofStream stream: Int) -> Int {
        lists.removeValue(forKey: stream)?.count ?? 0
    }
}

/// What must stand before segments, each fetched once.
struct InitializationCache {
    private var known: [StreamResource: Result<[UInt8], MediaError>] = [:]
    private var order: [StreamResource] = []
    /// So many are kept: few presentations have more than one a period.
    private static let most = 64

    mutating func bytes(
        of resource: StreamResource, _ fetcher: StreamFetcher
    ) throws(MediaError) -> [UInt8] {
        if let result = known[resource] { return try result.get() }
        let result: Result<[UInt8], MediaError>
        do throws(MediaError) {
            result = .success(try fetcher.fetch(resource).bytes)
        } catch {
            result = .failure(error)
        }
        if order.count >= Self.most { known[order.removeFirst()] = nil }
        order.append(resource)
        known[resource] = result
        return try result.get()
    }
}
