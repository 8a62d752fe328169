import NIOCore

/// A channel handler that limits the number of accepted connections.
///
/// Further clients wait in the system's queue.
final class AcceptLimit: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  private let limit: Int
  private var open = 0
  private var holdsRead = false

  init(_ limit: Int) { self.limit = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    open += 1
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
      self.open -= 1
      guard self.holdsRead, self.open < self.limit else { return }
      self.holdsRead = false
      context.read()
    }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    holdsRead = open >= limit
    if !holdsRead { context.read() }
  }
}
