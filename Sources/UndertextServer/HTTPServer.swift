public import UndertextCore

#if Server
    internal import HTTPTypes
    internal import HummingbirdCore
    internal import Logging
    internal import NIOCore
    internal import NIOPosix
    internal import UndertextIO
#endif

/// An HTTP/1.1 server for a site, by Hummingbird; in this build if it has the trait `Server`.
public struct HTTPServer: Sendable {
    /// `true` if this build can serve.
    public static var isAvailable: Bool {
        #if Server
            true
        #else
            false
        #endif
    }

    /// The address or name that it listens at.
    public var host: String
    /// The port; 0 = any that is free.
    public var port: Int
    /// Connections at a time, or fewer where the process may not open as many descriptors.
    ///
    /// Where more come, those are closed that have been waiting for a request the longest.
    public var connections = 1024
    /// The time after which a client that reads nothing of its response is dropped; up to twice as long.
    public var stallTimeout = Duration.seconds(30)

    /// The number of descriptors that the process needs for the limit on ``connections``.
    public var wantedDescriptors: Int {
        ConnectionLimit.descriptors(for: connections, loops: Self.loops)
    }

    private static var loops: Int {
        #if Server
            System.coreCount
        #else
            0
        #endif
    }

    /// Creates a server.
    public init(host: String = "127.0.0.1", port: Int = 0) {
        self.host = host
        self.port = port
    }

    /// Serves until it is stopped, and completes the requests in progress.
    ///
    /// - Parameters:
    ///   - rules: the request handler.
    ///   - cancellation: stops the server, within 100 ms and the time for responses in progress.
    ///   - started: receives the port as soon as requests are accepted.
    /// - Throws: `UndertextError`: `io` if it cannot listen there, `unsupported` without the trait.
    public func run(
        _ rules: ServerRules, cancellation: Cancellation, started: @escaping @Sendable (Int) -> Void
    ) async throws(UndertextError) {
        #if Server
            do {
                try await serve(rules, cancellation, started)
            } catch let error as UndertextError {
                throw error
            } catch {
                throw UndertextError(
                    .io, "cannot listen at \(host), port \(port)", underlying: "\(error)")
            }
        #else
            throw UndertextError(
                .unsupported, "this build has no server; build it with the package trait Server")
        #endif
    }
}

#if Server
    extension HTTPServer {
        /// The size of a response's blocks in bytes: the maximum that is buffered for a client that reads
        /// nothing.
        private static var blockSize: Int { 32 << 10 }

        private func serve(
            _ rules: ServerRules, _ cancellation: Cancellation,
            _ started: @escaping @Sendable (Int) -> Void
        ) async throws {
            // Sites block: waiting for the upstream, or for a disk.
            let threads = NIOThreadPool(numberOfThreads: 16)
            threads.start()
            var configuration = HTTP1Channel.Configuration(idleTimeout: .seconds(60))
            configuration.httpDecoder = .init(
                maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)
            let channel = HTTP1Channel(
                responder: {
                    (request: Request, writer: consuming ResponseWriter, channel: any Channel) in
                    let question = try await Self.question(request, limit: rules.bodyLimit)
                    let answer = try await threads.runIfActive {
                        question.map(rules.answer) ?? rules.refusedBody()
                    }
                    try await Self.send(
                        answer, isHead: request.method == .head, writer, channel.eventLoop,
                        threads)
                }, configuration: configuration)
            let most = ConnectionLimit.connections(
                connections, descriptors: DescriptorLimit.current, loops: Self.loops)
            let server = Server(
                childChannelSetup: WatchedConnection(
                    base: channel, register: ConnectionRegister(most: most),
                    patience: TimeAmount(stallTimeout)),
                configuration: ServerConfiguration(
                    address: .hostname(host, port: port),
                    availableConnectionsDelegate: MaximumAvailableConnections(
                        most + ConnectionLimit.slack)),
                onServerRunning: { started($0.localAddress?.port ?? 0) },
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "undertext") { _ in SwiftLogNoOpLogHandler() })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                group.addTask {
                    while !cancellation.isCancelled {
                        try await Task.sleep(for: .milliseconds(50))
                    }
                    try await server.shutdownGracefully()
                }
                // A server that cannot begin ends the waiting.
                _ = try await group.next()
                if !cancellation.isCancelled { group.cancelAll() }
                try await group.waitForAll()
            }
            try await threads.shutdownGracefully()
        }

        /// The request with its body, if that is wanted; `nil` if it is too long.
        @concurrent private static func question(
            _ request: Request, limit: Int
        ) async throws -> ServerRequest? {
            var question = ServerRequest(request)
            guard limit > 0, request.method == .post else { return question }
            do {
                let body = try await request.body.collect(upTo: limit)
                question.body = Array(body.readableBytesView)
                return question
            } catch is NIOTooManyBytesError {
                return nil
            }
        }

        @concurrent private static func send(
            _ answer: ServerAnswer, isHead: Bool, _ writer: consuming ResponseWriter,
            _ loop: any EventLoop, _ threads: NIOThreadPool
        ) async throws {
            var fields = HTTPFields()
            for header in answer.headers {
                guard let name = HTTPField.Name(header.name) else { continue }
                fields.append(HTTPField(name: name, value: header.value))
            }
            if answer.status != 204 { fields[.contentLength] = String(answer.body.count) }
            let head = HTTPResponse(
                status: HTTPResponse.Status(code: answer.status), headerFields: fields)
            guard !isHead, answer.body.count > 0 else {
                return try await writer.writeResponse(head)
            }
            if case .bytes(let bytes) = answer.body, bytes.count <= blockSize {
                return try await writer.write(
                    response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
            }
            var body = try await writer.writeHead(head)
            // A piece waits until most of those before are sent. Whether that is so is known once the event
            // loop has worked on them; without waiting for it pieces pile up.
            switch answer.body {
            case .bytes(let bytes):
                for start in stride(from: 0, to: bytes.count, by: blockSize) {
                    let piece = bytes[start..<min(bytes.count, start + blockSize)]
                    try await body.write(ByteBuffer(bytes: piece))
                    try await loop.submit {}.get()
                }
            case .source(let source, let range):
                var place = range.lowerBound
                while place < range.upperBound {
                    let offset = place
                    let count = Int(min(UInt64(blockSize), range.upperBound - place))
                    let bytes = try await threads.runIfActive {
                        try CheckedSource(source).read(at: offset, count: count)
                    }
                    // If a file has been truncated, close the connection, since the header already stated its
                    // length.
                    guard bytes.count == count else {
                        throw UndertextError(.io, "the file changed")
                    }
                    try await body.write(ByteBuffer(bytes: bytes))
                    try await loop.submit {}.get()
                    place += UInt64(count)
                }
            }
            try await body.finish(nil)
        }
    }

    extension ServerRequest {
        fileprivate init(_ request: Request) {
            // The first `Host` became the authority; others are still where they were.
            let more = request.headers.filter { $0.name.canonicalName == "host" }.map(\.value)
            self.init(
                request.method.rawValue, request.head.path ?? "",
                hosts: (request.head.authority.map { [$0] } ?? []) + more,
                range: request.headers[.range])
            origin = request.headers[.origin]
        }
    }
#endif
