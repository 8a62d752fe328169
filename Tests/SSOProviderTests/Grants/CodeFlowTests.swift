import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct CodeFlowTests {
  @Test func appGetsTokensThatItsKeySetVerifies() throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(ProviderLab.notes)
    #expect(tokens.scope == "User.Read openid profile")
    #expect(tokens.expiresIn == 3600 && tokens.extExpiresIn == 3600)
    #expect(tokens.familyID == nil)
    #expect(tokens.refreshToken?.hasPrefix("0.A") == true)
    let alice = ProviderLab.alice
    #expect(
      ClientInfo(tokens.clientInfo ?? "")?.homeAccountID == "\(alice.objectID).\(alice.homeTenantID)")

    let published = try lab.send(
      HTTPRequest("GET", origin: "https://login.microsoftonline.com", path: "/common/discovery/v2.0/keys"))
    let list = JSONValue(bounded: published.http.body)?["keys"]?.array ?? []
    let keys = list.compactMap { TokenVerificationKey($0) }
    let claims = try JSONWebToken(verifying: #require(tokens.idToken), keys: keys).claims
    let sub = try #require(claims["sub"])
    #expect(
      claims == [
        "aud": "notes", "iss": .string("https://login.microsoftonline.com/\(alice.homeTenantID)/v2.0"),
        "iat": .integer(1_767_261_300), "nbf": .integer(1_767_261_300), "exp": .integer(1_767_265_200),
        "name": "Alice", "preferred_username": "alice@contoso.com", "oid": .string(alice.objectID),
        "tid": .string(alice.homeTenantID), "nonce": "n1", "ver": "2.0", "sub": sub,
        "uti": claims["uti"] ?? "", "rh": claims["rh"] ?? "",
      ])
    // Only Graph can verify its tokens, because the signature is over the hash of the nonce.
    #expect(throws: JSONWebToken.Refusal.signature) {
      try JSONWebToken(verifying: tokens.accessToken, keys: keys)
    }
    let access = try JSONWebToken(verifying: tokens.accessToken, keys: keys, resolvesNonce: true).claims
    #expect(access["aud"] == .string(ProtectedResource.graphAppID))
    #expect(access["iss"] == .string("https://sts.windows.net/\(alice.homeTenantID)/"))
    #expect(access["scp"] == "User.Read openid profile")
  }

  @Test func codeServesOnceAndASecondUseLeavesItsTokens() throws {
    let lab = try ProviderLab()
    let code = try lab.code(ProviderLab.notes)
    let tokens = try TokenResponse(reading: lab.redeem(code: code, ProviderLab.notes))
    let again = OAuthError(reading: try lab.redeem(code: code, ProviderLab.notes))
    #expect(again.aadsts == 54005)
    #expect(lab.failedCheck == "code not used")
    #expect(try lab.refresh(#require(tokens.refreshToken), ProviderLab.notes).status == 200)
  }

  /// A code belongs to its tenant, or to none.
  @Test(
    arguments: [
      ("common", "contoso.com", 700005), ("contoso.com", "common", 700005),
      ("contoso.com", "contoso.com", nil),
      ("common", "organizations", nil),
    ] as [(String, String, Int?)])
  func aCodeIsRedeemedWhereItWasIssued(_ issued: String, _ redeemed: String, _ number: Int?) throws {
    let lab = try ProviderLab()
    let code = try lab.code(ProviderLab.notes, tenant: issued)
    let answer = try lab.redeem(code: code, ProviderLab.notes, tenant: redeemed)
    #expect(OAuthError(reading: answer).aadsts == number && (answer.status == 200) == (number == nil))
  }

  /// MSAL Go sends an empty verifier with a code that has no challenge.
  @Test(arguments: [true, false])
  func anEmptyVerifierIsNone(_ hasChallenge: Bool) throws {
    let lab = try ProviderLab()
    let none: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
    var answer = try lab.authorize(ProviderLab.word, hasChallenge ? [:] : none)
    if case .signIn(let page) = answer.page {
      answer = try lab.post(
        "/common/login", ["flow": page.flowID, "username": "alice@contoso.com", "password": "right"])
    }
    if case .consent(let page) = answer.page {
      answer = try lab.post("/common/consent", ["flow": page.flowID, "accept": "1"])
    }
    let code = try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["code"])
    let redeemed = try lab.post(
      "/common/oauth2/v2.0/token",
      [
        "grant_type": "authorization_code", "client_id": "word", "code": code, "code_verifier": "",
        "redirect_uri": ProviderLab.word.redirectURIs[0],
      ]
    ).http
    #expect(redeemed.status == (hasChallenge ? 400 : 200))
    if hasChallenge { #expect(OAuthError(reading: redeemed).aadsts == 50148) }
  }

  /// Entra keeps the code of an attempt with a wrong verifier.
  @Test(arguments: ["code_verifier", "redirect_uri", "client_id", "resource", "scope"])
  func anAttemptThatFailsSpendsNoCode(_ field: String) throws {
    let lab = try ProviderLab()
    let code = try lab.code(ProviderLab.word)
    var form = [
      "grant_type": "authorization_code", "client_id": "word", "code": code,
      "redirect_uri": ProviderLab.word.redirectURIs[0], "code_verifier": ProviderLab.verifier,
    ]
    form[field] = "excel"
    let wrong = try lab.send(
      HTTPRequest(
        "POST", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/token",
        form: form.map { NameValue($0, $1) }))
    #expect(wrong.http.status == 400)
    #expect(try lab.redeem(code: code, ProviderLab.word).status == 200)
    #expect(OAuthError(reading: try lab.redeem(code: code, ProviderLab.word)).aadsts == 54005)
  }

  @Test func aClientThatCannotProveItselfSpendsNoCode() throws {
    let lab = try ProviderLab.withServer()
    let code = try lab.code(ProviderLab.server, tenant: "contoso.com")
    func redeem(_ secret: String) throws -> Int {
      try lab.token([
        "grant_type": "authorization_code", "client_id": "server", "client_secret": secret, "code": code,
        "redirect_uri": ProviderLab.server.redirectURIs[0], "code_verifier": ProviderLab.verifier,
      ]).status
    }
    #expect(try [redeem("wrong"), redeem("s3cret")] == [401, 200])
  }

  @Test(arguments: [(599, 200), (600, 400)])
  func codeLivesTenMinutes(_ age: Int, _ status: Int) throws {
    let lab = try ProviderLab()
    let code = try lab.code(ProviderLab.notes)
    lab.now = lab.now.adding(seconds: age)
    #expect(try lab.redeem(code: code, ProviderLab.notes).status == status)
  }

  @Test func guestGetsTheNamedTenantsTokensUnderTheHomeAccount() throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(ProviderLab.word, tenant: "fabrikam.com")
    let claims = try JSONWebToken(unverified: #require(tokens.idToken)).claims
    #expect(claims["tid"]?.string == ProviderLab.fabrikam.id)
    #expect(claims["oid"]?.string == ProviderLab.alice.guestIn[ProviderLab.fabrikam.id])
    #expect(ClientInfo(tokens.clientInfo ?? "")?.utid == ProviderLab.contoso.id)
  }

  @Test func sameSeedGivesTheSameBytes() throws {
    // Only the key's numbers come from the system's random source, so both labs get the same key.
    let labWithKey = try ProviderLab()
    _ = try labWithKey.signIn(ProviderLab.word)
    func run() throws -> (ProviderLab, TokenResponse) {
      let lab = try ProviderLab(seed: 7)
      lab.documents.bodies[.signingKey] = labWithKey.documents.bodies[.signingKey]
      return (lab, try lab.signIn(ProviderLab.word))
    }
    let ((first, firstTokens), (second, secondTokens)) = (try run(), try run())
    #expect(firstTokens == secondTokens)
    #expect(first.documents.bodies == second.documents.bodies)
    #expect(first.trace.hops == second.trace.hops)
  }

  @Test func traceIsTheSameWhateverTheSigningKey() throws {
    let (first, second) = (try ProviderLab(seed: 7), try ProviderLab(seed: 7))
    _ = try first.signIn(ProviderLab.word)
    _ = try second.signIn(ProviderLab.word)
    #expect(first.trace.hops == second.trace.hops)
  }

  @Test func traceShowsNoSecret() throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(ProviderLab.notes)
    let text = String(describing: lab.trace.hops)
    for secret in ["right", ProviderLab.verifier, tokens.refreshToken ?? "", tokens.accessToken] {
      #expect(!text.contains("\"\(secret)\""))
    }
    #expect(lab.trace.hops.map(\.result) == ["200 sign-in page", "200 consent page", "302 code", "200"])
  }
}
