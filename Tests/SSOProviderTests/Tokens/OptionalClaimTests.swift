import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// `optionalClaims` of a registration, and the opaque account hint that one of them is.
@Suite struct OptionalClaimTests {
  private static let api = "5e4a0000-0000-4000-8000-000000000001"

  /// Returns the tokens for an API whose registration, and the client's, ask for optional claims.
  private func tokens(
    idToken: [OptionalClaim] = [], accessToken: [OptionalClaim] = [], version: Int = 2,
    tenant: String = "contoso.com", scope: String = "openid profile"
  ) throws -> (id: [String: JSONValue], access: [String: JSONValue]) {
    let lab = try ProviderLab()
    var (api, word) = (ProviderLab.word, ProviderLab.word)
    (api.clientID, api.accessTokenVersion) = (Self.api, version)
    api.optionalClaims = OptionalClaims(accessToken: accessToken)
    word.optionalClaims = OptionalClaims(idToken: idToken)
    try lab.documents.save(api)
    try lab.documents.save(word)
    var alice = ProviderLab.alice
    (alice.givenName, alice.familyName) = ("Alice", "Liddell")
    try lab.save(alice)
    let tokens = try lab.signIn(word, tenant: tenant, scope: scope + " api://\(Self.api)/.default")
    return (try lab.claims(tokens.idToken ?? ""), try lab.claims(tokens.accessToken))
  }

  private static let hint = LoginHint(ProviderLab.alice).text

  /// Microsoft Learn, "Optional claims reference".
  @Test(
    arguments: [
      ("acct", .integer(0)), ("auth_time", .integer(1_767_261_600)), ("email", "alice@contoso.com"),
      ("given_name", "Alice"), ("family_name", "Liddell"), ("ipaddr", "127.0.0.1"),
      ("login_hint", .string(hint)), ("tenant_region_scope", "WW"), ("upn", "alice@contoso.com"),
      // The lab knows no value of these.
      ("ctry", nil), ("in_corp", nil), ("xms_pl", nil), ("xms_edov", nil),
    ] as [(String, JSONValue?)])
  func aTokenHasTheClaimsOfTheRegistrationItIsFor(_ name: String, _ value: JSONValue?) throws {
    #expect(try tokens(idToken: [OptionalClaim(name)]).id[name] == value)
    #expect(try tokens(accessToken: [OptionalClaim(name)]).access[name] == value)
    let (none, crossed) = (try tokens(), try tokens(accessToken: [OptionalClaim(name)]))
    #expect(none.id[name] == nil && none.access[name] == nil)
    #expect(crossed.id[name] == nil, "the client's registration decides for the ID token")
  }

  @Test(arguments: ["given_name", "family_name", "upn"])
  func theNameNeedsTheScopeProfile(_ name: String) throws {
    #expect(try tokens(idToken: [OptionalClaim(name)], scope: "openid").id[name] == nil)
  }

  @Test(
    arguments: [
      (nil, nil),
      ("include_externally_authenticated_upn", "alice_contoso.com#EXT#@fabrikam.onmicrosoft.com"),
      (
        "include_externally_authenticated_upn_without_hash", "alice_contoso.com_EXT_@fabrikam.onmicrosoft.com"
      ),
    ] as [(String?, String?)])
  func theNameOfAGuestIsThatOfTheTenantsDirectory(_ property: String?, _ name: String?) throws {
    let claim = OptionalClaim("upn", additionalProperties: property.map { [$0] } ?? [])
    #expect(try tokens(idToken: [claim], tenant: "fabrikam.com").id["upn"]?.string == name)
    #expect(try tokens(idToken: [OptionalClaim("acct")], tenant: "fabrikam.com").id["acct"] == .integer(1))
  }

  @Test func aVerifiedDomainNeedsTheAddress() throws {
    let claims = [OptionalClaim("xms_edov"), OptionalClaim("email")]
    #expect(try tokens(idToken: claims).id["xms_edov"] == .bool(true))
    #expect(try tokens(idToken: [OptionalClaim("xms_edov")]).id["xms_edov"] == nil)
  }

  @Test(arguments: [(1, "api://" + api, api), (2, api, api)])
  func anAudienceMayAlwaysBeTheAppID(_ version: Int, _ usual: String, _ wanted: String) throws {
    let claim = OptionalClaim("aud", additionalProperties: ["use_guid"])
    #expect(try tokens(version: version).access["aud"]?.string == usual)
    let changed = try tokens(idToken: [claim], accessToken: [claim], version: version)
    #expect(changed.access["aud"]?.string == wanted && changed.id["aud"]?.string == "word")
  }

  @Test func theKindOfATokenIsNamedToAnAPIThatAsks() throws {
    let user = OptionalClaim("idtyp", additionalProperties: ["include_user_token"])
    #expect(try tokens(accessToken: [OptionalClaim("idtyp")]).access["idtyp"] == nil)
    #expect(try tokens(idToken: [user], accessToken: [user]).access["idtyp"] == "user")
    #expect(try tokens(idToken: [user]).id["idtyp"] == nil)
    let lab = try ProviderLab.withServer()
    var server = ProviderLab.server
    server.optionalClaims = OptionalClaims(accessToken: [OptionalClaim("idtyp")])
    try lab.documents.save(server)
    let answer = try lab.token([
      "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret",
      "scope": "api://server/.default",
    ])
    #expect(try lab.claims(answer.json?["access_token"]?.string ?? "")["idtyp"] == "app")
  }

  @Test func tokensOfVersionOneMayHaveThePreferredUsername() throws {
    let claim = OptionalClaim("preferred_username")
    #expect(try tokens(version: 1).access["preferred_username"] == nil)
    #expect(
      try tokens(accessToken: [claim], version: 1).access["preferred_username"] == "alice@contoso.com")
  }

  /// Microsoft Learn, "Optional claims reference": `xms_cc`; a token for Graph has it without asking.
  @Test(arguments: [true, false])
  func anAPIMustAskForTheCapabilities(_ asks: Bool) throws {
    let lab = try ProviderLab()
    var api = ProviderLab.notes
    api.optionalClaims = asks ? OptionalClaims(accessToken: [OptionalClaim("xms_cc")]) : nil
    try lab.documents.save(api)
    let refreshToken = try lab.signIn(ProviderLab.word).refreshToken ?? ""
    func capabilities(_ scope: String) throws -> JSONValue? {
      let answer = try lab.token(
        [
          "grant_type": "refresh_token", "client_id": "word", "refresh_token": refreshToken, "scope": scope,
          "claims": #"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#,
        ], tenant: "common")
      return try lab.claims(TokenResponse(reading: answer).accessToken)["xms_cc"]
    }
    #expect(try capabilities("api://notes/User.Read") == (asks ? ["cp1"] : nil))
    #expect(try capabilities("User.Read") == ["cp1"])
  }

  /// The session's ID stays the same when tokens are refreshed.
  @Test func theSessionIsNamed() throws {
    let lab = try ProviderLab()
    var word = ProviderLab.word
    word.optionalClaims = OptionalClaims(idToken: [OptionalClaim("sid")])
    try lab.documents.save(word)
    let first = try lab.signIn(word)
    let id = try #require(try lab.claims(first.idToken ?? "")["sid"]?.string)
    #expect(id.isGUID)
    let second = try TokenResponse(reading: lab.refresh(first.refreshToken ?? "", word))
    #expect(try lab.claims(second.idToken ?? "")["sid"]?.string == id)
  }

  @Test func theHintSignsTheAccountInSilently() throws {
    let lab = try ProviderLab()
    _ = try lab.code(ProviderLab.word)
    _ = try lab.signInToo("bob@contoso.com")
    func silent(_ hint: String) throws -> [NameValue]? {
      let answer = try lab.authorize(ProviderLab.word, ["prompt": "none", "login_hint": hint])
      return answer.http.location.flatMap { URLParts($0)?.fields }
    }
    #expect(try silent(Self.hint)?["code"] != nil)
    #expect(try silent("O." + Self.hint.dropFirst(3))?["error"] == "login_required")
    // The hint names the object, not the username.
    var renamed = ProviderLab.alice
    renamed.username = "alice.king@contoso.com"
    #expect(LoginHint(LoginHint(renamed).text)?.objectID == LoginHint(Self.hint)?.objectID)
    #expect(LoginHint("alice@contoso.com") == nil && LoginHint("O.") == nil)
  }

  /// Microsoft Learn, "OpenID Connect on the Microsoft identity platform": `logout_hint`.
  @Test(arguments: [(hint, ["bob@contoso.com"]), ("alice@contoso.com", []), ("", [])])
  func aSignOutMayNameItsAccount(_ hint: String, _ left: [String]) throws {
    let lab = try ProviderLab()
    _ = try lab.code(ProviderLab.word)
    _ = try lab.signInToo("bob@contoso.com")
    let sessions = SSOSessions(documents: lab.documents, now: lab.now)
    let cookies = lab.cookies
    #expect(try sessions.storedSession(of: cookies)?.usernames.count == 2)
    let answer = try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/logout",
        query: [NameValue("logout_hint", hint)]))
    #expect(answer.http.status == 200)
    #expect(try sessions.storedSession(of: cookies)?.usernames ?? [] == left)
  }

  @Test func aManifestIsRead() throws {
    let manifest = #"""
      {"idToken":[{"name":"upn","source":null,"essential":false,"additionalProperties":["include_externally_authenticated_upn"]}],
      "accessToken":["email"],"saml2Token":[{"name":"upn"}]}
      """#
    let claims = try decodeJSON(OptionalClaims.self, from: Data(manifest.utf8))
    #expect(
      claims
        == OptionalClaims(
          idToken: [
            OptionalClaim("upn", additionalProperties: ["include_externally_authenticated_upn"])
          ],
          accessToken: [OptionalClaim("email")]))
    #expect(try decodeJSON(OptionalClaims.self, from: encodeJSON(claims)) == claims)
    #expect(try decodeJSON(OptionalClaims.self, from: claims.manifest.bytes(.wire)) == claims)
  }
}

extension ProviderLab {
  /// Signs another account in to the browser.
  fileprivate func signInToo(_ username: String) throws -> ProviderResponse {
    var answer = try authorize(Self.word, ["prompt": "select_account"])
    if case .signIn(let page) = answer.page {
      answer = try post(
        "/common/login", ["flow": page.flowID, "username": username, "password": "right"])
    }
    if case .consent(let page) = answer.page {
      answer = try post("/common/consent", ["flow": page.flowID, "accept": "1"])
    }
    return answer
  }
}
