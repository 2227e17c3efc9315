#if Server
    import NIOCore
    import NIOEmbedded
    import NIOHTTP1
    import Testing

    @testable import UndertextServer

    /// Connections on a clock that the test moves.
    @Suite struct ConnectionWatchTests {
        private static let patience = TimeAmount.seconds(30)

        private static func connection(_ register: ConnectionRegister) throws -> EmbeddedChannel {
            let channel = EmbeddedChannel()
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try channel.pipeline.syncOperations.addHandlers([
                BodyBytes(), ConnectionWatch(register, patience: patience),
            ])
            return channel
        }

        private static func ask(_ channel: EmbeddedChannel) throws {
            try channel.writeInbound(
                HTTPServerRequestPart.head(
                    HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }

        /// Hands a body over; what is not flushed waits, as it does where a client reads nothing.
        private static func write(_ channel: EmbeddedChannel, _ count: Int) {
            let body = ByteBuffer(repeating: 0, count: count)
            channel.write(HTTPServerResponsePart.body(.byteBuffer(body)), promise: nil)
        }

        private static func end(_ channel: EmbeddedChannel) {
            channel.write(HTTPServerResponsePart.end(nil), promise: nil)
            channel.flush()
        }

        @Test func theIdlestConnectionGoes() throws {
            let register = ConnectionRegister(most: 3)
            let channels = try (0..<3).map { _ in try Self.connection(register) }
            // The first is being answered, the second was answered last.
            try Self.ask(channels[0])
            try Self.ask(channels[1])
            Self.end(channels[1])
            let later = try Self.connection(register)
            channels[2].embeddedEventLoop.run()
            #expect(channels.map(\.isActive) == [true, true, false])
            #expect(later.isActive)
            #expect(register.count == 3)
            let last = try Self.connection(register)
            #expect(channels.map(\.isActive) == [true, false, false])
            #expect(register.count == 3)
            for channel in [channels[0], later, last] { try channel.close().wait() }
            #expect(register.count == 0)
        }

        @Test func answersAreNotCutForOthers() throws {
            let register = ConnectionRegister(most: 2)
            let busy = try (0..<2).map { _ in try Self.connection(register) }
            for channel in busy { try Self.ask(channel) }
            // Every client may send a request, as long as no other connects.
            let first = try Self.connection(register)
            #expect(first.isActive && busy.allSatisfy(\.isActive))
            let second = try Self.connection(register)
            #expect(!first.isActive && second.isActive && busy.allSatisfy(\.isActive))
            Self.end(busy[0])
            #expect(!second.isActive && busy.allSatisfy(\.isActive))
        }

        @Test func stalledClientsAreDropped() throws {
            let register = ConnectionRegister(most: 10)
            let channel = try Self.connection(register)
            try Self.ask(channel)
            Self.write(channel, 1000)
            channel.embeddedEventLoop.advanceTime(by: .seconds(29))
            #expect(channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(!channel.isActive)
            #expect(register.count == 0)
        }

        @Test func slowClientsStay() throws {
            let register = ConnectionRegister(most: 10)
            let channel = try Self.connection(register)
            try Self.ask(channel)
            for _ in 0..<20 {
                Self.write(channel, 1000)
                channel.flush()
                Self.write(channel, 500)
                channel.embeddedEventLoop.advanceTime(by: Self.patience)
                #expect(channel.isActive)
            }
            // Bytes that it read before do not help.
            channel.embeddedEventLoop.advanceTime(by: Self.patience)
            #expect(!channel.isActive)
        }

        /// An answer that takes the site long is not the client's fault, and without a request there is no timer.
        @Test func waitingForTheSite() throws {
            let register = ConnectionRegister(most: 10)
            let channel = try Self.connection(register)
            try Self.ask(channel)
            channel.embeddedEventLoop.advanceTime(by: .hours(1))
            #expect(channel.isActive)
            Self.end(channel)
            Self.write(channel, 10)
            channel.embeddedEventLoop.advanceTime(by: .hours(1))
            #expect(channel.isActive)
        }
    }

    /// Parts of answers as the bytes of their bodies.
    private final class BodyBytes: ChannelOutboundHandler {
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = ByteBuffer

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            var bytes = ByteBuffer()
            if case .body(.byteBuffer(let body)) = unwrapOutboundIn(data) { bytes = body }
            context.write(wrapOutboundOut(bytes), promise: promise)
        }
    }
#endif
