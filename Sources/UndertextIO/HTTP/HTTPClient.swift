internal import Synchronization
package import UndertextCore

/// An HTTP client on libcurl that reuses connections.
///
/// Redirects follow the rules for media files: never to another scheme, never from https to http, and never to
/// a private or local machine unless the user named it.
package final class HTTPClient: Fetcher {
    private let options: HTTPOptions
    private let idle = Mutex<[IdleConnection]>([])
    private static let mostIdle = 4

    /// An idle connection.
    ///
    /// It moves between threads, but only one at a time uses it.
    private struct IdleConnection: @unchecked Sendable {
        let connection: HTTPConnection
    }

    /// Creates a client; nothing is loaded or opened before the first request.
    ///
    /// - Parameter options: The user agent, timeouts and deadline; other options are ignored.
    package init(options: HTTPOptions = HTTPOptions()) { self.options = options }

    /// Sends a request and returns the response; see ``UndertextCore/Fetcher``.
    ///
    /// libcurl: `curl_multi_perform`.
    package func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        let library = try CurlLibrary.load()
        let (address, named) = try addresses(of: request, library)
        guard let question = PendingRequest(request) else {
            throw UndertextError(
                .unsupported, "has headers or a range that cannot be sent", path: request.name)
        }
        var own = options
        own.cancellation = cancellation
        let end = ContinuousClock.now + request.timeout
        own.deadline = min(options.deadline ?? end, end)
        own.stallTimeout = min(options.stallTimeout, request.stallTimeout ?? options.stallTimeout)
        own.connectTimeout = min(options.connectTimeout, own.stallTimeout)
        if let error = own.interruption(request.name) { throw error }
        let connection = try connection(for: request.name, own, library)
        do throws(HTTPFailure) {
            let head = try connection.begin(address, named: named, question)
            let body = try body(of: head, connection, request)
            if connection.hasWholeAnswer() { keep(connection) }
            return HTTPResponse(
                status: head.status, headers: head.fields, body: body, url: head.address.text)
        } catch {
            var error = error.error
            // If bytes arrived, the server is slow, not silent.
            if error.code == .timeout, connection.received > 0 {
                error.byteOffset = UInt64(connection.received)
            }
            throw error
        }
    }

    private func addresses(
        of request: HTTPRequest, _ library: CurlLibrary
    ) throws(UndertextError) -> (HTTPAddress, HTTPAddress) {
        let address = HTTPAddress(request.url, library)
        guard let text = request.namedURL else {
            guard let address else {
                throw UndertextError(
                    .unsupported, "is not an http or https URL", path: request.name)
            }
            return (address, address)
        }
        guard let named = HTTPAddress(text, library) else {
            throw UndertextError(.unsupported, "is not an http or https URL", path: text)
        }
        if let reason = named.refusal(ofRedirectTo: address) {
            throw UndertextError(
                .nestedOpen, "leads \(reason), which is refused", path: request.name)
        }
        return (address ?? named, named)
    }

    private func body(
        of head: HTTPConnection.Head, _ connection: HTTPConnection, _ request: HTTPRequest
    ) throws(HTTPFailure) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            // One byte above the limit shows that the body is longer.
            let room = min(max(0, request.bodyLimit - body.count), (1 << 20) - 1) + 1
            let part = try connection.body(room, least: room)
            if part.isEmpty { return body }
            if body.isEmpty { body = part } else { body += part }
            guard body.count <= request.bodyLimit else {
                throw HTTPFailure(
                    UndertextError(
                        .limit, "the answer is longer than the \(request.bodyLimit) bytes allowed",
                        path: request.name))
            }
        }
    }

    private func connection(
        for name: String, _ options: HTTPOptions, _ library: CurlLibrary
    ) throws(UndertextError) -> HTTPConnection {
        if let kept = idle.withLock({ $0.popLast() }) {
            kept.connection.reuse(name: name, options: options)
            return kept.connection
        }
        return try HTTPConnection(name: name, options: options, library)
    }

    private func keep(_ connection: HTTPConnection) {
        connection.end()
        let kept = IdleConnection(connection: connection)
        idle.withLock { idle in
            if idle.count < Self.mostIdle { idle.append(kept) }
        }
    }
}
