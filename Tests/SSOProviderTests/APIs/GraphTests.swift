import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// The parts of Microsoft Graph that concern identity.
@Suite struct GraphTests {
  private let lab: ProviderLab

  init() throws {
    lab = try ProviderLab()
    try lab.documents.save(
      Group(name: "team", tenantID: ProviderLab.contoso.id, members: ["alice@contoso.com", "inner"]))
    try lab.documents.save(
      Group(name: "inner", tenantID: ProviderLab.contoso.id, members: ["bob@contoso.com"]))
    try lab.documents.save(Group(name: "foreign", tenantID: ProviderLab.fabrikam.id, members: []))
  }

  private func token(_ scopes: String = "Directory.Read.All User.Read") throws -> String {
    try lab.signIn(ProviderLab.word, scope: scopes + " openid").accessToken
  }

  private func names(_ answer: HTTPResponse) -> [String?]? {
    answer.json?["value"]?.array?.map { $0["displayName"]?.string }
  }

  @Test func meIsThePersonOfTheToken() throws {
    #expect(
      try lab.get("/v1.0/me", bearer: token("User.Read")).json == [
        "@odata.context": "https://localhost:8443/v1.0/$metadata#users/$entity",
        "id": .string(ProviderLab.alice.objectID), "userPrincipalName": "alice@contoso.com",
        "displayName": "Alice", "givenName": .null, "surname": .null, "mail": "alice@contoso.com",
        "businessPhones": [], "jobTitle": .null, "mobilePhone": .null, "officeLocation": .null,
        "preferredLanguage": .null,
      ])
  }

  @Test(arguments: [
    ("/v1.0/groups", ["inner", "team"]), ("/v1.0/me/memberOf", ["team"]),
    ("/v1.0/users/bob@contoso.com/memberOf", ["inner"]),
    ("/v1.0/users/bob%40contoso.com/transitiveMemberOf", ["inner", "team"]),
    ("/v1.0/users/a11ce000-0000-4000-8000-000000000001/memberOf", ["team"]),
  ])
  func lists(_ path: String, _ expected: [String]) throws {
    #expect(names(try lab.get(path, bearer: token())) == expected)
  }

  @Test func membersArePeopleAndGroups() throws {
    let team = Group(name: "team", tenantID: ProviderLab.contoso.id).objectID
    let answer = try lab.get("/v1.0/groups/\(team)/members", bearer: token())
    #expect(names(answer) == ["Alice", "inner"])
    #expect(
      answer.json?["value"]?.array?.map { $0["@odata.type"] } == [
        "#microsoft.graph.user", "#microsoft.graph.group",
      ])
  }

  /// An app whose token would contain too many groups requests them here.
  @Test(arguments: ["me/getMemberObjects", "users/alice@contoso.com/getMemberGroups"])
  func groupsAreListedByTheirIDs(_ path: String) throws {
    let answer = try lab.send(
      HTTPRequest(
        "POST", origin: ProviderLab.origin, path: "/v1.0/" + path,
        headers: [
          NameValue("Authorization", "Bearer " + token()), NameValue("Content-Type", "application/json"),
        ], body: Data(#"{"securityEnabledOnly": false}"#.utf8)))
    let team = Group(name: "team", tenantID: ProviderLab.contoso.id).objectID
    #expect(answer.http.status == 200 && answer.http.json?["value"]?.array?.map(\.string) == [team])
  }

  @Test func aPersonsRolesAreListedAndThoseOfTheGroups() throws {
    for (name, member) in [("Own", "alice@contoso.com"), ("Group's", "team"), ("Other", "bob@contoso.com")] {
      try lab.documents.save(AppRole(name: name, clientID: ProviderLab.notes.clientID, members: [member]))
    }
    let answer = try lab.get("/v1.0/me/appRoleAssignments", bearer: token())
    let found = answer.json?["value"]?.array ?? []
    #expect(Set(found.map { $0["principalType"]?.string }) == ["User", "Group"] && found.count == 2)
    #expect(found.allSatisfy { $0["resourceDisplayName"]?.string == ProviderLab.notes.displayName })
    #expect(try lab.get("/v1.0/me/appRoleAssignments", bearer: token("User.Read")).status == 403)
  }

  @Test func selectNamesTheFields() throws {
    let answer = try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: "/v1.0/me", query: [NameValue("$select", "id,mail")],
        headers: [NameValue("Authorization", "Bearer " + token("User.Read"))]))
    #expect(answer.http.json?.object.map { Set($0.keys) } == ["@odata.context", "id", "mail"])
  }

  /// Properties are named in any case; the lab has no value for some, and there are no others.
  @Test(
    arguments: [
      ("/v1.0/me", " ID, displayname,department", "users(id,displayName,department)/$entity", nil),
      ("/v1.0/users", "accountEnabled,userType", "users(accountEnabled,userType)", nil),
      (
        "/v1.0/me", "id,jobtitel", "",
        "Could not find a property named 'jobtitel' on type 'microsoft.graph.user'."
      ),
      (
        "/v1.0/groups", "nickname", "",
        "Could not find a property named 'nickname' on type 'microsoft.graph.group'."
      ),
    ] as [(String, String, String, String?)])
  func selectNamesPropertiesOfTheType(_ path: String, _ select: String, _ context: String, _ fault: String?)
    throws
  {
    let answer = try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: path, query: [NameValue("$select", select)],
        headers: [NameValue("Authorization", "Bearer " + token())])
    ).http
    guard let fault else {
      #expect(answer.json?["@odata.context"] == .string("\(ProviderLab.origin)/v1.0/$metadata#" + context))
      #expect(answer.json?["department"] == (select.contains("department") ? JSONValue.null : nil))
      #expect(
        answer.json?["value"]?.array?.first?["accountEnabled"]
          == (path.hasSuffix("users") ? JSONValue.bool(true) : nil))
      return
    }
    #expect(answer.status == 400 && answer.json?["error"]?["code"] == "BadRequest")
    #expect(
      answer.json?["error"]?["message"] == .string("Parsing OData Select and Expand failed: " + fault))
  }

  /// Each page starts after the last object of the previous page.
  @Test func aLongListHasPagesAndEachLinkLeadsToTheNext() throws {
    for number in 100..<230 {
      try lab.documents.save(Group(name: "g\(number)", tenantID: ProviderLab.contoso.id, members: []))
    }
    let bearer = try token()
    func pages(_ first: String) throws -> [[String?]] {
      var (pages, target) = ([[String?]](), first as String?)
      while let path = target, pages.count < 20 {
        let request = try HTTPRequest(
          "GET", origin: ProviderLab.origin, target: path,
          headers: [NameValue("Authorization", "Bearer " + bearer)])
        let answer = try lab.send(request).http
        pages.append(names(answer) ?? [])
        let link = answer.json?["@odata.nextLink"]?.string
        #expect(link?.hasPrefix(ProviderLab.origin + "/v1.0/groups?") ?? true)
        target = link.map { String($0.dropFirst(ProviderLab.origin.count)) }
      }
      return pages
    }
    let whole = try pages("/v1.0/groups?$top=999")
    #expect(whole.map(\.count) == [132])
    #expect(try pages("/v1.0/groups").map(\.count) == [100, 32])
    let fifties = try pages("/v1.0/groups?$top=50&$select=id,displayName")
    #expect(fifties.map(\.count) == [50, 50, 32])
    #expect(fifties.flatMap(\.self) == whole.flatMap(\.self))
  }

  @Test(arguments: [
    ("$top=1000", "Request_UnsupportedQuery"), ("$top=0", "Request_UnsupportedQuery"),
    ("$top=x", "Request_UnsupportedQuery"), ("$skiptoken=bm9uZQ", "Directory_ExpiredPageToken"),
    ("$skiptoken=*", "Directory_ExpiredPageToken"),
  ])
  func aPageThatThereCannotBeIsRefused(_ query: String, _ code: String) throws {
    let field = query.split(separator: "=").map(String.init)
    let answer = try lab.send(
      HTTPRequest(
        "GET", origin: ProviderLab.origin, path: "/v1.0/users", query: [NameValue(field[0], field[1])],
        headers: [NameValue("Authorization", "Bearer " + token())]))
    #expect(answer.http.status == 400)
    #expect(answer.http.json?["error"]?["code"]?.string == code)
  }

  struct Refusal: CustomTestStringConvertible {
    var testDescription: String
    var path = "/v1.0/me"
    var scopes = "User.Read"
    var status: Int
    var code: String
  }

  @Test(arguments: [
    Refusal(
      testDescription: "no permission for people", path: "/v1.0/users", status: 403,
      code: "Authorization_RequestDenied"),
    Refusal(
      testDescription: "no permission for groups", path: "/v1.0/groups", status: 403,
      code: "Authorization_RequestDenied"),
    Refusal(
      testDescription: "a token for another API", scopes: "https://management.azure.com/.default",
      status: 401,
      code: "InvalidAuthenticationToken"),
    Refusal(
      testDescription: "nobody of that name", path: "/v1.0/users/nobody", scopes: "User.Read.All",
      status: 404,
      code: "Request_ResourceNotFound"),
    Refusal(
      testDescription: "a group of another tenant",
      path: "/v1.0/groups/" + Group(name: "foreign", tenantID: ProviderLab.fabrikam.id).objectID,
      scopes: "Group.Read.All", status: 404, code: "Request_ResourceNotFound"),
    Refusal(testDescription: "no such path", path: "/v1.0/drives", status: 400, code: "BadRequest"),
    Refusal(
      testDescription: "no such path below a person", path: "/v1.0/me/messages", status: 400,
      code: "BadRequest"),
  ])
  func refuses(_ refusal: Refusal) throws {
    let answer = try lab.get(refusal.path, bearer: token(refusal.scopes))
    #expect(answer.status == refusal.status)
    #expect(answer.json?["error"]?["code"]?.string == refusal.code)
  }

  @Test func withoutATokenItSaysWhereToGetOne() throws {
    let answer = try lab.get("/v1.0/me", bearer: nil)
    #expect(answer.status == 401)
    #expect(answer.json?["error"]?["code"] == "InvalidAuthenticationToken")
    #expect(
      answer.headers.contains { $0.name == "WWW-Authenticate" && $0.value.contains("authorization_uri=") })
  }

  @Test func anAppNeedsAnApplicationPermission() throws {
    try lab.documents.save(ProviderLab.server)
    func ask() throws -> HTTPResponse {
      let answer = try lab.token([
        "grant_type": "client_credentials", "client_id": "server", "client_secret": "s3cret",
        "scope": "https://graph.microsoft.com/.default",
      ])
      return try lab.get("/v1.0/users", bearer: answer.json?["access_token"]?.string)
    }
    #expect(try ask().status == 403)
    try lab.documents.save(
      AppRole(name: "User.Read.All", clientID: ProtectedResource.graphAppID, members: ["server"]))
    #expect(try names(ask())?.contains("Alice") == true)
  }
}
