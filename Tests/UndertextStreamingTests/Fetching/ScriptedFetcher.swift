import UndertextCore
import UndertextIO
import UndertextStreaming

/// A client that answers from a table and notes what it was asked.
final class ScriptedFetcher: Fetcher {
    /// Returns the response to the n-th request for an address, counted from 0.
    typealias Script =
        @Sendable (_ request: HTTPRequest, _ count: Int) -> Result<HTTPResponse, UndertextError>

    private let script: Script
    private let asked = Monitor<[HTTPRequest]>([])

    init(_ script: @escaping Script) { self.script = script }

    /// Serves files; what is not there is 404.
    convenience init(files: [String: [UInt8]]) {
        self.init { request, _ in
            guard let file = files[request.url] else { return .success(HTTPResponse(status: 404)) }
            guard let range = request.range else {
                return .success(HTTPResponse(status: 200, body: file, url: request.url))
            }
            let first = min(Int(clamping: range.offset), file.count)
            return .success(
                HTTPResponse(
                    status: 206,
                    headers: ["content-range": "bytes \(range.offset)-\(range.end - 1)/*"],
                    body: Array(file[first..<first + min(range.count, file.count - first)]),
                    url: request.url))
        }
    }

    var requests: [HTTPRequest] { asked.with { $0 } }

    func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        if cancellation.isCancelled { throw UndertextError(.cancelled, "stopped") }
        let count = asked.with { asked in
            defer { asked.append(request) }
            return asked.count { $0.url == request.url }
        }
        return try script(request, count).get()
    }
}

/// A clock that does not wait.
final class NotedClock: Sendable {
    private let state = Monitor<[Duration]>([])

    /// The durations of all waits.
    var waits: [Duration] { state.with { $0 } }

    var clock: JobClock {
        JobClock(
            now: { self.waits.reduce(.zero, +) },
            sleep: { wait, _ in self.state.with { $0.append(wait) } })
    }
}
