import Essentials

/// The throttling of failed requests, which are not sent again immediately (`CC/throttling`;
/// docs/behaviour/silent-call.md §1(7)).
///
/// There are two kinds, both in the memory of the process. Responses 429 and 5xx are throttled for `Retry-After` or
/// else 60 s, by client, refresh token, and scopes. OAuth errors are throttled for 120 s, by all fields of the request
/// except `grant_type`, and only until the user signs in interactively.
struct MSALThrottling: MSALPart {
  let client: MSALClient

  private static let serverDelay = 60
  private static let interactionDelay = 120

  /// Returns the response to a request: the stored one of the last try if the request is throttled, or else the
  /// server's.
  func answer(
    to sent: HTTPRequest
  ) throws -> (ServerAnswer, isThrottled: Bool) {
    let strict = thumbprint(sent) { ["client_id", "scope", "refresh_token"].contains($0) }
    let full = thumbprint(sent) { $0 != "grant_type" }
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
    case .status(let status, let headers):
      retryDelay(headers) ?? (status == 429 || (500...599).contains(status) ? serverDelay : nil)
    }
  }

  /// Returns `Retry-After` in seconds, or `nil` if it is absent or not a positive number.
  ///
  /// A value of more than two hours is reduced to one hour (`CC/throttling/model/MSIDThrottlingModel429.m`, which
  /// compares with a time one hour ahead).
  private static func retryDelay(_ headers: [NameValue]) -> Int? {
    let seconds = headers.first { $0.name.lowercased() == "retry-after" }.flatMap { Int($0.value) }
    return seconds.flatMap { $0 <= 0 ? nil : $0 > 7200 ? 3600 : $0 }
  }

  private func holds(_ throttle: Throttle) throws -> Bool {
    var isLifted = false
    if case .oauth = throttle.answer {
      isLifted = try LastInteraction(of: cache).moment().map { $0 >= throttle.createdAt } ?? false
    }
    let left = context.now.seconds(until: throttle.until)
    let holds = context.now < throttle.until && !isLifted
    context.trace.add(
      .sdk, .sdk, actor: app.bundleID, "throttling",
      result: holds ? "answered from memory" : "no longer throttled",
      checks: [
        Check(
          "request is not throttled", expected: "no recent failure of the same request",
          found: isLifted ? "a sign-in since then" : "\(max(0, left)) s left", !holds,
          source: "silent-call.md §1(7)")
      ])
    return holds
  }

  /// Returns the key of a request, which does not include the endpoint.
  ///
  /// The SDK includes only strings, and its endpoint is an `NSURL`
  /// (`CC/throttling/thumbprint_calculation/MSIDThumbprintCalculator.m`). A refresh token is among the fields, so only
  /// a hash is stored.
  private func thumbprint(_ sent: HTTPRequest, _ isCounted: (String) -> Bool) -> String {
    let fields = sent.form.filter { isCounted($0.name) }.map { $0.name + ":" + $0.value }
    return sha256Hex(fields.sorted().joined(separator: "\u{1F}"))
  }
}
