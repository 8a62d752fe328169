import SSOCore
import SSODevice
import SSOProvider
import SSOReference
import SSOStore

/// Approval at a terminal as the browser sees it: a page waits until the user has answered at the terminal.
struct TerminalApproval {
  let transaction: IntentTransaction

  private var waiting: PendingSignIns {
    PendingSignIns(documents: transaction.store, now: transaction.now)
  }

  /// Returns the provider's response.
  ///
  /// If it is a page that prompts the user, nothing is written.
  ///
  /// A sign-in that began on a browser's pages continues there.
  ///
  /// - Throws: `NeedsTerminal` for a page that prompts.
  func answer(
    _ request: HTTPRequest, _ cookies: [NameValue], by sender: Party, _ client: ExternalClient?
  ) throws -> ProviderResponse {
    let answer = try transaction.provider(sender, actor: client?.displayName ?? "").respond(
      to: request, cookies: cookies)
    let asks =
      switch answer.page {
      case .signIn, .consent: true
      default: false
      }
    if asks, request.route != .login { throw NeedsTerminal() }
    return answer
  }

  /// Redirects the browser to the waiting page.
  func start(for served: ServedRequest) throws -> ServedAnswer {
    let (request, cookies) = (served.http, served.cookies)
    guard let client = try asker(request, cookies) else {
      throw OAuthError(
        .unauthorizedClient, "The client ID of the sign-in is not registered.", aadsts: .clientNotFound)
    }
    let isKnown = BrowserBinding.browser(of: cookies) != nil
    let new = isKnown ? [] : [BrowserBinding.newCookie(transaction.random)]
    let id = try keep(request, cookies: cookies + new, client: client, machine: served.browserMachine)
    var response = ProviderResponse(
      HTTPResponse(
        303,
        headers: [
          NameValue("Location", WaitingPage.path + "?id=" + FormEncoding.encode(id)),
          NameValue("Cache-Control", "no-store"),
        ]))
    response.set(new)
    return ServedAnswer(
      answer: response, client: client.displayName, result: "303 waits for the terminal", startsWaiting: true)
  }

  /// Returns the client in the request, or the client of the page that the request leads to.
  private func asker(_ request: HTTPRequest, _ cookies: [NameValue]) throws -> ExternalClient? {
    if let client = try RequestHandler(transaction: transaction).noteClient(of: request) { return client }
    let answer = try transaction.provider(.system, actor: "").respond(to: request, cookies: cookies)
    guard case .signIn(let page) = answer.page else { return nil }
    return try transaction.store.read(ExternalClient.self, .externalClient, page.clientID.lowercased())
  }

  /// Returns the waiting page, or the response once there is one.
  ///
  /// The waiting browser gets the response only once.
  func page(for request: HTTPRequest, cookies: [NameValue]) throws -> ServedAnswer {
    let key = PendingSignIns.key(id: request.query["id"] ?? "")
    guard let pending = try waiting.pending(key: key), let browser = pending.browser,
      browser == BrowserBinding.browser(of: cookies)
    else {
      let page = ErrorPage(
        OAuthError(
          .invalidRequest, "This sign-in has expired. Start it again in the program.",
          aadsts: .signInTookTooLong),
        correlationID: transaction.random.uuid())
      return ServedAnswer(
        answer: ProviderResponse(.page(404), page: .error(page)), client: "",
        result: "404 sign-in has expired")
    }
    let name = pending.client.displayName
    let isSeen = pending.seenAt.map { $0.seconds(until: transaction.now) < PendingSignIn.seenPrecision }
    if pending.answer == nil, isSeen != true {
      var seen = pending
      seen.seenAt = transaction.now
      try transaction.store.write(seen, .pendingSignIn, key)
    }
    if let answer = pending.answer, request.method == "GET" {
      try transaction.store.delete(.pendingSignIn, key)
      return ServedAnswer(
        answer: answer, client: name, result: "\(answer.http.status) answered in a terminal")
    }
    return ServedAnswer(
      answer: ProviderResponse(.page(200)), client: name, result: "200 waits",
      waiting: WaitingPage(client: name, number: pending.number))
  }

  private func scopes(of request: HTTPRequest) throws -> [String] {
    try request.userCode.map { try transaction.provider(.system, actor: "").scopes(ofUserCode: $0) }
      ?? request.requestedScopes.all
  }

  /// Saves a sign-in until a user at a terminal answers it.
  ///
  /// - Returns: The ID with which the browser polls for the response.
  private func keep(
    _ request: HTTPRequest, cookies: [NameValue], client: ExternalClient, machine: Machine?
  ) throws -> String {
    let id = Base64URL.encode(transaction.random.bytes(24))
    let browser = BrowserBinding.browser(of: cookies)
    let number = String(10 + transaction.random.bytes(2).reduce(0) { $0 * 256 + Int($1) } % 90)
    let pending = PendingSignIn(
      request: request, cookies: cookies, client: client, scopes: try scopes(of: request),
      number: browser == nil ? "" : number, random: Randomness(key: transaction.random.bytes(32)),
      browser: browser, askedAt: transaction.now, machine: machine)
    for key in try waiting.excess(for: pending) { try transaction.store.delete(.pendingSignIn, key) }
    try transaction.store.write(pending, .pendingSignIn, PendingSignIns.key(id: id))
    return id
  }

  /// Saves a device code when it is issued, because a user at a terminal may approve it without a browser.
  func keep(deviceCode approval: HTTPRequest, for client: ExternalClient, machine: Machine?) throws {
    _ = try keep(approval, cookies: [], client: client, machine: machine)
  }
}

/// An error that stops an exchange whose next step is the user's.
struct NeedsTerminal: Error {}

/// The way to answer the pages of an external client's sign-in.
package enum Approval: Hashable, Sendable {
  /// A user answers at a terminal while the browser's page waits.
  case terminal
  /// A user answers in the browser, on HTML pages.
  case browser
  /// The lab signs this user in without any prompt, for scripts.
  case automatic(username: String)

  var isAutomatic: Bool { if case .automatic = self { true } else { false } }
}

/// The account picker of an external client's sign-in that waits for the terminal.
struct WaitingPicker {
  let reader: LabReader

  /// Returns "Choose an account" for an external client: the users signed in to its browser, the broker's
  /// accounts, and the lab's other users.
  func picker(for pending: PendingSignIn, _ page: SignInPage) throws -> AccountPicker {
    let directory = reader.directory
    let hint = pending.request.field("login_hint")
    var candidates = try page.accountsInSession.compactMap { name in
      try directory.person(username: name).map {
        try candidate($0, .ready, "signed in to this browser", hint, "it is signed in to this browser")
      }
    }
    for held in try reader.brokerAccounts() { candidates.append(held.candidate(at: reader.now, hint: hint)) }
    candidates += try people(hint: hint)
    var seen: Set<String> = []
    candidates = candidates.filter { seen.insert($0.homeAccountID).inserted }
    var picker = AccountPicker(
      appName: pending.client.displayName, bundleID: pending.client.clientID,
      clientID: pending.client.clientID,
      redirectURI: pending.userCode.map { "none, it is for the device that shows \($0)" } ?? page.redirectURI,
      sdk: pending.client.programWords, scopes: pending.scopes, prompt: pending.request.field("prompt"),
      loginHint: hint,
      callerCheck: Check(
        "who asks", expected: "a bundle ID from the system",
        found: "not verified: any program may use this client ID", verdict: .skipped, source: "RFC 8252 §8.6"),
      candidates: candidates.filter(\.isHinted) + candidates.filter { !$0.isHinted }, presentation: .overlay,
      reason: pending.isUntyped
        ? "Compare its code with the program's." : "Its page shows \(pending.number).")
    picker.comparesCode = pending.isUntyped
    return picker
  }

  /// Returns the users of the lab, up to the limit of the picker.
  func people(hint: String?) throws -> [PickerCandidate] {
    try reader.directory.people().prefix(Self.pickerLimit).map {
      try candidate(
        $0, $0.isDisabled ? .blocked : .signedOut, $0.isDisabled ? "disabled" : "", hint,
        "it is a user of this lab's directory")
    }
  }

  /// The maximum number of users in the picker.
  ///
  /// Others are reached with "use another account".
  private static let pickerLimit = 200

  private func candidate(
    _ person: DirectoryUser, _ state: PickerCandidate.State, _ remark: String, _ hint: String?,
    _ shownBecause: String
  ) throws -> PickerCandidate {
    PickerCandidate(
      homeAccountID: person.clientInfo.homeAccountID, displayName: person.displayName,
      username: person.username,
      tenantName: try reader.directory.tenant(byNameOrID: person.homeTenantID)?.displayName
        ?? person.homeTenantID, state: state, remark: remark,
      isHinted: hint?.lowercased() == person.username.lowercased(), shownBecause: shownBecause)
  }
}
