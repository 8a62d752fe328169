import SSOCore
import SSODevice
import SSOProvider

extension Stage {
  /// A web session: follows the provider's pages with the person's answers until the redirect URI is reached (claims E3, E4).
  ///
  /// - Parameter jar: whose cookies: Safari's, an app's own, or the broker's.
  func browse(
    _ first: HTTPRequest, jar: String, by caller: Party, actor: String,
    presenting credentials: [NameValue] = []
  ) throws -> WebResult {
    let key = device.id + "/" + jar
    let kept = try transaction.read([SentCookie].self, .browserSession, key)?.map(\.field) ?? []
    var cookies = kept
    let answer = try follow(first, cookies: &cookies, by: caller, actor: actor, presenting: credentials)
    if cookies != kept { try transaction.write(cookies.map(SentCookie.init), .browserSession, key) }
    if let location = answer.http.location { return .redirected(location) }
    switch answer.page {
    case .error(let page): return .cancelled(page: page.message)
    case .notice(let page): return .cancelled(page: page.message)
    case nil where answer.http.status == 0: return .cancelled(page: "The server cannot be reached.")
    case nil: return .cancelled(page: "status \(answer.http.status)")
    default: return .cancelled(page: nil)
    }
  }

  /// Sends a request and, while a page comes back, the person's answer to it. The last answer has no page, unless the
  /// person closed it.
  ///
  /// - Parameters:
  ///   - cookies: the browser's; those that are set on the way are added.
  ///   - credentials: cookies that are shown each time and not kept.
  func follow(
    _ first: HTTPRequest, cookies: inout [NameValue], by caller: Party, actor: String,
    presenting credentials: [NameValue] = []
  ) throws -> ProviderResponse {
    let answer = try provider(caller, actor: actor).respond(to: first, cookies: credentials + cookies)
    return try goOn(
      from: answer, to: first, cookies: &cookies, by: caller, actor: actor, presenting: credentials)
  }

  /// The same from an answer that is there already.
  func goOn(
    from first: ProviderResponse, to asked: HTTPRequest, cookies: inout [NameValue], by caller: Party,
    actor: String, presenting credentials: [NameValue] = []
  ) throws -> ProviderResponse {
    var (answer, request) = (first, asked)
    // More pages than any sign-in has; a provider that never ends is cut off.
    for _ in 0..<40 {
      for cookie in answer.setCookies {
        cookies.removeAll { $0.name == cookie.name }
        cookies.append(cookie)
      }
      guard let page = answer.page, let next = try answered(page, request, actor: actor) else { break }
      request = next
      answer = try provider(caller, actor: actor).respond(to: request, cookies: credentials + cookies)
    }
    return answer
  }

  /// The form that the person's answer posts; nil: the person closed the page.
  private func answered(_ page: Page, _ request: HTTPRequest, actor: String) throws -> HTTPRequest? {
    guard let prompt = Prompt(page) else { return nil }
    let answer = try ask(prompt)
    trace.add(.person, .provider, actor: actor, prompt.words, result: answer.words)
    func post(_ path: String, _ flow: String, _ fields: [NameValue]) -> HTTPRequest {
      let tenant = request.path.split(separator: "/").first.map(String.init) ?? "common"
      return HTTPRequest(
        "POST", origin: request.origin, path: "/\(tenant)/\(path)", headers: request.headers,
        form: [NameValue("flow", flow)] + fields)
    }
    switch (page, answer) {
    case (.error, _): return nil
    case (.signIn(let page), .cancel): return post("login", page.flowID, [NameValue("cancel", "1")])
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

/// A cookie as it is kept.
struct SentCookie: Codable {
  var field: NameValue
  init(_ field: NameValue) { self.field = field }
}

extension Prompt {
  /// Nil for the pages that no app of the device leads to.
  init?(_ page: Page) {
    switch page {
    case .signIn(let page): self = .signIn(page)
    case .consent(let page): self = .consent(page)
    case .error(let page): self = .errorPage(page)
    case .deviceCode, .notice: return nil
    }
  }

  /// A few words for the trace.
  var words: String {
    switch self {
    case .chooseAccount: "choose an account"
    case .signIn(let page):
      switch page.asks {
      case .username: "asked for the username"
      case .password: "asked for the password of \(page.username)"
      case .verification: "asked for the number"
      }
    case .consent: "asked for consent"
    case .errorPage(let page): "error page AADSTS\(page.aadsts)"
    }
  }
}

extension Answer {
  /// A few words for the trace; never a secret.
  var words: String {
    switch self {
    case .account(let id): id
    case .useAnotherAccount: "use another account"
    case .username(let name): name
    case .password: "password entered"
    case .verification: "number entered"
    case .accept: "accepted"
    case .cancel: "cancelled"
    }
  }
}
