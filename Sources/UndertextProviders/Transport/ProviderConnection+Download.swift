internal import UndertextCore
internal import UndertextIO

extension ProviderConnection {
    /// Downloads a file from a URL that a service returned, and extracts the subtitles.
    ///
    /// - Parameters:
    ///   - address: The URL of the file, often on another server; it may be a temporary secret.
    ///   - server: The service that returned the URL, which errors state instead of it.
    ///   - name: The name of the file, which identifies formats without a signature.
    ///   - query: The query, which selects one of several files.
    ///   - cancellation: A flag that cancels the download.
    /// - Returns: The selected subtitle files.
    /// - Throws: `UndertextError`.
    func download(
        _ address: String, toldBy server: ServiceAddress, name: String, for query: OnlineQuery,
        _ cancellation: Cancellation
    ) throws(UndertextError) -> OnlineDownload {
        var request = HTTPRequest(.get, address)
        request.namedURL = server.text
        request.label = "the file's address"
        request.bodyLimit = Self.fileLimit
        let response = try send(request, mayRepeat: true, cancellation)
        guard response.isSuccess else {
            throw failure(
                [404, 410].contains(response.status) ? .notFound : .refused,
                "the file is not there any more, or not yet; search again", response,
                said: "HTTP status \(response.status)")
        }
        do throws(UndertextError) {
            return try SubtitlePayload(bytes: response.body, name: name).download(for: query)
        } catch {
            var reported = error
            reported.service.name = provider
            throw reported
        }
    }
}
