import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Answers the HTTP requests of the socket with the lab's responses.
///
/// It adds what only a socket needs: limits, pages as HTML, security headers.
struct LabResponder: HTTPResponder {
  typealias Context = SocketContext

  let lab: Lab
  let approval: Approval
  var port: Int
  /// The listener is that of a machine with managed identities: plain HTTP, and nothing else is answered.
  var machine: ManagedIdentityHost?
  /// Where those run who ask; nil: a balancer is between them and this server.
  let clientMachine: Machine?
  let batcher: RequestBatcher
  let events: ServerEvents

  /// The same for the listener of a machine.
  func answering(for machine: ServedMachine) -> LabResponder {
    var responder = self
    responder.port = machine.port
    responder.machine = machine.host
    return responder
  }

  /// The largest body in bytes; real requests have some kilobytes (a signed assertion).
  static let bodyLimit = 256 * 1024

  func respond(to request: Request, context: SocketContext) async throws -> Response {
    let target = request.uri.string
    let answer = await answer(request, target: target)
    let path = String(target.prefix { $0 != "?" }.prefix(200))
    if !answer.isPoll {
      events.served(
        ServedLine(
          method: request.method.rawValue, path: path, client: answer.client, result: answer.result))
    }
    if answer.http.status == 0 { return await Self.broken(context.channel) }
    switch answer.delivery {
    case .whole: break
    case .late(let seconds): try await Task.sleep(for: .seconds(seconds))
    case .never:
      await Self.silence(context.channel)
      return await Self.broken(context.channel)
    case .truncated(let bytes): return Self.response(answer, cutAfter: bytes, context.channel)
    }
    var response = Self.response(answer)
    if request.method == .head {
      response.headers[.contentLength] = String(answer.http.body.count)
      response.body = ResponseBody()
    }
    return response
  }

  private func answer(_ request: Request, target: String) async -> SocketResponse {
    guard let origin = origin(of: request) else {
      return .refused(
        421, "The Host header names neither localhost, 127.0.0.1 nor [::1] with port \(port).")
    }
    guard let body = try? await request.body.collect(upTo: Self.bodyLimit) else {
      return .refused(413, "The body is longer than \(Self.bodyLimit) bytes.", closes: true)
    }
    let headers = request.headers.map { NameValue($0.name.rawName, $0.value) }
    let read: SSOCore.HTTPRequest
    do throws(OAuthError) {
      read = try SSOCore.HTTPRequest(
        request.method.rawValue, origin: origin, target: target, headers: headers,
        body: Data(body.readableBytesView))
    } catch {
      return .refused(error, at: SystemClock.now())
    }
    if machine != nil, read.route != .managedIdentity { return .nothing }
    let isOwnPage = read.path == "/" || read.path == WaitingPage.path
    if request.method == .options {
      if isOwnPage { return .ownPageOptions }
      return read.optionsResponse.map(SocketResponse.options) ?? .nothing
    }
    if isOwnPage, request.method != .get, request.method != .head { return .notAllowed }
    if read.path == "/" { return .page(.welcome(origin: origin)) }
    do {
      let served = try await batcher.serve(
        lab.request(
          read, cookies: read.cookies, approval: approval, machine: machine, browserMachine: clientMachine))
      if served.startsWaiting { events.waits() }
      return SocketResponse(served, for: read)
    } catch {
      return .failed(error)
    }
  }

  /// The scheme and the requested host, if it names this server; nil for any other name (DNS rebinding).
  private func origin(of request: Request) -> String? {
    guard let authority = request.head.authority?.lowercased() else { return nil }
    let (scheme, usual) = machine == nil ? ("https", 443) : ("http", 80)
    let known = loopbackHosts.flatMap {
      port == usual ? [$0, "\($0):\(port)"] : ["\($0):\(port)"]
    }
    guard known.contains(authority) else { return nil }
    return scheme + "://"
      + (port == usual && authority.hasSuffix(":\(port)")
        ? String(authority.dropLast(String(port).utf8.count + 1)) : authority)
  }
}

/// What Hummingbird passes along with a request.
struct SocketContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

extension HTTPFields {
  init(_ fields: [NameValue]) {
    self.init()
    for field in fields {
      guard let name = HTTPField.Name(field.name) else { continue }
      append(HTTPField(name: name, value: field.value))
    }
  }
}
