public import UndertextCore

/// A client of an online subtitle service.
///
/// Functions block their thread while they wait; each provider respects the rate limits of its service.
public protocol SubtitleProvider: Sendable {
    /// A short name for options and reports, such as `opensubtitles`.
    var name: String { get }
    /// The attribution that must be shown with its results, or `nil` if its terms require none.
    var attribution: String? { get }

    /// Searches for subtitles without requests that count as downloads.
    ///
    /// - Returns: The results, the best first.
    /// - Throws: `UndertextError`.
    func search(
        _ query: OnlineQuery, cancellation: Cancellation
    ) throws(UndertextError) -> OnlineResults

    /// Downloads a subtitle, which may count against a quota.
    ///
    /// - Parameters:
    ///   - subtitle: A result of this provider.
    ///   - query: The search query, which selects a file of an archive.
    ///   - cancellation: A flag that cancels the download.
    /// - Returns: The file and its name.
    /// - Throws: `UndertextError`.
    func download(
        _ subtitle: OnlineSubtitle, for query: OnlineQuery, cancellation: Cancellation
    ) throws(UndertextError) -> OnlineDownload

    /// Ends the session after the last request.
    func finish(cancellation: Cancellation) throws(UndertextError)
}

extension SubtitleProvider {
    /// No attribution.
    public var attribution: String? { nil }

    /// Does nothing.
    public func finish(cancellation: Cancellation) throws(UndertextError) {}
}
