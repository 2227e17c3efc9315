/// Who asks web servers: `HTTPClient` of the target `Curl`, or a player's own client.
///
/// A request blocks its thread until the answer is there whole.
public protocol Fetcher: Sendable {
    /// Sends a request and takes the answer.
    ///
    /// An answer of any status is an answer; only what keeps it from coming is an error. No request
    /// is repeated.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - cancellation: ends the waiting, within 100 ms.
    /// - Returns: the last answer of a chain of redirects.
    /// - Throws: ``UndertextError`` with code `io`, `timeout`, `cancelled`, `limit-exceeded` (the body is
    ///   too long), `nested-open-refused` (a redirect, or an address that a server told, leads where
    ///   it must not), `unsupported` (no address of http or https, or headers that cannot be sent)
    ///   or `missing-library`.
    func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse
}
