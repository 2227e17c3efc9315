internal import Synchronization
package import UndertextCore

/// Lends clients of object storage to threads, so that connections are kept from one request to the next.
///
/// The settings are those of the environment, read for each job: programs that renew keys write them into the shared
/// files.
package final class S3Store: Sendable {
    /// The store of the process.
    package static let ofProcess = S3Store()

    /// A client that is not in use: it goes from thread to thread, but is used by one at a time.
    private struct Idle: @unchecked Sendable {
        let client: S3Client
    }

    private let idle = Mutex<[Idle]>([])
    private let settings: @Sendable () throws(UndertextError) -> S3Settings
    private static let mostIdle = 16

    /// Creates a store.
    ///
    /// - Parameter settings: Returns the settings.
    package init(
        settings: @escaping @Sendable () throws(UndertextError) -> S3Settings = {
            () throws(UndertextError) in try .ofEnvironment()
        }
    ) {
        self.settings = settings
    }

    /// Calls `work` with a client.
    ///
    /// - Parameters:
    ///   - location: The location that errors without one name.
    ///   - cancellation: Stops requests.
    ///   - deadline: The time at which requests give up; they are not repeated then.
    ///   - work: The requests.
    /// - Returns: The result of `work`.
    /// - Throws: ``UndertextError`` of `work`, or as ``S3Settings/ofEnvironment(_:)`` does.
    func with<Value>(
        _ location: S3Location, _ cancellation: Cancellation = Cancellation(),
        deadline: ContinuousClock.Instant? = nil,
        _ work: (S3Client) throws(UndertextError) -> Value
    ) throws(UndertextError) -> Value {
        do throws(UndertextError) {
            var options = HTTPOptions()
            options.cancellation = cancellation
            options.deadline = deadline
            if deadline != nil { options.retries = 0 }
            let settings = try settings()
            let known = idle.withLock { idle in
                idle.lastIndex { $0.client.settings == settings }.map { idle.remove(at: $0) }
            }
            let client =
                if let known { known.client } else {
                    try S3Client(settings: settings, options: options)
                }
            client.reuse(options)
            defer { keep(Idle(client: client)) }
            return try work(client)
        } catch {
            var named = error
            if named.path == nil { named.path = location.description }
            throw named
        }
    }

    private func keep(_ client: Idle) {
        idle.withLock { idle in
            if idle.count >= Self.mostIdle { idle.removeFirst() }
            idle.append(client)
        }
    }

    /// Looks an object up.
    ///
    /// - Parameters:
    ///   - location: The bucket and the key.
    ///   - cancellation: Stops the request.
    /// - Returns: The object; `nil` if there is none.
    /// - Throws: ``UndertextError`` as ``S3Client`` does.
    package func object(
        _ location: S3Location, _ cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> S3Object? {
        do throws(UndertextError) {
            return try with(location, cancellation) { client throws(UndertextError) in
                S3Object(location, fields: try client.send("HEAD", location).fields)
            }
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Reads the beginning of an object with one request.
    ///
    /// - Parameters:
    ///   - location: The bucket and the key.
    ///   - count: The number of bytes; an object that is shorter gives fewer.
    ///   - cancellation: Stops the request.
    /// - Returns: The bytes.
    /// - Throws: ``UndertextError`` as ``S3Client`` does.
    package func head(
        of location: S3Location, count: Int, _ cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> [UInt8] {
        try with(location, cancellation) { client throws(UndertextError) in
            try client.send(
                "GET", location, headers: [HTTPHeader("Range", "bytes=0-\(max(1, count) - 1)")],
                limit: count, cuts: true
            ).body
        }
    }

    /// Removes an object; that there is none is no error.
    package func remove(
        _ location: S3Location, _ cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) {
        try with(location, cancellation) { client throws(UndertextError) in
            _ = try client.send("DELETE", location)
        }
    }
}
