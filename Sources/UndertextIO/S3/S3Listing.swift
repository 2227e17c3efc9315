package import UndertextCore

/// The objects whose keys begin with a text, requested page by page, in the order of the server.
///
/// Memory holds one page, and eight bytes for each page before it.
package final class S3Listing {
    /// An entry of a listing.
    package enum Entry: Hashable, Sendable {
        /// An object.
        case object(S3Object)
        /// The common beginning of several keys, with the slash at its end; only in flat listings.
        case folder(S3Location)
        /// An entry that cannot be used, such as a key that is too long.
        case damaged(UndertextError)
    }

    private let prefix: S3Location
    private let isFlat: Bool
    private let pageSize: Int?
    private let store: S3Store
    private let cancellation: Cancellation
    /// Entries of the current page, the next one last.
    private var entries: [Entry] = []
    /// The token of the next page; `nil` after the last one.
    private var token: String? = ""
    /// Hashes of the tokens so far: a server that repeats one would be listed for ever.
    private var tokens: Set<Int> = []
    private var emptyPages = 0
    /// Thrown when the entries of the current page have been taken.
    private var failure: UndertextError?

    /// Pages without an entry in a row, which servers send after many objects were deleted.
    private static let mostEmptyPages = 1000

    /// Creates a listing; the first page is requested by the first call of ``next()``.
    ///
    /// - Parameters:
    ///   - prefix: The bucket, and the beginning of the keys.
    ///   - isFlat: `true` for the keys up to the next slash, `false` for all keys.
    ///   - pageSize: The largest number of entries of a page; `nil` = as many as the server sends.
    ///   - store: Sends the requests.
    ///   - cancellation: Stops a request.
    package init(
        _ prefix: S3Location, isFlat: Bool, pageSize: Int? = nil, store: S3Store = .ofProcess,
        cancellation: Cancellation = Cancellation()
    ) {
        self.prefix = prefix
        self.isFlat = isFlat
        self.pageSize = pageSize
        self.store = store
        self.cancellation = cancellation
    }

    /// The next entry; `nil` after the last one.
    ///
    /// - Throws: ``UndertextError`` as ``S3Client`` does, or with code `malformed`; the listing has
    ///   ended then.
    package func next() throws(UndertextError) -> Entry? {
        while true {
            if let entry = entries.popLast() { return entry }
            if let failure = failure.take() { throw failure }
            guard let token else { return nil }
            self.token = nil
            try request(token)
        }
    }

    private func request(_ current: String) throws(UndertextError) {
        var query = [("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix.key)]
        if isFlat { query.append(("delimiter", "/")) }
        if let pageSize { query.append(("max-keys", "\(pageSize)")) }
        if !current.isEmpty { query.append(("continuation-token", current)) }
        let response = try store.with(prefix, cancellation) { client throws(UndertextError) in
            try client.send(
                "GET", S3Location(bucket: prefix.bucket, key: ""),
                query: query.map { (name: $0.0, value: $0.1) }, limit: S3ListPage.longest)
        }
        let page = try S3ListPage(response.body, of: prefix)
        entries = page.entries.reversed()
        emptyPages = entries.isEmpty ? emptyPages + 1 : 0
        guard page.isTruncated else { return }
        guard let next = page.nextToken, !next.isEmpty, next.utf8.count <= S3ListPage.longestText,
            tokens.insert(next.hashValue).inserted, emptyPages < Self.mostEmptyPages
        else {
            failure = UndertextError(
                .malformed,
                "the server states that there are more objects, but not how to list them",
                path: prefix.description)
            return
        }
        token = next
    }
}
