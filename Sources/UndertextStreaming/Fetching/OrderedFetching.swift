public import UndertextCore
internal import UndertextIO

/// Fetches resources several at a time and hands them over in the order in which they were asked for.
///
/// Twice as many as are fetched at once may wait to be taken: memory is bounded by that. Not
/// `Sendable`: one taker at a time.
public final class OrderedFetching<Tag: Sendable> {
    /// What is to be fetched, and what it is to the taker.
    public struct Job: Sendable {
        /// What to fetch; `nil` where there is nothing to ask for, so that its place is kept.
        public var resource: StreamResource?
        /// Bytes at most; `nil` for those of a segment.
        public var limit: Int?
        /// What it is for.
        public var purpose: StreamPurpose
        /// What comes back with the answer.
        public var tag: Tag

        /// Creates a job.
        public init(
            _ resource: StreamResource?, limit: Int? = nil, for purpose: StreamPurpose = .segment,
            tag: Tag
        ) {
            self.resource = resource
            self.limit = limit
            self.purpose = purpose
            self.tag = tag
        }
    }

    /// What became of a job.
    public struct Outcome: Sendable {
        /// That of the job.
        public var tag: Tag
        /// The answer or why there is none; `nil` if nothing was asked for.
        public var result: Result<StreamAnswer, UndertextError>?
    }

    private let next: () -> Job?
    private let stop: Cancellation
    private let workers: OrderedWorkers<Job, Outcome>
    private var ready = FirstInFirstOut<Outcome>()

    /// Starts threads; nothing is fetched before the first ``nextOutcome()``.
    ///
    /// - Parameters:
    ///   - fetcher: fetches.
    ///   - parallel: requests at once; `nil` for what the options of `fetcher` say.
    ///   - next: the next job, on the taker's thread; `nil` for none at present.
    public init(
        _ fetcher: StreamFetcher, parallel: Int? = nil, _ next: @escaping () -> Job?
    ) {
        self.next = next
        let stop = Cancellation(parent: fetcher.cancellation)
        self.stop = stop
        workers = OrderedWorkers(threadCount: parallel ?? fetcher.options.parallel) { job in
            guard let resource = job.resource else { return Outcome(tag: job.tag, result: nil) }
            do throws(UndertextError) {
                let answer = try fetcher.fetch(
                    resource, limit: job.limit, for: job.purpose, cancellation: stop)
                return Outcome(tag: job.tag, result: .success(answer))
            } catch {
                return Outcome(tag: job.tag, result: .failure(error))
            }
        }
    }

    // Ends what is under way, so that nobody waits for it.
    deinit { stop.cancel() }

    /// The outcome of the next job; `nil` when there is none at present.
    public func nextOutcome() -> Outcome? {
        while true {
            if let outcome = ready.popFirst() { return outcome }
            let job = next()
            let outcomes = job.map(workers.add) ?? workers.finish()
            if job == nil, outcomes.isEmpty { return nil }
            for outcome in outcomes { ready.append(outcome) }
        }
    }
}

extension StreamFetcher {
    /// Fetches several resources at a time.
    ///
    /// - Parameters:
    ///   - resources: what to fetch.
    ///   - limit: bytes of each at most; `nil` for those of a segment.
    /// - Returns: what became of each, in their order.
    public func fetchAll(
        _ resources: [StreamResource], limit: Int? = nil
    ) -> [Result<StreamAnswer, UndertextError>] {
        var rest = resources[...]
        let fetching = OrderedFetching<Void>(self, parallel: min(options.parallel, resources.count))
        {
            rest.popFirst().map { .init($0, limit: limit, tag: ()) }
        }
        var results: [Result<StreamAnswer, UndertextError>] = []
        while let outcome = fetching.nextOutcome() {
            if let result = outcome.result { results.append(result) }
        }
        return results
    }
}
