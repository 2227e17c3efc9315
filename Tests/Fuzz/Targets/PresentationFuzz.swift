import UndertextCore
import UndertextIO
import UndertextStreaming

/// Uses the input as the resources of a server: a playlist or manifest, then the response to all other
/// requests, separated by `0xFF`.
func presentationFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let parts = bytes.split(separator: 0xFF, omittingEmptySubsequences: false).map(Array.init)
    guard let first = parts.first else { return 0 }
    var options = StreamFetchOptions()
    options.parallel = 1
    options.retries = 0
    options.totalSize = 1 << 20
    options.clock = JobClock(now: { .zero }, sleep: { _, _ in })
    var limits = StreamingLimits()
    limits.segments = 100
    let address = "https://example.org/a/b"
    let fetcher = StreamFetcher(
        FuzzAnswers(parts: Array(parts.dropFirst())), named: address, options: options)
    let document = StreamAnswer(first, url: address)
    guard
        let presentation = try? Presentation(document, fetcher, streamingLimits: limits)
    else { return 0 }
    let streams = Set(presentation.description.streams.map(\.index).prefix(4))
    let reader = presentation.reader(for: streams)
    while let packet = try? reader.nextPacket() {
        precondition(streams.contains(packet.streamIndex), "a packet of no stream")
        precondition((packet.duration ?? 0) >= 0, "a cue that ends before it begins")
    }
    _ = reader.takeDiagnostics()
    return 0
}

/// A server that has an answer to everything.
private struct FuzzAnswers: Fetcher {
    let parts: [[UInt8]]

    func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        precondition(request.url.hasPrefix("https://"), "an address that must not be opened")
        guard !parts.isEmpty else { return HTTPResponse(status: 404) }
        let number = request.url.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        let body = Array(parts[number % parts.count].prefix(request.bodyLimit))
        return HTTPResponse(status: 200, body: body, url: request.url)
    }
}
