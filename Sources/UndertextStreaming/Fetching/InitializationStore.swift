internal import UndertextCore
internal import UndertextIO

/// The initialization sections of media segments, each fetched once by the first reader that needs it.
final class InitializationStore: Sendable {
    private enum Entry {
        /// Another thread is fetching it.
        case pending
        case known(Result<[UInt8], UndertextError>)
    }

    private struct State {
        var entries: [StreamResource: Entry] = [:]
        var order = FirstInFirstOut<StreamResource>()
    }

    private let state = Monitor(State())
    /// The maximum number of kept sections: parts of media follow each other.
    private static let most = 8

    /// The bytes of a resource; callers wait while another thread fetches it.
    func bytes(
        of resource: StreamResource, _ fetcher: StreamFetcher
    ) throws(UndertextError) -> [UInt8] {
        let known = state.wait(.consumers) { state -> Result<[UInt8], UndertextError>?? in
            switch state.entries[resource] {
            case .known(let result): return .some(result)
            case .pending: return nil
            case nil:
                state.entries[resource] = .pending
                return .some(nil)
            }
        }
        if let known { return try known.get() }
        let result = fetcher.fetched(resource, for: .clock).map(\.bytes)
        state.with { state in
            // The next reader retries after a transient failure.
            if case .failure(let error) = result, StreamFetcher.mayPass(error) {
                state.entries[resource] = nil
                return
            }
            if state.order.count >= Self.most, let oldest = state.order.popFirst() {
                state.entries[oldest] = nil
            }
            state.entries[resource] = .known(result)
            state.order.append(resource)
        }
        state.wakeAll(.consumers)
        return try result.get()
    }
}
