internal import UndertextCore

/// Resources that are in several places.
extension StreamFetcher {
    /// The outcome of fetching a resource.
    func fetched(
        _ resource: StreamResource, limit: Int? = nil, for purpose: StreamPurpose = .segment
    ) -> Result<StreamAnswer, UndertextError> {
        do throws(UndertextError) {
            return .success(try fetch(resource, limit: limit, for: purpose))
        } catch {
            return .failure(error)
        }
    }

    /// An answer, or that of the first of other places that has one.
    ///
    /// - Parameters:
    ///   - result: what became of asking the preferred place.
    ///   - others: Alternative locations, tried in order.
    ///   - limit: bytes at most, those of a segment if it is `nil`.
    /// - Returns: the answer, and which of `others` gave it; `nil` for none of them.
    /// - Throws: the error of the preferred place.
    func settled(
        _ result: Result<StreamAnswer, UndertextError>, else others: [StreamResource],
        limit: Int? = nil
    ) throws(UndertextError) -> (answer: StreamAnswer, other: Int?) {
        guard case .failure(let error) = result else { return (try result.get(), nil) }
        for (index, resource) in others.enumerated() where !cancellation.isCancelled {
            if case .success(let answer) = fetched(resource, limit: limit) {
                return (answer, index)
            }
        }
        throw error
    }
}
