package import UndertextCore

/// Reads, lists and writes objects; used by one thread at a time.
///
/// A connection is kept for the next request. Failures that may pass are repeated as those of other servers are, and
/// the first response of a bucket in another region is followed once.
package final class S3Client {
    let settings: S3Settings
    private var options: HTTPOptions
    /// The region of the bucket that was used last.
    private var region: String
    private var connection: HTTPConnection?
    /// `false` if the server has refused a condition for the creation of objects.
    var takesConditions = true

    /// Creates a client; nothing is loaded or opened before the first request.
    ///
    /// - Parameters:
    ///   - settings: Credentials and server.
    ///   - options: Times, deadline and user agent.
    /// - Throws: ``UndertextError`` with code `unsupported` if this build lacks the trait `S3`.
    package init(settings: S3Settings, options: HTTPOptions = HTTPOptions()) throws(UndertextError)
    {
        guard Self.isAvailable else {
            throw UndertextError(
                .unsupported,
                "this build cannot use object storage; build it with the trait S3")
        }
        self.settings = settings
        self.options = options
        region = settings.region
    }

    /// `true` if this build can use object storage.
    package static var isAvailable: Bool {
        #if S3
            true
        #else
            false
        #endif
    }

    /// Takes up another job.
    func reuse(_ options: HTTPOptions) { self.options = options }

    /// Opens an object, of which any range can be read.
    ///
    /// - Parameter location: The bucket and the key.
    /// - Returns: The source; its name is the `s3://` URL.
    /// - Throws: ``UndertextError`` with code `missing-library`, `not-found`, `permission-denied`, `empty-input`,
    ///   `cancelled`, `timeout`, `unsupported` or `io`.
    package func open(_ location: S3Location) throws(UndertextError) -> HTTPSource {
        let input = try inRegion { (options, endpoint) throws(UndertextError) in
            var options = options
            options.label = location.description
            return try HTTPInput.open(endpoint.url(of: location), options: options)
        }
        guard case .source(let source) = input else {
            throw UndertextError(
                .unsupported, "the server does not send ranges", path: location.description)
        }
        return source
    }

    /// Opens an object with the settings of the environment.
    ///
    /// - Parameters:
    ///   - url: The `s3://` URL.
    ///   - options: Times, deadline and user agent.
    /// - Returns: The source.
    /// - Throws: ``UndertextError`` as ``open(_:)`` and ``S3Settings/ofEnvironment(_:)`` do.
    package static func open(
        _ url: String, options: HTTPOptions
    ) throws(UndertextError) -> HTTPSource {
        let location = try S3Location(url)
        guard !location.key.isEmpty else {
            throw UndertextError(
                .invalidValue, "is a bucket, not an object; write s3://BUCKET/KEY", path: url)
        }
        do throws(UndertextError) {
            return try S3Client(settings: .ofEnvironment(), options: options).open(location)
        } catch {
            var named = error
            if named.path == nil { named.path = url }
            throw named
        }
    }

    /// A response of a request to object storage.
    struct Response {
        let status: Int
        let fields: [String: String]
        let body: [UInt8]
    }

    /// Sends a request, again after failures that may pass.
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - location: The bucket and the key.
    ///   - query: Names and values.
    ///   - headers: Further header fields.
    ///   - body: The body.
    ///   - limit: The maximum size of the response.
    ///   - cuts: `true` to return the beginning of a longer response, which is otherwise an error.
    /// - Returns: The response, whose status is 200 to 299.
    /// - Throws: ``UndertextError``.
    func send(
        _ method: String, _ location: S3Location, query: [(name: String, value: String)] = [],
        headers: [HTTPHeader] = [], body: [UInt8] = [], limit: Int = 16 << 20, cuts: Bool = false
    ) throws(UndertextError) -> Response {
        try inRegion { (options, endpoint) throws(UndertextError) in
            let library = try CurlLibrary.load()
            let name = location.description
            guard let address = HTTPAddress(endpoint.url(of: location, query: query), library)
            else {
                throw UndertextError(.invalidValue, "the endpoint is not valid", path: name)
            }
            var own = options
            own.label = name
            // Nothing is received while a long body is sent.
            own.stallTimeout += .seconds(body.count / Self.slowestUpload)
            if let error = own.interruption(name) { throw error }
            let connection = try connection(name, own, library)
            return try connection.repeating { (_) throws(HTTPFailure) in
                let answer = try connection.begin(
                    address, named: address,
                    PendingRequest(method: method, headers: headers, body: body))
                guard (200...299).contains(answer.status) else {
                    throw connection.failure(of: answer)
                }
                let body = try connection.body(limit + 1, least: limit + 1)
                guard cuts || body.count <= limit else {
                    throw HTTPFailure(
                        UndertextError(
                            .limit, "the answer is longer than the \(limit) bytes allowed",
                            path: name))
                }
                if !connection.hasWholeAnswer() { connection.end() }
                return Response(
                    status: answer.status, fields: answer.fields, body: Array(body.prefix(limit)))
            }
        }
    }

    /// Bytes in a second that an upload makes at least.
    private static let slowestUpload = 32 << 10

    private func connection(
        _ name: String, _ options: HTTPOptions, _ library: CurlLibrary
    ) throws(UndertextError) -> HTTPConnection {
        if let connection {
            connection.reuse(name: name, options: options)
            return connection
        }
        let made = try HTTPConnection(name: name, options: options, library)
        connection = made
        return made
    }

    /// Calls `work` with the region of the settings, and once more if the server names another one.
    private func inRegion<Value>(
        _ work: (HTTPOptions, S3Endpoint) throws(UndertextError) -> Value
    ) throws(UndertextError) -> Value {
        var options = options.renewed()
        let signer: S3Signer? = self.signer
        options.signer = signer
        do throws(UndertextError) {
            return try work(options, try settings.endpoint(in: region))
        } catch {
            guard let other = signer?.notedRegion, other != region else { throw error }
            region = other
            options.signer = self.signer
            return try work(options.renewed(), try settings.endpoint(in: region))
        }
    }

    private var signer: S3Signer? {
        #if S3
            S3Signer(
                credentials: settings.credentials, region: region,
                requesterPays: settings.requesterPays)
        #else
            nil
        #endif
    }
}
