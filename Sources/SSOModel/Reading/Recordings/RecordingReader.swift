/// A reader that turns a recording into one trace (docs/behaviour/real-logs.md §5).
///
/// The trace has each request to the provider, and each request with a token, with the checks that the protocol
/// requires.
package struct RecordingReader {
  /// The maximum number of hops to keep; further hops are only counted.
  static let mostHops = 1000

  private let file: HARFile
  private let providers: Set<String>
  private let redirectURIs: Set<String>
  private var signIns: [RecordedSignIn] = []
  private var hops: [Hop] = []
  private var hopsLeftOut = 0
  private var otherCount = 0
  private var failedCheck: Check?
  private var error: LoggedError?
  private var tokenCount = 0
  private var isClockChecked = false
  private var firstAt: Instant?
  private var correlationID = ""

  package init(_ file: HARFile) {
    self.file = file
    let authorizations = file.exchanges.map(\.request).filter {
      $0.field("client_id") != nil && $0.path.lowercased().hasSuffix("/authorize")
    }
    let tokenRequests = file.exchanges.map(\.request).filter { $0.form["grant_type"] != nil }
    providers = Set((authorizations + tokenRequests).map(\.origin))
    redirectURIs = Set((authorizations + tokenRequests).compactMap { $0.field("redirect_uri") })
  }

  /// Reads all requests, and checks them in order.
  package consuming func read() -> RecordingReading {
    for exchange in file.exchanges { add(exchange) }
    let outcome = outcome
    let title = signIns.isEmpty ? "a recording without a sign-in" : "sign-in of \(signIns[0].clientID)"
    return RecordingReading(
      trace: Trace(
        summary: TraceSummary(
          id: 1, title: title, correlationID: correlationID, at: firstAt ?? Instant(0),
          verdict: outcome?.verdict.rawValue ?? "", summary: outcome?.summary ?? "no token was asked for",
          hopCount: hops.count + hopsLeftOut),
        hops: hops, outcome: outcome),
      requestCount: file.exchanges.count, otherCount: otherCount, unreadable: file.unreadable,
      lacksCookies: file.lacksCookies)
  }

  private var outcome: Outcome? {
    if let failedCheck {
      let words = "\(failedCheck.name): expected \(failedCheck.expected), found \(failedCheck.found)"
      let remedy = Explanation.ofError(
        [error?.words, error?.text, failedCheck.found].compactMap(\.self).joined(separator: " ")
      )
      .first?.remedyOutside
      return Outcome(
        .failed, "The first check that failed: \(words).", errorText: error?.text, failedCheck: failedCheck,
        next: remedy ?? failedCheck.advice.map { Advice($0) })
    }
    return tokenCount > 0 ? Outcome(.succeeded, "Tokens were given, and every check passed.") : nil
  }

  // MARK: - One request

  private mutating func add(_ exchange: RecordedExchange) {
    let purpose = RecordedPurpose(exchange, providers: providers, redirectURIs: redirectURIs)
    guard purpose != .other else {
      otherCount += 1
      return
    }
    if firstAt == nil { firstAt = exchange.at }
    if correlationID.isEmpty { correlationID = exchange.request.correlationID ?? "" }
    let isPage = exchange.request.method == "GET" && purpose != .resource
    var hop = Hop(
      from: isPage || purpose == .page ? .system : .app, to: purpose == .redirectURI ? .app : .provider,
      actor: purpose.words, action: "\(exchange.request.method) \(Self.place(exchange))",
      result: exchange.response.status == 0 ? "no answer" : "\(exchange.response.status)")
    hop.sent = [NameValue("entry \(exchange.number)\(time(exchange))", exchange.url.origin)]
    let checker = RecordedChecks(exchange, lacksCookies: file.lacksCookies)
    switch purpose {
    case .endpoint(.authorize): authorize(exchange, &hop, checker)
    case .endpoint(.token): token(exchange, &hop, checker)
    case .redirectURI: answered(RecordedAnswer(of: exchange), exchange, &hop)
    case .resource, .endpoint(.userInfo), .endpoint(.tenants), .endpoint(.subscriptions):
      hop.checks += checker.resource()
    default: break
    }
    if purpose != .redirectURI, purpose != .resource {
      answered(RecordedAnswer(of: exchange.response, from: exchange.url), exchange, &hop)
      if case .endpoint(.token) = purpose {} else { hop.checks += checker.errorPage() }
    }
    if !isClockChecked, let check = checker.clock() {
      isClockChecked = true
      hop.checks.append(check)
    }
    append(hop)
  }

  private mutating func authorize(_ exchange: RecordedExchange, _ hop: inout Hop, _ checker: RecordedChecks) {
    let signIn = RecordedSignIn(exchange)
    hop.sent += exchange.request.shownFields
    hop.checks += checker.authorization(signIn, before: signIns)
    signIns.append(signIn)
  }

  private mutating func token(_ exchange: RecordedExchange, _ hop: inout Hop, _ checker: RecordedChecks) {
    hop.sent += exchange.request.shownFields
    var signIn: RecordedSignIn?
    if let code = exchange.request.form["code"] {
      let place = signIns.lastIndex { $0.codes.contains(code) } ?? (signIns.count == 1 ? 0 : nil)
      if let place {
        hop.checks += checker.redemption(of: code, signIns[place])
        signIns[place].redeemedCodes.insert(code)
        signIn = signIns[place]
      }
    }
    let (checks, hasTokens) = checker.tokenResponse(signIn)
    hop.checks += checks
    if hasTokens { tokenCount += 1 }
  }

  /// Adds the checks of the authorization endpoint's response, where it occurs first.
  private mutating func answered(_ answer: RecordedAnswer?, _ exchange: RecordedExchange, _ hop: inout Hop) {
    guard let answer else { return }
    // The redirect and the request that follows it have the same code.
    if let code = answer.code, signIns.contains(where: { $0.codes.contains(code) }) { return }
    let byState = answer.state.flatMap { state in signIns.lastIndex { $0.state == state } }
    guard let place = byState ?? signIns.indices.last else { return }
    if let code = answer.code { signIns[place].codes.insert(code) }
    hop.checks += RecordedChecks(exchange, lacksCookies: file.lacksCookies).answer(answer, signIns[place])
  }

  private mutating func append(_ hop: Hop) {
    if failedCheck == nil, let failed = hop.checks.first(where: { $0.verdict == .failed }) {
      failedCheck = failed
      error = LoggedError(failed.found)
    }
    guard hops.count < Self.mostHops else {
      hopsLeftOut += 1
      return
    }
    hops.append(hop)
  }

  private static func place(_ exchange: RecordedExchange) -> String {
    LogText.shown(exchange.request.path.isEmpty ? exchange.url.scheme + ":" : exchange.request.path)
  }

  private func time(_ exchange: RecordedExchange) -> String {
    guard let at = exchange.at, let firstAt else { return "" }
    return ", +\(firstAt.seconds(until: at)) s"
  }
}

/// The result of reading a recording.
package struct RecordingReading: Sendable {
  package var trace: Trace
  package var requestCount: Int
  /// The number of requests that have nothing to do with a sign-in.
  package var otherCount: Int
  package var unreadable: Int
  package var lacksCookies: Bool
}

extension HTTPRequest {
  fileprivate var correlationID: String? { header("client-request-id") ?? field("client-request-id") }

  /// The fields of the query and the form, with secrets replaced with their hashes.
  var shownFields: [NameValue] {
    (query + form).prefix(40).map { NameValue($0.name, RecordingRedaction.shown($0.name, $0.value)) }
  }
}

extension RecordedAnswer {
  /// Creates the answer that a request delivers to the redirect URI, or returns `nil` if there is none.
  fileprivate init?(of exchange: RecordedExchange) {
    if let answer = RecordedAnswer(exchange.url) {
      self = answer
    } else {
      self.init(fields: exchange.request.form, target: exchange.url)
    }
  }
}
