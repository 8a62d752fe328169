import Foundation

@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider
@testable import SSOTermApp

extension Sample {
  /// A stand-in for `TokenDetail`, which only the lab can initialise.
  ///
  /// It is converted through JSON, as for `--json`.
  private struct Mirror: Encodable {
    var row: TokenRow
    var header = "RS256 kid 2f"
    var claims = [
      TokenClaim(name: "aud", value: "https://graph.example", meaning: "who may use it"),
      TokenClaim(name: "scp", value: "User.Read Mail.Read", meaning: "granted scopes"),
    ]
    var lines = [NameValue("secret", masked(secret))]
  }

  static func detail(revealed: Bool) -> TokenDetail? {
    var mirror = Mirror(row: tokens[0])
    if revealed { mirror.row.secret = secret }
    return try? JSONDecoder().decode(TokenDetail.self, from: JSONEncoder().encode(mirror))
  }

  static let groups = [
    KeychainGroupRow(
      accessGroup: group,
      readers: [
        KeychainGroupRow.Reader(bundleID: "com.contoso.mail", displayName: "Mail", isConfigured: true),
        KeychainGroupRow.Reader(bundleID: "com.contoso.files", displayName: "Files", isConfigured: false),
      ], outsiders: ["Chat: another team"], itemCount: 2)
  ]

  static let items = ["access token", "refresh token"].enumerated().map { index, kind in
    KeychainItemRow(
      id: Int64(index + 1),
      key: KeychainKey(
        accessGroup: group, account: home, service: "accesstoken-\(client)-a3be859b-user.read"),
      generic: nil, type: 2001, kind: kind, username: "ada@contoso.com",
      standing: TokenStanding(.valid, secondsLeft: 3552), size: 2100, createdAt: now, modifiedAt: now)
  }

  static let hops = [
    Hop(from: .person, to: .app, actor: "Mail", action: "tap Sign in"),
    Hop(from: .sdk, to: .keychain, actor: "Mail", action: "read account", result: "no item"),
    Hop(
      from: .sdk, to: .broker, actor: "Mail", action: "openURL msauthv3://broker",
      checks: [passed, failed]),
    Hop(
      from: .broker, to: .provider, action: "POST /token", result: "200",
      sent: [NameValue("grant_type", "jwt-bearer"), NameValue("client_id", client)]),
    Hop(from: .sdk, to: .app, action: "result", result: "ada@contoso.com"),
  ]

  static let traces = [
    TraceSummary(
      id: 2, title: "Mail: sign in", correlationID: "7f1c22e2-aaaa-4bbb-8ccc-dddddddddddd", at: now,
      verdict: "succeeded", summary: "Signed in as ada@contoso.com through the broker.", hopCount: 5),
    TraceSummary(
      id: 1, title: "Chat: silent", correlationID: "11111111-aaaa-4bbb-8ccc-dddddddddddd", at: now,
      verdict: "failed", summary: "No token matching arguments found in the cache", hopCount: 3),
  ]

  static let trace = Trace(
    summary: traces[0], hops: hops,
    outcome: Outcome(.succeeded, "Signed in as ada@contoso.com through the broker."))

  static func picker(_ presentation: AccountPicker.Presentation) -> AccountPicker {
    let names: [(String, String, PickerCandidate.State, String)] = [
      ("Ada Lovelace", "ada@contoso.com", .ready, "no password"),
      ("Ada (guest)", "ada@fabrikam.example", .expired, "needs password"),
      ("Grace Hopper", "grace@outlook.example", .signedOut, "personal"),
      ("漢字 太郎", "taro@contoso.com", .blocked, "blocked by policy"),
    ]
    return AccountPicker(
      appName: "Mail", bundleID: "com.contoso.mail", clientID: client,
      redirectURI: "msauth.com.contoso.mail://auth", sdk: "MSAL 1.5.1", scopes: ["User.Read", "Mail.Read"],
      prompt: "select_account", loginHint: "ada@contoso.com", callerCheck: passed,
      candidates: names.map { name, user, state, remark in
        PickerCandidate(
          homeAccountID: user, displayName: name, username: user, tenantName: "Contoso", state: state,
          remark: remark, isHinted: user == "ada@fabrikam.example",
          shownBecause: "the broker on this device holds its primary refresh token",
          lastUse: state == .ready ? LastUse(at: now, app: "Mail", secondsAgo: 300) : nil)
      }, presentation: presentation, reason: "The app asked for select_account.")
  }

  static func signIn(_ ask: SignInPage.Ask, failure: String? = nil) -> SignInPage {
    SignInPage(
      tenantName: "Contoso", appName: "Mail", clientID: client, redirectURI: "msauth.com.contoso.mail://auth",
      username: ask == .username ? "" : "ada@contoso.com", asks: ask, failure: failure,
      accountsInSession: ["ada@contoso.com", "bob@contoso.com"], flowID: "flow")
  }

  static let consent = ConsentPage(
    appName: "Mail", clientID: client, publisher: "contoso.com (verified)", username: "ada@contoso.com",
    scopes: [
      ConsentScope(scope: "User.Read", meaning: "Read your profile", alreadyGranted: true),
      ConsentScope(scope: "Mail.Read", meaning: "Read your mail", alreadyGranted: false),
    ], flowID: "flow")

  static let errorPage = ErrorPage(
    aadsts: 50011, message: "AADSTS50011: The redirect URI does not match the ones registered.",
    correlationID: "7f1c22e2-aaaa-4bbb-8ccc-dddddddddddd")

  static let radius = BlastRadius(
    title: "Sign ada@contoso.com out of Mail",
    losses: [
      BlastRadius.Loss(app: "Mail", effect: "is signed out", losesSignIn: true),
      BlastRadius.Loss(app: "Files", effect: "loses the family refresh token", losesSignIn: false),
    ], itemCount: 3)

  static let intent = AnyIntent(
    SignIn(app: "com.contoso.mail", account: nil, scopes: [], prompt: .whenRequired))

  /// Returns a model with everything loaded, on one screen.
  static func model(_ place: Place = .apps, _ size: Size = Size(width: 80, height: 24)) -> AppModel {
    var model = AppModel(title: "~/.local/share/ssoterm/store.sqlite", size: size)
    model.stack = place == .trace(2) ? [.traces, place] : [place]
    for loaded: Loaded in [
      .status(status), .apps(apps), .accounts(accounts), .tokens(tree), .traces(traces),
      .groups(groups),
      .items(group: group, items), .trace(trace),
      .detail(detail(revealed: false), revealed: false),
    ] { _ = update(&model, .loaded(loaded)) }
    return model
  }

  static func prompt(_ prompt: Prompt) -> AppModel {
    var model = model()
    _ = update(&model, .performed(intent, answers: [], .needs(prompt, hopsSoFar: Array(hops.prefix(3)))))
    return model
  }
}
