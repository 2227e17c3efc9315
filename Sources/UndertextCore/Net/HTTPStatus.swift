/// The meaning of HTTP status codes outside of 200 to 299 (RFC 9110, section 15).
package enum HTTPStatus {
    /// Returns the error of a request that failed with a status.
    ///
    /// - Parameters:
    ///   - status: The status code, such as 404.
    ///   - name: The name of the resource.
    /// - Returns: The error, whose message has a hint.
    package static func error(_ status: Int, of name: String) -> UndertextError {
        let said = "HTTP status \(status)"
        switch status {
        case 404, 410:
            return UndertextError(
                .notFound, "there is no such file; check the URL", path: name,
                underlying: said)
        case 401, 403, 407:
            return UndertextError(
                .permission, "access was refused; check the permissions", path: name,
                underlying: said)
        default:
            return UndertextError(
                .io, "the server refused the request", path: name, underlying: said)
        }
    }

    /// `true` if the same request may succeed later.
    package static func mayPass(_ status: Int) -> Bool {
        status >= 500 || status == 408 || status == 429
    }
}
