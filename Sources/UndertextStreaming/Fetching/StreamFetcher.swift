internal import Synchronization
public import UndertextCore
internal import UndertextIO

/// Fetches the parts of one presentation: only what its address allows, again where that helps, and no
/// more than the limits.
///
/// What may be opened is decided by an ``AddressRule``, and by the client for what names stand for and
/// for redirects (``UndertextCore/HTTPRequest/namedURL``). May be used on several threads at once.
public final class StreamFetcher: Sendable {
    /// What references in the presentation may lead to.
    public let rule: AddressRule
    /// How is fetched.
    public let options: StreamFetchOptions
    /// Stops the fetching.
    public var cancellation: Cancellation { course.with { $0.cancellation } }
    /// Stops all that is done with the presentation, also where only following ends by ``cancellation``.
    let job: Cancellation

    /// What changes when a presentation is followed.
    private struct Course {
        var cancellation: Cancellation
        var timeout: Duration
        /// What may be waited without an answer; `nil` = as long as it takes.
        var budget: ProgressBudget?
    }

    private let course: Monitor<Course>
    private let budget: ProgressBudget?
    private let client: any Fetcher
    private let bytes = Atomic<UInt64>(0)
    private let requests = Atomic<UInt64>(0)
    private let refusals = Atomic<UInt64>(0)
    private let servers: CircuitBreaker

    /// Creates a fetcher.
    ///
    /// - Parameters:
    ///   - client: sends requests to web servers; `nil` = libcurl. Files are always read directly.
    ///   - named: the address that the user named, `file://…` for a file.
    ///   - options: how is fetched.
    ///   - cancellation: stops the fetching.
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

    /// What was asked for so far.
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

    /// `true` if nothing has been answered for so long that nothing is asked for any more.
    var hasGivenUp: Bool {
        course.with { $0.budget }.map { $0.left(at: options.clock.now()) <= .zero } ?? false
    }

    /// How many resources were not asked for, since their server had failed too often.
    var unasked: UInt64 { refusals.load(ordering: .relaxed) }

    /// What `reference` in the document at `parent` leads to.
    ///
    /// - Throws: `UndertextError` with code `nested-open-refused`.
    public func resource(
        _ reference: String, in parent: String, range: ByteRange? = nil
    ) throws(UndertextError) -> StreamResource {
        StreamResource(try rule.address(of: reference, in: parent), range: range)
    }

    /// Fetches a resource.
    ///
    /// Repeated are broken connections, time-outs and the statuses 408, 429 and 5xx, at the time that
    /// the server names, as long as ``StreamFetchOptions/requestTimeout`` lasts. A server that failed for these
    /// reasons for a while is asked once for each further resource, and where it gives no answer at all not any
    /// more, see ``StreamFetchOptions/failuresInARow``. A server that sends all of a resource instead of a part is cut to
    /// that.
    ///
    /// - Parameters:
    ///   - resource: what; its address comes from ``resource(_:in:range:)`` or is the named one.
    ///   - limit: bytes at most, those of a segment if it is `nil`.
    ///   - purpose: what it is for: failures are counted for each purpose.
    ///   - cancellation: stops this request alone.
    /// - Returns: what the server sent; fewer bytes than asked for where the resource ends.
    /// - Throws: `UndertextError`: as `Fetcher` does, and `not-found`, `permission-denied` or `io` for
    ///   other statuses than 200 and 206. A part that is longer than `limit` is not asked for; `io`, too, where
    ///   the server is not asked any more.
    public func fetch(
        _ resource: StreamResource, limit: Int? = nil, for purpose: StreamPurpose = .segment,
        cancellation: Cancellation? = nil
    ) throws(UndertextError) -> StreamAnswer {
        let stop = cancellation ?? self.cancellation
        var request = HTTPRequest(.get, resource.url)
        // What the user named is opened as it is; all else is held to the rules of redirects.
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

    /// Asks the server of a request unless it has failed too often, and takes note of whether it did now.
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
            // What came in part came all the same.
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

    /// Asks until there is an answer that repeating would not change, or the time is over.
    private func answer(
        to request: HTTPRequest, _ stop: Cancellation, _ budget: ProgressBudget?,
        while mayRepeat: () -> Bool
    ) throws(UndertextError) -> HTTPResponse {
        var request = request
        var delay = options.firstDelay
        // What a limit of our own has waited for is not the server's time.
        var time = course.with { $0.timeout }
        var left = options.retries
        // One resource that never comes leaves time for others.
        var silence = (options.progressTimeout ?? time) / 2
        while true {
            let failure: UndertextError
            var wait = delay
            if stop.isCancelled { throw Self.stopped(request.name) }
            // How much will come is not known: the debt of one answer is paid before the next question.
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

    /// Whether a server's failure may pass: not where it said no, or we did.
    private static func isOfServer(_ error: UndertextError) -> Bool {
        error.code == .io || error.code == .timeout
    }

    /// `true` if what could not be had may be there later: the server's failure may pass, and reading may have ended.
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
        guard bytes.load(ordering: .relaxed) < options.totalSize else {
            throw UndertextError(
                .limit, "the presentation is larger than the \(options.totalSize) bytes allowed",
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

    /// When it was sent, and the time that it lay in caches since (RFC 9110, section 6.6.1; RFC 9111,
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
