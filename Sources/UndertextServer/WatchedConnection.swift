#if Server
    internal import HummingbirdCore
    internal import Logging
    internal import NIOCore
    internal import NIOHTTP1
    internal import UndertextCore
    internal import UndertextStreaming

    /// HTTP/1.1 over monitored connections.
    ///
    /// The authority of a target in absolute form replaces `Host` (RFC 9112, section 3.2.2); later handlers see only
    /// the path.
    struct WatchedConnection: ServerChildChannel {
        let base: HTTP1Channel
        let register: ConnectionRegister
        /// The time after which a client that reads nothing of its response is dropped; up to twice as long.
        let patience: TimeAmount

        /// Linux: `TCP_NOTSENT_LOWAT`, which NIO has no name for.
        private static var unsentLimit: NIOBSDSocket.Option { NIOBSDSocket.Option(rawValue: 25) }
        /// Bytes that the system holds for a connection beyond those that are on their way.
        ///
        /// Otherwise it takes several megabytes for each client that reads nothing.
        private static let mostUnsent = SocketOptionValue(64 << 10)

        func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
            // A system without that option serves all the same.
            channel.setOption(.tcpOption(Self.unsentLimit), value: Self.mostUnsent)
                .recover { _ in }
                .flatMap { base.setup(channel: channel, logger: logger) }
                .flatMapThrowing { value in
                    let pipeline = channel.pipeline.syncOperations
                    let decoder = try pipeline.handler(
                        type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                    try pipeline.addHandler(TargetHandler(), position: .after(decoder))
                    try pipeline.addHandler(
                        ConnectionWatch(register, patience: patience), position: .after(decoder))
                    return value
                }
        }

        @concurrent func handle(value: HTTP1Channel.Value, logger: Logger) async {
            await base.handle(value: value, logger: logger)
        }
    }

    private final class TargetHandler: ChannelInboundHandler, Sendable {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(var head) = unwrapInboundIn(data), let authority = Self.authority(head)
            else { return context.fireChannelRead(data) }
            head.headers.replaceOrAdd(name: "Host", value: authority)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }

        /// The host that a target names itself; empty where it should and does not, `nil` where `Host` counts.
        private static func authority(_ head: HTTPRequestHead) -> String? {
            // A request without a `Host` header, or with several, is refused regardless of its target.
            guard head.headers["Host"].count == 1 else { return nil }
            guard let first = head.uri.utf8.first, first != UInt8(ascii: "/"), head.uri != "*"
            else { return nil }
            return UndertextCore.URI(head.uri).authority ?? ""
        }
    }
#endif
