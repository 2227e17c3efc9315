package import UndertextCore

/// A file on an HTTP server, read in ranges on a reused connection.
///
/// Each read requests exactly its range (RFC 9110, section 14). Transient failures are retried a few times; a
/// response that cannot be trusted is an error, never a wrong byte.
///
/// libcurl: `curl_easy_setopt` with `CURLOPT_RANGE`.
package final class HTTPSource: RandomAccessSource {
    /// The address as the user wrote it.
    package let name: String
    /// The requests and bytes so far.
    package private(set) var statistics = ReadStatistics()

    let resource: HTTPResource
    private let options: HTTPOptions
    private let library: CurlLibrary
    private let connection: HTTPConnection
    /// The body of the first response, from which headers are read.
    private let head: [UInt8]
    /// The failures of one read, even if each attempt receives a few bytes.
    private static let maximalFailures = 64

    init(
        resource: HTTPResource, head: [UInt8], requests: UInt64, options: HTTPOptions,
        connection: HTTPConnection, readPosition: ReadPosition = ReadPosition(),
        _ library: CurlLibrary
    ) {
        self.readPosition = readPosition
        name = resource.name
        self.resource = resource
        self.head = head
        self.options = options
        self.connection = connection
        self.library = library
        statistics = ReadStatistics(bytesRead: UInt64(head.count), requests: requests)
    }

    /// The position shared by this source and the sources of its ``connector``.
    package let readPosition: ReadPosition?

    /// The length in bytes; `nil` if the server does not say.
    package var size: UInt64? { resource.size }

    /// Opens further connections to the same file, one per thread.
    package var connector: @Sendable (Cancellation) throws(UndertextError) -> any RandomAccessSource
    {
        let (resource, options) = (resource, options)
        let readPosition = readPosition ?? ReadPosition()
        return { (cancellation) throws(UndertextError) in
            var own = options
            own.cancellation = cancellation
            let library = try CurlLibrary.load()
            return HTTPSource(
                resource: resource, head: [], requests: 0, options: own,
                connection: try HTTPConnection(
                    name: resource.name, options: own, library),
                readPosition: readPosition, library)
        }
    }

    /// Reads `count` bytes at `offset`; fewer only at the end of the file.
    ///
    /// - Throws: ``UndertextError`` with code `io` (also if the file has changed), `cancelled`,
    ///   `timeout`, `not-found`, `permission-denied` or `nested-open-refused`.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        let room = (size ?? .max) > offset ? (size ?? .max) - offset : 0
        let wanted = Int(clamping: min(UInt64(max(0, count)), room))
        guard wanted > 0 else { return [] }
        readPosition?.value = offset
        if let start = Int(exactly: offset), start < head.count, head.count - start >= wanted {
            return Array(head[start..<start + wanted])
        }
        var bytes: [UInt8] = []
        var (failures, all) = (0, 0)
        while bytes.count < wanted {
            let before = bytes.count
            do throws(HTTPFailure) {
                if try !fetch(at: offset + UInt64(before), until: wanted, &bytes) { break }
            } catch {
                connection.end()
                if bytes.count > before { failures = 0 }
                all += 1
                guard error.isTransient, failures < options.retries, all < Self.maximalFailures,
                    resource.mayRetryAfterFailure()
                else {
                    var thrown = error.error
                    thrown.byteOffset = offset + UInt64(bytes.count)
                    throw thrown
                }
                try rest(after: failures)
                failures += 1
            }
        }
        return bytes
    }

    private func rest(after failures: Int) throws(UndertextError) {
        var delay = options.firstDelay
        for _ in 0..<failures { delay *= 3 }
        do throws(HTTPFailure) {
            try connection.wait(delay)
        } catch {
            throw error.error
        }
    }

    /// Appends bytes until `bytes` has `count` of them; returns `false` at the end of the file.
    private func fetch(
        at offset: UInt64, until count: Int, _ bytes: inout [UInt8]
    ) throws(HTTPFailure) -> Bool {
        let missing = count - bytes.count
        let (last, overflow) = offset.addingReportingOverflow(UInt64(missing - 1))
        guard !overflow else { return false }
        statistics.requests += 1
        let address = resource.address
        let answer = try connection.begin(address, named: resource.named, ranges: [offset...last])
        if [401, 403, 404, 410].contains(answer.status), resource.forgetRedirects(of: address) {
            return true
        }
        let range = answer.fields["content-range"].flatMap { ContentRange($0) }
        if answer.status == 416, size == nil { return false }
        if answer.status == 200 || answer.status == 416 {
            throw HTTPFailure(
                wrong("the server does not send the range that it has", "HTTP \(answer.status)"))
        }
        guard answer.status == 206 else { throw connection.failure(of: answer) }
        guard let sent = range?.bytes, sent.lowerBound == offset,
            Self.isPlain(answer)
        else {
            throw HTTPFailure(
                wrong("the server sends another range", answer.fields["content-range"]))
        }
        guard resource.isSame(answer, total: range?.total) else {
            throw HTTPFailure(wrong("it has changed on the server while it was read", nil))
        }
        resource.note(answer.address)
        let length = Int(clamping: min(sent.upperBound - offset, UInt64(missing - 1))) + 1
        try take(length, &bytes)
        return true
    }

    private func take(_ length: Int, _ bytes: inout [UInt8]) throws(HTTPFailure) {
        var left = length
        while left > 0 {
            let part = try connection.body(left, least: left)
            statistics.bytesRead += UInt64(part.count)
            left -= part.count
            if bytes.isEmpty { bytes = part } else { bytes += part }
            guard !part.isEmpty else {
                throw HTTPFailure(
                    UndertextError(.io, "the server sent less than it promised", path: name),
                    isTransient: true)
            }
        }
        // If the server sends more than it announced, only the connection is lost.
        if !connection.hasWholeAnswer() { connection.end() }
    }

    /// Requests several ranges at once.
    func begin(_ ranges: [ClosedRange<UInt64>]) throws(HTTPFailure) -> HTTPConnection.Head {
        statistics.requests += 1
        return try connection.begin(resource.address, named: resource.named, ranges: ranges)
    }

    /// The rest of the body; a body longer than `limit` is a failure.
    func wholeBody(atMost limit: Int) throws(HTTPFailure) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let part = try connection.body(limit - body.count + 1, least: limit - body.count + 1)
            statistics.bytesRead += UInt64(part.count)
            if part.isEmpty { return body }
            if body.isEmpty { body = part } else { body += part }
            guard body.count <= limit else {
                throw HTTPFailure(wrong("the server sends more than was requested", nil))
            }
        }
    }

    /// Ends the request.
    func end() { connection.end() }

    private func wrong(_ message: String, _ detail: String?) -> UndertextError {
        UndertextError(.io, message, path: name, underlying: detail)
    }

    /// `true` if the body is the file as stored, without a content encoding.
    static func isPlain(_ answer: HTTPConnection.Head) -> Bool {
        let encoding = answer.fields["content-encoding"]?.lowercased() ?? ""
        return encoding.isEmpty || encoding == "identity"
    }
}
