/// An HTTP client: `HTTPClient` of the target `Curl`, or one of the player.
///
/// A request blocks its thread until the response is complete.
public protocol Fetcher: Sendable {
    /// Sends a request and returns the response.
    ///
    /// A response of any status is a result; only the lack of a response is an error. Requests are
    /// not repeated.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - cancellation: A flag that ends the wait within 100 ms.
    /// - Returns: The last response of a chain of redirects.
    /// - Throws: ``UndertextError`` with code `io`, `timeout`, `cancelled`, `limit-exceeded` (the body is
    ///   too long), `nested-open-refused` (a redirect, or a URL from a server, is not allowed), `unsupported`
    ///   (not an http or https URL, or headers that cannot be sent) or `missing-library`.
    func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse
}
