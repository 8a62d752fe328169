import SSOCore
import SSODevice
import SSOProvider
import SSOStore

/// A web session, which follows the provider's pages with the user's answers until a redirect (claims E3,
/// E4).
struct WebSession {
  private let transaction: IntentTransaction
  private let caller: Party
  private let actor: String
  /// The cookies that are sent each time but not stored.
  private let credentials: [NameValue]
  /// Whether the user answers in a terminal instead of on pages in a browser.
  ///
  /// The trace then has the answers, but no requests.
  private let isInTerminal: Bool

  /// Creates a session without a page.
  ///
  /// `actor` displays the pages and appears in the trace.
  init(
    _ transaction: IntentTransaction, by caller: Party, actor: String,
    presenting credentials: [NameValue] = [], isInTerminal: Bool = false
  ) {
    self.isInTerminal = isInTerminal
    self.transaction = transaction
    self.caller = caller
    self.actor = actor
    self.credentials = credentials
  }

  /// Follows the pages from a first request to their end.
  ///
  /// `jar` identifies the cookies to use: the system browser's, an app's own, or the broker's. If it is
  /// `nil`, cookies are neither sent nor stored.
  func browse(_ first: HTTPRequest, jar: String?) throws -> WebResult {
    let key = jar.map { transaction.device.id + "/" + $0 }
    let read = try key.flatMap { try transaction.store.read([SentCookie].self, .browserSession, $0) }
    let kept = read?.map(\.field) ?? []
    var cookies = kept
    let answer = try follow(first, cookies: &cookies)
    if let key, cookies != kept {
      try transaction.store.write(cookies.map(SentCookie.init), .browserSession, key)
    }
    if let location = answer.http.location { return .redirected(location) }
    switch answer.page {
    case .error(let page): return .cancelled(page: page.message)
    case .notice(let page): return .cancelled(page: page.message)
    case nil where answer.http.status == 0: return .cancelled(page: "The server cannot be reached.")
    case nil: return .cancelled(page: "status \(answer.http.status)")
    default: return .cancelled(page: nil)
    }
  }

  /// Sends a request and, as long as the response is a page, the user's answer to it.
  ///
  /// The last response is not a page, unless the user closed it. `cookies` are the browser's; cookies that
  /// responses set are added.
  func follow(_ first: HTTPRequest, cookies: inout [NameValue]) throws -> ProviderResponse {
    try goOn(from: respond(to: first, cookies), to: first, cookies: &cookies)
  }

  /// Follows the pages from an existing response.
  func goOn(
    from first: ProviderResponse, to asked: HTTPRequest, cookies: inout [NameValue]
  ) throws -> ProviderResponse {
    var (answer, request) = (first, asked)
    // No sign-in has more pages. This stops a provider that never ends.
    for _ in 0..<40 {
      for cookie in answer.setCookies {
        cookies.removeAll { $0.name == cookie.name }
        cookies.append(cookie)
      }
      guard let page = answer.page, let next = try answered(page, request) else { break }
      request = next
      answer = try respond(to: request, cookies)
    }
    return answer
  }

  private func respond(to request: HTTPRequest, _ cookies: [NameValue]) throws -> ProviderResponse {
    let answer = try transaction.provider(caller, actor: actor).respond(
      to: request, cookies: credentials + cookies)
    if isInTerminal { transaction.trace.joinLastTwo() }
    return answer
  }

  /// Returns the form that the user's answer posts, or `nil` if the user closed the page.
  private func answered(_ page: Page, _ request: HTTPRequest) throws -> HTTPRequest? {
    guard let prompt = Prompt(page), transaction.automaticApprover?.leaves(page) != true else { return nil }
    let answer = try transaction.ask(prompt)
    transaction.trace.add(.person, .provider, actor: actor, prompt.displayText, result: answer.displayText)
    func post(_ path: String, _ flow: String, _ fields: [NameValue]) -> HTTPRequest {
      let tenant = request.path.split(separator: "/").first.map(String.init) ?? "common"
      // The provider's own page sends the form, wherever the browser came from.
      let headers = request.headers.filter { !["origin", "sec-fetch-site"].contains($0.name.lowercased()) }
      return HTTPRequest(
        "POST", origin: request.origin, path: "/\(tenant)/\(path)", headers: headers,
        form: [NameValue("flow", flow)] + fields)
    }
    switch (page, answer) {
    case (.error, _): return nil
    case (.signIn(let page), .cancel): return post("login", page.flowID, [NameValue("cancel", "1")])
    case (.signIn(let page), .forgotPassword): return post("login", page.flowID, [NameValue("forgot", "1")])
    case (.signIn(let page), .username(let name)):
      return post("login", page.flowID, [NameValue("username", name)])
    case (.signIn(let page), .password(let word)):
      return post(
        "login", page.flowID, [NameValue("username", page.username), NameValue("password", word)])
    case (.signIn(let page), .verification(let code)):
      return post("login", page.flowID, [NameValue("username", page.username), NameValue("code", code)])
    case (.consent(let page), .accept): return post("consent", page.flowID, [NameValue("accept", "1")])
    case (.consent(let page), _): return post("consent", page.flowID, [NameValue("cancel", "1")])
    default: return nil
    }
  }
}

extension IntentTransaction {
  /// Returns the page as the profile of the SSO extension changes it, if the profile admits the program.
  ///
  /// A prompt for a new sign-in may be replaced (broker.md §13(10)).
  func withoutExplicitPrompt(_ page: HTTPRequest, of bundleID: String?) -> HTTPRequest {
    guard let bundleID, let profile = device.ssoProfile, device.signsInPages(of: bundleID, at: page.origin)
    else { return page }
    let asked = page.query["prompt"]
    let prompt = (profile.extensionData ?? SSOProfile.ExtensionData()).prompt(asked, isOfPage: true)
    guard prompt != asked else { return page }
    var page = page
    page.query.removeAll { $0.name == "prompt" }
    if let prompt { page.query.append(NameValue("prompt", prompt)) }
    trace.add(
      .system, .broker, actor: bundleID, "apply the profile to prompt=\(asked ?? "")",
      result: prompt.map { "prompt=\($0)" } ?? "no prompt")
    return page
  }

  /// Returns the credential that the SSO extension adds to the pages of a program, if the profile admits the program.
  ///
  /// It belongs to the account that the page asks for, or else to the account that was used last (broker.md §13).
  func extensionCredentials(of bundleID: String?, for page: HTTPRequest) throws -> [NameValue] {
    guard let bundleID, device.signsInPages(of: bundleID, at: page.origin) else { return [] }
    let hint = page.query["login_hint"]?.lowercased()
    let account = try reader.brokerAccounts().first { account in
      account.blockedBecause == nil && account.expiresOn > now
        && (hint.map { $0 == account.username.lowercased() } ?? true)
    }
    trace.add(
      .system, .broker, actor: bundleID, "ask the SSO extension for \(page.origin)",
      result: account.map { "primary refresh token of \($0.username)" } ?? "no account")
    return account.map { [NameValue(SSOSessions.primaryRefreshTokenCookie, $0.primaryRefreshToken)] } ?? []
  }
}

/// The stored form of a cookie.
struct SentCookie: Codable {
  var field: NameValue
  init(_ field: NameValue) { self.field = field }
}
