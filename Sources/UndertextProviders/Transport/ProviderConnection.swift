internal import UndertextCore
internal import UndertextIO

/// A connection of a provider to its service, with rate limits, retries and hidden secrets.
struct ProviderConnection: Sendable {
    /// The name of the provider.
    let provider: String
    let fetcher: any Fetcher
    let pace: RequestPace
    let clock: JobClock
    /// The secrets that errors must not contain.
    let secrets: [Secret]
    let userAgent: String

    /// Bytes of an answer in JSON.
    static let answerLimit = 8 << 20
    /// Bytes of a subtitle or an archive of them.
    static let fileLimit = 64 << 20
    /// The maximum number of retries.
    private static let repetitions = 3
    /// The maximum pause that a server can request; a longer one is an error.
    private static let longestWait = Duration.seconds(30)

    /// Sends a request.
    ///
    /// A request is repeated after a temporary refusal (429), at the time that the server states. After a lost
    /// connection or 5xx, it is repeated only if that is safe.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - mayRepeat: `true` if repeating the request is safe.
    ///   - cancellation: A flag that ends the wait.
    /// - Returns: A response other than 429 and 5xx.
    /// - Throws: `UndertextError`.
    func send(
        _ request: HTTPRequest, mayRepeat: Bool, _ cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        var request = request
        request.headers.append(HTTPHeader("User-Agent", userAgent))
        var delay = Duration.milliseconds(500)
        var left = Self.repetitions
        while true {
            let pause = pace.held(at: clock.now())
            guard pause <= Self.longestWait else { throw held(pause) }
            try wait(pace.reserve(at: clock.now()), cancellation)
            let failure: UndertextError
            var wait = delay
            do throws(UndertextError) {
                let response = try fetcher.fetch(request, cancellation: cancellation)
                note(response)
                guard response.status == 429 || response.status >= 500 else { return response }
                failure = busy(response)
                // Not only this request has to wait.
                if response.status == 429, let pause = failure.service.retryAfter {
                    pace.hold(until: clock.now() + pause)
                }
                wait = max(failure.service.retryAfter ?? delay, .zero)
                if response.status != 429, !mayRepeat { left = 0 }
            } catch {
                failure = reported(error)
                if !mayRepeat || error.code != .io { left = 0 }
            }
            guard left > 0, wait <= Self.longestWait else { throw failure }
            left -= 1
            delay *= 2
            try self.wait(wait, cancellation)
        }
    }

    /// Returns the error of an unsuccessful response.
    func failure(
        _ code: UndertextError.Code, _ message: String, _ response: HTTPResponse? = nil,
        said: String? = nil
    ) -> UndertextError {
        UndertextError(
            code, message, provider: provider, status: response?.status,
            underlying: said.map { Secret.redacted($0, secrets) })
    }

    /// An answer as JSON.
    func json(_ response: HTTPResponse) throws(UndertextError) -> JSON {
        do throws(UndertextError) {
            return try JSON(parsing: response.body, depth: 32)
        } catch {
            let kind = response.headers["content-type"] ?? "no type"
            throw failure(
                .malformedAnswer, "the response is not JSON; try again later", response,
                said: "\(kind): \(error)")
        }
    }

    private func wait(_ duration: Duration, _ cancellation: Cancellation) throws(UndertextError) {
        if duration > .zero, !cancellation.isCancelled { clock.sleep(duration, cancellation) }
        if cancellation.isCancelled { throw failure(.cancelled, "the job was stopped") }
    }

    /// Respects the rate limits that the server states.
    ///
    /// `RateLimit-Remaining: 0` with `RateLimit-Reset: 1` requests a pause before the next request.
    private func note(_ response: HTTPResponse) {
        guard response.headers["ratelimit-remaining"].flatMap({ Int($0) }) == 0,
            let pause = Self.seconds(response.headers["ratelimit-reset"]),
            pause <= Self.longestWait
        else { return }
        pace.hold(until: clock.now() + pause)
    }

    private func busy(_ response: HTTPResponse) -> UndertextError {
        var error =
            response.status == 429
            ? failure(.rateLimited, "too many requests; try again later", response)
            : failure(
                .serverError, "the server is unavailable; try again later", response,
                said: "HTTP status \(response.status)")
        error.service.retryAfter =
            response.retryAfter
            ?? (response.status == 429 ? Self.seconds(response.headers["ratelimit-reset"]) : nil)
        if let pause = error.service.retryAfter, pause > Self.longestWait {
            error.message += "; the service requests a pause of \(pause.components.seconds) s"
        }
        return error
    }

    /// Returns the error of requests that are not sent because the server requested a long pause.
    private func held(_ pause: Duration) -> UndertextError {
        var error = failure(
            .rateLimited,
            "the service requested a pause; try again in \(pause.components.seconds) s")
        error.service.retryAfter = pause
        return error
    }

    private func reported(_ error: UndertextError) -> UndertextError {
        var reported = error.asked(of: provider)
        reported.message = Secret.redacted(reported.message, secrets)
        reported.underlying = reported.underlying.map { Secret.redacted($0, secrets) }
        return reported
    }

    /// A header's seconds.
    private static func seconds(_ text: String?) -> Duration? {
        text.flatMap { HTTPResponse.seconds($0) }
    }
}
