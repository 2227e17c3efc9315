public import UndertextCore
internal import UndertextIO

/// Fetches several resources concurrently and returns them in the order of the requests.
///
/// Twice as many as are fetched at once may wait to be taken: memory is bounded by that. Not
/// `Sendable`: one taker at a time.
public final class OrderedFetching<Tag: Sendable> {
    /// A resource to fetch, with a value of the caller.
    public struct Job: Sendable {
        /// The resource; `nil` for a placeholder that keeps its position in the order.
        public var resource: StreamResource?
        /// Bytes at most; `nil` for those of a segment.
        public var limit: Int?
        /// The purpose of the resource.
        public var purpose: StreamPurpose
        /// A value that is returned with the outcome.
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

    /// The outcome of a job.
    public struct Outcome: Sendable {
        /// The tag of the job.
        public var tag: Tag
        /// The response or the error; `nil` if the job had no resource.
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

    // Cancels requests in progress, so that no thread waits for them.
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
    /// Fetches several resources concurrently.
    ///
    /// - Parameters:
    ///   - resources: the resources.
    ///   - limit: the maximum size of each in bytes; `nil` for the limit of a segment.
    /// - Returns: the results, in the same order.
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
