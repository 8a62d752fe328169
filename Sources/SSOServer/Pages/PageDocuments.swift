import SSOCore
import SSOLab
import SSOProvider

extension Document {
  /// Creates the HTML of one of the provider's pages.
  ///
  /// Its forms post to the requested tenant. Fields and buttons have the element IDs of Entra's pages, so that a script
  /// that fills in Entra's pages fills in these.
  init(_ page: Page, tenant: String) {
    switch page {
    case .signIn(let page): self.init(page, tenant: tenant)
    case .consent(let page): self.init(page, tenant: tenant)
    case .error(let page): self.init(page)
    case .deviceCode(let page): self.init(page)
    case .notice(let page): self.init(page)
    }
  }

  private init(_ page: SignInPage, tenant: String) {
    let action = "/\(tenant)/login"
    let flow: Markup = "<input type=\"hidden\" name=\"flow\" value=\"\(page.flowID)\">"
    let cancel: Markup =
      "<button class=\"plain\" id=\"idBtn_Back\" name=\"cancel\" value=\"1\" formnovalidate>Cancel</button>"
    let forgot: Markup? =
      page.offersPasswordReset == true
      ? "<button class=\"plain\" id=\"forgotPassword\" name=\"forgot\" value=\"1\" formnovalidate>Forgot your password?</button>"
      : nil
    let failure: Markup? = page.failure.map { "<p class=\"bad\" role=\"alert\" id=\"failure\">\($0)</p>" }
    let asker: Markup = """
      <p>to continue to <strong>\(page.appName)</strong></p>
      <dl><dt>Client ID</dt><dd>\(page.clientID)</dd><dt>Redirect URI</dt>
      <dd>\(page.redirectURI.isEmpty ? "another device" : page.redirectURI)</dd></dl>
      """
    let targets = [Self.formTarget(page.redirectURI)]
    switch page.asks {
    case .username:
      let tiles: [Markup] = page.accountsInSession.map {
        """
        <form method="post" action="\(action)">\(flow)<button class="tile" name="username" value="\($0)">\($0)\
        <small>Signed in, no password</small></button></form>
        """
      }
      let heading = tiles.isEmpty ? "Sign in" : "Choose an account"
      self.init(
        heading, formTargets: targets,
        """
        \(asker)\(failure)\(tiles)
        <form method="post" action="\(action)">\(flow)
        <label for="i0116">\(tiles.isEmpty ? "Username" : "Use another account")</label>
        <input id="i0116" name="username" type="text" inputmode="email" autocomplete="username" spellcheck="false" \
        autocapitalize="none" required value="\(page.username)">
        <div class="row"><button id="idSIButton9">Next</button>\(cancel)\(forgot)</div></form>
        """)
    case .password:
      self.init(
        "Enter password", formTargets: targets,
        """
        <p>\(page.tenantName): <strong>\(page.username)</strong></p>\(asker)\(failure)
        <form method="post" action="\(action)">\(flow)<input type="hidden" name="username" value="\(page.username)">
        <label for="i0118">Password</label>
        <input id="i0118" name="password" type="password" autocomplete="current-password" required autofocus>
        <div class="row"><button id="idSIButton9">Sign in</button>\(cancel)\(forgot)</div></form>
        """)
    case .verification(let number):
      self.init(
        "Approve sign-in", formTargets: targets,
        """
        <p><strong>\(page.username)</strong></p>\(asker)\(failure)
        <p>Open your Authenticator app, and enter the number shown here to sign in.</p>
        <p class="number">\(number)</p>
        <form method="post" action="\(action)">\(flow)<input type="hidden" name="username" value="\(page.username)">
        <label for="number">Number (this field takes the place of Authenticator)</label>
        <input id="number" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" required autofocus>
        <div class="row"><button id="idSIButton9">Approve</button>\(cancel)</div></form>
        """)
    }
  }

  private init(_ page: ConsentPage, tenant: String) {
    let scopes: [Markup] = page.scopes.map {
      let state: Markup = $0.alreadyGranted ? " <small>granted before</small>" : ""
      return "<li>\($0.meaning) <small>\($0.scope)</small>\(state)</li>"
    }
    let question: Markup? = page.question.map { "<p><strong>\($0)</strong></p>" }
    self.init(
      "Permissions requested", formTargets: [Self.formTarget(page.redirectURI ?? "")],
      """
      <p><strong>\(page.appName)</strong> by \(page.publisher) would like to, as <strong>\(page.username)</strong>:</p>
      <ul>\(scopes)</ul>\(question)
      <dl><dt>Client ID</dt><dd>\(page.clientID)</dd></dl>
      <form method="post" action="\("/\(tenant)/consent")">
      <input type="hidden" name="flow" value="\(page.flowID)">
      <div class="row"><button id="idSIButton9" name="accept" value="1">Accept</button>
      <button class="plain" id="idBtn_Back" name="cancel" value="1">Cancel</button></div></form>
      """)
  }

  private init(_ page: DeviceCodePage) {
    let failure: Markup? = page.failure.map { "<p class=\"bad\" role=\"alert\">\($0)</p>" }
    self.init(
      "Enter code",
      """
      <p>A program on another device or in a terminal shows a code. Continue only if you started it.</p>\(failure)
      <form method="post" action="/common/oauth2/deviceauth">
      <label for="code">Code</label>
      <input id="code" name="user_code" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" \
      maxlength="40" required autofocus value="\(page.userCode)">
      <div class="row"><button>Next</button></div></form>
      """)
  }

  private init(_ page: ErrorPage) {
    self.init(
      "Sorry, but we’re having trouble signing you in",
      """
      <p class="bad" role="alert">\(page.message)</p>
      <dl><dt>Correlation ID</dt><dd>\(page.correlationID)</dd></dl>
      <p>The app receives no answer: close this page and go back to it.</p>
      """)
  }

  /// Creates a notice page.
  ///
  /// Browsers start its timer once the frames are loaded (HTML, "shared declarative refresh steps").
  private init(_ page: NoticePage) {
    let frames = page.frames ?? []
    let loaded: [Markup] = frames.map { "<iframe hidden src=\"\($0)\" title=\"An app signs out\"></iframe>" }
    let link: Markup? = page.next.map { "<p><a href=\"\($0)\">Back to the app</a></p>" }
    self.init(
      page.title, frameSources: frames.map(Self.formTarget).filter { !$0.isEmpty },
      refreshSeconds: page.next == nil ? nil : 0, next: page.next, "<p>\(page.message)</p>\(link)\(loaded)")
  }

  /// Creates the page that is shown while the user answers in a terminal.
  ///
  /// It reloads automatically until there is an answer.
  init(_ waiting: WaitingPage, url: String) {
    self.init(
      "Answer in the terminal", refreshSeconds: 2,
      """
      <p><strong>\(waiting.client)</strong> wants to sign you in. The terminal in which <code>ssoterm</code> runs asks \
      who you are.</p>
      <p>Answer there only if it shows this number:</p>
      <p class="number">\(waiting.number)</p>
      <p>This page continues automatically; if not, <a href="\(url)">check for the answer</a>.</p>
      """)
  }

  static func welcome(origin: String) -> Document {
    Document(
      "An identity provider for a lab",
      """
      <p>Programs sign in here as they would at Entra. Its addresses:</p>
      <dl><dt>Authority</dt><dd>\(origin)/common</dd>
      <dt>Discovery</dt><dd><a href="/common/v2.0/.well-known/openid-configuration">openid-configuration</a></dd></dl>
      <p><code>ssoterm serve env</code> prints what a program needs.</p>
      """)
  }

  /// Returns the content security policy's source for a redirect URI.
  ///
  /// This is its origin, or its scheme if the scheme is an app's, or if the host is an IPv6 address, which a policy
  /// cannot contain (CSP 3 §2.3.1).
  static func formTarget(_ redirectURI: String) -> String {
    guard let parts = URLParts(redirectURI) else { return "" }
    let isWeb = parts.scheme == "http" || parts.scheme == "https"
    let target = isWeb && !parts.host.hasPrefix("[") ? parts.origin : parts.scheme + ":"
    let isPlain = target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3B && $0 != 0x2C && $0 != 0x27 }
    return isPlain ? target : ""
  }
}
