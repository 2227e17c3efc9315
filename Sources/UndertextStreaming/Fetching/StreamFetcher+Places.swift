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

    /// The response, or the first response of the alternative locations.
    ///
    /// - Parameters:
    ///   - result: the result of the preferred location.
    ///   - others: Alternative locations, tried in order.
    ///   - limit: the maximum size in bytes; `nil` for the limit of a segment.
    /// - Returns: the response, and the index in `others` of its location; `nil` for the preferred one.
    /// - Throws: the error of the preferred location.
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
