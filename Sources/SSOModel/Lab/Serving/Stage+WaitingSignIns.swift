import SSOCore
import SSODevice
import SSOProvider

/// The person answers in a terminal what a real client's sign-in asks: the browser only waits.
extension Stage {
  private var waiting: PendingSignIns { PendingSignIns(documents: transaction, now: now) }

  /// Keeps a sign-in until somebody at a terminal answers it.
  /// - Returns: the ID by which the browser asks for the answer.
  func keepWaiting(
    _ request: HTTPRequest, cookies: [NameValue], client: RealClient, scopes: [String]
  ) throws -> String {
    try waiting.sweep()
    // The other device's code names its sign-in: the person who types it meets the one that waits already.
    let id = request.userCode ?? Base64URL.encode(chance.bytes(24))
    let key = PendingSignIns.key(id: id)
    if try waiting.pending(key: key) == nil {
      let number = String(10 + chance.bytes(2).reduce(0) { $0 * 256 + Int($1) } % 90)
      let pending = PendingSignIn(
        request: request, cookies: cookies, client: client, scopes: scopes, number: number,
        seed: chance.source.next(), askedAt: now)
      try waiting.save(pending, key: key)
    }
    return id
  }

  /// The intent `answerSignIn`.
  func answerSignIn(_ key: String) throws -> Outcome {
    guard var pending = try waiting.pending(key: key), pending.answer == nil else {
      throw LabError(
        .nothingMatched, "This sign-in does not wait any more.",
        why: "It was answered elsewhere, or it is older than \(PendingSignIn.lifetime / 60) minutes.",
        next: "Start it again in the program.")
    }
    chance = Chance(Randomness(seed: pending.seed))
    let actor = pending.client.displayName
    trace.add(.system, .person, actor: actor, "sign-in waits", result: "number \(pending.number)")
    var cookies = pending.cookies
    var answer = try decide(pending, &cookies)
    let set = cookies.filter { !pending.cookies.contains($0) && !answer.setCookies.contains($0) }
    answer.setCookies += set
    answer.http.headers += set.map(HTTPResponse.settingCookie)
    pending.answer = answer
    try waiting.save(pending, key: key)
    let who = try SSOSessions(documents: transaction, now: now).session(of: cookies)?.usernames.first
    return outcome(of: pending, answer, username: who)
  }

  private func decide(_ pending: PendingSignIn, _ cookies: inout [NameValue]) throws -> ProviderResponse {
    let actor = pending.client.displayName
    let first = try provider(.system, actor: actor).respond(to: pending.request, cookies: cookies)
    guard case .signIn(var page) = first.page else {
      return try goOn(from: first, to: pending.request, cookies: &cookies, by: .system, actor: actor)
    }
    let picker = try picker(for: pending, page)
    let chosen = try ask(.chooseAccount(picker))
    trace.add(.person, .provider, actor: actor, Prompt.chooseAccount(picker).words, result: chosen.words)
    let path = pending.request.path.split(separator: "/").first.map { "/\($0)/login" } ?? "/common/login"
    func login(_ fields: [NameValue]) -> HTTPRequest {
      HTTPRequest(
        "POST", origin: pending.request.origin, path: path, form: [NameValue("flow", page.flowID)] + fields)
    }
    switch chosen {
    case .account(let id):
      let username = picker.candidates.first { $0.homeAccountID == id }?.username ?? ""
      let held = try brokerAccounts().first { $0.homeAccountID == id && $0.blockedBecause == nil }
      return try follow(
        login([NameValue("username", username)]), cookies: &cookies, by: .system, actor: actor,
        presenting: held.map { [NameValue(SSOSessions.primaryRefreshTokenCookie, $0.primaryRefreshToken)] }
          ?? [])
    case .useAnotherAccount:
      (page.asks, page.username) = (.username, "")
      var asked = first
      asked.page = .signIn(page)
      return try goOn(from: asked, to: pending.request, cookies: &cookies, by: .system, actor: actor)
    default:
      return try follow(
        login([NameValue("cancel", "1")]), cookies: &cookies, by: .system, actor: actor)
    }
  }

  private func outcome(of pending: PendingSignIn, _ answer: ProviderResponse, username: String?) -> Outcome {
    let name = pending.client.displayName
    let refused = trace.hops.flatMap(\.checks).last { $0.verdict == .failed }
    let error = answer.http.location.flatMap { URLParts($0)?.fields?["error"] }
    if case .error(let page) = answer.page {
      return Outcome(.failed, "\(name) cannot go on: \(page.message)", failedCheck: refused, prompted: true)
    }
    if answer.page == nil, error == nil || error?.isEmpty == true {
      let summary = "\(name) goes on in the browser" + (username.map { " as \($0)." } ?? ".")
      return Outcome(.succeeded, summary, username: username, prompted: true)
    }
    if case .notice(let page) = answer.page {
      let verdict: Outcome.Verdict = page.isRefusal == true ? .cancelled : .succeeded
      return Outcome(verdict, page.message, username: username, prompted: true)
    }
    return Outcome(
      .cancelled, "\(name) was told \(error ?? "nothing").", failedCheck: refused, prompted: true)
  }
}
