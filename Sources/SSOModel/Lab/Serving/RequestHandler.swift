import SSOCore
import SSOProvider
import SSOReference
import SSOStore

/// A handler for an external client's request, in one transaction.
struct RequestHandler {
  let transaction: IntentTransaction

  func answer(_ served: ServedRequest) throws -> ServedAnswer {
    if let machine = served.machine { return try answer(served.http, at: machine) }
    let (request, cookies) = (served.http, served.cookies)
    let client = try noteClient(of: request)
    let isPage = request.method == "GET" || request.route == .authorize
    let sender: Party = isPage ? .system : .app
    let actor = client?.displayName ?? ""
    let answer =
      switch served.approval {
      case .terminal:
        try TerminalApproval(transaction: transaction).answer(request, cookies, by: sender, client)
      case .browser: try transaction.provider(sender, actor: actor).respond(to: request, cookies: cookies)
      case .automatic(let username):
        try answerAutomatically(request, cookies, as: username, by: sender, actor: actor)
      }
    var result = try traced(answer, to: request, client: actor)
    result.recipient = client.map { ($0, transaction.now) }
    if let client, let approval = request.deviceApproval(of: answer.http), !served.approval.isAutomatic {
      try TerminalApproval(transaction: transaction).keep(
        deviceCode: approval, for: client, machine: served.browserMachine)
      result.startsWaiting = true
    }
    return result
  }

  /// Responds to a program's request to the machine on which it runs.
  private func answer(_ request: HTTPRequest, at machine: ManagedIdentityHost) throws -> ServedAnswer {
    let answer = try transaction.provider(.app, actor: machine.kind.rawValue, machine: machine)
      .respond(to: request)
    let copy = try TokenCopy(
      of: answer.http, at: machine, asked: request, in: transaction.directory, now: transaction.now)
    if let client = copy?.client {
      try transaction.store.write(client, .externalClient, client.clientID.lowercased())
    }
    let name = copy?.client.displayName ?? ""
    var result = try traced(answer, to: request, client: name)
    result.copy = copy
    return result
  }

  /// Answers the pages automatically in place of the user.
  ///
  /// Every cookie that was set along the way is sent to the browser.
  private func answerAutomatically(
    _ request: HTTPRequest, _ cookies: [NameValue], as username: String, by sender: Party, actor: String
  ) throws -> ProviderResponse {
    do {
      transaction.automaticApprover = try AutomaticApprover(username: username, in: transaction.store)
    } catch let error as LabError {
      // Endpoints without a page are served even though the user was removed.
      let withPages: [Route] = [.authorize, .adminConsent, .login, .consent, .deviceCode, .devicePage]
      guard let route = request.route, !withPages.contains(route) else { throw error }
    }
    var jar = cookies
    var answer = try WebSession(transaction, by: sender, actor: actor).follow(request, cookies: &jar)
    // No browser waits with a device code, so approve it before its first poll.
    if let approval = request.deviceApproval(of: answer.http) {
      var none: [NameValue] = []
      _ = try WebSession(transaction, by: .system, actor: actor).follow(approval, cookies: &none)
    }
    try transaction.automaticApprover?.removeUsed(in: transaction.store)
    let set = jar.filter { !cookies.contains($0) && !answer.setCookies.contains($0) }
    answer.set(set)
    return answer
  }

  /// Saves the request's information about its client.
  func noteClient(of request: HTTPRequest) throws -> ExternalClient? {
    guard let seen = try ExternalClient(request, directory: transaction.directory) else { return nil }
    let key = seen.clientID.lowercased()
    let known = try transaction.store.read(ExternalClient.self, .externalClient, key)
    let client = known.map { $0.updated(by: seen) } ?? seen
    if client != known { try transaction.store.write(client, .externalClient, key) }
    return client
  }

  /// Saves the trace of a response.
  ///
  /// The log shows the trace's last result.
  private func traced(
    _ answer: ProviderResponse, to request: HTTPRequest, client: String
  ) throws -> ServedAnswer {
    let result = transaction.trace.hops.last { $0.to == .provider }?.result
    try keepTrace(of: request, client: client, answer, result: result ?? "")
    return ServedAnswer(answer: answer, client: client, result: result ?? "\(answer.http.status)")
  }

  private func keepTrace(
    of request: HTTPRequest, client: String, _ answer: ProviderResponse, result: String
  ) throws {
    let what =
      request.grantWords ?? shortened(request.path.split(separator: "/").last.map(String.init) ?? "/")
    // A pending poll contains nothing new, and there may be hundreds.
    if answer.http.status >= 400, result.contains(OAuthErrorCode.authorizationPending.text) { return }
    let refused = transaction.lastFailedCheck
    // A 401 without a failed check requests a proof that the client cannot have sent yet (Azure Arc).
    let isAnswered = answer.http.status < 400 || answer.http.status == 401
    let outcome = Outcome(
      isAnswered && refused == nil ? .succeeded : .failed, result, failedCheck: refused)
    _ = try transaction.store.append(
      trace: TraceRecord(
        title: (client.isEmpty ? "" : client + ": ") + what, correlationID: transaction.random.upperUUID(),
        at: transaction.now,
        outcome: outcome.encoded, hops: transaction.trace.hops))
  }
}

extension HTTPRequest {
  /// The requested grant without its URN prefix, or `nil` if it is unknown.
  fileprivate var grantWords: String? {
    GrantType(self).flatMap { $0.rawValue.split(separator: ":").last.map(String.init) }
  }

  /// Returns the request that the device page would send, if the response contains a device code (RFC 8628
  /// §3.2).
  func deviceApproval(of answer: HTTPResponse) -> HTTPRequest? {
    guard route == .deviceCode, answer.status == 200,
      let code = JSONValue(bounded: answer.body)?["user_code"]?.string
    else { return nil }
    return HTTPRequest(
      "POST", origin: origin, path: "/common/oauth2/deviceauth", form: [NameValue("user_code", code)])
  }
}

/// The lab's response to an external client's request.
package struct ServedAnswer: Sendable {
  package var answer: ProviderResponse
  /// The client's registered name.
  ///
  /// Empty if the request does not contain a client.
  package var client: String
  /// The result for the log, such as `302 code` or `400 invalid_grant AADSTS70000`.
  package var result: String
  /// The page that waits for the terminal, if this is one.
  package var waiting: WaitingPage?
  /// Whether a user at a terminal is now prompted or may answer.
  package var startsWaiting = false
  /// The client whose tokens are copied for lists as soon as they are signed, and the lab's time.
  var recipient: (client: ExternalClient, moment: Instant)?
  /// The copy of the tokens for lists.
  var copy: TokenCopy?
}

/// The page that a browser displays while the user answers in a terminal.
package struct WaitingPage: Hashable, Sendable {
  /// The path that the page polls, with `id` in the query.
  package static let path = "/lab/waiting"

  package var client: String
  /// The number, which the terminal displays too.
  package var number: String
}

/// An external client's request, with everything besides the store that its response depends on.
///
/// Its random numbers come from 256 bits of the system, so that a scenario with a seed stays the same while
/// external clients sign in, and codes cannot be predicted.
package struct ServedRequest: Sendable {
  var http: HTTPRequest
  var cookies: [NameValue]
  var approval: Approval
  var moment: Instant
  /// The machine with managed identities whose endpoint received the request.
  var machine: ManagedIdentityHost?
  /// Whether discovery also lists values that Entra lacks, which some clients require.
  var isGeneric = false
  /// The machine of the browser and this server, or `nil` if a load balancer may separate them.
  var browserMachine: Machine?
  var random = SystemClock.randomness()
}

extension ServedRequest {
  /// Whether the response contains its tokens unchanged, and nothing else of it is stored.
  var asksForTokens: Bool { http.method == "POST" && http.route == .token }
}
