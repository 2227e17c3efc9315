internal import Synchronization
public import UndertextCore
internal import UndertextIO

/// Fetches the parts of one presentation: only what its address allows, again where that helps, and no
/// more than the limits.
///
/// An ``AddressRule`` decides which resources may be opened; the HTTP client also checks resolved addresses and
/// redirects (``UndertextCore/HTTPRequest/namedURL``). The fetcher may be used on several threads concurrently.
public final class StreamFetcher: Sendable {
    /// The rule for references in the presentation.
    public let rule: AddressRule
    /// The fetch options.
    public let options: StreamFetchOptions
    /// Stops the fetching.
    public var cancellation: Cancellation { course.with { $0.cancellation } }
    /// Cancels all work on the presentation, while ``cancellation`` may end only following it.
    let job: Cancellation

    /// The settings that change while a presentation is followed.
    private struct Course {
        var cancellation: Cancellation
        var timeout: Duration
        /// The maximum time without a response; `nil` for no limit.
        var budget: ProgressBudget?
    }

    private let course: Monitor<Course>
    private let budget: ProgressBudget?
    private let client: any Fetcher
    private let bytes = Atomic<UInt64>(0)
    private let readsMedia = Atomic(false)
    private let requests = Atomic<UInt64>(0)
    private let refusals = Atomic<UInt64>(0)
    private let servers: CircuitBreaker

    /// Creates a fetcher.
    ///
    /// - Parameters:
    ///   - client: the HTTP client; `nil` for libcurl. Files are always read directly.
    ///   - named: the address that the user named, `file://…` for a file.
    ///   - options: options for fetching.
    ///   - cancellation: cancels all requests.
    public init(
        _ client: (any Fetcher)? = nil, named: String,
        options: StreamFetchOptions = StreamFetchOptions(),
        cancellation: Cancellation = Cancellation()
    ) {
        let client = client ?? HTTPClient()
        rule = AddressRule(named: named)
        self.options = options
        job = cancellation
        budget = options.progressTimeout.map { ProgressBudget(limit: $0) }
        course = Monitor(
            Course(
                cancellation: cancellation, timeout: options.requestTimeout, budget: budget))
        servers = CircuitBreaker(
            limit: options.failuresInARow, outage: options.outage,
            pause: options.pauseAfterFailures)
        self.client = rule.folder.map { FolderFetcher(folder: $0, else: client) } ?? client
    }

    /// The requests so far.
    public var statistics: ReadStatistics {
        ReadStatistics(
            bytesRead: bytes.load(ordering: .relaxed), requests: requests.load(ordering: .relaxed))
    }

    /// Has what is fetched from now on end with the following of a live presentation, which does not wait for one
    /// resource while others go; `nil` if nothing is followed.
    func follow(until ending: Cancellation?) {
        course.with { course in
            course.cancellation = ending ?? job
            course.timeout =
                ending == nil
                ? options.requestTimeout : min(options.requestTimeout, options.followingTimeout)
            course.budget = ending == nil ? budget : nil
        }
    }

    /// Allows as many bytes as video has, from now on.
    func allowMedia() { readsMedia.store(true, ordering: .relaxed) }

    /// `true` if there was no response for so long that no further requests are made.
    var hasGivenUp: Bool {
        course.with { $0.budget }.map { $0.left(at: options.clock.now()) <= .zero } ?? false
    }

    /// The number of resources that were not requested because their server had failed too often.
    var unasked: UInt64 { refusals.load(ordering: .relaxed) }

    /// Resolves `reference` in the document at `parent`.
    ///
    /// - Throws: `UndertextError` with code `nested-open-refused`.
    public func resource(
        _ reference: String, in parent: String, range: ByteRange? = nil
    ) throws(UndertextError) -> StreamResource {
        StreamResource(try rule.address(of: reference, in: parent), range: range)
    }

    /// Fetches a resource.
    ///
    /// Broken connections, timeouts and the statuses 408, 429 and 5xx are retried, at the time that the server
    /// requests, within ``StreamFetchOptions/requestTimeout``. If a server has failed for these reasons for a
    /// while, each further resource is requested once, and not at all if the server does not respond, see
    /// ``StreamFetchOptions/failuresInARow``. If a server sends a whole resource instead of a range, the
    /// response is cut to the range.
    ///
    ///
    /// - Parameters:
    ///   - resource: the resource, from ``resource(_:in:range:)`` or the named one.
    ///   - limit: the maximum size in bytes; `nil` for the limit of a segment.
    ///   - purpose: the purpose; failures are counted for each purpose.
    ///   - cancellation: cancels this request only.
    /// - Returns: The response; it has fewer bytes than requested if the resource ends.
    /// - Throws: `UndertextError` as `Fetcher` does, or `not-found`, `permission-denied` or `io` for statuses
    ///   other than 200 and 206. A range longer than `limit` is not requested; `io` is also thrown if the
    ///   server is no longer used.
    public func fetch(
        _ resource: StreamResource, limit: Int? = nil, for purpose: StreamPurpose = .segment,
        cancellation: Cancellation? = nil
    ) throws(UndertextError) -> StreamAnswer {
        let stop = cancellation ?? self.cancellation
        var request = HTTPRequest(.get, resource.url)
        // The URL that the user specified is opened as it is; all others must satisfy the rules for redirects.
        if resource.url != rule.named { request.namedURL = rule.namedForWeb }
        request.range = resource.range
        let most = max(1, limit ?? options.segmentSize)
        request.bodyLimit = most
        if let range = resource.range, range.count > most {
            throw UndertextError(
                .limit, "the part is longer than the \(most) bytes allowed", path: request.name,
                byteOffset: range.offset)
        }
        let response = try answer(to: request, for: purpose, stop)
        return try taken(response, resource, most)
    }

    /// Sends a request unless the server has failed too often, and records the outcome.
    private func answer(
        to request: HTTPRequest, for purpose: StreamPurpose, _ stop: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        let server = "\(purpose) \(Self.server(of: request.url))"
        let clock = options.clock
        let start = clock.now()
        let permission = servers.permission(for: server, at: start)
        if case .refused(let reason) = permission {
            refusals.wrappingAdd(1, ordering: .relaxed)
            throw UndertextError(.io, "is not requested: \(reason)", path: request.name)
        }
        let budget = course.with { $0.budget }
        if let budget, budget.left(at: start) <= .zero {
            refusals.wrappingAdd(1, ordering: .relaxed)
            throw UndertextError(
                .timeout,
                "is not requested: no server has responded for too long; try again later",
                path: request.name)
        }
        budget?.begin(at: start)
        defer { budget?.end(at: clock.now()) }
        do throws(UndertextError) {
            let response = try answer(to: request, stop, budget) {
                permission == .repeatedly && servers.allowsRepeating(server, at: clock.now())
            }
            budget?.progress(at: clock.now())
            servers.succeeded(server)
            return response
        } catch {
            // A partial response shows that the server is available.
            if !Self.mayPass(error) || error.byteOffset ?? 0 > 0 {
                budget?.progress(at: clock.now())
            }
            if Self.isOfServer(error) {
                servers.failed(
                    server, isSilent: error.code == .timeout, from: start, at: clock.now())
            }
            throw error
        }
    }

    /// Retries until the response is final, or the time is over.
    private func answer(
        to request: HTTPRequest, _ stop: Cancellation, _ budget: ProgressBudget?,
        while mayRepeat: () -> Bool
    ) throws(UndertextError) -> HTTPResponse {
        var request = request
        var delay = options.firstDelay
        // Time spent waiting for our own rate limit does not count.
        var time = course.with { $0.timeout }
        var left = options.retries
        // One resource that never comes leaves time for others.
        var silence = (options.progressTimeout ?? time) / 2
        while true {
            let failure: UndertextError
            var wait = delay
            if stop.isCancelled { throw Self.stopped(request.name) }
            // The size of a response is unknown in advance, so its cost is paid before the next request.
            try options.limiter?.wait(for: 0, cancellation: stop, name: request.name)
            request.timeout = time
            let start = options.clock.now()
            request.stallTimeout = budget.map { min($0.left(at: start), silence) }
            do throws(UndertextError) {
                let response = try once(request, stop)
                guard HTTPStatus.mayPass(response.status) else { return response }
                failure = HTTPStatus.error(response.status, of: request.name)
                wait = response.retryAfter ?? delay
            } catch {
                guard Self.isOfServer(error) else { throw error }
                failure = error
            }
            let now = options.clock.now()
            time -= now - start + wait
            if failure.code == .timeout { silence -= now - start }
            let patience = budget.map { min(time, silence, $0.left(at: now) - wait) } ?? time
            guard left > 0, wait <= options.longestWait, patience > .zero, mayRepeat() else {
                throw failure
            }
            left -= 1
            delay *= 2
            options.clock.sleep(wait, stop)
        }
    }

    /// Returns `true` if a failure may be transient: neither a refusal by the server nor our own.
    private static func isOfServer(_ error: UndertextError) -> Bool {
        error.code == .io || error.code == .timeout
    }

    /// `true` if the resource may become available later: the failure of the server may be transient, or
    /// reading was cancelled.
    static func mayPass(_ error: UndertextError) -> Bool {
        isOfServer(error) || error.code == .cancelled
    }

    private static func server(of url: String) -> String {
        let address = URI(url)
        return "\(address.scheme ?? "")://\(address.authority ?? "")".lowercased()
    }

    private func once(
        _ request: HTTPRequest, _ stop: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        let most =
            readsMedia.load(ordering: .relaxed) ? options.totalMediaSize : options.totalSize
        guard bytes.load(ordering: .relaxed) < most else {
            throw UndertextError(
                .limit, "the presentation is larger than the \(most) bytes allowed",
                path: rule.named)
        }
        requests.wrappingAdd(1, ordering: .relaxed)
        let response = try client.fetch(request, cancellation: stop)
        _ = options.limiter?.reserve(response.body.count)
        bytes.wrappingAdd(UInt64(response.body.count), ordering: .relaxed)
        return response
    }

    private func taken(
        _ response: HTTPResponse, _ resource: StreamResource, _ limit: Int
    ) throws(UndertextError) -> StreamAnswer {
        let name = HTTPRequest(.get, resource.url).name
        var body = response.body
        switch (response.status, resource.range) {
        case (200, let range?):
            // The server ignores ranges.
            let first = Int(clamping: range.offset)
            guard first < body.count else {
                throw UndertextError(
                    .io, "the requested byte range is beyond the end", path: name,
                    byteOffset: range.offset)
            }
            body = Array(body[first..<first + min(range.count, body.count - first)])
        case (206, let range?):
            guard Self.begins(response, at: range.offset) else {
                throw UndertextError(
                    .io, "the server sent another byte range than requested", path: name)
            }
            if body.count > range.count { body.removeLast(body.count - range.count) }
        case (200...299, nil): break
        default: throw HTTPStatus.error(response.status, of: name)
        }
        guard body.count <= limit else {
            throw UndertextError(.limit, "it is longer than the \(limit) bytes allowed", path: name)
        }
        let type = response.headers["content-type"]?.prefix { $0 != ";" }
        return StreamAnswer(
            body, url: response.url.isEmpty ? resource.url : response.url,
            mediaType: type.map { $0.lowercased().filter { $0 != " " } }, date: Self.date(response))
    }

    /// The time at which the response was sent, plus its age in caches (RFC 9110, section 6.6.1; RFC 9111,
    /// section 5.1).
    private static func date(_ response: HTTPResponse) -> Timestamp? {
        let age = response.headers["age"].flatMap { HTTPResponse.seconds($0) } ?? .zero
        return response.date?.advanced(by: age)
    }

    /// `true` if `Content-Range: bytes 5-9/20` begins there; an answer without it is taken at its word.
    private static func begins(_ response: HTTPResponse, at offset: UInt64) -> Bool {
        guard let text = response.headers["content-range"], let space = text.firstIndex(of: " ")
        else { return true }
        let first = text[space...].dropFirst().prefix { $0 != "-" }
        return UInt64(first) == offset
    }

    private static func stopped(_ name: String) -> UndertextError {
        UndertextError(.cancelled, "reading was stopped", path: name)
    }
}
