public import UndertextCore
internal import UndertextIO

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
    private var unpackers: [Int: any PieceUnpacker] = [:]
    private var initializations = InitializationCache()
    private var ready = FirstInFirstOut<Packet>()
    private var notes = StreamingNotes(StreamingLimits())
    private var isAtEnd = false
    /// Failures in a row of each stream, and when they began.
    private var failures: [Int: (count: Int, since: Duration)] = [:]
    /// The number of requested segments that were not read when following ended.
    private var left = 0
    /// The time at which following ends, on the fetcher's clock; `nil` if nothing is followed.
    private var deadline: Duration?
    /// Ends following early, and tracks whether it is still in progress.
    private let stop: LiveReadingToken
    /// Raised when following is to end, and when reading is.
    private let ending: Cancellation
    /// The earliest time of the next reload.
    private var nextLook: Duration
    /// The earliest time of the next attempt to fetch missing pieces.
    private var nextTry = Duration.zero
    /// Bytes of a piece at most; `nil` = of a segment.
    private let limit: (TextPiece) -> Int?

    private let namesSegments: Bool
    /// Ends waits for new segments early; `nil` if the caller does not read again after an interruption.
    package var interruption: LiveReadingInterruption?

    init(
        _ plan: any PresentationPlan, _ fetcher: StreamFetcher, headers: [Int: [UInt8]],
        carriers: Set<Int>, window: TimeWindow, following duration: Duration?,
        stop: LiveReadingToken, namesSegments: Bool, limits: Limits
    ) {
        self.namesSegments = namesSegments
        self.plan = plan
        self.fetcher = fetcher
        self.window = window
        let mediaSize = fetcher.options.mediaSegmentSize
        let limit = { (piece: TextPiece) -> Int? in
            carriers.contains(piece.stream) ? mediaSize : piece.isWhole ? limits.textFileSize : nil
        }
        self.limit = limit
        if !carriers.isEmpty { fetcher.allowMedia() }
        for index in carriers {
            unpackers[index] = CaptionUnpacker(stream: index, limits: limits)
        }
        for (index, header) in headers {
            unpackers[index] = TextUnpacker(stream: index, header: header, limits: limits)
        }
        let queue = PieceQueue()
        self.queue = queue
        let now = fetcher.options.clock.now()
        deadline = duration.map { now + $0 }
        self.stop = stop
        ending = duration == nil ? fetcher.job : stop.begin(fetcher.job)
        fetcher.follow(until: duration == nil ? nil : ending)
        nextLook = now
        fetching = OrderedFetching(fetcher) {
            guard var piece = queue.popFirst() else { return nil }
            piece.locate(by: fetcher, from: queue.place(ofStream: piece.stream))
            return .init(
                piece.resources.first?.resource, limit: limit(piece), tag: piece)
        }
        for index in unpackers.keys.sorted() { add(plan.pieces(of: index)) }
        if let failure = plan.mediaFailure, let carrier = carriers.min(),
            plan.pieces(of: carrier).isEmpty
        {
            notes.add(
                .error, "lost-playlist", stream: carrier, "the video cannot be read: \(failure)")
        }
    }

    deinit { stop.end(ending) }

    /// The next packet, or `nil` at the end of the presentation.
    public func nextPacket() throws(UndertextError) -> Packet? {
        while true {
            if let packet = ready.popFirst() { return packet }
            if isAtEnd { return nil }
            if fetcher.job.isCancelled { throw stopped }
            endInTime()
            if let outcome = fetching.nextOutcome() {
                try take(outcome)
            } else if try !follow() {
                isAtEnd = true
                reportUnreadSegments()
                for index in unpackers.keys.sorted() {
                    for packet in unpackers[index]?.finish() ?? [] { ready.append(packet) }
                }
            }
        }
    }

    /// The diagnostics since the last call.
    public func takeDiagnostics() -> [Diagnostic] {
        var all = notes.take() + plan.found.take()
        for index in unpackers.keys.sorted() { all += unpackers[index]?.takeDiagnostics() ?? [] }
        return all
    }

    private var stopped: UndertextError {
        UndertextError(.cancelled, "reading was stopped", path: fetcher.rule.named)
    }

    private func add(_ pieces: [TextPiece]) {
        let wanted = pieces.filter { $0.mayShow(in: window, reach: Self.reach) }
        plan.expect(wanted)
        queue.append(wanted)
    }

    /// The time before a window in which cues are still found: samples do not state when their cue began, and
    /// not every packager repeats a cue in each segment that it overlaps.
    private static let reach = Duration.seconds(60)

    // MARK: Pieces

    private func take(_ outcome: OrderedFetching<TextPiece>.Outcome) throws(UndertextError) {
        let piece = outcome.tag
        guard !queue.isHeld(piece.stream) else { return queue.hold(piece) }
        do throws(UndertextError) {
            guard let result = outcome.result else {
                // A gap is not a loss: the playlist declares that there is no content.
                if let refusal = piece.refusal { throw refusal }
                return
            }
            let others = piece.resources.dropFirst()
            let (answer, other) = try fetcher.settled(
                result, else: others.map(\.resource), limit: limit(piece))
            if let other {
                queue.prefer(others[others.startIndex + other].index, ofStream: piece.stream)
            }
            let initialization = try initializations.bytes(of: piece.initializations, fetcher)
            failures[piece.stream] = nil
            var named = piece
            if namesSegments {
                let place = other.map { others[others.startIndex + $0] } ?? piece.resources.first
                named.segment = place?.resource.url
            }
            let packets = unpackers[piece.stream]?.packets(
                of: named, answer.bytes, initialization: initialization,
                clock: plan.clock(for: piece))
            for packet in packets ?? [] { ready.append(packet) }
        } catch {
            if error.code == .cancelled {
                if fetcher.job.isCancelled { throw error }
                // Following was ended while it was on its way.
                left += 1
                return
            }
            guard deadline != nil, error.code == .notFound, let wait = plan.patience(with: piece)
            else { return lose(piece, error) }
            let again = fetcher.options.clock.now() + wait
            nextTry = queue.holdsAny ? min(nextTry, again) : again
            queue.hold(piece)
        }
    }

    private func lose(_ piece: TextPiece, _ error: UndertextError) {
        let name = piece.isWhole ? "the file" : "segment \(piece.number)"
        notes.add(
            .error, error.code == .encrypted ? "encrypted" : "lost-segment", stream: piece.stream,
            time: piece.start, "\(name) is lost: \(error)")
        let options = fetcher.options
        let now = options.clock.now()
        var (count, since) = failures[piece.stream] ?? (0, now)
        count += 1
        failures[piece.stream] = (count, since)
        // A server that fails at once is worth some more questions than one that has us wait; what is not there
        // costs nothing, but of some lists nothing ever was.
        let isOfServer = [.io, .timeout, .limit].contains(error.code)
        let enough = !isOfServer ? 128 : now - since >= options.outage * 3 ? 1 : 8
        let isEnd =
            count / enough >= options.failuresInARow
            && (!isOfServer || now - since >= options.outage)
        guard isEnd || fetcher.hasGivenUp else { return }
        let left = queue.removeAll(ofStream: piece.stream)
        guard left > 0 else { return }
        notes.add(
            .error, "server-gone", stream: piece.stream, time: piece.start,
            "\(count) segments in a row are lost; the remaining \(left) are not requested")
    }

    // MARK: Live

    /// Stops requesting pieces after the requested duration of a live presentation, or when the caller ends
    /// following it.
    private func endInTime() {
        let isOver = deadline.map { fetcher.options.clock.now() >= $0 } ?? false
        guard isOver || ending.isCancelled else { return }
        deadline = nil
        left += queue.removeAll()
    }

    /// Reports that following ended early, and the segments that were not read.
    private func reportUnreadSegments() {
        guard left > 0 || ending.isCancelled else { return }
        let rest = "; \(left) \(left == 1 ? "segment was" : "segments were") not requested"
        notes.add(
            .warning, "time-over",
            (ending.isCancelled ? "following was stopped" : "the time is over")
                + (left > 0 ? rest : ""))
    }

    /// Waits for more of a live presentation; whether there may be some.
    private func follow() throws(UndertextError) -> Bool {
        guard let deadline else { return false }
        let clock = fetcher.options.clock
        let seesAll =
            window.end.map { end in queue.latestStart.map { $0 >= end } ?? false } ?? false
        if seesAll, !queue.holdsAny { return false }
        let look = seesAll ? nextTry : queue.holdsAny ? min(nextTry, nextLook) : nextLook
        guard look < deadline else {
            left += queue.removeAll()
            return false
        }
        if let interruption {
            try interruption.interruptible(ending) { clock.sleep(look - clock.now(), $0) }
        } else {
            clock.sleep(look - clock.now(), ending)
        }
        if fetcher.job.isCancelled { throw stopped }
        // Check for cancellation before requesting more.
        if ending.isCancelled { return true }
        let now = clock.now()
        let waited = queue.holdsAny && now >= nextTry
        if waited { queue.release() }
        guard now >= nextLook, !seesAll else { return true }
        let (pieces, wait): ([TextPiece], Duration?)
        do throws(UndertextError) {
            (pieces, wait) = try plan.update(Set(unpackers.keys))
        } catch {
            if fetcher.job.isCancelled { throw error }
            return true
        }
        add(pieces)
        guard let wait else {
            // It has ended: what was added is the last of it.
            self.deadline = nil
            let isHeld = queue.holdsAny
            queue.release()
            return !pieces.isEmpty || waited || isHeld
        }
        nextLook = now + wait
        return true
    }
}
