internal import Synchronization
public import UndertextCore
internal import UndertextIO

extension OpenSubtitles {
    /// Logs in, so that downloads count against the user's quota; this happens automatically if needed.
    ///
    /// - Returns: The number of downloads per day of the account, or `nil` if the service does not state it.
    /// - Throws: `UndertextError` with code `missing-key` or `unauthorized`, or the errors of a search.
    public func login(cancellation: Cancellation = Cancellation()) throws(UndertextError) -> Int? {
        let before = session.withLock { $0 }
        try beginLogin(cancellation)
        defer { endLogin() }
        return try logIn(instead: before, cancellation)
    }

    /// Logs in, unless another thread has done that since `old` was the session.
    func logIn(
        unlessAfter old: Session?, _ cancellation: Cancellation
    ) throws(UndertextError) {
        try beginLogin(cancellation)
        defer { endLogin() }
        guard session.withLock({ $0?.token == old?.token }) else { return }
        _ = try logIn(instead: old, cancellation)
    }

    /// Waits until no other thread logs in: tries are counted.
    private func beginLogin(_ cancellation: Cancellation) throws(UndertextError) {
        while true {
            if cancellation.isCancelled {
                throw connection.failure(.cancelled, "the job was stopped")
            }
            let isMine = isLoggingIn.wait(.consumers, timeout: .milliseconds(50)) {
                isBusy -> Bool? in
                guard !isBusy else { return nil }
                isBusy = true
                return true
            }
            if isMine == true { return }
        }
    }

    private func endLogin() {
        isLoggingIn.with { $0 = false }
        isLoggingIn.wakeOne(.consumers)
    }

    /// The session stays what it was until there is another one, since other threads ask meanwhile.
    private func logIn(
        instead old: Session?, _ cancellation: Cancellation
    ) throws(UndertextError) -> Int? {
        guard let username = account.username, let password = account.password else {
            throw connection.failure(.missingKey, "a user name and password are required")
        }
        let body = JSON.object([
            .init("username", .string(username)), .init("password", .string(password.value)),
        ])
        // A login has a pace of its own beside that of all requests.
        let pause = loginPace.reserve(at: clock.now())
        if pause > .zero { clock.sleep(pause, cancellation) }
        let response = try connection.send(
            request(.post, "/login", body: body, in: nil), mayRepeat: false, cancellation)
        guard response.isSuccess else {
            // Without an account searching still works.
            session.withLock { if $0?.token == old?.token { $0 = nil } }
            let answer = try? connection.json(response)
            throw connection.failure(
                response.status == 401 || response.status == 403 ? .unauthorized : .refused,
                response.status == 401
                    ? "the user name or password was refused; check them, because attempts are counted"
                    : "the login was refused", response,
                said: OpenSubtitlesAnswer.message(answer) ?? "HTTP status \(response.status)")
        }
        let answer = try connection.json(response)
        guard let token = answer["token"]?.text, HTTPHeader("t", token).isWellFormed else {
            throw connection.failure(.malformedAnswer, "the login gave no token")
        }
        var place = server
        if let stated = answer["base_url"]?.text {
            guard let moved = server.moved(to: stated) else {
                throw connection.failure(
                    .nestedOpen, "the login refers to a server of another domain, which is refused",
                    said: stated)
            }
            place = moved
        }
        let session = Session(token: Secret(token), server: place)
        self.session.withLock { $0 = session }
        return answer["user"]?["allowed_downloads"]?.wholeNumber
    }

    /// Ends the session, if there is one, and invalidates its token.
    public func logout(cancellation: Cancellation = Cancellation()) throws(UndertextError) {
        guard let ended = session.withLock({ $0 }) else { return }
        let request = request(.delete, "/logout", in: ended)
        session.withLock { $0 = nil }
        let response = try connection.send(request, mayRepeat: false, cancellation)
        // 401: it had ended by itself.
        guard response.isSuccess || response.status == 401 else {
            throw connection.failure(
                .refused, "the session could not be ended", response,
                said: "HTTP status \(response.status)")
        }
    }

    /// Logs out.
    public func finish(cancellation: Cancellation) throws(UndertextError) {
        try logout(cancellation: cancellation)
    }

    /// Logs in and returns the download quota of the account.
    public func quota(
        cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> OnlineQuota? {
        if session.withLock({ $0 == nil }) { try logIn(unlessAfter: nil, cancellation) }
        let answer = try ask(.get, "/infos/user", mayRepeat: true, cancellation)
        return answer["data"].flatMap { OpenSubtitlesAnswer.quota($0) }
    }

    /// Sends a request and reads the answer; where the session has ended, logs in again, once.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, body: JSON? = nil, mayRepeat: Bool,
        _ cancellation: Cancellation
    ) throws(UndertextError) -> JSON {
        let used = session.withLock { $0 }
        var response = try connection.send(
            request(method, path, body: body, in: used), mayRepeat: mayRepeat, cancellation)
        if response.status == 401, let used {
            try logIn(unlessAfter: used, cancellation)
            let renewed = session.withLock { $0 }
            response = try connection.send(
                request(method, path, body: body, in: renewed), mayRepeat: mayRepeat,
                cancellation)
        }
        guard response.isSuccess else { throw refusal(response) }
        return try connection.json(response)
    }

    /// The connection for requests, with all current secrets.
    var connection: ProviderConnection {
        let token = session.withLock { $0?.token }
        return ProviderConnection(
            provider: name, fetcher: fetcher, pace: pace, clock: clock,
            secrets: [account.apiKey] + [account.password, token].compactMap { $0 },
            userAgent: userAgent)
    }

    private func request(
        _ method: HTTPRequest.Method, _ path: String, body: JSON? = nil, in session: Session?
    ) -> HTTPRequest {
        var request = HTTPRequest(method, (session?.server ?? server).text + path)
        request.headers = [
            HTTPHeader("Accept", "application/json"),
            HTTPHeader("Api-Key", account.apiKey.value, isSecret: true),
        ]
        if let session {
            request.headers.append(
                HTTPHeader("Authorization", "Bearer \(session.token.value)", isSecret: true))
            // The login response chose this host, not the user.
            request.namedURL = server.text
        }
        if let body {
            request.headers.append(HTTPHeader("Content-Type", "application/json"))
            request.body = body.compact
        }
        request.redirects = .sameOrigin
        request.bodyLimit = ProviderConnection.answerLimit
        return request
    }

    private func refusal(_ response: HTTPResponse) -> UndertextError {
        let answer = try? connection.json(response)
        let (code, message): (UndertextError.Code, String) =
            switch response.status {
            case 401: (.unauthorized, "the session or the key was refused; check the key")
            case 403: (.unauthorized, "the key was refused; check it")
            case 404, 410: (.notFound, "it is not there any more")
            case 406: (.quotaExceeded, "no downloads are left for now")
            default: (.refused, "the request was refused")
            }
        var error = connection.failure(
            code, message, response,
            said: OpenSubtitlesAnswer.message(answer) ?? "HTTP status \(response.status)")
        error.service.quota = answer.flatMap { OpenSubtitlesAnswer.quota($0) }
        if code == .quotaExceeded, let reset = error.service.quota?.reset {
            if let begin = ISO8601.date(reset), let now = response.date, begin > now {
                error.service.retryAfter = now.duration(to: begin)
            }
            error.message +=
                "; the quota resets at "
                + Secret.redacted(reset, connection.secrets)
        }
        return error
    }
}
