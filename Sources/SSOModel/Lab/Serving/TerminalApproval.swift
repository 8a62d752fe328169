/// Approval at a terminal as the browser sees it: the page waits until the person has answered there.
struct TerminalApproval {
  let transaction: IntentTransaction

  private var waiting: PendingSignIns {
    PendingSignIns(documents: transaction.store, now: transaction.now)
  }

  /// The provider's answer, unless it is a page that asks the person something: then nothing of it is written.
  /// - Throws: `NeedsTerminal` in that case.
  func answer(
    _ request: HTTPRequest, _ cookies: [NameValue], by sender: Party, _ client: ExternalClient?
  ) throws -> ProviderResponse {
    let answer = try transaction.provider(sender, actor: client?.displayName ?? "").respond(
      to: request, cookies: cookies)
    switch answer.page {
    case .signIn, .consent: throw NeedsTerminal()
    default: break
    }
    // A device code has no browser that waits: the person at the terminal is asked at once.
    if let client, let approval = request.deviceApproval(of: answer.http) {
      _ = try keep(approval, cookies: [], client: client, scopes: request.requestedScopes.all)
    }
    return answer
  }

  /// Sends the browser to the page that waits.
  func start(for request: HTTPRequest, cookies: [NameValue]) throws -> ServedAnswer {
    guard let client = try asker(request, cookies) else {
      throw OAuthError(
        .unauthorizedClient, "The sign-in names no registered application.", aadsts: .clientNotFound)
    }
    let id = try keep(request, cookies: cookies, client: client, scopes: request.requestedScopes.all)
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
  private func asker(_ request: HTTPRequest, _ cookies: [NameValue]) throws -> ExternalClient? {
    if let client = try RequestHandler(transaction: transaction).noteClient(of: request) { return client }
    let answer = try transaction.provider(.system, actor: "").respond(to: request, cookies: cookies)
    guard case .signIn(let page) = answer.page else { return nil }
    return try transaction.store.read(ExternalClient.self, .externalClient, page.clientID.lowercased())
  }

  /// The page that waits, or the answer once there is one. Nothing is written.
  func page(for request: HTTPRequest) throws -> ServedAnswer {
    let key = PendingSignIns.key(id: request.query["id"] ?? "")
    guard let pending = try waiting.pending(key: key) else {
      let page = ErrorPage(
        aadsts: AADSTSCode.signInTookTooLong.number,
        message: "AADSTS50089: This sign-in has expired. Start it again in the program.",
        correlationID: transaction.random.uuid())
      return ServedAnswer(
        answer: ProviderResponse(.page(404), page: .error(page)), client: "",
        result: "404 sign-in has expired")
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

  /// Keeps a sign-in until somebody at a terminal answers it.
  /// - Returns: the ID by which the browser asks for the answer.
  func keep(
    _ request: HTTPRequest, cookies: [NameValue], client: ExternalClient, scopes: [String]
  ) throws -> String {
    for key in try waiting.excess() { try transaction.store.delete(.pendingSignIn, key) }
    // The other device's code names its sign-in: the person who types it meets the one that waits already.
    let id = request.userCode ?? Base64URL.encode(transaction.random.bytes(24))
    let key = PendingSignIns.key(id: id)
    if try waiting.pending(key: key) == nil {
      let number = String(10 + transaction.random.bytes(2).reduce(0) { $0 * 256 + Int($1) } % 90)
      let pending = PendingSignIn(
        request: request, cookies: cookies, client: client, scopes: scopes, number: number,
        seed: transaction.random.source.next(), askedAt: transaction.now)
      try transaction.store.write(pending, .pendingSignIn, key)
    }
    return id
  }
}

/// Stops an exchange whose next step is a person's.
struct NeedsTerminal: Error {}
