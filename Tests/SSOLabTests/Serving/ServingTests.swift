import Foundation
import SSODevice
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import SSOStore

/// Requests of an external client, on the articles' suite.
@Suite struct ServingTests {
  private let program: ServedLab
  private var lab: Lab { program.lab }

  init() throws { program = try ServedLab() }

  private func credential(_ type: String) throws -> String {
    try #require(try lab.read { try $0.tokens.rows() }.first { $0.type == type }?.id)
  }

  /// MSAL uses only the host in its cache keys.
  ///
  /// Regression: the host was cut at the first colon, which left `[`.
  @Test(arguments: [
    ("https://[::1]:8443", "[::1]"), ("https://127.0.0.1:8443", "127.0.0.1"),
    ("https://localhost", "localhost"),
  ])
  func whatAClientWasGivenLiesUnderTheHostWithoutItsPort(_ origin: String, _ host: String) throws {
    var program = program
    program.origin = origin
    _ = try program.signIn()
    #expect(try Set(lab.read { try $0.tokens.rows() }.map(\.environment)) == [host])
    #expect(try lab.read { try $0.accounts.rows() }.map(\.environment) == [host])
  }

  /// The options of a start name files, which a reset opens with the rights of its own user.
  @Test func onlyAStartOfThisUserOnThisMachineIsTheOwn() throws {
    let start = ServedStart(scenario: ["--scenario", "own.yaml"], additions: [])
    try lab.noteServer(port: 8443, start: start)
    #expect(try lab.read { try $0.provider.ownStart() } == start)
    func put(_ replaced: String, by other: String) throws {
      try lab.store.write(nil) { store in
        let note = String(decoding: try #require(try store.document(.server, ServerNotes.key)), as: UTF8.self)
        #expect(note.contains(replaced))
        try store.put(Data(note.replacing(replaced, with: other).utf8), .server, ServerNotes.key)
      }
      #expect(try lab.read { try $0.provider.ownStart() } == nil)
      #expect(try lab.read { try $0.provider.notedStart() } != nil)
      try lab.noteServer(port: 8443, start: start)
    }
    try put("\"user\":\(getuid())", by: "\"user\":\(getuid() + 1)")
    try put("\"user\":\(getuid())", by: "\"user\":null")
  }

  @Test func automaticApprovalGoesThroughPasswordAndConsentToTheCode() throws {
    let served = try lab.serve(program.authorize, approval: .automatic(username: ServedLab.ada))
    let fields = try #require(URLParts(served.answer.http.location ?? "")?.fields)
    #expect(fields["state"] == "xyz")
    #expect(fields["code"]?.isEmpty == false)
    #expect(served.client == "Lab Public App")
    #expect(
      served.answer.http.headers.contains { $0.name == "Set-Cookie" && $0.value.hasPrefix("ESTSAUTH=") })
  }

  @Test func browserApprovalShowsThePage() throws {
    guard case .signIn(let page) = try lab.serve(program.authorize, approval: .browser).answer.page else {
      Issue.record("no sign-in page")
      return
    }
    #expect(page.appName == "Lab Public App")
    #expect(page.redirectURI == program.redirect)
  }

  @Test func automaticApprovalApprovesADeviceCodeBeforeItsFirstPoll() throws {
    let code = try program.deviceCode(approval: .automatic(username: ServedLab.ada)).device
    let poll = program.poll(code)
    #expect(try TokenResponse(reading: lab.serve(poll, approval: .browser).answer.http).refreshToken != nil)
    #expect(try lab.read { try $0.apps.rows() }.first { $0.kind == .real }?.accounts == [ServedLab.ada])
  }

  @Test func aPollThatWaitsLeavesNoTrace() throws {
    let code = try program.deviceCode(approval: .browser).device
    let before = try lab.read { try $0.traces.rows() }.count
    let poll = program.poll(code)
    #expect(try lab.serve(poll, approval: .browser).answer.http.status == 400)
    #expect(try lab.read { try $0.traces.rows() }.count == before)
  }

  @Test func aPersonWhoCannotSignInLeavesThePageWithItsErrorOpen() throws {
    var elsewhere = try #require(
      try lab.read { try $0.directory.people() }.first { $0.username == ServedLab.ada })
    elsewhere.isDisabled = true
    try lab.store.write(nil) { try $0.save(elsewhere) }
    let answer = try lab.serve(program.authorize, approval: .automatic(username: ServedLab.ada)).answer
    guard case .signIn(let page) = answer.page else {
      Issue.record("\(answer)")
      return
    }
    #expect(page.failure?.contains("AADSTS50057") == true)
  }

  @Test func theNextSignInsAreAnsweredAsSetAndEachAnswerIsUsedOnce() throws {
    _ = try lab.perform(AnswerNext([.cancel, .person(username: "grace")]))
    let ada = Approval.automatic(username: ServedLab.ada)
    let cancelled = try lab.serve(program.authorize, approval: ada).answer.http
    #expect(URLParts(cancelled.location ?? "")?.fields?["error"] == "access_denied")
    #expect(try lab.read { try $0.nextAnswers() } == [.person(username: "grace@contoso.com")])
    #expect(try lab.serve(program.authorize, approval: ada).answer.http.location?.contains("code=") == true)
    #expect(try lab.read { try $0.nextAnswers() } == [])
  }

  @Test func aResetIsOneChangeThatUndoTakesBack() throws {
    _ = try program.signIn()
    let signedIn = try lab.read { try $0.apps.rows() }
    let keys = try lab.read { try $0.documents.publishedSigningKeys() }
    try lab.reset(to: ScenarioLibrary().scenario("contoso-suite"))
    #expect(try lab.read { try $0.apps.rows() }.allSatisfy { $0.kind != .real && $0.accounts.isEmpty })
    #expect(try lab.read { try $0.documents.publishedSigningKeys() } == keys)
    #expect(try lab.undo() != nil)
    #expect(try lab.read { try $0.apps.rows() } == signedIn)
  }

  @Test func aRealClientIsAnAppWithItsRedirectURIAndItsTokens() throws {
    _ = try program.signIn()
    let row = try #require(try lab.read { try $0.apps.rows() }.first { $0.kind == .real })
    #expect(row.displayName == "Lab Public App")
    #expect(row.redirectURI == program.redirect)
    #expect([row.sdk, row.sdkVersion] == ["MSAL.Python", "1.39.0"])
    #expect(row.accounts == [ServedLab.ada])
    #expect(row.accessToken.state == .valid)
    #expect(row.refreshToken.state == .valid)
    #expect(
      try Set(lab.read { try $0.tokens.rows() }.map(\.type)) == ["AccessToken", "RefreshToken", "IdToken"])
    #expect(
      try lab.read { try $0.tokens.rows() }.allSatisfy {
        $0.redirectURIs == [program.redirect] && $0.environment == "localhost"
      })
    #expect(try lab.read { try $0.accounts.rows() }.map(\.apps) == [["Lab Public App"]])
  }

  /// Tokens contain it as the issuer, so it must match what the socket derives from `Host`.
  @Test(arguments: [(443, "https://localhost"), (8443, "https://localhost:8443")])
  func anAddressLeavesOutThePortThatHTTPSHas(_ port: Int, _ origin: String) {
    #expect(serverOrigin(port: port) == origin)
  }

  /// The token endpoint ends in a slash (`/adfs/oauth2/token/`).
  @Test func tokensOfTheFederationAreInTheListsToo() throws {
    let answer = try lab.serve(
      HTTPRequest(
        "POST", origin: "https://localhost:8443", path: "/adfs/oauth2/token/",
        form: [
          NameValue("grant_type", "password"), NameValue("client_id", ServedLab.client),
          NameValue("username", ServedLab.ada), NameValue("password", "analytical-engine"),
          NameValue("scope", "openid offline_access"),
        ]), approval: .browser)
    #expect(answer.result == "200")
    #expect(
      try Set(lab.read { try $0.tokens.rows() }.map(\.type)) == ["AccessToken", "RefreshToken", "IdToken"])
  }

  /// Authlib and oidc-agent, unlike MSAL, do not request client info.
  @Test func peopleAreApartAlsoInAClientThatAsksForNoClientInfo() throws {
    for name in [ServedLab.ada, "grace@contoso.com"] {
      let answer = try lab.serve(program.authorize, approval: .automatic(username: name)).answer
      let fields = [
        NameValue("client_id", ServedLab.client), NameValue("grant_type", "authorization_code"),
        NameValue("code", URLParts(answer.http.location ?? "")?.fields?["code"] ?? "none"),
        NameValue("redirect_uri", program.redirect), NameValue("code_verifier", ProviderLab.verifier),
      ]
      let tokens = program.request("POST", "oauth2/v2.0/token", fields)
      #expect(try lab.serve(tokens, approval: .browser).answer.http.status == 200)
    }
    let accounts = try lab.read { try $0.accounts.rows() }
    let people = try lab.read { try $0.directory.people() }.map(\.clientInfo.homeAccountID)
    #expect(accounts.count == 2 && Set(accounts.map(\.homeAccountID)).isSubset(of: people))
  }

  @Test func anAppsTokenForItselfIsNobodysAccount() throws {
    try askForItself()
    #expect(try lab.read { try $0.accounts.rows() }.isEmpty)
    let token = try #require(try lab.read { try $0.tokens.rows() }.first)
    #expect((token.type, token.target, token.username) == ("AccessToken", Self.ownScope, nil))
    let row = try #require(try lab.read { try $0.apps.rows() }.first { $0.kind == .real })
    #expect((row.accountCount, row.accessToken.state, row.target) == (0, .valid, Self.ownScope))
    #expect(row.next.kind == .cache)
  }

  @Test func anAppWhoseOwnTokenHasEndedAsksAgainAndNobodyIsPrompted() throws {
    try askForItself()
    _ = try lab.perform(MoveClock(bySeconds: 7200))
    let row = try #require(try lab.read { try $0.apps.rows() }.first { $0.kind == .real })
    #expect(row.accessToken.state == .expired)
    #expect(
      (row.next.kind, row.next.sentence) == (.ownSecret, "silent: its own secret or key"))
  }

  /// Performs a client credentials grant.
  private func askForItself() throws {
    let app = try #require(
      try lab.read { try $0.directory.wellKnownClients() }.first(where: \.isConfidential))
    let fields = [
      NameValue("client_id", app.clientID), NameValue("client_secret", app.secrets.first ?? ""),
      NameValue("grant_type", "client_credentials"), NameValue("scope", Self.ownScope),
    ]
    let request = program.request("POST", "oauth2/v2.0/token", fields)
    #expect(try lab.serve(request, approval: .browser).answer.http.status == 200)
  }

  private static let ownScope = "https://graph.microsoft.com/.default"

  @Test func tokensOfARealClientAreFoundByItsAccount() throws {
    _ = try program.signIn()
    let id = try #require(try lab.read { try $0.accounts.rows() }.first?.homeAccountID)
    #expect(try lab.read { try $0.tokens.rows(TokenFilter(account: ServedLab.ada)) }.count == 3)
    #expect(try lab.read { try $0.tokens.rows(TokenFilter(account: id)) }.count == 3)
  }

  @Test func aRefreshReplacesTheCopyAndDoesNotAddOne() throws {
    let tokens = try program.signIn()
    #expect(try program.refresh(tokens.refreshToken).status == 200)
    #expect(try lab.read { try $0.tokens.rows() }.count == 3)
  }

  @Test(arguments: ChangeCredentials.Change.allCases)
  func aChangeByHandOfItsRefreshTokenIsFeltByTheProgram(_ change: ChangeCredentials.Change) throws {
    let tokens = try program.signIn()
    let id = try credential("RefreshToken")
    _ = try lab.perform(ChangeCredentials(change, [id]))
    let answer = try program.refresh(tokens.refreshToken)
    #expect(answer.status == 400)
    #expect(throws: OAuthError.self) { try TokenResponse(reading: answer) }
  }

  @Test func anAccessTokenThatTheProgramHoldsCannotBeExpiredFromHere() throws {
    _ = try program.signIn()
    let id = try credential("AccessToken")
    #expect(throws: LabError.self) { try lab.perform(ChangeCredentials(.expire, [id])) }
    #expect(try lab.read { try $0.apps.rows() }.first { $0.kind == .real }?.accessToken.state == .valid)
  }

  @Test func theLabsClockIsTheServersClock() throws {
    let tokens = try program.signIn()
    _ = try lab.perform(MoveClock(bySeconds: 91 * 86_400))
    #expect(try program.refresh(tokens.refreshToken).status == 400)
    #expect(try lab.read { try $0.apps.rows() }.first { $0.kind == .real }?.refreshToken.state == .expired)
  }

  @Test func undoDoesNotTakeBackWhatAProgramWasTold() throws {
    _ = try program.signIn()
    #expect(try lab.status().canUndo == nil)
    #expect(try lab.undo() == nil)
  }

  @Test func aStoryWithASeedIsTheSameBesideRealTraffic() throws {
    let quiet = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    _ = try program.signIn()
    let intent = SignIn(app: "com.contoso.mytestapp1", account: nil, scopes: [], prompt: .whenRequired)
    let answers: [Answer] = [.accept, .username(ServedLab.ada), .password("analytical-engine"), .accept]
    let ids = try [lab, quiet].map { lab in
      guard case .done(_, let id) = try lab.perform(intent, answers: answers) else { return "" }
      return try lab.read { try $0.traces.trace(id) }?.summary.correlationID ?? ""
    }
    #expect(ids[0] == ids[1])
    #expect(!ids[0].isEmpty)
  }

  @Test func theTraceOfAnExchangeHasChecksAndNoSecret() throws {
    let tokens = try program.signIn()
    let newest = try #require(try lab.read { try $0.traces.rows() }.first)
    #expect(newest.title == "Lab Public App: authorization_code")
    #expect(newest.verdict == "succeeded")
    let hops = try #require(try lab.read { try $0.traces.trace(newest.id) }).hops
    #expect(hops.first?.actor == "Lab Public App")
    #expect(hops.flatMap(\.checks).contains { $0.name == "code verifier" && $0.verdict == .passed })
    let sent = hops.flatMap(\.sent).map(\.value).joined()
    #expect(!sent.contains(ProviderLab.verifier))
    #expect(!sent.contains(tokens.accessToken))
  }

  /// A thousand traces are kept, and an untrusted program writes to them.
  @Test func whatAStrangerSendsIsShortInATrace() throws {
    let long = String(repeating: "x", count: 50_000)
    _ = try lab.serve(
      program.token([NameValue("grant_type", long), NameValue("PASSWORD", "hunter2")]), approval: .browser)
    _ = try lab.serve(program.request("GET", long, []), approval: .browser)
    _ = try lab.serve(
      program.token([NameValue("grant_type", GrantType.deviceCode.rawValue)]), approval: .browser)
    let titles = try lab.read { try $0.traces.rows() }.prefix(3).map(\.title)
    let short = String(repeating: "x", count: 250) + "…[50000 bytes]"
    #expect(titles == ["Lab Public App: device_code", short, "Lab Public App: token"])
    for trace in try lab.read({ try $0.traces.rows() }).prefix(3) {
      let text = String(describing: try lab.read { try $0.traces.trace(trace.id) })
      #expect(text.utf8.count < 10_000 && !text.contains("hunter2"))
    }
  }

  @Test func aKeyThatAnotherProcessPutInPlaceSignsAtOnce() throws {
    func keyID(_ answer: SSOCore.HTTPResponse) throws -> String? {
      try JSONWebToken(unverified: TokenResponse(reading: answer).accessToken).header["kid"]?.string
    }
    let secret = try program.signIn().refreshToken
    let first = try keyID(program.refresh(secret))
    let other = Lab(store: lab.store)
    _ = try other.perform(AddFault(Fault(.keys, .keys(.rollover), remaining: 1)))
    let keys = SSOCore.HTTPRequest(
      "GET", origin: "https://localhost:8443", path: "/common/discovery/v2.0/keys")
    _ = try other.serve(keys, approval: .browser)
    let second = try keyID(program.refresh(secret))
    #expect(first != nil)
    #expect(second != first)
    let published = JSONValue(bounded: try lab.serve(keys, approval: .browser).answer.http.body)
    #expect(published?["keys"]?.array?.compactMap { $0["kid"]?.string } == [second, first].compactMap { $0 })
  }

  @Test func anUnknownClientIsNoApp() throws {
    var request = program.authorize
    request.query = request.query.map { $0.name == "client_id" ? NameValue("client_id", "nobody") : $0 }
    let served = try lab.serve(request, approval: .browser)
    #expect(served.client.isEmpty)
    #expect(served.answer.http.status == 400)
    #expect(try lab.read { try $0.apps.rows() }.allSatisfy { $0.kind == .simulated })
  }
}
