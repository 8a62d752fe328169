import Foundation
import SSOReference
import TerminalUI

@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import SSOTermApp

/// Fixed rows for goldens and update tests: a suite of one vendor, an unrelated app, and a guest.
enum Sample {
  static let now = Instant(1_768_466_467)
  static let client = "4b0db8c2-9f26-4417-8bde-3f0e3656f8e0"
  static let home = "5d07a91c-0000-4000-8000-00000000ada1.a3be859b-0000-4000-8000-0000000c0de1"
  static let secret = "eyJhbGciOiJSUzI1NiJ9.SECRETSECRETSECRET.c2ln"
  static let group = "TEAM1.com.microsoft.adalcache"

  static let status = LabStatus(
    name: "contoso-suite", storePath: "/home/x/.local/share/ssoterm/store.sqlite", device: "iPhone",
    platform: "iOS", now: now, clockOffset: 3600, appCount: 5, accountCount: 2, credentialCount: 4,
    brokerInstalled: true, canUndo: "sign in", canRedo: nil)

  static let passed = Check(
    "Same keychain group", expected: group, found: group, true, source: "claim C1")
  static let failed = Check(
    "Same client ID", expected: client, found: "9c1e77aa-1111-4222-8333-444455556666", false,
    source: "claim C1")

  static func app(
    _ name: String, accounts: [String], access: TokenStatus, refresh: TokenStatus,
    next: Prediction.Kind, _ sentence: String
  ) -> AppRow {
    let isSilent = next != .prompt && next != .failure
    return AppRow(
      bundleID: "com.contoso.\(name.lowercased())", displayName: name, vendor: "Contoso", teamID: "TEAM1",
      sdk: "MSAL", sdkVersion: "1.5.1", clientID: client,
      redirectURI: "msauth.com.contoso.\(name.lowercased())://auth",
      accounts: accounts,
      accountCount: accounts.count, accessToken: access, refreshToken: refresh,
      target: accounts.isEmpty ? nil : "User.Read Mail.Read", familyID: nil, accessGroup: group,
      sharesGroupWith: ["Files", "Chat"].filter { $0 != name }, broker: "msauthv3 reachable",
      next: Prediction(kind: next, sentence: sentence, checks: isSilent ? [passed] : [passed, failed]))
  }

  static let apps = [
    app(
      "Mail", accounts: ["ada@contoso.com"], access: TokenStatus(.valid, secondsLeft: 3552),
      refresh: TokenStatus(.valid, secondsLeft: 89 * 86_400), next: .cache, "silent: cache, no network"),
    app(
      "Files", accounts: ["ada@contoso.com"], access: TokenStatus(.expiring, secondsLeft: 240),
      refresh: TokenStatus(.valid, secondsLeft: 89 * 86_400), next: .familyRefreshToken,
      "silent: family refresh token"),
    app(
      "Chat", accounts: ["ada@contoso.com"], access: TokenStatus(.expired, secondsLeft: -720),
      refresh: TokenStatus(.invalid), next: .prompt, "needs sign-in: the refresh token was revoked"),
    app(
      "漢字 太郎", accounts: [], access: TokenStatus(.none), refresh: TokenStatus(.none), next: .prompt,
      "needs sign-in: No token matching arguments found in the cache"),
    app(
      "Kiosk", accounts: [], access: TokenStatus(.none), refresh: TokenStatus(.none), next: .failure,
      "fails: redirect URI not registered"),
  ]

  static let accounts = ["ada@contoso.com", "grace@outlook.example"].map { name in
    AccountRow(
      homeAccountID: name == "ada@contoso.com" ? home : "grace-oid.grace-tid", username: name,
      displayName: "Person \(name.prefix(3))", environment: "login.microsoftonline.com",
      homeTenantID: "a3be859b-0000-4000-8000-0000000c0de1", homeTenantName: "Contoso",
      guestRealms: ["Fabrikam"], apps: ["Mail", "Files"], sharingApps: ["Mail", "Files", "Chat"],
      refreshToken: TokenStatus(.valid, secondsLeft: 89 * 86_400), places: [group, "broker"])
  }

  static func token(_ id: String, _ type: String, _ state: TokenState, _ left: Int) -> TokenRow {
    TokenRow(
      id: id, type: type, clientID: client, redirectURIs: ["msauth.com.contoso.mail://auth"], apps: ["Mail"],
      homeAccountID: home, username: "ada@contoso.com", environment: "login.microsoftonline.com",
      realm: "a3be859b-0000-4000-8000-0000000c0de1",
      target: type == "AccessToken" ? "User.Read Mail.Read" : nil,
      familyID: type == "FamilyRefreshToken" ? "1" : nil, accessGroup: group, state: state,
      expiresOn: now.adding(seconds: left), cachedAt: now, secondsLeft: left, secret: masked(secret),
      keychain: KeychainKey(accessGroup: group, account: "a", service: "s"))
  }

  static let tokens = [
    token("t1", "AccessToken", .valid, 3552), token("t2", "AccessToken", .expired, -720),
    token("t3", "FamilyRefreshToken", .valid, 89 * 86_400), token("t4", "IdToken", .valid, 3552),
  ]

  /// The credentials that belong to the row of Mail when its tokens are changed.
  static let mailScope = scope("mail")

  static func scope(_ app: String) -> TokenScope {
    TokenScope(
      clientID: client, redirectURI: "msauth.com.contoso.\(app)://auth",
      account: ["mail", "files", "chat"].contains(app) ? "ada@contoso.com" : nil)
  }

  static let tree = TokenTree(clients: [
    TokenTree.Client(
      clientID: client, name: "Contoso suite",
      redirects: [
        TokenTree.Redirect(redirectURI: "msauth.com.contoso.mail://auth", app: "Mail", tokens: tokens),
        TokenTree.Redirect(redirectURI: "msauth.com.contoso.files://auth", app: "Files", tokens: []),
      ])
  ])
}

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
      status: TokenStatus(.valid, secondsLeft: 3552), size: 2100, createdAt: now, modifiedAt: now)
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
    OAuthError(
      .invalidRequest, "The redirect URI does not match the ones registered.",
      aadsts: .redirectURINotRegistered),
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

  /// The matrix of three apps of the suite, each with its own library.
  static let sights: [Visibility] = {
    let installed = [
      ("mail", SDKKind.adal, "2.6.6"), ("files", .adal, "2.7.18"), ("chat", .msal, "2.13.0"),
    ].map { name, sdk, version in
      InstalledApp(
        bundleID: "com.contoso.\(name)", teamID: "TEAM1", displayName: name, vendor: "Contoso", sdk: sdk,
        sdkVersion: version, clientID: client, redirectURI: "msauth.com.contoso.\(name)://auth",
        keychainAccessGroups: [group], keychainSharingGroup: "com.microsoft.adalcache", urlSchemes: [],
        queriesSchemes: [])
    }
    let apps = installed.map { SharingApp($0, registeredFamilyID: nil, triedFamilyID: "1") }
    return apps.flatMap { writer in
      apps.filter { $0.app.bundleID != writer.app.bundleID }.map {
        Visibility(SharedSignIn(with: writer, for: $0))
      }
    }
  }()

  /// Returns a model in which two of four steps were run, and the second had a different result.
  static func demoSteps() -> AppModel {
    var model = model(.apps)
    model.screens.demo.running = Demo(
      name: "shared-removal", title: "Shared removal",
      note: "What makes the suite convenient makes it dangerous.",
      steps: [
        step("Ada signs in to My Test App 1", "One sign-in for three apps."),
        step("My Test App 2 gets a token silently", "The second app now works in the background."),
        step("My Test App 1 forgets the account", "The warning lists every app that loses its sign-in."),
        step("The removal is undone", "Undo puts back every item as it was, in every app."),
      ])
    model.shared.hasDemo = true
    model.screens.demo.list.replace(
      ids: ["0", "1", "2", "3"], texts: model.screens.demo.running?.steps.map(\.title) ?? [])
    _ = update(&model, .stepEnded(report(1, [])))
    _ = update(
      &model, .stepEnded(report(2, [Mismatch(expected: "no prompt", found: "one")])))
    model.stack = [.demo]
    return model
  }

  private static func step(_ title: String, _ note: String) -> ScenarioStep {
    ScenarioStep(
      title: title, note: note, action: .undo, answers: ScenarioAnswers(), expectation: StepExpectation())
  }

  private static func report(_ index: Int, _ mismatches: [Mismatch]) -> StepReport {
    StepReport(
      index: index, title: "step \(index)", note: "", passed: mismatches.isEmpty, mismatches: mismatches,
      traceID: 2)
  }
}

extension Sample {
  /// Returns a model with two embedded scenarios, one of which was run, and another that cannot be read.
  static func scenarios() -> AppModel {
    var model = model(.scenarios)
    let library = ScenarioLibrary()
    let entries = ["contoso-suite", "two-vendors", "B2-spoofed-request"].map { name in
      ScenarioEntry(name, Result { () throws(ScenarioError) in try library.scenario(name) })
    }
    let error = ScenarioError(file: "mine.yaml", line: 3, key: "clok", "is not known here")
    _ = update(&model, .loaded(.scenarios(entries + [ScenarioEntry("mine", .failure(error))])))
    let steps = entries[1].steps.indices.map { report($0 + 1, $0 == 2 ? [mismatch] : []) }
    let result = ScenarioReport(name: "two-vendors", title: "", claims: [], steps: steps)
    _ = update(&model, .scenarioRun("two-vendors", TrialResult(.failed, at: now, report: result)))
    model.screens.scenarios.list.select(id: "two-vendors")
    return model
  }

  private static let mismatch = Mismatch(expected: "source cache", found: "source appRefreshToken")
}
