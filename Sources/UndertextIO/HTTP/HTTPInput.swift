package import UndertextCore

/// A resource of an http or https address, by how the server can send it.
package enum HTTPInput {
    /// The server sends any byte range.
    case source(HTTPSource)
    /// The server sends the file from the beginning only.
    case stream(HTTPStream)

    /// The length of the first request in bytes; the headers of most files fit.
    private static let headLength = 1 << 16

    /// Requests the beginning of `url`; the response shows whether the server supports ranges.
    ///
    /// Redirects are followed to http and https, never from https to http, and never to a private or local
    /// address unless the user named its host.
    ///
    /// - Throws: ``UndertextError`` with code `missing-library`, `not-found`, `permission-denied`,
    ///   `nested-open-refused`, `cancelled`, `timeout`, `unsupported` or `io`.
    package static func open(
        _ url: String, options: HTTPOptions = HTTPOptions()
    ) throws(UndertextError) -> HTTPInput {
        let options = options.renewed()
        let library = try CurlLibrary.load()
        guard let address = HTTPAddress(url, library) else {
            throw UndertextError(.unsupported, "is not an http or https URL", path: url)
        }
        if let error = options.interruption(options.label ?? url) { throw error }
        let connection = try HTTPConnection(
            name: options.label ?? url, options: options, library)
        return try connection.repeating { (failures) throws(HTTPFailure) in
            try ask(address, connection, options, UInt64(failures + 1), library)
        }
    }

    private static func ask(
        _ address: HTTPAddress, _ connection: HTTPConnection, _ options: HTTPOptions,
        _ requests: UInt64, _ library: CurlLibrary
    ) throws(HTTPFailure) -> HTTPInput {
        let name = options.label ?? address.text
        let answer = try connection.begin(
            address, named: address, ranges: [0...UInt64(headLength - 1)])
        let range = answer.fields["content-range"].flatMap { ContentRange($0) }
        if answer.status == 416, range?.total == 0 {
            throw HTTPFailure(
                UndertextError(.empty, "the file is empty", path: name))
        }
        guard HTTPSource.isPlain(answer) else {
            throw HTTPFailure(
                UndertextError(
                    .unsupported, "the server compresses it", path: name,
                    underlying: answer.fields["content-encoding"]))
        }
        if answer.status == 200 {
            let size = answer.fields["content-length"].flatMap { UInt64($0) }
            if size == 0 {
                throw HTTPFailure(
                    UndertextError(.empty, "the file is empty", path: name)
                )
            }
            return .stream(HTTPStream(name: name, size: size, connection: connection))
        }
        guard answer.status == 206 else {
            throw connection.failure(of: answer)
        }
        guard let sent = range?.bytes, sent.lowerBound == 0 else {
            throw HTTPFailure(
                UndertextError(.io, "the server sends another range", path: name))
        }
        let length = Int(clamping: min(sent.upperBound, UInt64(headLength - 1))) + 1
        let head = try connection.body(length, least: length)
        guard head.count == length else {
            throw HTTPFailure(
                UndertextError(.io, "the server sent less than it promised", path: name),
                isTransient: true)
        }
        if !connection.hasWholeAnswer() { connection.end() }
        let resource = HTTPResource(
            named: address, name: name, head: answer, size: range?.total,
            sendsManyRanges: options.signer == nil)
        return .source(
            HTTPSource(
                resource: resource, head: head, requests: requests, options: options,
                connection: connection, library))
    }
}
