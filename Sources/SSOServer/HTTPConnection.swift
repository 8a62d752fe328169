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
    connections.waits(context.channel)
    close(after: timeouts.request, context)
    context.fireChannelActive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
    connections.ends(context.channel)
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
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
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
    connections.answers(context.channel)
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
    connections.waits(context.channel)
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

/// The open connections.
///
/// If there are more than `limit`, a new connection closes the one whose client has kept the server waiting longest,
/// either for a request or for the rest of one. A client with a request is therefore always accepted, however many
/// others send theirs slowly.
final class Connections: Sendable {
  private struct State {
    /// The connections that wait for their client, with the value of `clock` when the wait started.
    var waiting: [ObjectIdentifier: (since: UInt64, channel: any Channel)] = [:]
    var answering: [ObjectIdentifier: any Channel] = [:]
    /// Whether the server is stopping and accepts no new connections.
    var isEnding = false
    var clock: UInt64 = 0
    /// The connections in the order in which they started to wait.
    ///
    /// Entries of connections that no longer wait are skipped.
    var order: CircularBuffer<(id: ObjectIdentifier, since: UInt64)> = []

    mutating func addWaiting(_ id: ObjectIdentifier, _ channel: any Channel) {
      clock += 1
      waiting[id] = (clock, channel)
      order.append((id, clock))
      // A connection leaves one entry for each of its requests.
      guard order.count > 2 * waiting.count + 64 else { return }
      order = CircularBuffer(order.filter { waiting[$0.id]?.since == $0.since })
    }

    /// Removes and returns the connection that has waited longest.
    mutating func oldest() -> (any Channel)? {
      while let next = order.popFirst() {
        guard let entry = waiting[next.id], entry.since == next.since else { continue }
        waiting[next.id] = nil
        return entry.channel
      }
      return nil
    }
  }

  let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// Marks a connection as waiting for a request, because it is new or between two requests.
  func waits(_ channel: any Channel) {
    let evicted: (any Channel)? = state.withLock { state in
      let id = ObjectIdentifier(channel)
      let wasAnswering = state.answering.removeValue(forKey: id) != nil
      if state.isEnding { return wasAnswering ? nil : channel }
      state.addWaiting(id, channel)
      guard state.waiting.count + state.answering.count > limit else { return nil }
      return state.oldest()
    }
    evicted?.close(promise: nil)
  }

  /// Marks a connection as having a complete request, so that it is not closed before the response.
  func answers(_ channel: any Channel) {
    state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.waiting[id] = nil
      state.answering[id] = channel
    }
  }

  func ends(_ channel: any Channel) {
    state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.waiting[id] = nil
      state.answering[id] = nil
    }
  }
  /// Closes all connections.
  ///
  /// A connection with a request is closed after its response or when `time` has elapsed.
  func end(within time: TimeAmount) async {
    let open = state.withLock { state in
      state.isEnding = true
      return state.waiting.values.map(\.channel) + state.answering.values
    }
    guard let loop = open.first?.eventLoop else { return }
    let late = loop.scheduleTask(in: time) { for channel in open { channel.close(promise: nil) } }
    for channel in open { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    for channel in open { try? await channel.closeFuture.get() }
    late.cancel()
  }
}
