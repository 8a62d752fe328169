import Essentials

/// Requests that failed are not sent again at once (`CC/throttling`; docs/behaviour/silent-call.md §1(7)).
///
/// Two kinds, both in the memory of the process: 429 and 5xx for `Retry-After`, else 60 s, known again by client, refresh
/// token and scopes; OAuth errors for 120 s, known again by all fields of the request, and only until a person has signed in
/// interactively since.
struct MSALThrottling: MSALPart {
  let client: MSALClient

  private static let serverDelay = 60
  private static let interactionDelay = 120

  /// The answer to a request: the one kept from the last try if it is throttled, else the server's.
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

  /// `Retry-After` in seconds; nil if it is absent, 0 or no number.
  ///
  /// More than two hours are cut to one (`CC/throttling/model/MSIDThrottlingModel429.m`, which compares with a moment an
  /// hour ahead).
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

  /// The endpoint takes no part.
  ///
  /// The SDK counts texts only, and its endpoint is an `NSURL`
  /// (`CC/throttling/thumbprint_calculation/MSIDThumbprintCalculator.m`). A refresh token is among the fields, so only a
  /// hash is kept.
  private func thumbprint(_ sent: HTTPRequest, _ isCounted: (String) -> Bool) -> String {
    let fields = sent.form.filter { isCounted($0.name) }.map { $0.name + ":" + $0.value }
    return sha256Hex(fields.sorted().joined(separator: "\u{1F}"))
  }
}
