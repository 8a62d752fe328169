import SSOCore
import SSOReference
import Testing

@testable import SSOProvider
@testable import SSOServer

@Suite struct PageTests {
  private static let hostile = "<script>alert(1)</script>\"'&\u{1B}[31m\u{202E}"

  private func signIn(_ asks: SignInPage.Ask, session: [String] = []) -> Page {
    .signIn(
      SignInPage(
        tenantName: Self.hostile, appName: Self.hostile, clientID: Self.hostile,
        redirectURI: "http://localhost:4242/cb", username: Self.hostile, asks: asks, failure: Self.hostile,
        accountsInSession: session, flowID: Self.hostile))
  }

  private var pages: [Page] {
    [
      signIn(.username), signIn(.username, session: [Self.hostile]), signIn(.password),
      signIn(.verification("42")),
      .consent(
        ConsentPage(
          appName: Self.hostile, clientID: Self.hostile, publisher: Self.hostile, username: Self.hostile,
          scopes: [ConsentScope(scope: Self.hostile, meaning: Self.hostile, alreadyGranted: true)],
          flowID: Self.hostile, question: Self.hostile)),
      .deviceCode(DeviceCodePage(userCode: Self.hostile, failure: Self.hostile)),
      .notice(NoticePage(title: Self.hostile, message: Self.hostile)),
      .error(
        ErrorPage(
          OAuthError(.invalidRequest, Self.hostile, aadsts: .redirectURINotRegistered),
          correlationID: Self.hostile)),
    ]
  }

  @Test func nothingThatIsShownBecomesMarkup() {
    for page in pages {
      let html = Document(page, tenant: Self.hostile).html
      #expect(!html.contains("<script"))
      #expect(!html.contains("\u{1B}"))
      #expect(!html.contains("\u{202E}"))
      #expect(
        html.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&lt;U+001B&gt;[31m&lt;U+202E&gt;")
      )
    }
  }

  /// Text beside a name in Hebrew or Arabic keeps its place, and a value that the browser sends back contains no marks.
  @Test func aRightToLeftNameIsIsolatedWhereAPersonReadsIt() {
    let name = "דוד"
    let page = SignInPage(
      tenantName: "Contoso", appName: "Mail", clientID: "c1", redirectURI: "", username: name,
      asks: .password,
      failure: nil, accountsInSession: [], flowID: "f")
    let html = Document(.signIn(page), tenant: "common").html
    #expect(html.contains("<p>Contoso: <strong>\u{2068}\(name)\u{2069}</strong></p>"))
    #expect(html.contains("value=\"\(name)\""))
    #expect(html.contains("<strong>Mail</strong>"))
  }

  @Test func everyPageIsWholeAndRunsNoScript() {
    for page in pages {
      let document = Document(page, tenant: "common")
      #expect(document.html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
      #expect(document.html.components(of: "<h1>") == 1)
      #expect(document.html.contains("prefers-color-scheme: dark"))
      #expect(document.contentSecurityPolicy.hasPrefix("default-src 'none'; style-src 'sha256-"))
      #expect(!document.contentSecurityPolicy.contains("unsafe"))
    }
  }

  @Test func everyInputHasALabel() {
    for page in pages {
      let html = Document(page, tenant: "common").html
      let typed = html.components(of: "<input id=")
      #expect(html.components(of: "<label for=") == typed)
    }
  }

  @Test(arguments: [
    ("http://localhost:4242/cb?x=1", "http://localhost:4242"), ("http://[::1]:4242/cb", "http:"),
    ("https://app.example/cb", "https://app.example"),
    ("msauth.com.contoso.app://auth", "msauth.com.contoso.app:"),
    ("urn:ietf:wg:oauth:2.0:oob", "urn:"), ("https://a;script-src *", ""), ("nonsense", ""), ("", ""),
  ])
  func aFormMayLeadToTheRedirectURIAndNothingElse(_ redirectURI: String, _ target: String) {
    #expect(Document.formTarget(redirectURI) == target)
  }

  /// A browser treats the redirect after a form as the form's target.
  @Test func theConsentPageLeadsToItsAppToo() {
    let page = ConsentPage(
      appName: "A", clientID: "c", publisher: "P", username: "u", scopes: [], flowID: "f",
      redirectURI: "https://app.example/cb")
    let policy = Document(.consent(page), tenant: "common").contentSecurityPolicy
    #expect(policy.hasSuffix("form-action 'self' https://app.example"))
  }
}

extension String {
  /// Returns how often `part` occurs.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
