internal import UndertextCore
internal import UndertextIO

extension ProviderConnection {
    /// Fetches a file whose address a service told, and takes the subtitles out of it.
    ///
    /// - Parameters:
    ///   - address: where the file lies, often on another server; it may be a secret for a time.
    ///   - server: who told it, which errors name in its place.
    ///   - name: the file's name, which tells formats that do not tell themselves.
    ///   - query: which of several files is meant.
    ///   - cancellation: ends the waiting.
    /// - Returns: the subtitle files that are meant.
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
            var told = error
            told.service.name = provider
            throw told
        }
    }
}
