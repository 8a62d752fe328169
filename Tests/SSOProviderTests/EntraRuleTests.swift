import Crypto
import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// The audiences of tokens, and their versions.
@Suite struct ProtectedResourceTests {
  private func lab(_ change: (inout ClientRegistration) -> Void = { _ in }) throws -> ProviderLab {
    let lab = try ProviderLab()
    var api = ProviderLab.word
    (api.clientID, api.displayName) = ("5e4a0000-0000-4000-8000-000000000001", "Orders API")
    api.identifierURIs = ["https://orders.contoso.com"]
    change(&api)
    try lab.documents.save(api)
    return lab
  }

  @Test(arguments: [
    ("User.Read", ProtectedResource.graphAppID, "1.0"),
    ("https://graph.microsoft.com/User.Read", "https://graph.microsoft.com", "1.0"),
    ("https://storage.azure.com/.default", "https://storage.azure.com", "1.0"),
    ("https://acme.blob.core.windows.net/.default", "https://acme.blob.core.windows.net", "1.0"),
    ("https://management.azure.com//.default", "https://management.azure.com/", "1.0"),
    ("https://vault.azure.net/.default", "https://vault.azure.net", "1.0"),
    ("https://azconfig.io/.default", "https://azconfig.io", "1.0"),
    ("https://acme.crm4.dynamics.com/.default", "https://acme.crm4.dynamics.com", "1.0"),
    ("https://localhost:8443/.default", "https://graph.microsoft.com", "1.0"),
    ("6dae42f8-4368-4678-94ff-3960e28e3630/.default", "6dae42f8-4368-4678-94ff-3960e28e3630", "1.0"),
    ("5e4a0000-0000-4000-8000-000000000001/.default", "5e4a0000-0000-4000-8000-000000000001", "1.0"),
    ("api://5e4a0000-0000-4000-8000-000000000001/Read", "api://5e4a0000-0000-4000-8000-000000000001", "1.0"),
    ("https://orders.contoso.com/Read", "https://orders.contoso.com", "1.0"),
  ])
  func decidesAudienceAndVersion(_ scope: String, _ audience: String, _ version: String) throws {
    let lab = try lab()
    let token = try lab.signIn(ProviderLab.word, scope: scope + " openid").accessToken
    let header = try JSONWebToken(unverified: token).header
    #expect(header["x5t"] == header["kid"], "a token of version 1 names its certificate too")
    let claims = try lab.claims(token)
    #expect(claims["aud"] == .string(audience))
    #expect(claims["ver"] == .string(version))
    #expect(claims["iss"] == .string("https://sts.windows.net/\(ProviderLab.contoso.id)/"))
    #expect(claims["appid"] == "word" && claims["azp"] == nil)
  }

  /// A client that asks for a bound token gets one, or an error, but no bearer token.
  @Test(arguments: [
    ("pop", Base64URL.encode(Array(#"{"kid":"thumb"}"#.utf8)), true), ("pop", "", false), ("pop", "x", false),
    ("ssh-cert", "", false),
  ])
  func aTokenIsBoundToTheKeyOfTheClient(_ type: String, _ key: String, _ isIssued: Bool) throws {
    let lab = try ProviderLab.withServer()
    let answer = try lab.token([
      "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret",
      "scope": "https://graph.microsoft.com/.default", "token_type": type, "req_cnf": key,
    ])
    #expect(answer.status == (isIssued ? 200 : 400))
    guard isIssued else {
      #expect(answer.json?["error"] == "invalid_request")
      return
    }
    #expect(answer.json?["token_type"] == "pop")
    #expect(try lab.claims(answer.json?["access_token"]?.string ?? "")["cnf"] == ["kid": "thumb"])
  }

  @Test(arguments: ["api://5e4a0000-0000-4000-8000-000000000001/Read", "https://orders.contoso.com/.default"])
  func tokenOfVersion2HasTheBareAppID(_ scope: String) throws {
    let lab = try lab { $0.accessTokenVersion = 2 }
    let claims = try lab.claims(lab.signIn(ProviderLab.word, scope: scope).accessToken)
    #expect(claims["aud"] == "5e4a0000-0000-4000-8000-000000000001")
    #expect(claims["ver"] == "2.0")
    #expect(claims["azp"] == "word" && claims["appid"] == nil)
    #expect(claims["preferred_username"] == "alice@contoso.com")
  }

  /// Microsoft Learn, "Scopes and permissions in the Microsoft identity platform": `.default`.
  @Test(arguments: ["Calendars.Read", "https://graph.microsoft.com/.default"])
  func aTokenHasAllThatTheUserConsentedTo(_ later: String) throws {
    let lab = try ProviderLab()
    var notes = ProviderLab.notes
    (notes.allowedScopes, notes.adminOnlyScopes) = ([], [])
    try lab.documents.save(notes)
    _ = try lab.signIn(notes, scope: "openid Mail.Read")
    _ = try lab.signIn(notes, scope: "openid api://notes/Read")
    let tokens = try lab.signIn(notes, scope: "openid " + later)
    let asked = later.hasSuffix(".default") ? "" : " Calendars.Read"
    #expect(try lab.claims(tokens.accessToken)["scp"]?.string == "openid" + asked + " Mail.Read")
    #expect(tokens.scope == "openid \(later) Mail.Read")
  }

  /// Entra corrects the case of a permission (AzureAD/microsoft-authentication-library-for-go#217).
  @Test(arguments: [
    ("openid user.read", "openid User.Read", "openid User.Read"),
    (
      "OpenID https://graph.microsoft.com/MAIL.READ", "openid https://graph.microsoft.com/Mail.Read",
      "openid Mail.Read"
    ),
    (
      "openid api://5e4a0000-0000-4000-8000-000000000001/orders.read",
      "openid api://5e4a0000-0000-4000-8000-000000000001/Orders.Read", "Orders.Read"
    ),
  ])
  func aPermissionIsSpelledAsTheAPISpellsIt(_ asked: String, _ scope: String, _ scp: String) throws {
    let lab = try lab { $0.exposedScopes = ["Orders.Read"] }
    let tokens = try lab.signIn(ProviderLab.word, scope: asked)
    #expect(tokens.scope == scope)
    #expect(try lab.claims(tokens.accessToken)["scp"]?.string == scp)
  }

  /// Microsoft Learn, "Microsoft identity platform and OAuth 2.0 authorization code flow" (login_required) and "Microsoft Entra
  /// authentication and authorization error codes" (AADSTS16000).
  @Test func aSessionOfAnotherKindOrTenantIsNotUsedSilently() throws {
    let lab = try ProviderLab()
    var alice = ProviderLab.alice
    alice.guestIn = [:]
    try lab.save(alice)
    _ = try lab.code(ProviderLab.word)
    for (tenant, error, number) in [
      ("consumers", "login_required", "AADSTS50058"), ("fabrikam.com", "interaction_required", "AADSTS16000"),
      ("organizations", nil, nil),
    ] as [(String, String?, String?)] {
      let answer = try lab.authorize(ProviderLab.word, tenant: tenant, ["prompt": "none"])
      let fields = try #require(answer.http.location.flatMap { URLParts($0)?.fields })
      #expect(fields["error"] == error)
      #expect(fields["error_description"]?.split(separator: ":").first.map(String.init) == number)
    }
  }

  /// Microsoft Learn, "Microsoft Entra authentication and authorization error codes": AADSTS50057, UserDisabled.
  @Test func aDisabledAccountIsNotUsedSilently() throws {
    let lab = try ProviderLab()
    _ = try lab.code(ProviderLab.word)
    var alice = ProviderLab.alice
    alice.isDisabled = true
    try lab.save(alice)
    let answer = try lab.authorize(ProviderLab.word, ["prompt": "none"])
    let fields = try #require(answer.http.location.flatMap { URLParts($0)?.fields })
    #expect(fields["error"] == "interaction_required")
    #expect(fields["error_description"]?.hasPrefix("AADSTS50057: The user account is disabled.") == true)
    #expect(lab.failedCheck == "account enabled")
  }

  /// A personal account that is a guest (Microsoft Learn, "OAuth 2.0 Resource Owner Password Credentials").
  @Test func aPersonalGuestHasNoPasswordHere() throws {
    let lab = try ProviderLab.withServer()
    var alice = ProviderLab.alice
    alice.isPersonal = true
    try lab.save(alice)
    let answer = try lab.token([
      "grant_type": "password", "client_id": "server", "client_secret": "s3cret",
      "username": "alice@contoso.com", "password": "right", "scope": "openid User.Read",
    ])
    #expect(OAuthError(reading: answer).aadsts == 50034)
  }

  /// `sub` is pairwise to the recipient: the API of an access token, and the client of an ID token (Microsoft Learn, "Access
  /// token claims reference").
  @Test func subjectBelongsToTheRecipient() throws {
    let lab = try lab { $0.accessTokenVersion = 2 }
    let scope = "openid profile api://5e4a0000-0000-4000-8000-000000000001/Read"
    let (word, excel) = (
      try lab.signIn(ProviderLab.word, scope: scope), try lab.signIn(ProviderLab.excel, scope: scope)
    )
    let access = try [word, excel].map { try lab.claims($0.accessToken)["sub"] }
    let id = try [word, excel].map { try lab.claims($0.idToken ?? "")["sub"] }
    #expect(access[0] != nil && access[0] == access[1])
    #expect(Set(id + [access[0]]).count == 3)
  }

  @Test func anAppsOwnScopesAreChecked() throws {
    let lab = try lab { $0.exposedScopes = ["Orders.Read"] }
    let answer = try lab.authorize(
      ProviderLab.word, ["scope": "api://5e4a0000-0000-4000-8000-000000000001/Orders.Write"])
    let fields = try #require(answer.http.location.flatMap { URLParts($0)?.fields })
    #expect(fields["error"] == "invalid_client")
    #expect(
      fields["error_description"]?.contains(
        "asked for scope 'api://5e4a0000-0000-4000-8000-000000000001/Orders.Write' that doesn't exist on the "
          + "resource '5e4a0000-0000-4000-8000-000000000001'.") == true)
    _ = try lab.signIn(
      ProviderLab.word, scope: "api://5e4a0000-0000-4000-8000-000000000001/orders.read")
  }

  @Test(arguments: ["api://nobody/.default", "https://unknown.example/.default"])
  func aMistypedResourceIsRefusedToAppsToo(_ scope: String) throws {
    let answer = try ProviderLab.withServer().token([
      "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret", "scope": scope,
    ])
    let error = OAuthError(reading: answer)
    #expect(error.code == .invalidResource && error.aadsts == 500_011)
  }

  /// RFC 8707 at version 2.0: AADSTS9010010 unless the bytes are the same.
  @Test(arguments: [
    ("https://orders.contoso.com/Read", "https://orders.contoso.com", true),
    ("https://orders.contoso.com/Read", "https://orders.contoso.com/", false),
    ("https://orders.contoso.com/Read", "api://5e4a0000-0000-4000-8000-000000000001", true),
    ("https://orders.contoso.com/Read", "5e4a0000-0000-4000-8000-000000000001", true),
    ("https://orders.contoso.com/Read", "http://localhost:8000/mcp", false),
    ("https://orders.contoso.com/Read", "HTTPS://orders.contoso.com", false),
    ("User.Read", "https://orders.contoso.com", false), ("User.Read", "https://graph.microsoft.com", true),
    ("openid profile", "https://graph.microsoft.com", false),
  ])
  func isComparedWithTheResourceOfTheScopes(_ scope: String, _ resource: String, _ fits: Bool) throws {
    let lab = try lab()
    let answer = try lab.authorize(ProviderLab.word, scope: scope, ["resource": resource])
    let fields = answer.http.location.flatMap { URLParts($0)?.fields }
    #expect(fields?["error"] == (fits ? nil : "invalid_target"))
    #expect(fields?["error_uri"] == (fits ? nil : "https://login.microsoftonline.com/error?code=9010010"))
    let tokens = try lab.signIn(ProviderLab.word, scope: scope + " offline_access")
    let refreshed = try lab.token([
      "grant_type": "refresh_token", "client_id": "word", "scope": scope, "resource": resource,
      "refresh_token": tokens.refreshToken ?? "",
    ])
    #expect((refreshed.status == 200) == fits)
    if !fits {
      let error = OAuthError(reading: refreshed)
      #expect((error.code, error.aadsts) == (.invalidTarget, 9_010_010))
    }
  }

  @Test func everyDelegatedPermissionOfGraphIsOneWord() {
    #expect(GraphPermissions.delegated.count > 700)
    #expect(GraphPermissions.delegated.isSuperset(of: ["user.read", "mail.read", "files.readwrite.all"]))
  }
}

/// PKCE as at Entra: recommended, but never required of a native or web app.
@Suite struct ProofKeyAtEntraTests {
  @Test(
    arguments: [
      ("none", nil, nil, true), ("plain", ProviderLab.verifier, "plain", true),
      ("plain by default", ProviderLab.verifier, nil, true), ("another", ProviderLab.verifier, "S256", false),
      ("a verifier without a challenge", nil, nil, false),
    ] as [(String, String?, String?, Bool)])
  func isOptional(_ how: String, _ challenge: String?, _ method: String?, _ isTaken: Bool) throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    let answer = try lab.authorize(
      ProviderLab.word, ["code_challenge": challenge, "code_challenge_method": method])
    let code = try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["code"])
    var form: [NameValue] = [
      NameValue("grant_type", "authorization_code"), NameValue("client_id", "word"), NameValue("code", code),
      NameValue("redirect_uri", ProviderLab.word.redirectURIs[0]),
    ]
    if how != "none" {
      form.append(
        NameValue(
          "code_verifier", how == "another" ? String(ProviderLab.verifier.reversed()) : ProviderLab.verifier))
    }
    let response = try lab.send(
      HTTPRequest("POST", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/token", form: form)
    ).http
    #expect((response.status == 200) == isTaken)
    if !isTaken { #expect(OAuthError(reading: response).aadsts == 501_481) }
  }
}

/// The older endpoints, in full.
@Suite struct VersionOneTests {
  @Test func discoveryNamesItsOwnEndpoints() throws {
    let lab = try ProviderLab()
    let body = try #require(lab.get("/contoso.com/.well-known/openid-configuration", bearer: nil).json)
    let base = "\(ProviderLab.origin)/\(ProviderLab.contoso.id)"
    #expect(body["issuer"] == .string("https://sts.windows.net/\(ProviderLab.contoso.id)/"))
    #expect(body["authorization_endpoint"] == .string(base + "/oauth2/authorize"))
    #expect(body["token_endpoint"] == .string(base + "/oauth2/token"))
    #expect(body["device_authorization_endpoint"] == .string(base + "/oauth2/devicecode"))
    #expect(body["jwks_uri"] == .string(base + "/discovery/keys"))
    #expect(body["userinfo_endpoint"] == .string(base + "/openid/userinfo"))
  }

  @Test func deviceCodeHasItsOldNames() throws {
    let answer = try ProviderLab().post(
      "/contoso.com/oauth2/devicecode", ["client_id": "word", "resource": "https://graph.windows.net"]
    ).http
    let body = try #require(answer.json)
    #expect(body["verification_url"]?.string?.hasSuffix("/common/oauth2/deviceauth") == true)
    #expect(body["verification_uri"] == nil)
    #expect(body["expires_in"] == "900" && body["interval"] == "5")
  }

  /// The scope is not read, and without a resource, Azure AD Graph is used.
  @Test func signInWithoutAResource() throws {
    let lab = try ProviderLab()
    let page = try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: "/common/oauth2/authorize",
        query: [
          NameValue("client_id", "word"), NameValue("redirect_uri", ProviderLab.word.redirectURIs[0]),
          NameValue("response_type", "code"), NameValue("scope", "no such scope"),
        ]))
    guard case .signIn(let signIn) = page.page else {
      Issue.record("no page")
      return
    }
    let answer = try lab.post(
      "/common/login", ["flow": signIn.flowID, "username": "alice@contoso.com", "password": "right"])
    let code = try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["code"])
    let response = try lab.post(
      "/common/oauth2/token",
      [
        "grant_type": "authorization_code", "client_id": "word", "code": code,
        "redirect_uri": ProviderLab.word.redirectURIs[0],
      ]
    ).http
    let tokens = try TokenResponse(reading: response)
    #expect(response.headers["Pragma"] == "no-cache")
    #expect(tokens.resource == "00000002-0000-0000-c000-000000000000")
    let claims = try JSONWebToken(unverified: #require(tokens.idToken)).claims
    #expect(claims["unique_name"] == "alice@contoso.com" && claims["upn"] == "alice@contoso.com")
    #expect(claims["ver"] == "1.0")
  }
}

@Suite struct IDTokenClaimTests {
  /// The name, the username, and the object ID require `profile`, and a guest's home tenant is included.
  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func followScopeAndTenant(_ asksProfile: Bool, _ isGuest: Bool) throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(
      ProviderLab.word, tenant: isGuest ? "fabrikam.com" : "contoso.com",
      scope: asksProfile ? "openid profile" : "openid")
    let claims = try JSONWebToken(unverified: #require(tokens.idToken)).claims
    for name in ["name", "preferred_username", "oid"] { #expect((claims[name] != nil) == asksProfile) }
    let home = "https://sts.windows.net/\(ProviderLab.contoso.id)/"
    #expect(claims["idp"] == (isGuest ? .string(home) : nil))
    #expect(claims["tid"] != nil && claims["sub"] != nil)
  }

  /// OpenID Connect Core §3.1.2.1: with `prompt=none`, the hint of another user is an error.
  @Test(arguments: [("alice", true), ("bob", false), ("nonsense", false)])
  func hintDecidesWhoIsMeant(_ whose: String, _ isAlice: Bool) throws {
    let lab = try ProviderLab()
    let hint = try TokenResponse(reading: lab.redeem(code: lab.code(ProviderLab.word), ProviderLab.word))
    var token = try #require(hint.idToken)
    if whose == "bob" {
      var bob = ProviderLab.alice
      (bob.username, bob.objectID) = ("bob@contoso.com", "b0b00000-0000-4000-8000-000000000001")
      try lab.save(bob)
      lab.cookies = []
      let code = try lab.code(ProviderLab.word, username: "bob@contoso.com")
      token = try #require(TokenResponse(reading: lab.redeem(code: code, ProviderLab.word)).idToken)
      lab.cookies = []
      _ = try lab.code(ProviderLab.word)
    }
    if whose == "nonsense" { token = "x.y.z" }
    let answer = try lab.authorize(ProviderLab.word, ["prompt": "none", "id_token_hint": token])
    let fields = try #require(answer.http.location.flatMap { URLParts($0)?.fields })
    #expect((fields["code"] != nil) == isAlice)
    #expect(fields["error"] == (isAlice ? nil : "login_required"))
  }
}

@Suite struct KeySetTests {
  @Test func everyKeyHasItsCertificate() throws {
    let lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
    try lab.provider.resources.keys.rollOver()
    let keys = try lab.get("/common/discovery/keys", bearer: nil).json?["keys"]?.array ?? []
    #expect(keys.count == 2)
    for key in keys {
      let text = try #require(key["x5c"]?.array?.first?.string)
      let der = try #require(Data(base64Encoded: text))
      #expect(key["x5t"]?.string == Base64URL.encode(Insecure.SHA1.hash(data: der)))
      // The certificate is for this key, because it contains the modulus of the key.
      let modulus = try #require(key["n"]?.string.flatMap { Base64URL.decode($0) })
      #expect(der.range(of: Data(modulus)) != nil)
    }
  }
}
