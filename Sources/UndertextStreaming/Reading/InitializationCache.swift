internal import UndertextCore

/// Initialization sections, each fetched once.
struct InitializationCache {
    private var known: [[TextPiece.Place]: Result<[UInt8], UndertextError>] = [:]
    private var order: [[TextPiece.Place]] = []
    /// The maximum number of kept sections; few presentations have more than one per period.
    private static let most = 64
    private static let mostBytes = 64 << 20
    private var size = 0

    /// Returns the bytes of the first location that has them; empty if there are no locations.
    mutating func bytes(
        of places: [TextPiece.Place], _ fetcher: StreamFetcher
    ) throws(UndertextError) -> [UInt8] {
        guard let first = places.first else { return [] }
        if let result = known[places] { return try result.get() }
        let result: Result<[UInt8], UndertextError>
        do throws(UndertextError) {
            let others = places.dropFirst().map(\.resource)
            result = .success(
                try fetcher.settled(fetcher.fetched(first.resource), else: others).answer.bytes)
        } catch {
            // The next segment retries after a transient failure.
            if StreamFetcher.mayPass(error) { throw error }
            result = .failure(error)
        }
        let count = (try? result.get())?.count ?? 0
        while order.count >= Self.most || !order.isEmpty && size + count > Self.mostBytes {
            let oldest = known.removeValue(forKey: order.removeFirst())
            size -= (try? oldest?.get())?.count ?? 0
        }
        order.append(places)
        known[places] = result
        size += count
        return try result.get()
    }
}
