@testable import SSOCore
@testable import SSOKeychain
@testable import SSOLab
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
    _ name: String, accounts: [String], access: TokenStanding, refresh: TokenStanding,
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
      "Mail", accounts: ["ada@contoso.com"], access: TokenStanding(.valid, secondsLeft: 3552),
      refresh: TokenStanding(.valid, secondsLeft: 89 * 86_400), next: .cache, "would use cache, no network"),
    app(
      "Files", accounts: ["ada@contoso.com"], access: TokenStanding(.expiring, secondsLeft: 240),
      refresh: TokenStanding(.valid, secondsLeft: 89 * 86_400), next: .familyRefreshToken,
      "would use the family refresh token"),
    app(
      "Chat", accounts: ["ada@contoso.com"], access: TokenStanding(.expired, secondsLeft: -720),
      refresh: TokenStanding(.invalid), next: .prompt, "would prompt: the refresh token was revoked"),
    app(
      "漢字 太郎", accounts: [], access: TokenStanding(.none), refresh: TokenStanding(.none), next: .prompt,
      "would prompt: No token matching arguments found in the cache"),
    app(
      "Kiosk", accounts: [], access: TokenStanding(.none), refresh: TokenStanding(.none), next: .failure,
      "would fail: redirect URI not registered"),
  ]

  static let accounts = ["ada@contoso.com", "grace@outlook.example"].map { name in
    AccountRow(
      homeAccountID: name == "ada@contoso.com" ? home : "grace-oid.grace-tid", username: name,
      displayName: "Person \(name.prefix(3))", environment: "login.microsoftonline.com",
      homeTenantID: "a3be859b-0000-4000-8000-0000000c0de1", homeTenantName: "Contoso",
      guestRealms: ["Fabrikam"], apps: ["Mail", "Files"], sharingApps: ["Mail", "Files", "Chat"],
      refreshToken: TokenStanding(.valid, secondsLeft: 89 * 86_400), places: [group, "broker"])
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
