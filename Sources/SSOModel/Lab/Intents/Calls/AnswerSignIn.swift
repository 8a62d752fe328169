import SSOCore
import SSODevice
import SSOProvider
import SSOReference
import SSOStore

/// The answer that a user gives at the terminal to an external client's sign-in, while the browser waits.
package struct AnswerSignIn: Intent {
  package static let verb = "answerSignIn"
  /// ``WaitingSignIn/id``.
  package var id: String
  package var client: String

  package init(id: String, client: String) {
    self.id = id
    self.client = client
  }

  package var displayText: String { "answer the sign-in of \(client)" }
  /// The client has received the answer, like any other response, so undo cannot take it back.
  package var isJournaled: Bool { false }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let waiting = PendingSignIns(documents: transaction.store, now: transaction.now)
    guard var pending = try waiting.pending(key: id), pending.answer == nil,
      try !isAnsweredInBrowser(pending, transaction)
    else {
      throw LabError(
        .nothingMatched, "This sign-in no longer waits.",
        why: "It was answered elsewhere, or it is older than \(PendingSignIn.pageLifetime / 60) minutes.",
        next: "Start it again in the program.")
    }
    transaction.random = RandomSource(pending.random ?? SystemClock.randomness())
    if let call = pending.brokerCall {
      return try AnswerBrokerCall(transaction: transaction, call: call, pending: pending).run(key: id)
    }
    let actor = pending.client.displayName
    if !pending.isUntyped {
      transaction.trace.add(
        .system, .person, actor: actor, "sign-in waits", result: "number \(pending.number)")
    }
    var cookies = pending.cookies
    var answer = try decide(pending, &cookies, transaction)
    // A session belongs to the browser in which the user signs in. The waiting browser gets only the response, because
    // it may belong to another user.
    answer.removeCookies()
    if pending.isUntyped {
      try transaction.store.delete(.pendingSignIn, id)
    } else {
      pending.answer = answer
      try transaction.store.write(pending, .pendingSignIn, id)
    }
    let who = try SSOSessions(documents: transaction.store, now: transaction.now).session(of: cookies)?
      .usernames.first
    return outcome(of: pending, answer, username: who, refused: transaction.lastFailedCheck)
  }

  /// Returns true if the device code was approved or declined in a browser in the meantime.
  private func isAnsweredInBrowser(_ pending: PendingSignIn, _ transaction: IntentTransaction) throws -> Bool
  {
    guard pending.isUntyped, let code = pending.userCode else { return false }
    return try transaction.store.device(showing: code)?.state != .pending
  }

  private func decide(
    _ pending: PendingSignIn, _ cookies: inout [NameValue], _ transaction: IntentTransaction
  ) throws -> ProviderResponse {
    let actor = pending.client.displayName
    let session = WebSession(transaction, by: .system, actor: actor, isInTerminal: true)
    if pending.isUntyped { transaction.trace.add(.person, .provider, actor: actor, "answer the device code") }
    let first = try transaction.provider(.system, actor: actor).respond(to: pending.request, cookies: cookies)
    // No browser posted the code, because the user chose it from the list.
    if pending.isUntyped { transaction.trace.joinLastTwo() }
    // A device code comes without a browser, so store here the value that binds the sign-in to one.
    let new = first.setCookies.filter { [cookies] in cookies[$0.name] == nil }
    cookies += new
    guard case .signIn(var page) = first.page else {
      return try session.goOn(from: first, to: pending.request, cookies: &cookies)
    }
    let picker = try WaitingPicker(reader: transaction.reader).picker(for: pending, page)
    let chosen = try transaction.ask(.chooseAccount(picker))
    let candidate = picker.candidates.first { chosen == .account(homeAccountID: $0.homeAccountID) }
    transaction.trace.add(
      .person, .provider, actor: actor, Prompt.chooseAccount(picker).displayText,
      result: candidate?.username ?? chosen.displayText)
    let path = pending.request.path.split(separator: "/").first.map { "/\($0)/login" } ?? "/common/login"
    func login(_ fields: [NameValue]) -> HTTPRequest {
      HTTPRequest(
        "POST", origin: pending.request.origin, path: path, form: [NameValue("flow", page.flowID)] + fields)
    }
    switch chosen {
    case .account(let id):
      let username = candidate?.username ?? ""
      let held = try transaction.reader.brokerAccounts().first {
        $0.homeAccountID == id && $0.blockedBecause == nil
      }
      if !page.accountsInSession.contains(username.lowercased()) { cookies.removeSessionCookie() }
      return try WebSession(
        transaction, by: .system, actor: actor,
        presenting: held.map { [NameValue(SSOSessions.primaryRefreshTokenCookie, $0.primaryRefreshToken)] }
          ?? [], isInTerminal: true
      ).follow(login([NameValue("username", username)]), cookies: &cookies)
    case .useAnotherAccount:
      cookies.removeSessionCookie()
      (page.asks, page.username) = (.username, "")
      var asked = first
      asked.page = .signIn(page)
      return try session.goOn(from: asked, to: pending.request, cookies: &cookies)
    default:
      return try session.follow(login([NameValue("cancel", "1")]), cookies: &cookies)
    }
  }

  private func outcome(
    of pending: PendingSignIn, _ answer: ProviderResponse, username: String?, refused: Check?
  ) -> Outcome {
    let name = pending.client.displayName
    let error = answer.http.location.flatMap { URLParts($0)?.fields?["error"] }
    if case .error(let page) = answer.page {
      return Outcome(
        .failed, "\(name) cannot continue: \(page.message)", failedCheck: refused, prompted: true)
    }
    if answer.page == nil, error == nil || error?.isEmpty == true {
      let summary = "\(name) continues in the browser" + (username.map { " as \($0)." } ?? ".")
      return Outcome(.succeeded, summary, username: username, prompted: true)
    }
    if case .notice(let page) = answer.page {
      // The page's own words are for a browser, whose window may be closed.
      return page.isRefusal == true
        ? Outcome(.cancelled, "Declined: \(name) was not signed in.", username: username, prompted: true)
        : Outcome(
          .succeeded, "\(name) is signed in" + (username.map { " as \($0)." } ?? "."), username: username,
          prompted: true)
    }
    return Outcome(
      .cancelled, "\(name) received \(error ?? "nothing").", failedCheck: refused, prompted: true)
  }
}
