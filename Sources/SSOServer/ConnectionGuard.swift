import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Watches one connection: nobody may take for ever over a request, and what is no HTTP gets a short answer.
///
/// A slow client that sends a byte now and then (slow loris) does not move its deadline.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// For the TLS handshake and the first request's head, and again for the body.
  static let requestTime = TimeAmount.seconds(15)
  /// Between two requests.
  static let idleTime = TimeAmount.seconds(75)

  private let connections: Connections
  private var deadline: Scheduled<Void>?

  init(_ connections: Connections) { self.connections = connections }

  /// Not sooner: a connection that is closed before the server has taken it over would trap in NIO, whose
  /// asynchronous channel must be finished by whoever takes it.
  func channelActive(context: ChannelHandlerContext) {
    connections.becomesIdle(context.channel)
    close(after: Self.requestTime, context)
    context.fireChannelActive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
    connections.ends(context.channel)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      connections.becomesBusy(context.channel)
      close(after: Self.requestTime, context)
    case .body: break
    case .end: deadline?.cancel()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      connections.becomesIdle(context.channel)
      close(after: Self.idleTime, context)
    }
    context.write(data, promise: promise)
  }

  /// Bytes that the parser refuses: what was wrong, and the end of the connection.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? HTTPParserError {
      let status: HTTPResponse.Status = error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest
      let head = HTTPResponse(
        status: status, headerFields: [.connection: "close", .contentLength: "0"])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
        context.close(promise: nil)
      }
    } else {
      context.close(promise: nil)
    }
  }

  private func close(after time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}
