import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// The claims that Microsoft's services read: `uti`, `rh`, `wids`, and those of Graph's tokens.
@Suite struct RoleTemplateTests {
  private static let api = "5e4a0000-0000-4000-8000-000000000001"
  private static let (member, admin) =
    ("b79fbf4d-3ef9-4689-8143-76b194e85509", "62e90394-69f5-4237-9190-012177145e10")

  private func lab(_ change: (inout ClientRegistration) -> Void = { _ in }) throws -> ProviderLab {
    let lab = try ProviderLab()
    var api = ProviderLab.word
    (api.clientID, api.displayName) = (Self.api, "Orders API")
    change(&api)
    try lab.documents.save(api)
    return lab
  }

  /// The bytes of `rh` are a number, the tenant and the API as Windows stores GUIDs, and numbers.
  @Test func theTokensOfAResponseShareTheirMarks() throws {
    let lab = try lab()
    let first = try lab.signIn(ProviderLab.word, scope: "openid profile User.Read")
    let (access, id) = (try lab.claims(first.accessToken), try lab.claims(first.idToken ?? ""))
    #expect(access["uti"] == id["uti"] && access["rh"] == id["rh"])
    #expect(access["uti"]?.string?.count == 22)
    let handle = try #require(access["rh"]?.string)
    #expect(handle.hasPrefix("1.A") && handle.hasSuffix("."))
    let bytes = try #require(Base64URL.decode(String(handle.dropFirst(2).dropLast())))
    #expect(Array(bytes[19..<35]) == [3, 0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0])
    let second = try lab.signIn(ProviderLab.word, scope: "openid profile User.Read")
    let again = try lab.claims(second.accessToken)
    #expect(again["uti"] != access["uti"] && again["rh"] == access["rh"])
  }

  /// Microsoft Learn, "Access token claims reference": `wids`.
  @Test(
    arguments: [
      (GroupMembershipClaims.none, false), (.securityGroup, false), (.directoryRole, true), (.all, true),
    ])
  func anAPIThatAsksGetsTheDirectoryRoles(_ wish: GroupMembershipClaims, _ hasRoles: Bool) throws {
    let lab = try lab { $0.groupMembershipClaims = wish }
    try lab.documents.save(
      Group(name: "team", tenantID: ProviderLab.contoso.id, members: ["alice@contoso.com"]))
    func claims() throws -> [String: JSONValue] {
      try lab.claims(lab.signIn(ProviderLab.word, scope: "api://\(Self.api)/.default").accessToken)
    }
    #expect(try claims()["wids"] == (hasRoles ? [.string(Self.member)] : nil))
    #expect(try (claims()["groups"] != nil) == [.all, .securityGroup].contains(wish))
    var alice = ProviderLab.alice
    alice.isAdministrator = true
    try lab.save(alice)
    #expect(try claims()["wids"] == (hasRoles ? [.string(Self.admin), .string(Self.member)] : nil))
  }

  @Test func tokensOfGraphHaveThemAlways() throws {
    let lab = try ProviderLab.withServer()
    let tokens = try lab.signIn(ProviderLab.word, scope: "openid User.Read")
    let (claims, id) = (try lab.claims(tokens.accessToken), try lab.claims(tokens.idToken ?? ""))
    #expect(claims["wids"] == [.string(Self.member)] && id["wids"] == nil)
    #expect(claims["acct"] == .integer(0) && claims["idtyp"] == "user")
    #expect(claims["app_displayname"] == .string(ProviderLab.word.displayName))
    #expect(claims["xms_st"] == ["sub": id["sub"] ?? .null])
    let guest = try lab.signIn(ProviderLab.word, tenant: "fabrikam.com", scope: "openid User.Read")
    let guestClaims = try lab.claims(guest.accessToken)
    #expect(guestClaims["wids"] == ["13bd1c72-6f4a-4dcf-985f-18d3b80f208a"])
    #expect(guestClaims["acct"] == .integer(1))
    let app = try lab.token([
      "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret",
      "scope": "https://graph.microsoft.com/.default",
    ])
    let appClaims = try lab.claims(app.json?["access_token"]?.string ?? "")
    #expect(appClaims["wids"] == ["0997a1d0-0d1d-4acb-b408-d5ca73121e90"])
  }

  /// Microsoft Learn, "Access token claims reference": `idp`.
  @Test(arguments: [1, 2])
  func theIdentityProviderOfAGuestIsTheirTenant(_ version: Int) throws {
    let lab = try lab { $0.accessTokenVersion = version }
    for (tenant, provider) in [
      ("fabrikam.com", "https://sts.windows.net/\(ProviderLab.contoso.id)/" as String?),
      ("contoso.com", nil),
    ] {
      let tokens = try lab.signIn(
        ProviderLab.word, tenant: tenant, scope: "openid api://\(Self.api)/.default")
      #expect(try lab.claims(tokens.accessToken)["idp"]?.string == provider)
      #expect(try lab.claims(tokens.idToken ?? "")["idp"]?.string == provider)
    }
  }
}
