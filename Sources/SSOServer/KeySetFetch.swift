import Essentials
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SSOCore

/// A client that fetches the signing keys of a provider.
///
/// It sends one GET for the key set, or one for the discovery document and another for the set.
package struct KeySetFetch {
  /// The reason that the keys could not be fetched.
  package struct Failure: Error {
    package var what: String
    package var why: String
  }

  private static let sizeLimit = 1 << 20

  /// The PEM files whose authorities are trusted in addition to the system's, such as the authority of a lab's server.
  private let certificates: [String]
  /// The longest wait for a connection, and again for the response.
  private let patience: TimeAmount

  package init(trusting certificates: [String], patience: TimeAmount = .seconds(10)) {
    self.certificates = certificates
    self.patience = patience
  }

  /// Returns the key set at a URL, which is a `jwks_uri`, a discovery document, or an issuer.
  ///
  /// - Returns: a document with `keys`, at most 1 MiB.
  /// - Throws: `Failure` if there is no key set, or if it is on plain HTTP and not on this machine.
  package func keySet(at address: String) throws(Failure) -> JSONValue {
    let base = address.hasSuffix("/") ? String(address.dropLast()) : address
    let isDocument =
      base.hasSuffix("/keys") || base.hasSuffix("openid-configuration") || base.hasSuffix(".json")
    let found = try document(
      at: isDocument ? base : base + "/.well-known/openid-configuration", reach: .anywhere)
    guard found.value["keys"] == nil else { return found.value }
    guard let keys = found.value["jwks_uri"]?.string else {
      throw Failure(what: "\(address) has no keys.", why: "expected keys or jwks_uri in the document")
    }
    // Another machine's document must not make this program send requests to the servers of this machine.
    return try document(at: keys, reach: found.isFromThisMachine ? .anywhere : .otherMachines).value
  }

  /// Returns the JSON document at a URL.
  func document(
    at address: String, reach: KeySetReach
  ) throws(Failure) -> (value: JSONValue, isFromThisMachine: Bool) {
    guard let url = URLComponents(string: address), let host = url.host, !host.isEmpty,
      ["https", "http"].contains(url.scheme?.lowercased())
    else {
      throw Failure(what: "\(address) is not the URL of a web server.", why: "expected https://HOST/PATH")
    }
    let isTLS = url.scheme?.lowercased() == "https"
    guard isTLS || (reach == .anywhere && Loopback(host: host) != nil) else {
      throw Failure(
        what: "No keys are fetched from \(address).", why: "plain HTTP does not prove who sent them")
    }
    let answer: KeySetAnswer
    do { answer = try get(url, host.filter { $0 != "[" && $0 != "]" }, isTLS: isTLS, reach) } catch {
      throw Failure(what: "\(address) does not answer.", why: displayText(error))
    }
    guard answer.status == 200 else {
      throw Failure(what: "\(address) has no keys.", why: "it answers with status \(answer.status)")
    }
    guard let value = JSONValue(bounded: answer.body, maximumBytes: Self.sizeLimit) else {
      throw Failure(what: "\(address) has no keys.", why: "its answer is not JSON, or more than 1 MiB")
    }
    return (value, answer.isFromThisMachine)
  }

  private func displayText(_ error: any Error) -> String {
    let seconds = patience.nanoseconds / 1_000_000_000
    return switch error {
    case NIOSSLError.handshakeFailed:
      "its certificate is not trusted; SSOTERM_CA may name its authority's PEM file"
    case let error as NIOConnectionError:
      (error.connectionErrors.first?.error as? IOError).map {
        String(cString: strerror($0.errnoCode)).lowercased()
      }
        ?? "\(error.host) is not known"
    case is ChannelError: "no connection within \(seconds) s"
    case KeySetAnswer.Lost.tooLate: "no answer within \(seconds) s"
    case KeySetAnswer.Lost.closed: "it closed the connection before the end"
    case KeySetAnswer.Lost.tooLong: "its answer has more than 1 MiB"
    case KeySetAnswer.Lost.onThisMachine: "the document of another machine names a server of this machine"
    default: "\(error)"
    }
  }

  // MARK: - One request

  private func get(
    _ url: URLComponents, _ host: String, isTLS: Bool, _ reach: KeySetReach
  ) throws -> KeySetAnswer {
    let context = isTLS ? try NIOSSLContext(configuration: tls()) : nil
    // BoringSSL does not support the name constraints for addresses that a lab's authority has, so connect to this
    // machine by name. Foundation returns the host of `[::1]` with or without its brackets.
    let isName = !host.contains(":") && host.contains { $0.isLetter }
    let name = Loopback(host: host) != nil ? Loopback.name.rawValue : isName ? host : nil
    let group = MultiThreadedEventLoopGroup.singleton
    let promise = group.any().makePromise(of: KeySetAnswer.self)
    let limit = Self.sizeLimit
    let connection = ClientBootstrap(group: group).connectTimeout(patience).channelInitializer {
      channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(KeySetReachCheck(reach, promise))
        if let context {
          try channel.pipeline.syncOperations.addHandler(
            NIOSSLClientHandler(context: context, serverHostname: name))
        }
        try channel.pipeline.syncOperations.addHTTPClientHandlers()
        try channel.pipeline.syncOperations.addHandler(KeySetAnswerCollector(promise, limit: limit))
      }
    }.connect(host: host, port: url.port ?? (isTLS ? 443 : 80))
    let channel: any Channel
    do { channel = try connection.wait() } catch {
      promise.fail(error)
      throw error
    }
    let waiting = channel.eventLoop.scheduleTask(in: patience) { promise.fail(KeySetAnswer.Lost.tooLate) }
    defer {
      waiting.cancel()
      channel.close(promise: nil)
    }
    let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
    var head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: url.percentEncodedQuery.map { "\(path)?\($0)" } ?? path)
    head.headers = [
      "Host": (url.host ?? host) + (url.port.map { ":\($0)" } ?? ""), "Accept": "application/json",
      "Connection": "close", "User-Agent": "ssoterm",
    ]
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    return try promise.futureResult.wait()
  }

  private func tls() throws -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.additionalTrustRoots = certificates.filter {
      FileManager.default.isReadableFile(atPath: $0)
    }
    .map { .file($0) }
    return configuration
  }
}

/// The response of the server.
private struct KeySetAnswer: Sendable {
  enum Lost: Error { case tooLate, closed, tooLong, onThisMachine }

  var status: UInt
  var body: Data
  var isFromThisMachine: Bool
}

/// The machines to which a request for keys may be sent.
enum KeySetReach {
  case anywhere
  /// Not this machine, whatever name or spelling of an address leads to it.
  case otherMachines
}

/// A handler that closes the connection before anything is sent if the server is out of reach.
///
/// It checks the address of the connection, because a name of any server can resolve to this machine.
private final class KeySetReachCheck: ChannelInboundHandler {
  typealias InboundIn = Never

  private let reach: KeySetReach
  private let promise: EventLoopPromise<KeySetAnswer>

  init(_ reach: KeySetReach, _ promise: EventLoopPromise<KeySetAnswer>) {
    self.reach = reach
    self.promise = promise
  }

  func channelActive(context: ChannelHandlerContext) {
    guard reach == .anywhere || !context.channel.isToThisMachine else {
      promise.fail(KeySetAnswer.Lost.onThisMachine)
      return context.close(promise: nil)
    }
    context.fireChannelActive()
  }
}

extension Channel {
  /// Whether the other end is on this machine: a loopback address, or the address of this end.
  fileprivate var isToThisMachine: Bool {
    guard let remote = remoteAddress?.ipAddress else { return true }
    return remote.hasPrefix("127.") || remote == "::1" || remote.hasPrefix("::ffff:127.")
      || remote == localAddress?.ipAddress
  }
}

/// A handler that assembles the parts of one response.
private final class KeySetAnswerCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let promise: EventLoopPromise<KeySetAnswer>
  private let limit: Int
  private var status: UInt = 0
  private var body = Data()

  init(_ promise: EventLoopPromise<KeySetAnswer>, limit: Int) {
    self.promise = promise
    self.limit = limit
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): status = head.status.code
    case .body(let part):
      body.append(contentsOf: part.readableBytesView)
      if body.count > limit { promise.fail(KeySetAnswer.Lost.tooLong) }
    case .end:
      let isOwn = context.channel.isToThisMachine
      promise.succeed(KeySetAnswer(status: status, body: body, isFromThisMachine: isOwn))
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) { promise.fail(KeySetAnswer.Lost.closed) }
}
