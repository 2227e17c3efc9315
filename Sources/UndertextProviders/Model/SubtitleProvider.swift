public import UndertextCore

/// A service on the web that has subtitles.
///
/// Both functions block their thread while they wait; each provider keeps to its service's pace.
public protocol SubtitleProvider: Sendable {
    /// A short name for options and reports, such as `opensubtitles`.
    var name: String { get }
    /// What has to be shown beside its results, if its terms ask for that.
    var attribution: String? { get }

    /// Looks for subtitles; nothing that counts as a download is asked for.
    ///
    /// - Returns: what was found, the best first.
    /// - Throws: `UndertextError`.
    func search(
        _ query: OnlineQuery, cancellation: Cancellation
    ) throws(UndertextError) -> OnlineResults

    /// Fetches one subtitle, which may count against a quota.
    ///
    /// - Parameters:
    ///   - subtitle: a result of this provider's.
    ///   - query: what was looked for; it chooses among the files of an archive.
    ///   - cancellation: ends the waiting.
    /// - Returns: the file and its name.
    /// - Throws: `UndertextError`.
    func download(
        _ subtitle: OnlineSubtitle, for query: OnlineQuery, cancellation: Cancellation
    ) throws(UndertextError) -> OnlineDownload

    /// Ends what a login began, once nothing more is asked for.
    func finish(cancellation: Cancellation) throws(UndertextError)
}

extension SubtitleProvider {
    /// None.
    public var attribution: String? { nil }

    /// Does nothing.
    public func finish(cancellation: Cancellation) throws(UndertextError) {}
}
