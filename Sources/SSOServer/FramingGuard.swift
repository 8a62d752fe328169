import NIOCore
import NIOHTTP1

/// Refuses requests whose end or host is ambiguous although the parser accepts them (RFC 9112 §3.2, §6.1), and sets
/// `Connection: close` on requests after which the connection ends.
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
    if let named = URLParts(head.uri)?.authority, !named.isEmpty {
      head.headers.replaceOrAdd(name: "Host", value: named)
    }
    // The handlers behind this one read only this header, not the version: HTTP/1.0 closes by default.
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
