import Essentials
import NIOCore
import NIOHTTP1
import SSOCore
import SSOLab
import SSOProvider
import Synchronization

/// A client's connection, which reads one request at a time, has it answered, and sends the response.
///
/// It closes the connection of a client that takes too long. The bytes of an unfinished request do not extend its
/// deadline, so a client that occasionally sends one byte (slow loris) is disconnected too.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum Phase {
    case waits, reads, answers
    /// A fault withholds the response until the client gives up.
    case silent
    /// The request was rejected before its end.
    ///
    /// Closing now would discard the response before the client reads it.
    case drains
    /// The last response was written.
    case ended
  }

  private let responder: LabResponder
  private let connections: Connections
  private let timeouts: ClientTimeouts
  private var deadline: Scheduled<Void>?
  private var phase = Phase.waits
  private var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
  private var body = Data()
  /// Whether the response to the current request is the last one.
  private var closes = false

  init(_ responder: LabResponder, _ connections: Connections, _ timeouts: ClientTimeouts) {
    self.responder = responder
    self.connections = connections
    self.timeouts = timeouts
  }

  func channelActive(context: ChannelHandlerContext) {
    connections.markWaiting(context.channel)
    close(after: timeouts.request, context)
    context.fireChannelActive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
    connections.remove(context.channel)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), phase) {
    case (.head(let head), .waits): begin(head, context)
    case (.body(let part), .reads):
      body.append(contentsOf: part.readableBytesView)
      if body.count > LabResponder.bodyLimit {
        body = Data()
        send(responder.refuseBody(of: head), context)
      }
    case (.end, .reads): answer(context)
    case (.end, .drains): context.close(promise: nil)
    default: break
    }
  }

  /// Handles the end of the client's input.
  ///
  /// The client may still read.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event {
      switch phase {
      case .answers: closes = true
      case .ended: break
      case .waits, .reads, .silent, .drains: context.close(promise: nil)
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Responds to bytes that the parser rejects with a status, and then closes the connection.
  ///
  /// The parser also rejects a request that the end of its connection cuts off, as when the server stops. Nothing can be
  /// written then.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard context.channel.isActive, !connections.isEnding else { return context.close(promise: nil) }
    switch (error as? HTTPParserError, phase) {
    case (.headerOverflow, .waits), (.headerOverflow, .reads): refuse(.requestHeaderFieldsTooLarge, context)
    case (.some, .waits), (.some, .reads): refuse(.badRequest, context)
    case (.some, .ended): break
    default: context.close(promise: nil)
    }
  }

  private func close(after time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}

// MARK: - The request

extension HTTPConnection {
  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard head.isUnambiguous else { return refuse(.badRequest, context) }
    close(after: timeouts.request, context)
    (self.head, phase) = (head, .reads)
    closes = !head.isKeepAlive || head.version.minor == 0
    // RFC 9110 §10.1.1: the client sends its body only after status 100.
    if head.headers.first(name: "Expect")?.lowercased() == "100-continue" {
      let proceed = HTTPResponseHead(version: .http1_1, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(proceed)), promise: nil)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    phase = .answers
    deadline?.cancel()
    connections.markAnswering(context.channel)
    let answered = context.eventLoop.makePromise(of: SocketResponse.self)
    let body = body
    self.body = Data()
    answered.completeWithTask { [responder, head] in await responder.respond(to: head, body: body) }
    answered.futureResult.assumeIsolated().whenSuccess { self.deliver($0, context) }
  }
}

extension HTTPRequestHead {
  /// Whether the end and the host of the request are unambiguous, which the parser does not ensure (RFC 9112 §3.2,
  /// §6.1).
  fileprivate var isUnambiguous: Bool {
    let hosts = headers["Host"].count
    let codings = headers["Transfer-Encoding"]
    guard version.minor > 0 else { return hosts <= 1 && codings.isEmpty }
    return hosts == 1 && (codings.isEmpty || codings.map { $0.lowercased() } == ["chunked"])
  }
}

// MARK: - The response

extension HTTPConnection {
  /// Sends the response unless a fault delays or prevents it.
  private func deliver(_ response: SocketResponse, _ context: ChannelHandlerContext) {
    guard response.http.status != 0 else { return context.close(promise: nil) }
    switch response.delivery {
    case .whole, .truncated: send(response, context)
    case .late(let seconds):
      context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(Int64(seconds))) {
        self.send(response, context)
      }
    case .never where closes: context.close(promise: nil)
    case .never: phase = .silent
    }
  }

  private func send(_ response: SocketResponse, _ context: ChannelHandlerContext) {
    // Do not count a client that has disconnected among the connections again.
    guard context.channel.isActive else { return }
    let body = response.http.body
    context.write(wrapOutboundOut(.head(response.head)), promise: nil)
    if case .truncated(let bytes) = response.delivery {
      return end(with: .body(.byteBuffer(ByteBuffer(bytes: body.prefix(bytes)))), context)
    }
    if head.method != .HEAD, !body.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
    }
    connections.markWaiting(context.channel)
    if phase == .reads {
      phase = .drains
      close(after: timeouts.request, context)
    } else {
      close(after: timeouts.idle, context)
      if closes || response.closes { return end(with: .end(nil), context) }
      // Do this before the end is written, because writing it passes on the next request.
      phase = .waits
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  /// The maximum size of the address and of the headers, in bytes.
  ///
  /// A parameter of 64 KB, in which each byte is escaped, still gets the provider's own refusal.
  static let headerLimit = 256 << 10

  private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
    let text =
      status == .requestHeaderFieldsTooLarge
      ? "The address or a header is longer than \(Self.headerLimit >> 10) KB.\n" : ""
    let headers: HTTPHeaders = ["Connection": "close", "Content-Length": "\(text.utf8.count)"]
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    end(with: .end(nil), context)
  }

  /// Writes the last part and closes the connection.
  private func end(with last: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
    phase = .ended
    context.writeAndFlush(wrapOutboundOut(last)).assumeIsolated().whenComplete { _ in
      context.close(promise: nil)
    }
  }
}

extension SocketResponse {
  fileprivate var closes: Bool { http.headers.contains { $0.name == "Connection" && $0.value == "close" } }

  var head: HTTPResponseHead {
    var headers = HTTPHeaders(http.headers.map { ($0.name, Self.fieldValue($0.value)) })
    headers.add(name: "Content-Length", value: String(http.body.count))
    headers.add(name: "Date", value: SystemClock.now().httpDate)
    return HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: http.status), headers: headers)
  }

  /// Returns the value with spaces in place of control characters, which could end the header (RFC 9110 §5.5).
  private static func fieldValue(_ text: String) -> String {
    func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
    guard text.utf8.contains(where: isControl) else { return text }
    return String(decoding: text.utf8.map { isControl($0) ? 0x20 : $0 }, as: UTF8.self)
  }
}
