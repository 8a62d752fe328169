import NIOCore
import NIOHTTP1
import SSOCore

/// Refuses a request of whose end or host two readers could think differently, though the parser takes it (RFC 9112
/// §3.2, §6.1), and says plainly which connection ends after its answer.
final class FramingGuard: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private var hasRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if hasRefused { return }
    guard case .head(var head) = unwrapInboundIn(data) else {
      context.fireChannelRead(data)
      return
    }
    guard Self.isPlain(head) else {
      hasRefused = true
      context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
      return
    }
    // An absolute target counts more than the Host header (RFC 9112 §3.2.2).
    if let named = URLParts(head.uri)?.host, !named.isEmpty {
      head.headers.replaceOrAdd(name: "Host", value: named)
    }
    // Whoever comes after reads this one word and knows no versions: HTTP/1.0 ends with the connection.
    if !head.isKeepAlive || head.version.minor == 0 {
      head.headers.replaceOrAdd(name: "Connection", value: "close")
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  private static func isPlain(_ head: HTTPRequestHead) -> Bool {
    let hosts = head.headers["host"].count
    let codings = head.headers["transfer-encoding"]
    guard head.version.minor > 0 else { return hosts <= 1 && codings.isEmpty }
    return hosts == 1 && (codings.isEmpty || codings.map { $0.lowercased() } == ["chunked"])
  }
}
