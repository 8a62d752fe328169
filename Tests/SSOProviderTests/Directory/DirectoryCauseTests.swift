import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// The states of users, registrations, and policies for which Entra rejects a request that worked yesterday: each is
/// rejected with Entra's number, and fixed by the change that the check proposes.
@Suite struct DirectoryCauseTests {
  private let lab: ProviderLab
  private let native = "msauth.com.contoso.notes://auth"

  init() throws { lab = try ProviderLab() }

  private func register(_ body: (inout ClientRegistration) -> Void) throws {
    var client = try #require(try Directory(documents: lab.documents).registration(clientID: "notes"))
    body(&client)
    try lab.documents.save(client)
  }

  private func change(_ body: (inout DirectoryUser) -> Void) throws {
    var person = try #require(try Directory(documents: lab.documents).person(username: "alice@contoso.com"))
    body(&person)
    try lab.save(person)
  }

  private func token(_ grant: String, _ fields: [String: String]) throws -> OAuthError? {
    let form = [NameValue("grant_type", grant), NameValue("client_id", "notes")]
    let answer = try lab.send(
      HTTPRequest(
        "POST", origin: "https://login.microsoftonline.com", path: "/contoso.com/oauth2/v2.0/token",
        form: form + fields.sorted { $0.key < $1.key }.map { NameValue($0.key, $0.value) })
    ).http
    return answer.status == 200 ? nil : OAuthError(reading: answer)
  }

  private func appToken(_ secret: String = "s3cret") throws -> OAuthError? {
    try token(
      "client_credentials", ["client_secret": secret, "scope": "https://graph.microsoft.com/.default"])
  }

  private func password(_ scope: String = "User.Read") throws -> OAuthError? {
    try token("password", ["username": "alice@contoso.com", "password": "right", "scope": scope])
  }

  /// The change that the failed check of the last request proposes.
  private var remedy: String? { lab.trace.hops.last?.checks.last { $0.verdict == .failed }?.remedy?.change }

  // MARK: - Registrations

  @Test func aSecretIsAcceptedUntilItExpires() throws {
    try register { ($0.secrets, $0.secretsExpireAt) = (["s3cret"], lab.now.adding(seconds: 1)) }
    #expect(try appToken() == nil)
    lab.now = lab.now.adding(seconds: 1)
    let error = try #require(try appToken())
    #expect((error.code.text, error.aadsts) == ("invalid_client", 7_000_222))
    #expect(try appToken("wrong")?.aadsts == 7_000_215, "a wrong one is wrong before it is expired")
    #expect(remedy == nil)
    _ = try appToken()
    #expect(remedy == "secretsExpireAt=")
    try register { $0.secretsExpireAt = nil }
    #expect(try appToken() == nil)
  }

  @Test func aCodeOfARedirectURIOfTypeWebNeedsAProof() throws {
    try register { ($0.redirectURIs, $0.webRedirectURIs) = (["http://localhost"], [native]) }
    let web = try lab.redeem(code: lab.code(ProviderLab.notes), ProviderLab.notes)
    #expect(web.status == 401 && OAuthError(reading: web).aadsts == 7_000_218)
    try register { ($0.redirectURIs, $0.webRedirectURIs) = ([native], ["http://localhost"]) }
    #expect(try lab.redeem(code: lab.code(ProviderLab.notes), ProviderLab.notes).status == 200)
    try register { $0.secrets = ["s3cret"] }
    let publicCode = try lab.redeem(code: lab.code(ProviderLab.notes), ProviderLab.notes)
    #expect(publicCode.status == 200, "a program of the same registration needs no secret")
    #expect(
      try lab.refresh(TokenResponse(reading: publicCode).refreshToken ?? "", ProviderLab.notes).status == 200)
  }

  /// One registration with a secret, for a server and a desktop app (Softeria/ms-365-mcp-server#664).
  @Test(arguments: [(true, true, nil), (true, false, 7_000_218), (false, false, nil), (false, true, 700025)])
  func theTypeOfTheRedirectURIDecidesForItsRefreshTokensToo(
    _ isWeb: Bool, _ hasSecret: Bool, _ aadsts: Int?
  ) throws {
    let (web, others) = isWeb ? ([native], ["http://localhost"]) : (["http://localhost"], [native])
    try register { ($0.redirectURIs, $0.webRedirectURIs, $0.secrets) = (others, web, ["s3cret"]) }
    func send(_ fields: [String: String], _ hasSecret: Bool) throws -> HTTPResponse {
      let secret = hasSecret ? [NameValue("client_secret", "s3cret")] : []
      let proof = [NameValue("client_id", "notes")] + secret
      return try lab.send(
        HTTPRequest(
          "POST", origin: ProviderLab.origin, path: "/common/oauth2/v2.0/token",
          form: proof + fields.map { NameValue($0.key, $0.value) })
      ).http
    }
    func code() throws -> [String: String] {
      [
        "grant_type": "authorization_code", "code": try lab.code(ProviderLab.notes),
        "redirect_uri": native, "code_verifier": ProviderLab.verifier,
      ]
    }
    let tokens = try TokenResponse(reading: send(code(), isWeb))
    for fields in [try code(), ["grant_type": "refresh_token", "refresh_token": tokens.refreshToken ?? ""]] {
      let answer = try send(fields, hasSecret)
      #expect((answer.status == 200 ? nil : OAuthError(reading: answer).aadsts) == aadsts)
    }
  }

  @Test func publicClientFlowsMustBeAllowed() throws {
    try register { ($0.isPreauthorized, $0.allowsPublicClient) = (true, false) }
    #expect(try password()?.aadsts == 7_000_218)
    #expect(remedy == "allowsPublicClient=yes")
    try register { $0.allowsPublicClient = true }
    #expect(try password() == nil)
    try register { $0.secrets = ["s3cret"] }
    #expect(try password() == nil, "a secret does not forbid them")
    try register { $0.allowsPublicClient = nil }
    #expect(try password()?.aadsts == 7_000_218)
  }

  /// A new registration does not allow public client flows (microsoftgraph/msgraph-sdk-go#401).
  @Test(arguments: [([], nil), ([], ["http://localhost/page"])] as [([String], [String]?)])
  func publicClientFlowsAreNotAllowedByDefault(_ native: [String], _ pages: [String]?) throws {
    try register { ($0.isPreauthorized, $0.redirectURIs, $0.spaRedirectURIs) = (true, native, pages) }
    #expect(try password()?.aadsts == 7_000_218)
    #expect(remedy == "allowsPublicClient=yes")
  }

  @Test func anAPIMustBeAmongTheRequiredPermissions() throws {
    try register {
      ($0.isPreauthorized, $0.allowedScopes, $0.requiredAPIs) = (true, [], ["https://graph.microsoft.com"])
    }
    #expect(try password() == nil)
    #expect(try password(ProtectedResource.graphAppID + "/.default") == nil, "its other name")
    #expect(try password("https://vault.azure.net/user_impersonation") == nil, "dynamic consent")
    let error = try #require(try password("https://vault.azure.net/.default"))
    #expect((error.code.text, error.aadsts) == ("invalid_client", 650057))
    #expect(error.reason.contains("Resource app ID: cfa8b339-82a2-471a-a3c9-0fc0be7a4093."))
    #expect(remedy == "requiredAPIs+=https://vault.azure.net")
    try register { $0.requiredAPIs?.append("https://vault.azure.net") }
    #expect(try password("https://vault.azure.net/.default") == nil)
  }

  /// A registration without any permission: Azure/RDS-Templates#230, and for another API Azure/azure-cli#33887.
  @Test func aRegistrationListsAPermission() throws {
    try register { ($0.isPreauthorized, $0.allowedScopes, $0.requiredAPIs) = (true, [], []) }
    let error = try #require(try password("https://graph.microsoft.com/.default"))
    #expect((error.code.text, error.aadsts) == ("invalid_client", 650056))
    #expect(error.reason.contains("any permissions for 'Microsoft Graph' in the requested permissions"))
    #expect(remedy == "requiredAPIs+=https://graph.microsoft.com")
    #expect(try password("https://vault.azure.net/.default")?.aadsts == 650057)
    #expect(try password() == nil, "dynamic consent")
  }

  @Test(arguments: [
    ("https://graph.microsoft.com", false), ("https://app.example.netuser_impersonation", false),
    ("org.crm4.dynamics.com/user_impersonation", false), ("MicrosoftGraphEndpointResourceId/.default", false),
    ("https://graph.microsoft.com/User.Read", true), ("User.Read", true),
    ("00000003-0000-0000-c000-000000000000/User.Read", true),
    ("https://graph.microsoft.com//User.Read", true),
  ])
  func aScopeIsAURIWithAPermission(_ scope: String, _ isWellFormed: Bool) throws {
    try register { ($0.isPreauthorized, $0.allowedScopes) = (true, []) }
    let error = try password(scope)
    #expect(error == nil ? isWellFormed : !isWellFormed)
    #expect(isWellFormed || (error?.code == .invalidScope && error?.aadsts == 70011))
  }

  @Test func onlyAssignedPeopleSignIn() throws {
    let tokens = try lab.signIn(ProviderLab.notes)
    try register { $0.isAssignmentRequired = true }
    let refused = OAuthError(reading: try lab.refresh(tokens.refreshToken ?? "", ProviderLab.notes))
    #expect(refused.number == "AADSTS50105" && remedy == "assigned+=alice@contoso.com")
    guard case .error(let page) = try lab.authorize(ProviderLab.notes).page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADSTS50105")
    try lab.documents.save(
      Group(name: "Staff", tenantID: ProviderLab.contoso.id, members: ["alice@contoso.com"]))
    for assigned in ["Staff", "Alice@Contoso.com"] {
      try register { $0.assigned = [assigned] }
      #expect(try lab.refresh(tokens.refreshToken ?? "", ProviderLab.notes).status == 200)
    }
    try register { $0.assigned = nil }
    try lab.documents.save(AppRole(name: "Reader", clientID: "notes", members: ["alice@contoso.com"]))
    #expect(try lab.refresh(tokens.refreshToken ?? "", ProviderLab.notes).status == 200, "by a role")
  }

  // MARK: - People

  /// Expects that the page refuses the right password with a sentence, and asks for a password again.
  private func expectThatThePageAsksAgain(_ start: String) throws {
    guard case .signIn(let page) = try lab.authorize(ProviderLab.notes).page,
      case .signIn(let again) = try lab.post(
        "/common/login", ["flow": page.flowID, "username": "alice@contoso.com", "password": "right"]
      ).page
    else {
      Issue.record("no sign-in page")
      return
    }
    #expect(again.asks == .password && again.failure?.hasPrefix(start) == true)
  }

  @Test func anExpiredPasswordIsRefusedAfterItWasRight() throws {
    try register { $0.isPreauthorized = true }
    try change({ $0.hasExpiredPassword = true })
    let error = try #require(try password())
    #expect(
      (error.code.text, error.aadsts, error.suberror) == ("invalid_grant", 50055, "user_password_expired"))
    try expectThatThePageAsksAgain("AADSTS50055: ")
    #expect(remedy == "hasExpiredPassword=no")
    try change({ $0.hasExpiredPassword = false })
    #expect(try password() == nil)
  }

  @Test func anAccountWithoutAPasswordInTheDirectory() throws {
    try change({ $0.hasNoPassword = true })
    let refused = try password()
    #expect((refused?.code, refused?.aadsts) == (.invalidGrant, 50056))
    try expectThatThePageAsksAgain("AADSTS50056: ")
    #expect(remedy == "hasNoPassword=no")
    try change({ $0.hasNoPassword = nil })
    #expect(try password()?.aadsts != 50056)
  }

  @Test func thePageRegistersASecondFactor() throws {
    let tokens = try lab.signIn(ProviderLab.word)
    try lab.documents.save(Policy(name: "Two", requires: .mfa))
    try change({ $0.hasNoSecondFactor = true })
    let policy = OAuthError(reading: try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word))
    #expect((policy.code.text, policy.aadsts, policy.suberror) == ("invalid_grant", 50072, "basic_action"))
    guard case .signIn(let page) = try lab.authorize(ProviderLab.word, ["prompt": "login"]).page,
      case .signIn(let next) = try lab.post(
        "/common/login", ["flow": page.flowID, "username": "alice@contoso.com", "password": "right"]
      ).page, case .verification(let number) = next.asks
    else {
      Issue.record("no number")
      return
    }
    let answer = try lab.post("/common/login", ["flow": next.flowID, "code": number])
    #expect(answer.http.location?.contains("code=") == true)
    let person = try Directory(documents: lab.documents).person(username: "alice@contoso.com")
    #expect(person?.hasNoSecondFactor == nil)
    let later = OAuthError(reading: try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word))
    #expect(later.aadsts == 50076, "the token of the earlier sign-in still has one factor")
  }

  @Test func anAccountThatRequiresAFactorButHasNone() throws {
    try register { $0.isPreauthorized = true }
    try change({ ($0.requiresMFA, $0.hasNoSecondFactor) = (true, true) })
    #expect(try password()?.aadsts == 50079)
    try change({ $0.hasNoSecondFactor = nil })
    #expect(try password()?.aadsts == 50076)
  }

  /// Entra asks for the factor when the access token is renewed (docs/behaviour/provider.md §10(10)).
  @Test(arguments: [(nil, 50076), (true, 50079)] as [(Bool?, Int)])
  func anAccountThatRequiresAFactorSinceItsSignIn(_ hasNone: Bool?, _ aadsts: Int) throws {
    let tokens = try lab.signIn(ProviderLab.word)
    try change({ ($0.requiresMFA, $0.hasNoSecondFactor) = (true, hasNone) })
    let refused = OAuthError(reading: try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word))
    #expect(refused.aadsts == aadsts && refused.suberror == "basic_action")
  }

  // MARK: - Policies

  @Test(
    arguments: [
      (.tokenProtection, 530_084, 400), (.supportedPlatform, 50005, 400), (.deviceAuthentication, 50097, 401),
    ] as [(Policy.Requirement, Int, Int)])
  func aPolicyAboutTheDeviceRejectsARefresh(
    _ requirement: Policy.Requirement, _ aadsts: Int, _ status: Int
  ) throws {
    let tokens = try lab.signIn(ProviderLab.word)
    try lab.documents.save(Policy(name: "Device", requires: requirement))
    let answer = try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word)
    let error = OAuthError(reading: answer)
    #expect((error.code, error.aadsts, error.suberror) == (.invalidGrant, aadsts, nil))
    #expect(answer.status == status)
    let silent = try lab.authorize(ProviderLab.word, ["prompt": "none"]).http.location ?? ""
    #expect(silent.contains("AADSTS\(aadsts)"))
  }

  @Test(
    arguments: [
      ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", nil), ("python-requests/2.32", 50005),
    ] as [(String, Int?)])
  func aRequestNamesItsPlatform(_ userAgent: String, _ aadsts: Int?) throws {
    let tokens = try lab.signIn(ProviderLab.notes)
    try lab.documents.save(Policy(name: "Device", requires: .supportedPlatform))
    var asked = HTTPRequest(
      "POST", origin: "https://login.microsoftonline.com", path: "/contoso.com/oauth2/v2.0/token",
      form: [
        NameValue("grant_type", "refresh_token"), NameValue("client_id", ProviderLab.notes.clientID),
        NameValue("refresh_token", tokens.refreshToken ?? ""),
      ])
    asked.headers = [NameValue("User-Agent", userAgent)]
    let error = OAuthError(reading: try lab.send(asked).http)
    #expect(error.aadsts == aadsts)
  }

  @Test(arguments: [("v2.0/token", "invalid_grant"), ("token", "interaction_required")])
  func aPolicyBlocksTheRefreshToo(_ path: String, _ code: String) throws {
    let tokens = try lab.signIn(ProviderLab.word)
    try lab.documents.save(Policy(name: "Closed", requires: .block, clientID: "word"))
    let answer = try lab.post(
      "/contoso.com/oauth2/" + path,
      [
        "grant_type": "refresh_token", "client_id": "word", "refresh_token": tokens.refreshToken ?? "",
        "resource": path.contains("v2.0") ? "" : "https://graph.microsoft.com",
      ])
    let error = OAuthError(reading: answer.http)
    #expect((error.code.text, error.aadsts, error.suberror) == (code, 53003, "message_only"))
    guard case .error(let page) = try lab.authorize(ProviderLab.word).page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADSTS53003")
    #expect(try lab.signIn(ProviderLab.excel).refreshToken != nil, "another app is not concerned")
  }

  @Test func aPolicyMayBeForDeviceCodesAlone() throws {
    try lab.documents.save(Policy(name: "No device codes", requires: .block, flow: .deviceCode))
    #expect(try lab.signIn(ProviderLab.word).refreshToken != nil)
    let code = try #require(
      JSONValue(
        bounded: lab.post(
          "/common/oauth2/v2.0/devicecode", ["client_id": "word", "scope": "User.Read offline_access"]
        ).http.body))
    guard
      case .signIn(let page) = try lab.post(
        "/common/oauth2/deviceauth", ["user_code": code["user_code"]?.string ?? ""]
      ).page
    else {
      Issue.record("no sign-in page")
      return
    }
    _ = try lab.post("/common/login", ["flow": page.flowID, "username": "alice@contoso.com"])
    _ = try lab.post("/common/consent", ["flow": page.flowID, "accept": "1"])
    let poll = try lab.post(
      "/common/oauth2/v2.0/token",
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "word",
        "device_code": code["device_code"]?.string ?? "",
      ])
    #expect(OAuthError(reading: poll.http).aadsts == 53003)
  }

  @Test func aSignInServesForTheHoursOfThePolicy() throws {
    let tokens = try lab.signIn(ProviderLab.word)
    try lab.documents.save(Policy(name: "Daily", requires: .signInFrequency, hours: 1))
    lab.now = lab.now.adding(seconds: 3600)
    #expect(try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word).status == 200)
    #expect(
      try lab.authorize(ProviderLab.word).http.location?.contains("code=") == true, "the session serves")
    lab.now = lab.now.adding(seconds: 1)
    let error = OAuthError(reading: try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word))
    #expect((error.code.text, error.aadsts, error.suberror) == ("invalid_grant", 70043, "token_expired"))
    #expect(error.reason.hasSuffix("and the maximum allowed lifetime for this request is 3600."))
    guard case .signIn(let page) = try lab.authorize(ProviderLab.word).page else {
      Issue.record("the session still serves")
      return
    }
    #expect(page.accountsInSession == [])
    let silent = try lab.authorize(ProviderLab.word, ["prompt": "none"])
    let fields = silent.http.location.flatMap { URLParts($0)?.fields }
    #expect(fields?["error"] == "interaction_required")
    #expect(fields?["error_description"]?.hasPrefix("AADSTS70044: The session has expired") == true)
    let aged = try lab.authorize(ProviderLab.word, ["prompt": "none", "max_age": "60"])
    #expect(
      aged.http.location.flatMap { URLParts($0)?.fields }?["error"] == "login_required",
      "the app asks for a younger sign-in itself")
    _ = try lab.post(
      "/common/login", ["flow": page.flowID, "username": "alice@contoso.com", "password": "right"])
    let fresh = try lab.signIn(ProviderLab.word)
    #expect(try lab.refresh(fresh.refreshToken ?? "", ProviderLab.word).status == 200)
  }

  @Test func aRefreshDoesNotMakeASignInYounger() throws {
    var tokens = try lab.signIn(ProviderLab.word)
    try lab.documents.save(Policy(name: "Daily", requires: .signInFrequency, hours: 1))
    lab.now = lab.now.adding(seconds: 3000)
    tokens = try TokenResponse(reading: lab.refresh(tokens.refreshToken ?? "", ProviderLab.word))
    lab.now = lab.now.adding(seconds: 3000)
    #expect(
      OAuthError(reading: try lab.refresh(tokens.refreshToken ?? "", ProviderLab.word)).aadsts == 70043)
  }
}
