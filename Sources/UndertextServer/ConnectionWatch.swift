#if Server
    internal import NIOCore
    internal import NIOHTTP1

    /// Reports a connection's state to a register, and closes it if the client does not receive its response.
    final class ConnectionWatch: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart

        private let register: ConnectionRegister
        private let patience: TimeAmount
        /// Answers that are owed: requests may come before the answer to the one before.
        private var owed = 0
        /// Bytes of bodies that were written, sent or not.
        private var written = 0
        /// Bytes that the system had taken at the last look.
        private var taken = 0
        private var look: Scheduled<Void>?

        /// Creates a handler for one connection.
        ///
        /// - Parameters:
        ///   - register: The register of all connections.
        ///   - patience: the time without any progress after which a client is dropped, or up to twice as long.
        init(_ register: ConnectionRegister, patience: TimeAmount) {
            self.register = register
            self.patience = patience
        }

        func handlerAdded(context: ChannelHandlerContext) { register.waits(context.channel) }

        func channelInactive(context: ChannelHandlerContext) {
            forget(context)
            context.fireChannelInactive()
        }

        func handlerRemoved(context: ChannelHandlerContext) { forget(context) }

        private func forget(_ context: ChannelHandlerContext) {
            look?.cancel()
            look = nil
            register.closed(context.channel)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head = unwrapInboundIn(data) {
                owed += 1
                if owed == 1 {
                    register.isAnswered(context.channel)
                    lookLater(context)
                }
            }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head: context.write(data, promise: promise)
            case .body(let body):
                written += body.readableBytes
                context.write(data, promise: promise)
            case .end:
                let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                sent.futureResult.whenSuccess {
                    let (watch, context) = bound.value
                    watch.answered(context)
                }
                context.write(data, promise: sent)
            }
        }

        /// All of an answer has been sent.
        private func answered(_ context: ChannelHandlerContext) {
            owed -= 1
            guard owed == 0, context.channel.isActive else { return }
            look?.cancel()
            look = nil
            taken = written
            register.waits(context.channel)
        }

        private func lookLater(_ context: ChannelHandlerContext) {
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            look = context.eventLoop.scheduleTask(in: patience) {
                let (watch, context) = bound.value
                watch.lookAtProgress(context)
            }
        }

        private func lookAtProgress(_ context: ChannelHandlerContext) {
            look = nil
            guard context.channel.isActive else { return }
            // Nothing that waits to be sent: the site has not answered yet, or is slow.
            let waiting =
                (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
            guard waiting > 0 else {
                taken = written
                return lookLater(context)
            }
            guard written - waiting > taken else { return context.close(promise: nil) }
            taken = written - waiting
            lookLater(context)
        }
    }
#endif
