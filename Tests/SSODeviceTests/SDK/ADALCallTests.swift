import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// The steps of ADAL's calls that are not tested elsewhere (docs/behaviour/adal.md §8).
///
/// The facts are from `ADAL/tests/integration/AADAuthorityValidationIntegrationTests.m` and `ADAcquireTokenTests.m`.
struct ADALCallTests {
  private let new = SuiteApp.adal("new", "6.0.5")

  private func hops(_ lab: Lab, _ intent: any Intent, _ answers: [Answer] = []) throws -> (Outcome, [String])
  {
    guard case .done(let outcome, let id) = try lab.perform(intent, answers: answers) else {
      Issue.record("an answer is missing")
      return (Outcome(.failed, ""), [])
    }
    return (outcome, try #require(try lab.read { try $0.traces.trace(id) }).hops.asked)
  }

  private func silently(_ app: SuiteApp, forceRefresh: Bool = false) -> any Intent {
    AcquireSilently(app: app.bundleID, account: nil, scopes: [], forceRefresh: forceRefresh)
  }

  /// The broker's part of the call, and the keychain's, name ADAL as the app's library too.
  @Test func theTraceNamesADAL() throws {
    let lab = try suiteLab([new])
    try lab.signIn(new)
    _ = try lab.silent(new)
    let hops = try lab.read { reader in
      try reader.traces.rows().flatMap { try reader.traces.trace($0.id)?.hops ?? [] }
    }
    let parties = Set(hops.flatMap { [$0.from, $0.to] })
    #expect(parties.contains(.adal) && !parties.contains(.sdk))
    #expect(Party.adal.label == "ADAL")
  }

  // MARK: - Instance discovery

  @Test(arguments: ["2.6.6", "6.0.5"]) func aNewProcessAsksForTheAuthorityOnce(_ version: String) throws {
    let app = SuiteApp.adal("new", version)
    let lab = try suiteLab([app])
    try lab.signIn(app)
    _ = try lab.outcome(EndApp(app: app.bundleID))
    #expect(try hops(lab, silently(app)).1 == ["discovery 200"])
    #expect(try hops(lab, silently(app)).1.isEmpty)
    _ = try lab.outcome(EndApp(app: app.bundleID))
    let interactive = SignIn(app: app.bundleID, account: nil, scopes: [], prompt: .whenRequired)
    #expect(try hops(lab, interactive).1 == ["discovery 200"])
  }

  @Test func theProgramSaysThatDiscoveryComesFirst() throws {
    let lab = try suiteLab([new])
    try lab.signIn(new)
    _ = try lab.outcome(EndApp(app: new.bundleID))
    #expect(
      try lab.read { try $0.apps.rows() }.first?.next.sentence
        == "silent: cache, after instance discovery")
    let outcome = try lab.silent(new)
    #expect(outcome.summary == "Token for ada@contoso.com from the cache, after instance discovery.")
  }

  /// The fault, the domain and code of the call, and the number of requests.
  @Test(arguments: [
    (Fault.Kind.unreachable, "NSURLErrorDomain", -1009, 1), (.status(503), "ADHTTPErrorCodeDomain", 503, 2),
    (.throttled(retryAfter: 60), "ADHTTPErrorCodeDomain", 429, 1),
    (.truncated(bytes: 20), "NSCocoaErrorDomain", 3840, 1),
  ])
  func aFailedDiscoveryEndsASilentCallThatHasAToken(
    _ kind: Fault.Kind, _ domain: String, _ code: Int, _ requests: Int
  ) throws {
    let lab = try suiteLab([new])
    try lab.signIn(new)
    _ = try lab.outcome(EndApp(app: new.bundleID))
    _ = try lab.outcome(AddFault(Fault(.any, kind)))
    let (outcome, asked) = try hops(lab, silently(new))
    #expect(outcome.errorDomain == domain && outcome.errorCode == code && asked.count == requests)
    #expect(try lab.read { try $0.apps.rows() }.first?.next.kind == .failure)
    _ = try lab.outcome(ClearFaults())
    #expect(try lab.silent(new).source == "cache")
  }

  @Test func anUnknownHostIsRememberedAsSuch() throws {
    let app = SuiteApp.adal("app", "2.6.6", extra: "authority: https://login.contoso.com/common")
    let lab = try suiteLab([app])
    for requests in [["discovery 400 invalid_instance AADSTS50049"], []] {
      let (outcome, asked) = try hops(lab, silently(app))
      #expect(outcome.errorCode == 101 && outcome.failedCheck?.name == "authority host is known")
      #expect(outcome.errorText?.contains("ProtocolCode:invalid_instance") == true)
      #expect(asked == requests)
    }
  }

  @Test func aServerErrorIsAskedOnceMore() throws {
    let lab = try suiteLab([new])
    try lab.signIn(new)
    _ = try lab.outcome(AddFault(Fault(.token, .status(502), remaining: 1)))
    let (outcome, asked) = try hops(lab, silently(new, forceRefresh: true))
    #expect(outcome.verdict == .succeeded && asked == ["token 502", "token 200"])
  }

  // MARK: - Access tokens

  /// The version, the seconds after the sign-in, and the source of the token.
  @Test(arguments: [
    ("2.6.6", 3299, "cache"), ("2.6.6", 3300, "cache"), ("2.6.6", 3301, "app refresh token"),
    ("6.0.5", 3300, "cache"), ("6.0.5", 3301, "app refresh token"), ("2.6.6", -1, "cache"),
    ("2.7.0", -1, "app refresh token"), ("6.0.5", -1, "app refresh token"),
  ])
  func aTokenIsGoodWithFiveMinutesLeftAndNotFromTheFuture(
    _ version: String, _ seconds: Int, _ source: String
  ) throws {
    let app = SuiteApp.adal("new", version)
    let lab = try suiteLab([app])
    try lab.signIn(app)
    _ = try lab.outcome(MoveClock(bySeconds: seconds))
    #expect(try lab.silent(app).source == source)
  }

  @Test(arguments: [false, true]) func anExtendedTokenDoesNotHelpACallThatWantsANewOne(_ forced: Bool) throws
  {
    let app = SuiteApp.adal("new", "6.0.5", extra: "extendedLifetimeEnabled: true")
    let lab = try suiteLab([app])
    _ = try lab.outcome(
      EditRecord(.registration, record: app.client, [FieldChange("extExpiresIn=7200")]))
    try lab.signIn(app)
    _ = try lab.outcome(MoveClock(bySeconds: 3590))
    _ = try lab.outcome(AddFault(Fault(.token, .status(503))))
    let outcome = try lab.silent(app, forceRefresh: forced)
    #expect(outcome.verdict == (forced ? .failed : .succeeded))
    #expect(outcome.errorCode == (forced ? 503 : nil))
  }

  @Test func forcedWithoutARefreshTokenTheCallEndsIn200() throws {
    let lab = try suiteLab([new])
    try lab.signIn(new)
    let refresh = try lab.read { try $0.tokens.rows() }.filter { $0.type.hasSuffix("RefreshToken") }.map(\.id)
    _ = try lab.outcome(ChangeCredentials(.delete, refresh))
    #expect(try lab.silent(new, forceRefresh: true).errorCode == 200)
    #expect(try lab.silent(new).source == "cache")
  }

  // MARK: - Order

  /// The prompt of the app's second interactive call, and its error, or `nil` because the cache answers.
  @Test(arguments: [(ADALPrompt.auto, nil), (.always, 400), (.force, 400)])
  func aSecondCallIsRefusedAfterTheCacheWasAsked(_ prompt: ADALPrompt, _ code: Int?) throws {
    let world = try ADALAnswers()
    try world.lab.signIn(world.app)
    let error = try world.refusal { client in
      var busy = client
      busy.context.isBusy = true
      return try ADALInteraction(client: busy).acquireToken(
        ADALRequest(resource: ADALAnswers.resource, prompt: prompt, correlationID: "c"))
    }
    #expect(error?.code == code)
  }

  @Test func anExtensionIsRefusedBeforeASecondCall() throws {
    let world = try ADALAnswers(extra: "isExtension: true")
    let error = try world.refusal { client in
      var busy = client
      busy.context.isBusy = true
      return try ADALInteraction(client: busy).acquireToken(
        ADALRequest(resource: ADALAnswers.resource, correlationID: "c"))
    }
    #expect(error?.code == 402)
  }

  // MARK: - Refusals

  @Test func beneath200LiesTheRefusalOfTheRefreshToken() throws {
    let lab = try suiteLab([new])
    try lab.signIn(new)
    let refresh = try lab.read { try $0.tokens.rows() }.filter { $0.type.hasSuffix("RefreshToken") }.map(\.id)
    _ = try lab.outcome(ChangeCredentials(.invalidate, refresh))
    let outcome = try lab.silent(new, forceRefresh: true)
    #expect(outcome.errorCode == 200)
    #expect(
      outcome.errorText?.contains(
        "NSUnderlyingError=Error with code: AD_ERROR_SERVER_REFRESH_TOKEN_REJECTED Domain: ADOAuthServerErrorDomain "
          + "ProtocolCode:invalid_grant") == true)
  }

  /// The app's capabilities are sent with a redemption, and then the policy requires its enrollment.
  @Test func aPolicyOfProtectionNamesTheUser() throws {
    let world = try BrokerLab("D7-another-vendors-app") { $0.apps[0].clientCapabilities = ["ProtApp"] }
    _ = try world.signIn(ADALBrokerTests.app)
    _ = try world.perform(SetPolicy(Policy(name: "Guard", requires: .appProtection)))
    let outcome = try world.perform(
      AcquireSilently(app: ADALBrokerTests.app, account: nil, scopes: [], forceRefresh: true)
    ).0
    #expect(outcome.errorCode == 213)
    #expect(outcome.errorText?.contains("ADUserIdKey=ada@contoso.com") == true)
    // The token is not at fault, so it is still there.
    #expect(
      try world.lab.read { try $0.tokens.rows() }.contains { $0.type == "LegacyRefreshToken" })
  }

  // MARK: - Pages that ask for the broker

  struct Challenge: CustomTestStringConvertible {
    var username = "ada@contoso.com"
    var redirectURI: String?
    var code: Int
    var text: String
    var testDescription: String { "\(username) \(redirectURI ?? ""): \(code)" }
  }

  /// The page has no link to the broker (`processMSAuthResponse:`, `promptBrokerInstall:`).
  @Test(arguments: [
    Challenge(code: -1, text: "appInstallLink is not valid - (null)"),
    Challenge(username: "", code: -1, text: "appInstallLink is not valid - (null)"),
    Challenge(
      redirectURI: "urn:ietf:wg:oauth:2.0:oob", code: 501, text: ADALError.redirectURIInvalid.description),
  ])
  func aPageThatAsksForTheBrokerAndNamesNone(_ challenge: Challenge) throws {
    let error = try ADALAnswers().refusal { client in
      var changed = client
      changed.context.app.redirectURI = challenge.redirectURI ?? client.app.redirectURI
      try ADALInteraction(client: changed).end(
        with: .joinWorkplace(username: challenge.username, appLink: nil),
        ADALRequest(resource: "r", correlationID: "c"))
    }
    #expect(error?.code == challenge.code && error?.description == challenge.text)
  }

  /// The same in MSAL (`CC/controllers/MSIDLocalInteractiveController.m`, `handleWebMSAuthResponse:`).
  @Test(arguments: [
    Challenge(code: -50001, text: "Workplace join is required"),
    Challenge(
      username: "", code: -50000, text: "App install link is missing. Incorrect URL returned from server"),
  ])
  func msalTellsTheAppInstead(_ challenge: Challenge) throws {
    let error = try ADALAnswers().refusal { client in
      try MSALClient(client.context).interaction.end(
        with: .joinWorkplace(username: challenge.username, appLink: nil), [:], "c")
    }
    #expect(error?.code == challenge.code && error?.description == challenge.text)
  }
}
