import Foundation
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOReference

/// The eight methods of the broker on Linux, as its clients call them (docs/behaviour/linux-broker.md).
@Suite struct LinuxBrokerTests {
  private typealias World = LinuxBrokerLab
  private let world: LinuxBrokerLab
  private var lab: Lab { world.lab }

  init() throws { world = try LinuxBrokerLab() }

  @Test func onePersonSignsInAndTheNextVendorsProgramAsksNobody() throws {
    let (answer, outcome) = try world.interactive()
    #expect(outcome.summary == "Azure CLI has a token for ada@contoso.com.")
    let token = try JSONWebToken(unverified: try #require(answer.brokerToken))
    #expect(token.claims["appid"] == .string(World.azure))
    #expect(token.claims["deviceid"] != nil, "the broker has registered the device")
    #expect(answer["brokerTokenResponse"]?["account"]?["homeAccountId"]?.string == World.homeID)
    #expect(answer["brokerTokenResponse"]?["grantedScopes"]?.string == "User.Read openid profile")
    let consented = try world.interactive(
      World.publicApp, answers: [.account(homeAccountID: World.homeID), .accept])
    #expect(consented.0.brokerToken != nil)
    let silent = try world.silent(WellKnownClients.azurePowerShell)
    #expect((silent.source, silent.error) == ("broker", nil))
  }

  @Test func theAnswerHasTheFieldsThatTheRuntimeReads() throws {
    let (answer, _) = try world.interactive()
    let response = try #require(answer["brokerTokenResponse"]?.object)
    #expect(
      Set(response.keys) == [
        "accessToken", "accessTokenType", "account", "clientInfo", "expiresOn", "extendedExpiresOn",
        "grantedScopes", "idToken",
      ])
    let now = try lab.read { $0.now }
    #expect(response["expiresOn"]?.integer == now.adding(seconds: 3600).milliseconds)
    #expect(response["clientInfo"]?.string.flatMap { ClientInfo($0) }?.homeAccountID == World.homeID)
    let claims = try JSONWebToken(unverified: try #require(response["idToken"]?.string)).claims
    #expect(claims["aud"] == .string(World.azure))
    #expect(
      response["account"] == [
        "environment": "login.windows.net", "homeAccountId": .string(World.homeID),
        "localAccountId": .string(World.objectID), "realm": .string(World.tenantID),
        "username": .string(World.ada), "name": "Ada Lovelace", "givenName": "Ada", "familyName": "Lovelace",
        "passwordExpiry": .integer(0),
        "clientInfo": .string(ClientInfo(uid: World.objectID, utid: World.tenantID).encoded),
      ])
  }

  @Test func theCacheServesUntilTheTokenIsToBeRenewedOrIsExpired() throws {
    let token = try world.interactive().0.brokerToken
    let cached = try world.silent()
    #expect((cached.source, cached.json.brokerToken) == ("cache", token))
    #expect(try world.silent(more: ["accessTokenToRenew": "eyJ"]).source == "broker")
    #expect(try world.silent(more: ["decodedClaims": "{\"access_token\":{}}"]).source == "broker")
    #expect(try world.silent(more: ["requestedScopes": "Mail.Read"]).source == "broker", "a text for a list")
    _ = try world.silent()
    _ = try lab.perform(MoveClock(bySeconds: 3299))
    #expect(try world.silent().source == "cache", "301 s left")
    _ = try lab.perform(MoveClock(bySeconds: 1))
    #expect(try world.silent().source == "broker", "300 s left")
  }

  /// The broker returns its cached copy again.
  @Test func anAccessTokenInTheBrokersCacheCanExpire() throws {
    _ = try world.interactive()
    let token = try #require(
      try lab.read { try $0.tokens.rows(TokenFilter(clientID: World.azure)) }.first {
        $0.type == "AccessToken"
      })
    _ = try lab.perform(ChangeCredentials(.expire, [token.id]))
    #expect(try lab.read { try $0.tokens.detail(token.id)?.row.state } == .expired)
    #expect(try world.silent().source == "broker")
    #expect(try world.silent().source == "cache")
  }

  @Test func whatAProgramWasGivenIsInTheLists() throws {
    try world.interactive()
    let rows = try lab.read { try $0.apps.rows() }
    let row = try #require(rows.first { $0.displayName == "Azure CLI" })
    #expect(row.accounts == [World.ada])
    #expect(row.redirectURI == World.native)
    #expect(try lab.read { try $0.accounts.rows() }.contains { $0.username == World.ada })
    _ = try world.silent()
    let title = try lab.read { try $0.traces.rows() }.first?.title
    #expect(title == "Azure CLI: acquireTokenSilently")
  }

  @Test func accountsAreListedToAnyClient() throws {
    #expect(
      try world.serve(.getAccounts, ["clientId": "nobody", "redirectUri": "nobody"]).json["accounts"] == [])
    try world.interactive()
    let listed = try world.serve(.getAccounts, ["clientId": "nobody", "redirectUri": "nobody"])
    #expect(listed.json["accounts"]?.array?.map { $0["username"] } == [.string(World.ada)])
  }

  @Test func anAccountIsRemovedForEveryProgram() throws {
    try world.interactive()
    let account: JSONValue = ["account": ["homeAccountId": .string(World.homeID)], "clientId": "nobody"]
    #expect(try world.serve(.removeAccount, account).error == nil)
    #expect(try world.silent().error?.status == .accountNotFound)
    #expect(try world.serve(.removeAccount, account).error?.status == .accountNotFound)
  }

  @Test func theCookieSignsItsPersonIn() throws {
    try world.interactive()
    let nonce = try lab.serve(
      HTTPRequest(
        "POST", origin: "https://localhost:8443", path: "/common/oauth2/token",
        form: [NameValue("grant_type", "srv_challenge")]), approval: .browser)
    let value = try #require(JSONValue(bounded: nonce.answer.http.body)?["Nonce"]?.string)
    let answer = try world.serve(
      .acquirePrtSsoCookie,
      ["ssoUrl": .string("https://localhost:8443/common/oauth2/v2.0/authorize?sso_nonce=\(value)")])
    let content = try #require(answer.json["cookieContent"]?.string)
    #expect(answer.json["cookieItems"]?.array?.first?["cookieContent"]?.string == content)
    #expect(answer.json["cookieName"] == "x-ms-RefreshTokenCredential")
    var request = try ServedLab(lab).authorize
    request.query.removeAll { $0.name == "client_id" }
    request.query.append(NameValue("client_id", World.azure))
    request.headers.append(NameValue("x-ms-RefreshTokenCredential", content))
    let served = try lab.serve(request, approval: .browser)
    #expect(served.answer.http.location?.contains("code=") == true)
    #expect(try lab.serve(request, approval: .browser).answer.http.location == nil, "the nonce is used up")
  }

  @Test func aRequestIsSignedByAKeyThatItNames() throws {
    try world.interactive()
    let answer = try world.serve(
      .generateSignedHttpRequest,
      [
        "clientId": .string(World.azure),
        "popParams": ["authenticationScheme": "pop", "uriHost": "api.contoso.com", "httpMethod": "GET"],
      ])
    let text = try #require(answer.json["signedHttpRequest"]?.string)
    let token = try JSONWebToken(unverified: text)
    #expect((token.claims["u"], token.claims["m"]) == ("api.contoso.com", "GET"))
    #expect(token.claims["cnf"]?["jwk"]?["crv"] == "P-256")
  }

  @Test func theVersionIsThatOfTheInterface() throws {
    let answer = try world.serve(.getLinuxBrokerVersion, ["msalCppVersion": "1.1"])
    #expect(answer.json == ["linuxBrokerVersion": "2.5.0"])
    #expect(try lab.read { try $0.traces.rows() }.isEmpty)
  }

  @Test func whoAsksIsShownWithWhatLinuxCannotCheck() throws {
    let call = World.call(.acquireTokenInteractively, World.parameters(account: nil))
    guard case .waits(let id, let name) = try LinuxBrokerCalls(lab).serve(call, approval: .terminal),
      case .needs(.chooseAccount(let picker), _) = try lab.perform(AnswerSignIn(id: id, client: name))
    else {
      Issue.record("no picker")
      return
    }
    #expect(picker.callerCheck.verdict == .skipped)
    #expect(picker.callerCheck.found.contains("any program of this user may use any client ID"))
    #expect(picker.callerCheck.found.contains("/usr/bin/python3.11, process 4711 of user 1000"))
    #expect((picker.clientID, picker.redirectURI) == (World.azure, World.native))
    #expect(picker.scopes == ["User.Read"])
    #expect(picker.reason.contains("https://login.microsoftonline.com/\(World.tenantID)"))
    #expect(picker.candidates.map(\.username) == [World.ada, "grace@contoso.com"])
    let waiting = try #require(try lab.read { try $0.provider.waitingSignIns() }.first)
    #expect(waiting.caller == World.caller.displayText)
  }

  @Test func aScriptNeedsNobody() throws {
    let answer = try world.serve(
      .acquireTokenInteractively, World.parameters(account: nil), approval: .automatic(username: World.ada))
    #expect(answer.username == World.ada)
  }

  @Test func theAccountThatIsNamedIsUsedWithoutThePicker() throws {
    try world.interactive()
    #expect(try world.serve(.acquireTokenInteractively, World.parameters()).username == World.ada)
    let call = World.call(
      .acquireTokenInteractively, World.parameters(more: ["prompt": "select_account"]))
    guard case .waits = try LinuxBrokerCalls(lab).serve(call, approval: .terminal) else {
      Issue.record("no picker")
      return
    }
  }

  @Test func esc() throws {
    let (answer, outcome) = try world.interactive(answers: [.cancel])
    #expect((answer.brokerStatus, outcome.verdict) == (7, .cancelled))
    let page = try world.interactive(answers: [.useAnotherAccount, .cancel])
    #expect(page.0.brokerStatus == 7)
  }

  @Test func whoeverDoesNotAnswerInTimeHasCancelled() throws {
    let call = World.call(.acquireTokenInteractively, World.parameters(account: nil))
    guard case .waits(let id, _) = try LinuxBrokerCalls(lab).serve(call, approval: .terminal) else { return }
    _ = try lab.perform(MoveClock(bySeconds: PendingSignIn.pageLifetime))
    #expect(try LinuxBrokerCalls(lab).answer(toWaiting: id)?.brokerStatus == 7)
  }
}

extension LinuxBrokerLab {
  fileprivate func silent(more: [String: JSONValue]) throws -> LinuxBrokerAnswer {
    try silent(Self.azure, more)
  }

  fileprivate static func parameters(more: [String: JSONValue]) -> JSONValue {
    parameters(azure, account: ada, more)
  }
}
