import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// The page on which an administrator consents for the organisation.
@Suite struct AdminConsentTests {
  private static let redirectURI = ProviderLab.notes.redirectURIs[0]
  private static let tenantID = ProviderLab.contoso.id

  private let lab: ProviderLab

  init() throws {
    lab = try ProviderLab()
    var alice = ProviderLab.alice
    alice.isAdministrator = true
    try lab.save(alice)
  }

  private func send(_ method: String, _ path: String, _ fields: [String: String]) throws -> ProviderResponse {
    let fields = fields.sorted { $0.key < $1.key }.map { NameValue($0.key, $0.value) }
    return try lab.send(
      HTTPRequest(
        method, origin: "https://login.microsoftonline.com", path: path,
        query: method == "GET" ? fields : [], form: method == "POST" ? fields : []))
  }

  /// Opens the address, signs in, and returns the page after it.
  private func open(
    _ path: String, as username: String = "alice@contoso.com", _ fields: [String: String] = [:]
  ) throws -> ProviderResponse {
    let usual = ["client_id": "notes", "redirect_uri": Self.redirectURI, "state": "12345"]
    let answer = try send("GET", path, usual.merging(fields) { $1 })
    guard case .signIn(let page) = answer.page else { return answer }
    let tenant = path.split(separator: "/")[0]
    return try send(
      "POST", "/\(tenant)/login", ["flow": page.flowID, "username": username, "password": "right"])
  }

  private func answer(_ response: ProviderResponse, _ button: String = "accept") throws -> ProviderResponse {
    guard case .consent(let page) = response.page else { throw NoPage() }
    #expect(page.question?.contains("for all users in your organization") == true)
    return try send("POST", "/contoso.com/consent", ["flow": page.flowID, button: "1"])
  }

  private struct NoPage: Error {}

  /// Graph says which of its permissions need an administrator (microsoftgraph/microsoft-graph-devx-content,
  /// `requiresAdminConsent`).
  @Test(
    arguments: [
      ("bob", "https://graph.microsoft.com/Directory.ReadWrite.All", "AADSTS90094"),
      ("bob", "user.read.all", "AADSTS90094"), ("bob", "Files.ReadWrite.All", nil),
      ("alice", "User.Read.All", nil),
    ] as [(String, String, String?)])
  func permissionsOfAdministratorsAreNotForUsers(_ user: String, _ scope: String, _ number: String?) throws {
    var notes = ProviderLab.notes
    (notes.allowedScopes, notes.adminOnlyScopes) = ([], [])
    try lab.documents.save(notes)
    let response = try open(
      "/contoso.com/oauth2/v2.0/authorize", as: user + "@contoso.com",
      [
        "response_type": "code", "scope": "openid " + scope, "code_challenge": ProviderLab.challenge,
        "code_challenge_method": "S256",
      ])
    switch response.page {
    case .error(let page): #expect(page.number == number)
    case .consent: #expect(number == nil)
    default: Issue.record("neither a page of consent nor an error")
    }
  }

  private func fields(_ response: ProviderResponse) -> [NameValue] {
    response.http.location.flatMap { URLParts($0)?.fields } ?? []
  }

  private func refusalOfBob(_ scope: String) throws -> OAuthError? {
    let answer = try send(
      "POST", "/contoso.com/oauth2/v2.0/token",
      [
        "grant_type": "password", "client_id": "notes", "username": "bob@contoso.com", "password": "right",
        "scope": scope,
      ])
    return answer.http.status == 200 ? nil : OAuthError(reading: answer.http)
  }

  @Test func versionTwoGrantsTheScopesForEverybody() throws {
    #expect(try refusalOfBob("openid User.Read")?.aadsts == 65001)
    let page = try open("/contoso.com/v2.0/adminconsent", ["scope": "https://graph.microsoft.com/User.Read"])
    #expect(
      try fields(answer(page)) == [
        NameValue("admin_consent", "True"), NameValue("tenant", Self.tenantID),
        NameValue("scope", "https://graph.microsoft.com/User.Read"), NameValue("state", "12345"),
      ])
    #expect(try refusalOfBob("openid offline_access User.Read") == nil)
    #expect(try refusalOfBob("Mail.Read")?.aadsts == 65001, "another scope")
  }

  @Test func versionOneGrantsWhatTheRegistrationLists() throws {
    let page = try open("/organizations/adminconsent")
    #expect(
      try fields(answer(page)) == [
        NameValue("admin_consent", "True"), NameValue("tenant", Self.tenantID), NameValue("state", "12345"),
      ])
    #expect(try refusalOfBob("User.Read Mail.Read") == nil, "also the scope for administrators alone")
    #expect(try refusalOfBob("https://graph.microsoft.com/.default") == nil)
  }

  @Test func theAddressNeedsOnlyTheClientID() throws {
    let page = try send("GET", "/contoso.com/adminconsent", ["client_id": "notes"]).page
    guard case .signIn(let signIn) = page else { throw NoPage() }
    #expect(signIn.redirectURI == Self.redirectURI)
  }

  @Test func anyScopeOfAnAPIIsGrantedToARegistrationWithoutALimit() throws {
    var notes = ProviderLab.notes
    (notes.allowedScopes, notes.adminOnlyScopes, notes.hasNoServicePrincipal) = ([], [], true)
    try lab.documents.save(notes)
    _ = try answer(open("/contoso.com/adminconsent"))
    #expect(try refusalOfBob("Calendars.Read") == nil)
    #expect(try refusalOfBob("https://vault.azure.net/.default")?.aadsts == 65001, "another API")
    let known = try Directory(documents: lab.documents).registration(clientID: "notes")
    #expect(known?.hasNoServicePrincipal == nil, "consent adds the enterprise application")
  }

  @Test func onlyAnAdministratorConsents() throws {
    for path in ["/contoso.com/adminconsent", "/contoso.com/v2.0/adminconsent"] {
      lab.cookies = []
      let answer = try open(path, as: "bob@contoso.com", ["scope": "User.Read"])
      guard case .error(let page) = answer.page else { throw NoPage() }
      #expect(page.number == "AADSTS90094")
      let failed = lab.trace.hops.last?.checks.last { $0.verdict == .failed }
      #expect(failed?.remedy?.change == "isAdministrator=yes")
    }
    #expect(try refusalOfBob("User.Read")?.aadsts == 65001)
  }

  @Test func aGuestIsNoAdministrator() throws {
    guard case .error(let page) = try open("/fabrikam.com/adminconsent").page else { throw NoPage() }
    #expect(page.number == "AADSTS90094")
  }

  @Test func anAdministratorMayDecline() throws {
    let page = try open("/contoso.com/v2.0/adminconsent", ["scope": "User.Read"])
    let refused = try fields(answer(page, "cancel"))
    #expect(
      refused.map(\.name) == ["error", "error_description", "error_uri", "admin_consent", "state"])
    #expect((refused["error"], refused["admin_consent"]) == ("access_denied", "True"))
    #expect(
      refused["error_description"]?.hasPrefix("AADSTS65004: User declined to consent to access the app.")
        == true)
    #expect(try refusalOfBob("User.Read")?.aadsts == 65001)
  }

  @Test func aUserFlowAndADFSHaveNoSuchPage() throws {
    for path in ["/contoso.com/B2C_1_signin/adminconsent", "/adfs/adminconsent"] {
      #expect(try send("GET", path, [:]).http.status == 404)
    }
  }
}
