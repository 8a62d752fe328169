import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Groups and roles in tokens.
@Suite struct MembershipTests {
  private let lab: ProviderLab
  private static let api = "5e4a0000-0000-4000-8000-000000000001"

  init() throws {
    lab = try ProviderLab()
    var api = ProviderLab.word
    (api.clientID, api.groupMembershipClaims) = (Self.api, .securityGroup)
    try lab.documents.save(api)
  }

  private func add(_ name: String, _ members: [String], tenant: Tenant = ProviderLab.contoso) throws {
    try lab.documents.save(Group(name: name, tenantID: tenant.id, members: members))
  }

  private func id(_ name: String, _ tenant: Tenant = ProviderLab.contoso) -> JSONValue {
    .string(Group(name: name, tenantID: tenant.id).objectID)
  }

  private func claims(_ client: ClientRegistration = ProviderLab.word) throws -> [String: JSONValue] {
    try lab.claims(lab.signIn(client, scope: "api://\(Self.api)/.default openid profile").accessToken)
  }

  /// Returns the claims about memberships in a token that is returned in a URL.
  private func claimsInAddress(of person: DirectoryUser) throws -> [String: JSONValue] {
    let scopes = RequestedScopes("api://\(Self.api)/.default")
    let target = try #require(try lab.provider.resources.directory.resource(named: Self.api))
    var request = TokenIssueRequest(
      person: person, tenantID: ProviderLab.contoso.id, client: ProviderLab.word, authenticationClass: "0",
      scopes: scopes, claims: try RequestedClaims(nil), wantsClientInfo: false, target: target,
      isVersionOne: false)
    request.isInAddress = true
    var claims: [String: JSONValue] = [:]
    try TokenIssuer(lab.provider.resources, origin: ProviderLab.origin)
      .addMemberships(&claims, request, toAppOf: Self.api)
    return claims
  }

  @Test func groupsAreNamedWithThoseAroundThem() throws {
    try add("team", ["Alice@contoso.com"])
    try add("department", ["Team"])
    try add("company", ["department", "company"])
    try add("others", ["bob@contoso.com"])
    try add("elsewhere", ["alice@contoso.com"], tenant: ProviderLab.fabrikam)
    #expect(try claims()["groups"] == [id("company"), id("department"), id("team")])
  }

  @Test func groupsThatContainEachOtherEnd() throws {
    try add("a", ["alice@contoso.com", "b"])
    try add("b", ["a"])
    #expect(try claims()["groups"] == [id("a"), id("b")])
  }

  @Test(arguments: [(200, 200), (201, nil)] as [(Int, Int?)])
  func aboveTwoHundredTheTokenSaysWhereTheyAre(_ count: Int, _ named: Int?) throws {
    for number in 1...count { try add("g\(number)", ["alice@contoso.com"]) }
    let claims = try claims()
    #expect(claims["groups"]?.array?.count == named)
    guard named == nil else { return #expect(claims["_claim_names"] == nil) }
    #expect(claims["_claim_names"] == ["groups": "src1"])
    #expect(
      claims["_claim_sources"] == [
        "src1": [
          "endpoint": .string(
            "https://graph.windows.net/\(ProviderLab.contoso.id)/users/\(ProviderLab.alice.objectID)/getMemberObjects"
          )
        ]
      ])
  }

  @Test func oneFieldMakesThemTooMany() throws {
    var alice = ProviderLab.alice
    alice.hasManyGroups = true
    try lab.save(alice)
    #expect(try claims()["_claim_names"] == ["groups": "src1"])
    #expect(try claimsInAddress(of: alice) == ["hasgroups": .bool(true)])
  }

  @Test(arguments: [(5, false), (6, true)])
  func aTokenInAnAddressNamesFive(_ count: Int, _ isOver: Bool) throws {
    for number in 1...count { try add("g\(number)", ["alice@contoso.com"]) }
    let claims = try claimsInAddress(of: ProviderLab.alice)
    #expect((claims["hasgroups"]?.bool ?? false) == isOver)
    #expect(claims["groups"]?.array?.count == (isOver ? nil : count))
  }

  @Test func anAppThatDoesNotAskGetsNone() throws {
    try add("team", ["alice@contoso.com"])
    let token = try lab.signIn(ProviderLab.word)
    #expect(try lab.claims(token.accessToken)["groups"] == nil)
    #expect(try lab.claims(try #require(token.idToken))["groups"] == nil)
    var word = ProviderLab.word
    word.groupMembershipClaims = .all
    try lab.documents.save(word)
    let again = try lab.signIn(word)
    #expect(try lab.claims(again.accessToken)["groups"] == nil, "Graph's registration decides")
    #expect(try lab.claims(try #require(again.idToken))["groups"] == [id("team")])
  }

  @Test(arguments: [
    (["alice@contoso.com"], true), (["ALICE@contoso.com"], true), (["team"], true), (["department"], false),
    (["bob@contoso.com"], false), ([], false),
  ])
  func aRoleCountsForItsMembersAndTheirGroupsOwnMembers(_ members: [String], _ holds: Bool) throws {
    try add("team", ["alice@contoso.com"])
    try add("department", ["team"])
    try lab.documents.save(AppRole(name: "Orders.Read", clientID: Self.api, members: members))
    try lab.documents.save(AppRole(name: "Other", clientID: "word", members: members))
    #expect(try claims()["roles"] == (holds ? ["Orders.Read"] : nil))
  }

  @Test func anAppHasRolesToo() throws {
    try lab.documents.save(ProviderLab.server)
    var role = AppRole(name: "orders-all", clientID: Self.api, members: ["server"])
    role.value = "Orders.All"
    try lab.documents.save(role)
    let answer = try lab.token([
      "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret",
      "scope": "api://\(Self.api)/.default",
    ])
    #expect(try lab.claims(try #require(answer.json?["access_token"]?.string))["roles"] == ["Orders.All"])
  }
}
