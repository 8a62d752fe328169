import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// The claims about the sign-in, and tokens without readable claims.
@Suite struct SignInClaimTests {
  /// Microsoft Learn, "Access token claims reference": `acr`, `amr`, `ipaddr`.
  @Test func versionOneNamesTheMethods() throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(ProviderLab.word, scope: "openid profile User.Read")
    let access = try lab.claims(tokens.accessToken)
    #expect(access["amr"] == ["pwd"] && access["acr"] == "1" && access["ipaddr"] == "127.0.0.1")
    let id = try lab.claims(tokens.idToken ?? "")
    #expect(id["ver"] == "2.0" && id["amr"] == nil && id["ipaddr"] == nil)
  }

  @Test func theSecondFactorIsAMethod() throws {
    let lab = try ProviderLab()
    var alice = ProviderLab.alice
    alice.requiresMFA = true
    try lab.save(alice)
    var answer = try lab.authorize(ProviderLab.word, scope: "openid User.Read")
    while let form = answer.page?.form(of: alice) { answer = try lab.post(form.path, form.fields) }
    let code = try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["code"])
    let tokens = try TokenResponse(reading: lab.redeem(code: code, ProviderLab.word))
    #expect(try lab.claims(tokens.accessToken)["amr"] == ["pwd", "mfa"])
  }

  /// Microsoft Learn, "Developer guide to Conditional Access authentication context".
  @Test(arguments: [("c1", ["c1"] as JSONValue), ("c100", nil), ("C1", nil), ("c01", nil), ("level", nil)])
  func aRequestedContextIsInTheToken(_ wanted: String, _ expected: JSONValue?) throws {
    let lab = try ProviderLab()
    let claims = #"{"access_token":{"acrs":{"essential":true,"value":"\#(wanted)"}}}"#
    func redeemed(_ changes: [String: String?]) throws -> [String: JSONValue] {
      var answer = try lab.authorize(ProviderLab.word, scope: "openid User.Read", changes)
      if let form = answer.page?.form(of: ProviderLab.alice) { answer = try lab.post(form.path, form.fields) }
      let code = try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["code"])
      return try lab.claims(
        TokenResponse(reading: lab.redeem(code: code, ProviderLab.word)).accessToken)
    }
    #expect(try redeemed(["claims": claims])["acrs"] == expected)
    #expect(try redeemed([:])["acrs"] == nil)
  }

  /// Microsoft Learn, "ID token claims reference": `email`.
  @Test func aGuestsIDTokenHasTheirAddress() throws {
    let lab = try ProviderLab()
    for (tenant, address) in [("fabrikam.com", "alice@contoso.com" as JSONValue), ("contoso.com", nil)] {
      let tokens = try lab.signIn(ProviderLab.word, tenant: tenant, scope: "openid")
      #expect(try lab.claims(tokens.idToken ?? "")["email"] == address)
    }
  }

  /// MicrosoftDocs/azure-docs#58286.
  @Test func aPersonalAccountsTokenIsATicket() throws {
    let lab = try ProviderLab()
    try lab.documents.save(
      Tenant(id: Tenant.personalID, displayName: "Microsoft Accounts", domains: ["outlook.com"]))
    var alice = ProviderLab.alice
    (alice.homeTenantID, alice.isPersonal, alice.guestIn) = (Tenant.personalID, true, [:])
    try lab.save(alice)
    let tokens = try lab.signIn(ProviderLab.word, tenant: "consumers", scope: "openid profile User.Read")
    #expect(tokens.accessToken.hasPrefix("EwB") && !tokens.accessToken.contains("."))
    #expect(try lab.get("/oidc/userinfo", bearer: tokens.accessToken).status == 200)
    #expect(try lab.get("/v1.0/me", bearer: tokens.accessToken).status == 200)
    let changed = "EwB4" + tokens.accessToken.dropFirst(4).reversed()
    #expect(try lab.get("/oidc/userinfo", bearer: changed).status == 401)
    let id = try lab.claims(tokens.idToken ?? "")
    #expect(id["name"] == "Alice")
    // Microsoft Learn, "ID token claims reference": the sample of version 2.0.
    #expect(id["exp"]?.integer == (id["iat"]?.integer ?? 0) + 300 + 24 * 3600)
  }

  /// openid/AppAuth-iOS#264, psignoret/aad-sso-wordpress#34; for a user flow, nextauthjs/next-auth#3032.
  @Test(arguments: [("common", 300), ("contoso.com/B2C_1_signin", 0), ("adfs", 0)])
  func entrasTokensAreBackdatedByFiveMinutes(_ tenant: String, _ backdating: Int64) throws {
    let lab = try ProviderLab()
    let tokens = try lab.signIn(ProviderLab.word, tenant: tenant)
    let now = Int64(lab.now.seconds)
    for token in [tokens.idToken ?? "", tokens.accessToken] {
      let claims = try lab.claims(token)
      #expect(claims["iat"] == .integer(now - backdating) && claims["nbf"] == claims["iat"])
      #expect(claims["exp"] == .integer(now + 3600))
      #expect(claims.issueSecond == now)
    }
  }
}

extension Page {
  /// Returns the form of the page as the person fills it in, or `nil` for a page without a form.
  fileprivate func form(
    of person: DirectoryUser
  ) -> (path: String, fields: KeyValuePairs<String, String>)? {
    switch self {
    case .signIn(let page):
      if case .verification(let number) = page.asks {
        ("/common/login", ["flow": page.flowID, "code": number])
      } else {
        ("/common/login", ["flow": page.flowID, "username": person.username, "password": person.password])
      }
    case .consent(let page): ("/common/consent", ["flow": page.flowID, "accept": "1"])
    default: nil
    }
  }
}
