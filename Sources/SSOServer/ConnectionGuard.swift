import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Closes a connection whose client takes too long, and answers bytes that are not HTTP with an error status.
///
/// Bytes of an unfinished request do not extend its deadline, so a client that sends one now and then (slow loris) is
/// closed too.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: Connections
  private let timeouts: ClientTimeouts
  private var deadline: Scheduled<Void>?
  /// A request was begun and its answer is not finished.
  private var isAnswering = false
  private var hasWholeRequest = true
  /// The answer says that it is the last.
  private var closes = false

  init(_ connections: Connections, _ timeouts: ClientTimeouts) {
    self.connections = connections
    self.timeouts = timeouts
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
      try? pipeline.addHandler(FramingGuard(), position: .after(decoder))
    }
  }

  /// Not in `handlerAdded`: NIO traps if a connection is closed before the server has taken over its asynchronous
  /// channel.
  func channelActive(context: ChannelHandlerContext) {
    connections.waits(context.channel)
    close(after: timeouts.request, context)
    context.fireChannelActive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
    connections.ends(context.channel)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      close(after: timeouts.request, context)
      // RFC 9110 §10.1.1: the client sends its body only after status 100.
      if !isAnswering, head.headerFields[.expect]?.lowercased() == "100-continue" {
        context.writeAndFlush(wrapOutboundOut(.head(HTTPTypes.HTTPResponse(status: .continue))), promise: nil)
      }
      (isAnswering, hasWholeRequest) = (true, false)
    case .body: break
    case .end:
      hasWholeRequest = true
      connections.answers(context.channel)
      deadline?.cancel()
      if closes, !isAnswering { context.close(promise: nil) }
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head): closes = head.headerFields[.connection] == "close"
    case .body: break
    case .end:
      isAnswering = false
      connections.waits(context.channel)
      close(after: hasWholeRequest ? timeouts.idle : timeouts.request, context)
      // Closing while the client still sends would discard the response before it is read.
      if closes, hasWholeRequest {
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(data, promise: written)
        return
      }
    }
    context.write(data, promise: promise)
  }

  /// Answers bytes that the parser refuses with a status, then closes the connection.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? HTTPParserError {
      let status: HTTPTypes.HTTPResponse.Status =
        error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest
      let head = HTTPTypes.HTTPResponse(
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
