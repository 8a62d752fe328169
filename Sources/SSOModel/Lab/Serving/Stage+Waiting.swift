import SSOCore
import SSOProvider
import SSOReference

/// Terminal approval as the browser sees it.
extension Stage {
  /// The provider's answer, unless it is a page that asks the person something: then nothing of it is written.
  /// - Throws: `NeedsTerminal` in that case.
  func answerUnlessAPersonIsAsked(
    _ request: HTTPRequest, _ cookies: [NameValue], by sender: Party, _ client: RealClient?
  ) throws -> ProviderResponse {
    let answer = try provider(sender, actor: client?.displayName ?? "").respond(to: request, cookies: cookies)
    switch answer.page {
    case .signIn, .consent: throw NeedsTerminal()
    default: break
    }
    // A device code has no browser that waits: the person at the terminal is asked at once.
    if let client, let approval = request.deviceApproval(of: answer.http) {
      _ = try keepWaiting(approval, cookies: [], client: client, scopes: request.requestedScopes.all)
    }
    return answer
  }

  /// Sends the browser to the page that waits.
  func startWaiting(for request: HTTPRequest, cookies: [NameValue]) throws -> ServedAnswer {
    guard let client = try asker(request, cookies) else {
      throw OAuthError(
        .unauthorizedClient, "The sign-in names no registered application.", aadsts: .clientNotFound)
    }
    let id = try keepWaiting(request, cookies: cookies, client: client, scopes: request.requestedScopes.all)
    let http = HTTPResponse(
      303,
      headers: [
        NameValue("Location", WaitingPage.path + "?id=" + FormEncoding.encode(id)),
        NameValue("Cache-Control", "no-store"),
      ])
    return ServedAnswer(
      answer: ProviderResponse(http), client: client.displayName, result: "303 waits for the terminal",
      startsWaiting: true)
  }

  /// Who asks: the client that the request names, or the one whose page it leads to.
  private func asker(_ request: HTTPRequest, _ cookies: [NameValue]) throws -> RealClient? {
    if let client = try noteClient(of: request) { return client }
    let answer = try provider(.system, actor: "").respond(to: request, cookies: cookies)
    guard case .signIn(let page) = answer.page else { return nil }
    return try transaction.read(RealClient.self, .realClient, page.clientID.lowercased())
  }

  /// The page that waits, or the answer once there is one. Nothing is written.
  func serveWaiting(_ request: HTTPRequest) throws -> ServedAnswer {
    let key = PendingSignIns.key(id: request.query["id"] ?? "")
    guard let pending = try PendingSignIns(documents: transaction, now: now).pending(key: key) else {
      let page = ErrorPage(
        aadsts: AADSTSCode.signInTookTooLong.number,
        message: "AADSTS50089: This sign-in is over. Start it again in the program.",
        correlationID: chance.uuid())
      return ServedAnswer(
        answer: ProviderResponse(.page(404), page: .error(page)), client: "", result: "404 sign-in is over")
    }
    let name = pending.client.displayName
    if let answer = pending.answer {
      return ServedAnswer(
        answer: answer, client: name, result: "\(answer.http.status) answered in a terminal")
    }
    return ServedAnswer(
      answer: ProviderResponse(.page(200)), client: name, result: "200 waits",
      waiting: WaitingPage(client: name, number: pending.number))
  }
}

/// Stops an exchange whose next step is a person's.
struct NeedsTerminal: Error {}
