import SSOStore
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider

/// MSAL for Android (docs/behaviour/android.md).
struct AndroidTests {
  private static let first = "com.contoso.mytestapp1"
  private static let second = "com.contoso.mytestapp2"

  /// The suite on an Android phone, with each app's redirect URI registered.
  private func suite(_ change: (inout LabWorld) -> Void = { _ in }) throws -> SilentLab {
    try SilentLab(signIn: false) { world in
      world.device.platform = .android
      world.apps = world.apps.map { PlatformDefaults(.android).moving($0) }
      for app in world.apps {
        for index in world.registrations.indices where world.registrations[index].clientID == app.clientID {
          world.registrations[index].redirectURIs.append(app.redirectURI)
        }
      }
      change(&world)
    }
  }

  private func signIn(_ lab: SilentLab, _ app: String) throws -> Outcome {
    var answers: [Answer] = []
    while true {
      switch try lab.lab.perform(SignIn(app: app), answers: answers) {
      case .done(let outcome, _): return outcome
      case .needs(let prompt, _):
        var approver = try lab.lab.store.write(nil) {
          try AutomaticApprover(username: "ada@contoso.com", in: $0)
        }
        answers.append(approver.answer(prompt))
      }
    }
  }

  private func silent(_ lab: SilentLab, _ app: String, _ account: String? = "ada@contoso.com") throws
    -> Outcome
  {
    try lab.perform(AcquireSilently(app: app, account: account)).outcome
  }

  /// All items of the device.
  private func items(_ lab: SilentLab) throws -> [KeychainItem] {
    try lab.lab.read { reader in
      try reader.accessGroups().flatMap {
        try reader.credentials.items(matching: KeychainQuery(accessGroups: [$0]))
      }
    }
  }

  @Test func twoAppsOfOnePublisherHaveTheirOwnCaches() throws {
    let lab = try suite()
    #expect(try signIn(lab, Self.first).source == "web session")
    #expect(try silent(lab, Self.first).source == "cache")
    let other = try silent(lab, Self.second)
    #expect(other.errorDomain == "MsalArgumentException")
    #expect(other.error == ReportedError(symbol: "illegal_argument_exception"))
    #expect(try lab.lab.read { try $0.tokens.rows() }.allSatisfy { $0.apps == ["My Test App 1"] })
    let types = try items(lab).map(\.type)
    // AppMetadata is 3001, and AccountMetadata is 5001 (docs/behaviour/msal-cache.md).
    #expect(!types.isEmpty && !types.contains(3001) && !types.contains(5001))
  }

  @Test func aMisconfiguredGroupOfIOSMakesNoDifference() throws {
    let lab = try suite { world in
      for index in world.apps.indices {
        world.apps[index].keychainSharingGroup = "com.microsoft.adalcache"
        world.apps[index].keychainAccessGroups = ["$(AppIdentifierPrefix)com.microsoft.adalcache"]
      }
    }
    #expect(try signIn(lab, Self.first).verdict == .succeeded)
    #expect(try silent(lab, Self.second).verdict == .failed)
    let why = try lab.lab.read { try $0.why.app(Self.second, with: Self.first) }
    #expect(why.answer.contains("on Android each app has its own token cache"))
  }

  @Test func aSignOutRemovesTheAccountItemToo() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    #expect(try lab.perform(SignOut(app: Self.first)).outcome.verdict == .succeeded)
    #expect(try items(lab).isEmpty)
    #expect(try lab.lab.read { try $0.app(Self.first) }.platform == .android)
  }

  struct SetUp: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (inout InstalledApp) -> Void
    var className: String?
    var errorCode: String?
  }

  @Test(arguments: [
    SetUp(testDescription: "as the documentation says", change: { _ in }),
    SetUp(
      testDescription: "the hash in another case", change: { $0.redirectURI = $0.redirectURI.lowercased() }),
    SetUp(
      testDescription: "the scheme in another case, which is not the broker's",
      change: { $0.redirectURI = "MSAUTH" + $0.redirectURI.dropFirst(6) }),
    SetUp(
      testDescription: "another key signed the app",
      change: { $0.redirectURI = "msauth://\($0.bundleID)/other" },
      className: "MsalClientException", errorCode: "redirect_uri_validation_error"),
    SetUp(
      testDescription: "another hash, and the broker is off",
      change: { ($0.redirectURI, $0.brokerUse) = ("msauth://\($0.bundleID)/other", .none) }),
    SetUp(
      testDescription: "a redirect URI of iOS", change: { $0.redirectURI = "msauth.\($0.bundleID)://auth" }),
    SetUp(
      testDescription: "no activity", change: { $0.urlForwarding = .neither },
      className: "MsalClientException",
      errorCode: "app_manifest_validation_error"),
    SetUp(
      testDescription: "no redirect URI", change: { $0.redirectURI = "" },
      className: "IllegalArgumentException"),
    SetUp(
      testDescription: "no client ID", change: { $0.clientID = "" }, className: "IllegalArgumentException"),
    SetUp(
      testDescription: "an object for one account",
      change: { ($0.accountMode, $0.createdAs) = (.single, .single) }),
    SetUp(
      testDescription: "an object for one account, and no account_mode", change: { $0.createdAs = .single },
      className: "MsalClientException", errorCode: "single_account_pca_init_fail_account_mode"),
    SetUp(
      testDescription: "an object for several accounts in an app for one",
      change: { ($0.accountMode, $0.createdAs) = (.single, .multiple) },
      className: "MsalClientException", errorCode: "multiple_account_pca_init_fail_unknown_reason"),
  ]) func theObjectIsCreated(_ row: SetUp) {
    var app = PlatformDefaults(.android).app(
      bundleID: "com.contoso.notes", teamID: "aGFzaA==", clientID: "client", vendor: "Contoso"
    ).asInstalled(on: .android)
    row.change(&app)
    let (checks, error) = app.msal.applicationChecks(of: app, on: .android)
    #expect(error?.exception?.className == row.className && error?.exception?.errorCode == row.errorCode)
    #expect(checks.contains { $0.verdict == .failed } == (error != nil))
  }

  /// Features that only iOS has change nothing: a locked keychain, app extensions, and Safari's view.
  @Test func whatOnlyIOSHasIsNotAsked() throws {
    let lab = try suite { world in
      world.device.isLocked = true
      for index in world.apps.indices {
        world.apps[index].isExtension = true
        world.apps[index].webView = .safariView
      }
    }
    #expect(try signIn(lab, Self.first).verdict == .succeeded)
    #expect(try silent(lab, Self.first).verdict == .succeeded)
  }

  /// The cache is among the data that the system deletes with an app.
  @Test func anAppsCacheIsDeletedWithIt() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    _ = try signIn(lab, Self.second)
    let before = try items(lab).count
    let outcome = try lab.perform(ReinstallApp(app: Self.first)).outcome
    #expect(outcome.summary.contains("its cache of"))
    #expect(try silent(lab, Self.first).verdict == .failed && silent(lab, Self.second).verdict == .succeeded)
    #expect(try items(lab).count < before)
  }

  /// The app has lost its own token; no other app's cache could help it.
  @Test func aRevokedTokenIsNotAMatterOfSharing() throws {
    let lab = try suite()
    for app in [Self.first, Self.second] { #expect(try signIn(lab, app).verdict == .succeeded) }
    try lab.perform(RevokeSessions(account: "ada@contoso.com"))
    #expect(try lab.silent(Self.first, account: "ada@contoso.com", force: true).outcome.verdict == .failed)
    let (outcome, hops) = try lab.silent(Self.first, account: "ada@contoso.com")
    #expect(outcome.failedCheck?.name == "refresh token of the family", "\(outcome)")
    #expect(hops.contains { $0.result == "error no_tokens_found" })
    #expect(!hops.contains { $0.result.contains("-50002") })
  }

  @Test func theSchemeOfAnAuthorityIsNotCompared() throws {
    let lab = try suite()
    #expect(try signIn(lab, Self.first).verdict == .succeeded)
    let options = CallOptions(authority: "http://login.microsoftonline.com/common")
    let outcome = try lab.silent(Self.first, account: "ada@contoso.com", options).outcome
    #expect(outcome.verdict == .succeeded, "\(outcome)")
  }

  /// The same holds for the authority of the app's configuration, in every call and list.
  @Test func theSchemeOfTheAppsAuthorityIsNotComparedEither() throws {
    for hasBroker in [false, true] {
      let lab = try suite { world in
        world.device.brokerVersion = hasBroker ? Device.currentBrokerVersion : nil
        for index in world.apps.indices {
          world.apps[index].authority = "http://login.microsoftonline.com/common"
        }
      }
      let use = try lab.lab.read { $0.sdk(of: try $0.app(Self.first)).brokerUse }
      #expect((use == "used") == hasBroker, "\(use)")
      #expect(try signIn(lab, Self.first).verdict == .succeeded)
      #expect(try silent(lab, Self.first).verdict == .succeeded)
      let accounts = try lab.lab.read { try $0.sdk(of: try $0.app(Self.first)).accounts(limit: 9) }
      #expect(accounts.map(\.username) == ["ada@contoso.com"])
      let held = try lab.lab.read { try $0.sdk(of: try $0.app(Self.first)).tokens(of: accounts[0]) }
      #expect((held.accessToken != nil) == !hasBroker)
    }
  }

  /// The library has no strategy for AD FS.
  @Test func noPageOfADFSIsShown() throws {
    let lab = try suite { world in
      for index in world.apps.indices { world.apps[index].authority = "https://sts.contoso.com/adfs" }
    }
    let outcome = try lab.perform(SignIn(app: Self.first)).outcome
    #expect(outcome.error?.symbol == "unknown_error", "\(outcome)")
  }

  @Test func theBrokersAccountsAreDeletedWithIt() throws {
    let lab = try suite { $0.device.brokerVersion = Device.currentBrokerVersion }
    #expect(try signIn(lab, Self.first).verdict == .succeeded)
    #expect(try lab.lab.read { try !$0.brokerAccounts().isEmpty })
    try lab.perform(RemoveBroker())
    try lab.perform(InstallBroker())
    #expect(try lab.lab.read { try $0.brokerAccounts().isEmpty })
  }

  /// iOS's memory of refused requests is not Android's: each call asks the provider.
  @Test func requestsAreNotThrottled() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    try lab.wait(7_200)
    try lab.perform(AddFault(Fault(.token, .status(503), remaining: 2)))
    #expect(try silent(lab, Self.first).verdict == .failed)
    #expect(try silent(lab, Self.first).verdict == .succeeded)
  }

  @Test func theBrokerIsUsedOnlyWithItsRedirectURI() throws {
    let lab = try suite { $0.device.brokerVersion = Device.currentBrokerVersion }
    #expect(try lab.lab.read { $0.sdk(of: try $0.app(Self.first)).brokerUse } == "used")
    try lab.perform(
      EditRecord(.app, record: Self.first, [try FieldChange("redirectURI=msauth.\(Self.first)://auth")]))
    #expect(
      try lab.lab.read { $0.sdk(of: try $0.app(Self.first)).brokerUse }.hasPrefix(
        "not used: its redirect URI"))
    #expect(try signIn(lab, Self.second).source == "broker")
    #expect(try lab.lab.read { try $0.tokens.rows() }.isEmpty)
    // An account that only the broker stores is listed with the app that it serves.
    #expect(try lab.lab.read { try $0.accounts.rows() }.map(\.apps) == [["My Test App 2"]])
  }

  /// The prediction makes the same call as the app, with the broker's response.
  @Test func theBrokerAnswersAsPredicted() throws {
    let lab = try suite { $0.device.brokerVersion = Device.currentBrokerVersion }
    #expect(try signIn(lab, Self.first).source == "broker")
    for (app, account) in [
      (Self.first, nil), (Self.first, "ada@contoso.com"), (Self.second, "ada@contoso.com"),
    ]
      as [(String, String?)]
    {
      let next = try lab.lab.read { try Predictor(reader: $0).prediction(try $0.app(app), account: account) }
      let outcome = try silent(lab, app, account)
      #expect(next.kind == .broker && next.sentence == "silent: broker")
      #expect(outcome.source == "broker" && !outcome.prompted)
    }
    let known = try lab.lab.read {
      try $0.sdk(of: try $0.app(Self.second)).accounts(limit: 9).map(\.username)
    }
    #expect(known == ["ada@contoso.com"])
    _ = try lab.perform(SignOut(app: Self.first))
    #expect(try lab.lab.read { try $0.sdk(of: try $0.app(Self.first)).accounts(limit: 9) }.isEmpty)
    #expect(try silent(lab, Self.first, nil).error?.symbol == "illegal_argument_exception")
    #expect(try silent(lab, Self.first).source == "broker")
  }

  /// The steps of a sign-in without the broker name Android's storage, in one write for each value.
  @Test func aTraceHasSharedPreferencesInPlaceOfAKeychain() throws {
    let lab = try suite()
    let hops = try hops(of: SignIn(app: Self.first), lab)
    #expect(!hops.contains { $0.to == .keychain || $0.result.contains("-25300") })
    #expect(!hops.contains { $0.action.contains("legacy") || $0.action.contains("metadata") })
    let writes = hops.filter { $0.to == .cache && $0.action.hasPrefix("write") }
    #expect(
      writes.map(\.action) == [
        "write accesstoken", "write idtoken", "write refreshtoken", "write account",
      ])
    let token = try #require(writes.first { $0.action == "write refreshtoken" })
    #expect(token.sent.map(\.name) == ["file", "key"])
    #expect(token.sent["file"] == "com.microsoft.identity.client.account_credential_cache")
    #expect(token.sent["key"]?.contains("-login.windows.net-refreshtoken-") == true)
    #expect(hops.contains { $0.to == .provider && $0.sent["prompt"] == "select_account" })
  }

  /// The steps of an intent that the approver answers.
  private func hops(of intent: some Intent, _ lab: SilentLab) throws -> [Hop] {
    var answers: [Answer] = []
    while true {
      switch try lab.lab.perform(intent, answers: answers) {
      case .done(_, let id): return try lab.lab.read { try $0.traces.trace(id) }?.hops ?? []
      case .needs(let prompt, _):
        var approver = try lab.lab.store.write(nil) {
          try AutomaticApprover(username: "ada@contoso.com", in: $0)
        }
        answers.append(approver.answer(prompt))
      }
    }
  }

  @Test func aRequestToTheBrokerHasTheNamesOfBrokerRequest() throws {
    let lab = try suite { $0.device.brokerVersion = Device.currentBrokerVersion }
    let interactive = try hops(of: SignIn(app: Self.first), lab)
    #expect(!interactive.contains { $0.to == .keychain })
    let asked = try #require(interactive.first { $0.action == "bind MicrosoftAuthService" }).sent
    #expect(asked["prompt"] == "SELECT_ACCOUNT" && asked["client_sdk_type"] == "MSAL")
    #expect(asked["client_app_name"] == Self.first && asked["scopes"] == "User.Read")
    #expect(interactive.contains { $0.sent["broker_bundle_id"] == "com.azure.authenticator" })
    let silent = try hops(
      of: AcquireSilently(app: Self.first, account: "ada@contoso.com", forceRefresh: true), lab)
    let quiet = try #require(silent.first { $0.to == .broker }).sent
    #expect(quiet["force_refresh"] == "true" && quiet["local_account_id"]?.contains(".") == false)
    for name in ["msg_protocol_ver", "client_sku", "sdk_broker_capabilities", "skip_validate_result_account"]
    {
      #expect(asked[name] == nil && quiet[name] == nil)
    }
  }

  /// An app for one account uses the first of several, and remembers it in its own file.
  @Test func theCurrentAccountIsTheFirst() throws {
    let lab = try suite()
    func current() throws -> Outcome { try lab.perform(GetCurrentAccount(app: Self.first)).outcome }
    _ = try signIn(lab, Self.first)
    #expect(try current().username == "ada@contoso.com")
    #expect(try current().summary.hasSuffix("before: ada@contoso.com."))
    _ = try lab.perform(SignOut(app: Self.first))
    #expect(try current().summary.hasSuffix("no account is signed in; before: ada@contoso.com."))
    let several = try lab.lab.read { reader in
      let app = try reader.app(Self.first)
      return app.msal.takesFirstAccount
    }
    #expect(several)
  }

  @Test func noConnectionIsAnIOError() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    try lab.perform(AddFault(Fault(.token, .unreachable)))
    let token = try lab.perform(
      AcquireSilently(app: Self.first, account: "ada@contoso.com", forceRefresh: true)
    ).outcome
    #expect(token.error?.symbol == "io_error")
    #expect(token.errorText?.contains("An IO error occurred with message: ") == true)
    try lab.perform(ClearFaults())
    try lab.perform(EndApp(app: Self.first))
    try lab.perform(AddFault(Fault(.discovery, .unreachable)))
    let discovery = try lab.perform(
      AcquireSilently(app: Self.first, account: "ada@contoso.com", forceRefresh: true)
    ).outcome
    #expect(discovery.errorText?.hasSuffix("Unable to perform cloud discovery") == true)
  }

  /// ADAL for Android is not iOS's: it is rejected, even in a lab of an earlier version.
  @Test func adalIsRefused() throws {
    let sentence = "SSOTerm does not simulate ADAL for Android, only MSAL"
    let lab = try suite { $0.apps[0].sdk = .adal }
    #expect(try silent(lab, Self.first, nil).summary.contains(sentence))
    #expect(
      try lab.lab.read { try Predictor(reader: $0).prediction(try $0.app(Self.first), account: nil).kind }
        == .failure)
    #expect(throws: LabError.self) {
      try lab.perform(AddRecord(.app, record: "com.contoso.old", [try FieldChange("sdk=ADAL")]))
    }
    #expect(throws: LabError.self) {
      try lab.perform(EditRecord(.app, record: Self.second, [try FieldChange("sdk=ADAL")]))
    }
  }

  /// There is no buffer: a token counts until the second in which it expires (`AccessTokenRecord.isExpired`).
  @Test func anAccessTokenCountsUntilItExpires() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    try lab.wait(3_590)
    #expect(try silent(lab, Self.first).source == "cache")
    try lab.wait(20)
    #expect(try silent(lab, Self.first).source != "cache")
  }

  /// `refreshTokenIsNull` is one of the conditions before the access token is returned (`LocalMSALController`).
  @Test func anAccessTokenCountsOnlyBesideARefreshToken() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    let tokens = try lab.lab.read { try $0.tokens.rows() }.filter { $0.type.lowercased().contains("refresh") }
    try lab.perform(ChangeCredentials(.delete, tokens.map(\.id)))
    let next = try lab.lab.read {
      try Predictor(reader: $0).prediction(try $0.app(Self.first), account: "ada@contoso.com")
    }
    #expect(next.kind == .prompt)
    let outcome = try silent(lab, Self.first)
    #expect(outcome.errorDomain == "MsalUiRequiredException" && outcome.error?.symbol == "no_tokens_found")
  }

  @Test func scopesThatTheLibraryAddsItselfAreNotRefused() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    let outcome = try lab.perform(
      AcquireSilently(app: Self.first, account: "ada@contoso.com", scopes: ["openid", "User.Read"])
    ).outcome
    #expect(outcome.verdict == .succeeded, "\(outcome.summary)")
  }

  /// A host of the call's authority must be in the list of clouds; a host in the configuration is known.
  @Test func aHostThatNobodyKnowsIsAnUnknownAuthority() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    let outcome = try lab.perform(
      AcquireSilently(
        app: Self.first, account: "ada@contoso.com",
        options: CallOptions(authority: "https://login.fabrikam.example/common"))
    ).outcome
    #expect(outcome.errorDomain == "MsalClientException" && outcome.error?.symbol == "unknown_authority")
    let hops = try lab.lab.read { reader in
      try reader.traces.rows(limit: 1).first.flatMap { try reader.traces.trace($0.id) }?.hops ?? []
    }
    #expect(!hops.isEmpty)
    #expect(!hops.contains { $0.sent["authorization_endpoint"]?.contains("fabrikam") == true })
  }

  /// The text is the server's, not a sentence of the library (`getExceptionFromTokenErrorResponse`).
  @Test func theServersTextIsTheExceptions() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    try lab.perform(EditRecord(.person, record: "ada@contoso.com", [try FieldChange("isDisabled=yes")]))
    let outcome = try lab.perform(
      AcquireSilently(app: Self.first, account: "ada@contoso.com", forceRefresh: true)
    ).outcome
    #expect(outcome.errorDomain == "MsalUiRequiredException" && outcome.error?.symbol == "invalid_grant")
    #expect(outcome.errorText?.contains(": AADSTS50057: ") == true, "\(outcome.errorText ?? "")")
  }

  /// The manifest's missing activity is printed as the library prints it, with the decoded path.
  @Test func theMissingActivityIsPrintedWhole() {
    var app = PlatformDefaults(.android).app(
      bundleID: "com.contoso.notes", teamID: "aGFzaA==", clientID: "client", vendor: "Contoso"
    ).asInstalled(on: .android)
    app.urlForwarding = .neither
    let error = app.msal.applicationChecks(of: app, on: .android).error
    #expect(error?.description.contains("AndroidManifest.xml \n\n<activity android:name=") == true)
    #expect(error?.description.contains("\t\t\tandroid:path=\"/aGFzaA==\"\n") == true)
  }

  @Test(arguments: [
    "usesScenes=yes", "xpcMode=primary", "keychainSharingGroup=x", "tokenExpirationBuffer=10",
  ])
  func aFieldOfAnotherPlatformIsRefused(_ change: String) throws {
    let lab = try suite()
    let error = #expect(throws: LabError.self) {
      try lab.perform(EditRecord(.app, record: Self.first, [try FieldChange(change)]))
    }
    #expect(error?.what.hasSuffix("is a field of another platform.") == true)
    #expect(throws: LabError.self) {
      try lab.perform(AddRecord(.app, record: "com.contoso.new", [try FieldChange(change)]))
    }
  }

  @Test func errorsAreExceptions() throws {
    let lab = try suite()
    _ = try signIn(lab, Self.first)
    let refused = try lab.perform(
      AcquireSilently(app: Self.first, account: "ada@contoso.com", scopes: ["Mail.Read"], forceRefresh: true))
    #expect(refused.outcome.verdict == .failed)
    #expect(refused.outcome.errorCode == nil)
    #expect(
      refused.outcome.errorText?.hasPrefix("com.microsoft.identity.client.exception.Msal") == true,
      "\(refused.outcome.errorText ?? "")")
  }

  /// The values in the requests of a call that identify the library (docs/behaviour/silent-call.md §3(3), android.md
  /// §4(9)).
  @Test func theLibraryNamesItselfInTokenRequestsOnly() throws {
    func names(_ lab: SilentLab) throws -> [String: String?] {
      #expect(try signIn(lab, Self.first).verdict == .succeeded)
      let trace = try #require(try lab.lab.read { try $0.traces.trace($0.traces.rows()[0].id) })
      return Dictionary(
        trace.hops.filter { $0.to == .provider }.map { hop in
          (hop.action.split(separator: "/").last.map(String.init) ?? "", hop.sent["header x-client-SKU"])
        }, uniquingKeysWith: { first, _ in first })
    }
    let android = try names(suite())
    #expect(android["token"] == "MSAL.Android")
    #expect(android["instance"] == .some(nil) && android["openid-configuration"] == .some(nil))
    let apple = try names(SilentLab(signIn: false))
    #expect(["token", "instance", "openid-configuration"].allSatisfy { apple[$0] == "MSAL.iOS" })
    #expect(apple["authorize"] == .some(nil))
  }
}
