internal import CUndertextCurl
internal import UndertextCore

/// A reusable connection; C: one `CURL` in its own `CURLM`.
///
/// The multi handle makes it possible to pull the body and to interrupt a wait.
@safe
final class HTTPConnection {
    private let library: CurlLibrary
    private let easy: OpaquePointer
    private let multi: OpaquePointer
    private let transfer = Transfer()
    private var options: HTTPOptions
    private var name: String
    private var isRunning = false
    /// The header lines that libcurl sends; they live as long as the transfer.
    private var lines: UnsafeMutablePointer<curl_slist>?
    /// libcurl's result after the transfer has ended.
    private var result: Int32?

    private static let longestWait: Int32 = 50
    private static let maximalRedirects = 10
    /// The limit for the body of an error response, in bytes.
    private static let longestExplanation = 1 << 16

    /// The beginning of a response.
    struct Head {
        let status: Int
        let fields: [String: String]
        /// The responding address: the last one in a chain of redirects.
        let address: HTTPAddress
    }

    init(name: String, options: HTTPOptions, _ library: CurlLibrary) throws(UndertextError) {
        let noMemory = UndertextError(.limit, "not enough memory to open it", path: name)
        guard let easy = unsafe library.functions.pointee.curl_easy_init() else { throw noMemory }
        guard let multi = unsafe library.functions.pointee.curl_multi_init() else {
            unsafe library.functions.pointee.curl_easy_cleanup(easy)
            throw noMemory
        }
        unsafe self.easy = easy
        unsafe self.multi = multi
        self.library = library
        self.options = options
        self.name = name
    }

    deinit {
        end()
        unsafe library.functions.pointee.curl_easy_cleanup(easy)
        _ = unsafe library.functions.pointee.curl_multi_cleanup(multi)
    }

    /// Prepares the connection for another job, whose name errors then contain.
    func reuse(name: String, options: HTTPOptions) {
        end()
        self.name = name
        self.options = options
    }

    /// Requests byte ranges and returns when the response headers have arrived.
    ///
    /// - Parameters:
    ///   - address: The address to request.
    ///   - named: The address that the user named; only its host may be private.
    ///   - ranges: First and last bytes, in file order; empty for the entire file.
    /// - Returns: The beginning of the response; ``body(_:least:)`` pulls its body.
    /// - Throws: ``HTTPFailure``.
    func begin(
        _ address: HTTPAddress, named: HTTPAddress, ranges: [ClosedRange<UInt64>]
    ) throws(HTTPFailure) -> Head {
        try begin(address, named: named, PendingRequest(ranges: ranges))
    }

    /// Sends a request and returns when the response headers have arrived.
    ///
    /// - Parameters:
    ///   - address: The address to request.
    ///   - named: The address that the user named; only its host may be private.
    ///   - question: The request and the rules for its redirects.
    /// - Returns: The beginning of the response; ``body(_:least:)`` pulls its body.
    /// - Throws: ``HTTPFailure``.
    func begin(
        _ address: HTTPAddress, named: HTTPAddress, _ question: PendingRequest
    ) throws(HTTPFailure) -> Head {
        let first = address
        var (address, question) = (address, question)
        for _ in 0...Self.maximalRedirects {
            try start(address, refusesPrivate: address.host != named.host, question)
            try pump { transfer.hasHead }
            guard transfer.hasHead else { throw failure() }
            guard options.signer == nil, [301, 302, 303, 307, 308].contains(transfer.status) else {
                return Head(status: transfer.status, fields: transfer.fields, address: address)
            }
            // The body of a redirect is short; reading it keeps the connection usable.
            transfer.capacity = 1 << 16
            try pump { !transfer.hasRoom }
            let target = try redirected(from: address)
            if let reason = question.redirect(
                status: transfer.status, from: first, to: target)
            {
                throw HTTPFailure(
                    UndertextError(
                        .nestedOpen, "is redirected \(reason), which is refused", path: name,
                        underlying: target.host))
            }
            address = target
        }
        // A redirect loop does not go away, so a retry is useless.
        throw HTTPFailure(
            UndertextError(
                .nestedOpen,
                "is redirected more than \(Self.maximalRedirects) times, which is refused",
                path: name))
    }

    private func redirected(from address: HTTPAddress) throws(HTTPFailure) -> HTTPAddress {
        let text = unsafe ccurl_redirect(library.functions, easy).map {
            unsafe String(cString: $0)
        }
        let target = text.flatMap { HTTPAddress($0, library) }
        if let reason = address.refusal(ofRedirectTo: target) {
            throw HTTPFailure(
                UndertextError(
                    .nestedOpen, "is redirected \(reason), which is refused", path: name,
                    underlying: text))
        }
        end()
        return target ?? address
    }

    private func start(
        _ address: HTTPAddress, refusesPrivate: Bool, _ question: PendingRequest
    ) throws(HTTPFailure) {
        end()
        transfer.reset(refusesPrivate: refusesPrivate)
        result = nil
        unsafe library.functions.pointee.curl_easy_reset(easy)
        unsafe ccurl_set_callbacks(
            library.functions, easy, transfer.opaque,
            { bytes, size, count, opaque in
                guard let transfer = unsafe Transfer.from(opaque), let bytes = unsafe bytes else {
                    return 0
                }
                let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                return unsafe transfer.header(line) ? size * count : 0
            },
            { bytes, size, count, opaque in
                guard let transfer = unsafe Transfer.from(opaque), let bytes = unsafe bytes else {
                    return 0
                }
                return unsafe transfer.receive(
                    UnsafeRawBufferPointer(start: bytes, count: size * count))
            },
            { opaque, _, address in
                guard let transfer = unsafe Transfer.from(opaque), let address = unsafe address
                else { return ccurl_bad_socket }
                return unsafe transfer.socket(for: address)
            })
        guard unsafe ccurl_allow_http_only(library.functions, easy) == CURLE_OK else {
            throw HTTPFailure(UndertextError(.unsupported, "libcurl lacks http", path: name))
        }
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, milliseconds(options.connectTimeout)))
        set(CURLOPT_LOW_SPEED_LIMIT, 100)
        set(CURLOPT_LOW_SPEED_TIME, max(1, Int(options.stallTimeout.components.seconds)))
        // libcurl would send a line break, and what follows would be another header.
        let agent = options.userAgent.unicodeScalars
        guard !agent.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
            throw HTTPFailure(
                UndertextError(.invalidValue, "the user agent contains control characters"))
        }
        set(CURLOPT_USERAGENT, options.userAgent)
        set(CURLOPT_URL, address.text)
        // A key may contain `..`, and the signature covers the path as it is.
        if options.signer != nil { set(CURLOPT_PATH_AS_IS, 1) }
        try send(question.signed(by: options.signer, for: address))
        guard unsafe library.functions.pointee.curl_multi_add_handle(multi, easy) == CURLM_OK else {
            throw HTTPFailure(UndertextError(.io, "could not be opened", path: name))
        }
        isRunning = true
    }

    private func send(_ question: PendingRequest) throws(HTTPFailure) {
        if !question.ranges.isEmpty {
            let list = question.ranges.map { "\($0.lowerBound)-\($0.upperBound)" }
            set(CURLOPT_RANGE, list.joined(separator: ","))
        }
        // libcurl decompresses while it receives; the limit applies to decompressed bytes.
        if question.takesPacked { set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        for line in question.lines {
            guard let longer = unsafe library.functions.pointee.curl_slist_append(lines, line)
            else {
                throw HTTPFailure(
                    UndertextError(.limit, "not enough memory for the request", path: name))
            }
            unsafe lines = longer
        }
        if let lines = unsafe lines { unsafe ccurl_set_lines(library.functions, easy, lines) }
        if question.sendsBody {
            // libcurl copies the body.
            _ = unsafe question.body.withUnsafeBytes { bytes in
                unsafe ccurl_set_body(library.functions, easy, bytes.baseAddress, bytes.count)
            }
        }
        // With the name of the method alone, libcurl would wait for a body.
        if question.method == "HEAD" {
            set(CURLOPT_NOBODY, 1)
        } else if question.method != "GET", question.method != "POST" {
            set(CURLOPT_CUSTOMREQUEST, question.method)
        }
    }

    private func set(_ option: CURLoption, _ value: Int) {
        _ = unsafe ccurl_set_long(library.functions, easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: String) {
        _ = unsafe ccurl_set_text(library.functions, easy, option, value)
    }

    /// Up to `count` bytes of the body; waits for at least `least` bytes, and returns none at the end.
    func body(_ count: Int, least: Int) throws(HTTPFailure) -> [UInt8] {
        transfer.capacity = count
        let enough = min(least, count)
        try pump(countsBody: true) { transfer.body.count >= enough }
        if transfer.body.isEmpty, let result, result != 0 { throw failure() }
        options.budget.progress(at: HTTPOptions.now)
        return transfer.take(count)
    }

    /// The number of body bytes received so far.
    var received: Int { transfer.received }

    /// `true` if libcurl has received the complete response; checks once, without waiting.
    func hasWholeAnswer() -> Bool {
        if result == nil { step() }
        return result == 0
    }

    /// The error for a response with an unexpected status.
    func failure(of answer: Head) -> HTTPFailure {
        guard options.signer != nil else { return HTTPFailure(status: answer.status, name: name) }
        let body = try? body(Self.longestExplanation, least: Self.longestExplanation)
        return S3Failure(answer, body ?? []).failure(of: name, noting: options.signer)
    }

    /// Calls `attempt` until it succeeds, fails permanently, or has used up its retries.
    ///
    /// - Parameter attempt: The work; its argument is the number of failures so far.
    /// - Returns: The result of `attempt`.
    /// - Throws: The ``UndertextError`` of the last failure.
    func repeating<Value>(
        _ attempt: (_ failures: Int) throws(HTTPFailure) -> Value
    ) throws(UndertextError) -> Value {
        var failures = 0
        var delay = options.firstDelay
        while true {
            do throws(HTTPFailure) {
                return try attempt(failures)
            } catch {
                end()
                guard error.isTransient, failures < options.retries else { throw error.error }
                failures += 1
                do throws(HTTPFailure) {
                    try wait(delay)
                } catch {
                    throw error.error
                }
                delay *= 3
            }
        }
    }

    /// Ends the request; closes the connection if the response is incomplete.
    func end() {
        if isRunning {
            isRunning = false
            _ = unsafe library.functions.pointee.curl_multi_remove_handle(multi, easy)
        }
        if let done = unsafe lines {
            unsafe library.functions.pointee.curl_slist_free_all(done)
            unsafe lines = nil
        }
    }

    /// Waits for `duration`, or until the job is cancelled.
    func wait(_ duration: Duration) throws(HTTPFailure) {
        let end = ContinuousClock.now + duration
        while case let left = milliseconds(end - .now), left > 0 {
            if let error = options.interruption(name) { throw HTTPFailure(error) }
            unsafe ccurl_wait(
                library.functions, multi, min(Int32(clamping: left), Self.longestWait))
        }
    }

    /// Runs libcurl until `isReady` returns `true` or until the end of the transfer.
    ///
    /// Headers that arrive one at a time are not progress, and neither are bodies of redirects.
    private func pump(
        countsBody: Bool = false, until isReady: () -> Bool
    ) throws(HTTPFailure) {
        guard !isReady(), result == nil else { return }
        let budget = options.budget
        budget.begin(at: HTTPOptions.now)
        defer { budget.end(at: HTTPOptions.now) }
        while true {
            if let error = options.interruption(name) { throw HTTPFailure(error) }
            let before = transfer.received
            step()
            if countsBody, transfer.received > before { budget.progress(at: HTTPOptions.now) }
            if result != nil || isReady() { return }
            guard budget.left(at: HTTPOptions.now) > .zero else {
                throw HTTPFailure(
                    UndertextError(.timeout, "no answer in time; try again", path: name))
            }
            unsafe ccurl_wait(library.functions, multi, Self.longestWait)
        }
    }

    private func step() {
        if transfer.isPaused, transfer.hasRoom {
            transfer.isPaused = false
            _ = unsafe library.functions.pointee.curl_easy_pause(easy, 0)
        }
        var running: Int32 = 0
        _ = unsafe library.functions.pointee.curl_multi_perform(multi, &running)
        let ended = unsafe ccurl_ended(library.functions, multi)
        if ended >= 0 { result = ended }
    }

    private func failure() -> HTTPFailure {
        if transfer.hasRefused {
            return HTTPFailure(
                UndertextError(
                    .nestedOpen,
                    "redirects to a private or local address, which is refused; specify that URL itself",
                    path: name))
        }
        if transfer.hasLongHeaders {
            return HTTPFailure(
                UndertextError(
                    .limit,
                    "the server sends more than the \(Transfer.mostHeaders) bytes of headers allowed",
                    path: name))
        }
        return HTTPFailure(code: result ?? 0, name: name, library)
    }

    private func milliseconds(_ duration: Duration) -> Int {
        let (seconds, atto) = duration.components
        return Int(clamping: min(max(seconds, -1), 1 << 30)) * 1000
            + Int(atto / 1_000_000_000_000_000)
    }
}
