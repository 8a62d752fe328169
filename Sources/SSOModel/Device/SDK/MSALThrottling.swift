import Foundation

/// Requests that failed are not sent again at once (`CC/throttling`; docs/behaviour/silent-call.md §1(7)).
///
/// Two kinds, both in the memory of the process: 429 and 5xx for `Retry-After`, else 60 s, at most an hour, known again by
/// realm, environment, account, client and scopes; OAuth errors for 120 s, known again by the whole request, and only until
/// somebody has signed in interactively since.
struct MSALThrottling: MSALPart {
  let client: MSALClient

  private static let serverDelay = 60
  private static let longestDelay = 3600
  private static let interactionDelay = 120

  /// The answer to a request: the one kept from the last try if it is throttled, else the server's.
  func answer(
    to sent: HTTPRequest, _ redemption: Redemption, _ request: SilentRequest
  ) throws -> (ServerAnswer, isThrottled: Bool) {
    let strict = strictKey(redemption, request)
    let full = fullKey(sent, redemption)
    for key in [strict, full] {
      guard let throttle = context.process.process.throttles[key] else { continue }
      if try holds(throttle) { return (ServerAnswer(throttle.answer), true) }
      try context.process.change { $0.throttles[key] = nil }
    }
    let answer = ServerAnswer(try client.authorities.sendRetrying(sent))
    if let refusal = answer.refusal, let seconds = Self.delay(refusal) {
      let throttle = Throttle(
        createdAt: context.now, until: context.now.adding(seconds: seconds), answer: refusal)
      let key = if case .oauth = refusal { full } else { strict }
      try context.process.change { $0.throttles[key] = throttle }
    }
    return (answer, false)
  }

  private static func delay(_ refusal: ServerRefusal) -> Int? {
    switch refusal {
    case .oauth: interactionDelay
    case .status(_, let retryAfter?): min(retryAfter, longestDelay)
    case .status(let status, nil): status == 429 || (500...599).contains(status) ? serverDelay : nil
    }
  }

  private func holds(_ throttle: Throttle) throws -> Bool {
    var isLifted = false
    if case .oauth = throttle.answer {
      isLifted = try cache.lastInteraction().map { $0 >= throttle.createdAt } ?? false
    }
    let left = context.now.seconds(until: throttle.until)
    let holds = context.now < throttle.until && !isLifted
    context.trace.add(
      .sdk, .sdk, actor: app.bundleID, "throttling", result: holds ? "answered from memory" : "no longer",
      checks: [
        Check(
          "request is not throttled", expected: "no failure of the same request just now",
          found: isLifted ? "a sign-in since then" : "\(max(0, left)) s left", !holds,
          source: "silent-call.md §1(7)")
      ])
    return holds
  }

  private func strictKey(_ redemption: Redemption, _ request: SilentRequest) -> String {
    let scopes = (request.scopes + SilentFlow.reservedScopes).joined(separator: " ")
    return thumbprint([
      redemption.authority.realm, redemption.authority.host, redemption.account.identifier, app.clientID,
      scopes,
    ])
  }

  private func fullKey(_ sent: HTTPRequest, _ redemption: Redemption) -> String {
    thumbprint(
      [redemption.authority.realm, redemption.account.identifier, sent.url]
        + sent.form.map { $0.name + "=" + $0.value })
  }

  /// A refresh token is among the parts, so only a hash is kept.
  private func thumbprint(_ parts: [String]) -> String { sha256Hex(parts.joined(separator: "\u{1F}")) }
}
