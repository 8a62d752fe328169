import SSOCore
import SSOProvider
import SSOReference
import SSOStore

/// What the lab says to a real client's request.
package struct ServedAnswer: Sendable {
  package var answer: ProviderResponse
  /// The registered name of who asked; empty if the request names nobody.
  package var client: String
  /// How it went, for the log: `302 code`, `400 invalid_grant AADSTS70000`.
  package var result: String
  /// The page that waits for the terminal, if this is one.
  package var waiting: WaitingPage?
  /// From now on somebody at a terminal is asked.
  package var startsWaiting = false
  /// What the lists are to show of it.
  var copy: TokenCopy?
}

/// What the browser shows while the person answers in a terminal.
package struct WaitingPage: Hashable, Sendable {
  /// Where it asks for the answer, with `id` in the query.
  package static let path = "/lab/waiting"

  package var client: String
  /// Also in the terminal.
  package var number: String
}

/// A request of a program that is not simulated, with all that its answer depends on besides the store.
///
/// Chance comes from the system: a story with a seed stays the same whoever signs in meanwhile, and nobody can predict
/// a code.
package struct ServedRequest: Sendable {
  var http: HTTPRequest
  var cookies: [NameValue]
  var approval: Approval
  var moment: Instant
  var chance = Randomness(seed: SystemClock.seed())
}

extension Lab {
  package func request(
    _ http: HTTPRequest, cookies: [NameValue] = [], approval: Approval
  ) -> ServedRequest {
    ServedRequest(http: http, cookies: cookies, approval: approval, moment: clock())
  }

  /// Answers one request.
  package func serve(_ http: HTTPRequest, cookies: [NameValue] = [], approval: Approval) throws
    -> ServedAnswer
  {
    try serve([request(http, cookies: cookies, approval: approval)])[0].get()
  }

  /// Answers requests in one transaction: together they wait for the disk once. Each is a part of its own, which leaves
  /// nothing if it fails; what is returned is on the disk.
  ///
  /// It is no part of the journal, since what a real client was told cannot be taken back.
  package func serve(_ requests: [ServedRequest]) -> [Result<ServedAnswer, any Error>] {
    do {
      return try store.write(nil) { transaction in
        let answers = requests.map { request in Result { try answer(request, in: transaction) } }
        for (request, copy) in lastCopies(of: Array(zip(requests, answers))) {
          try stage(request, transaction).save(copy)
        }
        return answers
      }
    } catch {
      return requests.map { _ in .failure(error) }
    }
  }

  /// The copies that remain, in order: a client may be given tokens for the same person and scopes many times at once, and
  /// then each copy replaces the one before it.
  private func lastCopies(
    of served: [(request: ServedRequest, answer: Result<ServedAnswer, any Error>)]
  ) -> [(ServedRequest, TokenCopy)] {
    var places: Set<TokenCopy.Place> = []
    var copies: [(ServedRequest, TokenCopy)] = []
    for (request, answer) in served.reversed() {
      guard case .success(let answer) = answer, let copy = answer.copy else { continue }
      if places.insert(copy.place).inserted { copies.append((request, copy)) }
    }
    return copies.reversed()
  }

  private func stage(_ request: ServedRequest, _ transaction: StoreTransaction) throws -> Stage {
    try Stage(transaction, realTime: request.moment, chance: Chance(request.chance), keyReader: keyReader)
  }

  private func answer(_ request: ServedRequest, in transaction: StoreTransaction) throws -> ServedAnswer {
    func part(_ body: (Stage) throws -> ServedAnswer) throws -> ServedAnswer {
      try transaction.part { try body(stage(request, transaction)) }
    }
    do {
      return try part { stage in
        request.http.path == WaitingPage.path
          ? try stage.serveWaiting(request.http) : try stage.serve(request)
      }
    } catch is NeedsTerminal {
      return try part { try $0.startWaiting(for: request.http, cookies: request.cookies) }
    }
  }
}

extension Stage {
  func serve(_ served: ServedRequest) throws -> ServedAnswer {
    let (request, cookies) = (served.http, served.cookies)
    let client = try noteClient(of: request)
    let isPage = request.route == .authorize || request.method == "GET"
    let sender: Party = isPage ? .system : .app
    let actor = client?.displayName ?? ""
    let answer =
      switch served.approval {
      case .terminal: try answerUnlessAPersonIsAsked(request, cookies, by: sender, client)
      case .browser: try provider(sender, actor: actor).respond(to: request, cookies: cookies)
      case .automatic(let username):
        try answerAutomatically(request, cookies, as: username, by: sender, actor: actor)
      }
    let last = trace.hops.last { $0.to == .provider }
    try keepTrace(of: request, client: actor, answer)
    var result = ServedAnswer(
      answer: answer, client: actor, result: last?.result ?? "\(answer.http.status)")
    result.copy = client.flatMap { copy(of: answer.http, to: $0, for: request) }
    result.startsWaiting = served.approval == .terminal && request.deviceApproval(of: answer.http) != nil
    return result
  }

  /// Goes through the pages in the person's place. Every cookie that was set on the way goes to the browser.
  private func answerAutomatically(
    _ request: HTTPRequest, _ cookies: [NameValue], as username: String, by sender: Party, actor: String
  ) throws -> ProviderResponse {
    standIn = try AutomaticPerson(username: username, in: Directory(documents: transaction))
    var jar = cookies
    var answer = try follow(request, cookies: &jar, by: sender, actor: actor)
    // A device code has no browser to wait for: it is approved before its first poll.
    if let approval = request.deviceApproval(of: answer.http) {
      var none: [NameValue] = []
      _ = try follow(approval, cookies: &none, by: .system, actor: actor)
    }
    let set = jar.filter { !cookies.contains($0) && !answer.setCookies.contains($0) }
    answer.setCookies += set
    answer.http.headers += set.map(HTTPResponse.settingCookie)
    return answer
  }

  /// Keeps what the request shows of its sender.
  func noteClient(of request: HTTPRequest) throws -> RealClient? {
    guard let seen = try RealClient(request, directory: Directory(documents: transaction)) else { return nil }
    let key = seen.clientID.lowercased()
    let known = try transaction.read(RealClient.self, .realClient, key)
    let client = known.map { $0.updated(by: seen) } ?? seen
    if client != known { try transaction.write(client, .realClient, key) }
    return client
  }

  private func keepTrace(of request: HTTPRequest, client: String, _ answer: ProviderResponse) throws {
    let what =
      request.grantWords ?? shortened(request.path.split(separator: "/").last.map(String.init) ?? "/")
    let result = trace.hops.last { $0.to == .provider }?.result ?? ""
    // A poll that has to go on says nothing new, and there may be hundreds.
    if answer.http.status >= 400, result.contains(OAuthErrorCode.authorizationPending.text) { return }
    let refused = trace.hops.flatMap(\.checks).last { $0.verdict == .failed }
    let outcome = Outcome(
      answer.http.status < 400 && refused == nil ? .succeeded : .failed, result, failedCheck: refused)
    _ = try transaction.append(
      trace: TraceRecord(
        title: (client.isEmpty ? "" : client + ": ") + what, correlationID: chance.upperUUID(), at: now,
        outcome: outcome.encoded, hops: trace.hops))
  }
}

extension HTTPRequest {
  /// The grant that it asks for, without the URN before it; nil if it is none that is known.
  fileprivate var grantWords: String? {
    form["grant_type"].flatMap(GrantType.init).flatMap {
      $0.rawValue.split(separator: ":").last.map(String.init)
    }
  }

  /// What the person would send from the device page, if this request was answered with a device code (RFC 8628 §3.2).
  func deviceApproval(of answer: HTTPResponse) -> HTTPRequest? {
    guard route == .deviceCode, answer.status == 200,
      let code = JSONValue(bounded: answer.body)?["user_code"]?.string
    else { return nil }
    return HTTPRequest(
      "POST", origin: origin, path: "/common/oauth2/deviceauth", form: [NameValue("user_code", code)])
  }
}
