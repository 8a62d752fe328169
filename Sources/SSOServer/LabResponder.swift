import Dispatch
import Essentials
import NIOHTTP1
import SSOCore
import SSOLab
import SSOProvider
import Synchronization

/// A responder that answers the socket's HTTP requests with the lab's responses.
///
/// It adds the parts that only a socket needs: limits, HTML pages, and security headers.
struct LabResponder: Sendable {
  let lab: Lab
  let approval: Approval
  var port: Int
  /// The machine with managed identities that this listener serves over plain HTTP, or `nil` for the listener of the
  /// provider.
  var machine: ManagedIdentityHost?
  /// The machine on which the clients run, or `nil` if a load balancer is between them and this server.
  let clientMachine: Machine?
  /// Whether discovery also lists values that Entra lacks.
  let isGeneric: Bool
  let batcher: RequestBatcher
  let events: ServerEvents
  let control: LabControl?

  /// Returns this responder for the listener of a machine.
  func answering(for machine: ServedMachine) -> LabResponder {
    var responder = self
    responder.port = machine.port
    responder.machine = machine.host
    return responder
  }

  /// The maximum size of a body, in bytes.
  ///
  /// Real requests have a few kilobytes (a signed assertion).
  static let bodyLimit = 256 * 1024

  /// Returns the response to a request with its complete body.
  func respond(to head: HTTPRequestHead, body: Data) async -> SocketResponse {
    let target = Target(of: head)
    let response = await answer(head, target, body)
    if !response.isPoll { report(response, head, target) }
    return response
  }

  /// Returns the response to a request whose body exceeds `bodyLimit`.
  func refuseBody(of head: HTTPRequestHead) -> SocketResponse {
    let response = SocketResponse.refused(
      413, "The body is longer than \(Self.bodyLimit) bytes.", closes: true)
    report(response, head, Target(of: head))
    return response
  }

  private func report(_ response: SocketResponse, _ head: HTTPRequestHead, _ target: Target) {
    let path = String(target.path.prefix { $0 != "?" }.prefix(200))
    events.served(
      ServedLine(method: head.method.rawValue, path: path, client: response.client, result: response.result))
  }

  private func answer(_ head: HTTPRequestHead, _ target: Target, _ body: Data) async -> SocketResponse {
    guard let origin = origin(of: target) else {
      return .refused(
        421, "The Host header names neither localhost, 127.0.0.1 nor [::1] with port \(port).")
    }
    let headers = head.headers.filter { $0.name.lowercased() != "host" }.map { NameValue($0.name, $0.value) }
    let read: HTTPRequest
    do throws(OAuthError) {
      read = try HTTPRequest(
        head.method.rawValue, origin: origin, target: target.path, headers: headers, body: body)
    } catch {
      return .refused(error, of: head, at: SystemClock.now())
    }
    if read.path == LabControl.path, machine == nil, let control {
      return await control.respond(to: head, body: body)
    }
    if machine != nil, read.route != .managedIdentity { return .nothing }
    let isOwnPage = read.path == "/" || read.path == WaitingPage.path
    if head.method == .OPTIONS {
      if isOwnPage { return .ownPageOptions }
      return read.optionsResponse.map(SocketResponse.options) ?? .nothing
    }
    if isOwnPage, head.method != .GET, head.method != .HEAD { return .notAllowed }
    if read.path == "/" { return .page(.welcome(origin: origin)) }
    do {
      let served = try await batcher.serve(
        lab.request(
          read, cookies: read.cookies, approval: approval, machine: machine, isGeneric: isGeneric,
          browserMachine: clientMachine))
      if served.startsWaiting { events.waits() }
      return SocketResponse(served, for: read)
    } catch {
      return .failed(error)
    }
  }

  /// Returns the scheme and the requested host, or `nil` if the host does not name this server (DNS rebinding).
  private func origin(of target: Target) -> String? {
    guard let authority = target.authority?.lowercased() else { return nil }
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

/// The target of a request.
private struct Target {
  /// The host with its port.
  ///
  /// An absolute target takes precedence over the Host header (RFC 9112 §3.2.2).
  var authority: String?
  /// The path and the query.
  var path: String

  init(of head: HTTPRequestHead) {
    authority = head.headers.first(name: "Host")
    path = head.uri
    guard !path.hasPrefix("/"), let url = URLParts(path), !url.authority.isEmpty else { return }
    authority = url.authority
    path = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?" + $0 } ?? "")
  }
}

/// A queue that answers requests in batches.
///
/// The store allows one transaction at a time, so the requests that arrive during one batch form the next. Tokens are
/// signed on all cores during the next transaction, and the one after it saves their copies for the lists. No transaction
/// waits for the disk; the responses do, all that are complete together.
final class RequestBatcher: Sendable {
  private typealias Answer = CheckedContinuation<ServedAnswer, any Error>
  private typealias Response = (result: Result<ServedAnswer, any Error>, answer: Answer)

  /// Requests to answer, and responses to complete.
  private struct Work {
    var requests: [(request: ServedRequest, answer: Answer)] = []
    var signed: [(part: SignedAnswer, answer: Answer)] = []
  }

  private struct State {
    var waiting = Work()
    var isServing = false
  }

  /// The responses that wait for the disk, and the number of flushes that are under way.
  private struct Complete {
    var responses: [Response] = []
    var flushes = 0
  }

  /// The maximum number of flushes at a time.
  ///
  /// With two, responses that are complete during a flush do not wait until its end before their own begins.
  private static let flushLimit = 2

  /// The maximum size of a batch.
  ///
  /// It is limited because other processes want to write too, and because the tokens of one batch are signed during the
  /// next: of 32 clients' requests, a quarter is a batch, so that both cores of a small machine have work.
  private static let batchLimit = 8

  private let lab: Lab
  private let queue = DispatchQueue(label: "ssoterm.store")
  private let signing = DispatchQueue(label: "ssoterm.signing")
  private let disk = DispatchQueue(label: "ssoterm.disk", attributes: .concurrent)
  private let state = Mutex(State())
  private let complete = Mutex(Complete())

  init(_ lab: Lab) { self.lab = lab }

  /// Returns the lab's response once it is saved to disk.
  func serve(_ request: ServedRequest) async throws -> ServedAnswer {
    try await withCheckedThrowingContinuation { answer in
      add { $0.requests.append((request, answer)) }
    }
  }

  /// Adds work, and begins to serve unless the queue serves already.
  private func add(_ work: (inout Work) -> Void) {
    let begins = state.withLock { state in
      work(&state.waiting)
      defer { state.isServing = true }
      return !state.isServing
    }
    if begins { queue.async { self.serveAll() } }
  }

  private func serveAll() {
    while let work = nextWork() {
      let served = lab.answer(work.requests.map(\.request), saving: work.signed.map(\.part))
      respond(work.signed.map { ($0.part.result(unless: served.failure), $0.answer) })
      let answers = work.requests.map(\.answer)
      if !answers.isEmpty { signing.async { self.sign(served.answers, for: answers) } }
    }
  }

  /// Returns the work of the next transaction, or `nil` if there is none.
  private func nextWork() -> Work? {
    state.withLock { state in
      let requests = Array(state.waiting.requests.prefix(Self.batchLimit))
      let work = Work(requests: requests, signed: state.waiting.signed)
      state.waiting.requests.removeFirst(requests.count)
      state.waiting.signed = []
      state.isServing = !work.requests.isEmpty || !work.signed.isEmpty
      return state.isServing ? work : nil
    }
  }

  private func sign(_ unsigned: [UnsignedAnswer], for answers: [Answer]) {
    let signed = Mutex<[(place: Int, part: SignedAnswer)]>([])
    DispatchQueue.concurrentPerform(iterations: unsigned.count) { place in
      let part = unsigned[place].signed()
      signed.withLock { $0.append((place, part)) }
    }
    var parts: [(part: SignedAnswer, answer: Answer)] = []
    var responses: [Response] = []
    for (place, part) in signed.withLock({ $0 }).sorted(by: { $0.place < $1.place }) {
      if part.hasCopy {
        parts.append((part, answers[place]))
      } else {
        responses.append((part.result(unless: nil), answers[place]))
      }
    }
    if !parts.isEmpty { add { $0.signed += parts } }
    respond(responses)
  }

  /// Sends responses to their clients as soon as their transactions are on the disk.
  private func respond(_ responses: [Response]) {
    guard !responses.isEmpty else { return }
    let begins = complete.withLock { complete in
      complete.responses += responses
      guard complete.flushes < Self.flushLimit else { return false }
      complete.flushes += 1
      return true
    }
    if begins { disk.async { self.flush() } }
  }

  private func flush() {
    while let responses = nextResponses() {
      let flushed = Result { try lab.flush() }
      for (result, answer) in responses { answer.resume(with: flushed.flatMap { result }) }
    }
  }

  /// Returns the responses of the next flush, or `nil` if there are none.
  private func nextResponses() -> [Response]? {
    complete.withLock { complete in
      guard !complete.responses.isEmpty else {
        complete.flushes -= 1
        return nil
      }
      defer { complete.responses = [] }
      return complete.responses
    }
  }
}
