import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// A machine whose programs request tokens for its identities.
@Suite struct ManagedIdentityTests {
  private let lab: ProviderLab
  private static let resource = NameValue("resource", "https://management.azure.com/")

  init() throws {
    lab = try ProviderLab()
    try lab.documents.addManagedIdentities()
  }

  private func ask(
    _ kind: ManagedIdentityHost.Kind, version: String? = nil, _ query: [NameValue] = [resource],
    headers: [NameValue]? = nil, path: String? = nil
  ) throws -> HTTPResponse {
    let host = ManagedIdentityHost(
      kind, secret: "s3cret", file: "/tokens/a.key", issuerOrigin: ProviderLab.origin)
    let usual: [NameValue] =
      switch kind {
      case .imds: [NameValue("Metadata", "true")]
      case .appService: [NameValue("X-IDENTITY-HEADER", "s3cret")]
      case .machineLearning: [NameValue("secret", "s3cret")]
      case .arc: [NameValue("Metadata", "true"), NameValue("Authorization", "Basic s3cret")]
      }
    let provider = Provider(
      documents: lab.documents, now: lab.now, random: lab.random, trace: lab.trace, machine: host)
    return try provider.respond(
      to: HTTPRequest(
        "GET", origin: "http://localhost:40342", path: path ?? host.path,
        query: [NameValue("api-version", version ?? host.versions[0])] + query, headers: headers ?? usual)
    ).http
  }

  @Test(arguments: ManagedIdentityHost.Kind.allCases)
  func theMachineGivesATokenOfItsOwnIdentity(_ kind: ManagedIdentityHost.Kind) throws {
    let body = try #require(try ask(kind).json)
    let claims = try lab.claims(try #require(body["access_token"]?.string))
    let identity = try #require(
      try Directory(documents: lab.documents).managedIdentities().first(where: \.isSystemAssigned))
    #expect(
      claims == [
        "aud": "https://management.azure.com/",
        "iss": .string("https://sts.windows.net/\(ProviderLab.contoso.id)/"),
        "idp": .string("https://sts.windows.net/\(ProviderLab.contoso.id)/"),
        "iat": .integer(1_767_261_300), "nbf": .integer(1_767_261_300), "exp": .integer(1_767_348_000),
        "appid": .string(identity.clientID), "appidacr": "2", "idtyp": "app", "ver": "1.0",
        "oid": .string(identity.objectID), "sub": .string(identity.objectID),
        "tid": .string(ProviderLab.contoso.id), "xms_mirid": .string(identity.resourceID),
        "uti": claims["uti"] ?? "", "rh": claims["rh"] ?? "",
      ])
    #expect(body["expires_on"] == "1767348000" && body["token_type"] == "Bearer")
    #expect(body["resource"] == "https://management.azure.com/")
    #expect(body["client_id"] == .string(identity.clientID))
    #expect((body["expires_in"] == "86400") == (kind == .imds || kind == .arc))
  }

  /// An app trusts a managed identity by a federated credential, and its token takes the place of a secret; another app's
  /// token does not.
  @Test func itsTokenIsAFederatedCredential() throws {
    let identity = try #require(
      try Directory(documents: lab.documents).managedIdentities().first(where: \.isSystemAssigned))
    let issuer = "\(ProviderLab.origin)/\(ProviderLab.contoso.id)/v2.0"
    var server = ProviderLab.notes
    server.clientID = "server"
    let ofApps = "https://login.microsoftonline.com/\(ProviderLab.contoso.id)/v2.0"
    server.federatedCredentials = [issuer, ofApps].map {
      FederatedCredential(issuer: $0, subject: identity.objectID)
    }
    try lab.documents.save(server)
    func redeem(_ assertion: String, for scope: String = "api://server/.default") throws -> HTTPResponse {
      try lab.token([
        "grant_type": "client_credentials", "client_id": "server", "scope": scope,
        "client_assertion_type": ClientAssertion.type, "client_assertion": assertion,
      ])
    }
    let exchange = NameValue("resource", FederatedCredential.usualAudience)
    let token = try #require(try ask(.imds, [exchange]).json?["access_token"]?.string)
    #expect(try lab.claims(token)["iss"] == .string(issuer))
    #expect(try lab.claims(token)["aud"] == "fb60f99c-7a34-4190-8149-302f77469936")
    #expect(try redeem(token).json?["access_token"]?.string != nil)
    let scope = FederatedCredential.usualAudience + "/.default"
    let own = try #require(try redeem(token, for: scope).json?["access_token"]?.string)
    #expect(try redeem(own).json?["error_codes"] == [.integer(700_226)])
    let graph = try #require(
      try ask(.imds, [NameValue("resource", "https://graph.microsoft.com")]).json?["access_token"]?.string)
    #expect(try redeem(graph).json?["error_codes"] == [.integer(700_211)])
  }

  @Test(arguments: ["client_id", "clientid", "object_id", "principal_id", "msi_res_id", "mi_res_id"])
  func aUserAssignedIdentityIsNamedByAnyOfItsIDs(_ name: String) throws {
    let identity = try #require(
      try Directory(documents: lab.documents).managedIdentities().first { !$0.isSystemAssigned })
    let value =
      name.hasPrefix("c")
      ? identity.clientID : name.hasSuffix("res_id") ? identity.resourceID : identity.objectID
    let body = try #require(try ask(.appService, [Self.resource, NameValue(name, value.uppercased())]).json)
    #expect(body["client_id"] == .string(identity.clientID))
  }

  struct Refusal: CustomTestStringConvertible {
    /// The name of the check that fails.
    var testDescription: String
    var kind = ManagedIdentityHost.Kind.imds
    var version: String?
    var query = [resource]
    var headers: [NameValue]?
    var says: String
  }

  @Test(arguments: [
    Refusal(testDescription: "header Metadata", headers: [], says: "Required metadata header not specified"),
    Refusal(
      testDescription: "header Metadata", headers: [NameValue("Metadata", "false")],
      says: "Required metadata header not specified"),
    Refusal(
      testDescription: "not forwarded",
      headers: [NameValue("Metadata", "true"), NameValue("X-Forwarded-For", "10.0.0.1")],
      says: "X-Forwarded-For"),
    Refusal(testDescription: "api-version", version: "2017-09-01", says: "api-version is invalid"),
    Refusal(testDescription: "resource present", query: [], says: "'resource'"),
    Refusal(
      testDescription: "resource registered", query: [NameValue("resource", "https://nowhere.example")],
      says: "AADSTS500011: The resource principal named https://nowhere.example was not found"),
    Refusal(
      testDescription: "identity assigned", query: [resource, NameValue("client_id", "unknown")],
      says: "Identity not found"),
    Refusal(
      testDescription: "identity assigned", kind: .appService,
      query: [resource, NameValue("client_id", "unknown")],
      says:
        "No User Assigned or Delegated Managed Identity found for specified ClientId/ResourceId/PrincipalId."),
    Refusal(
      testDescription: "header X-IDENTITY-HEADER", kind: .appService,
      headers: [NameValue("X-IDENTITY-HEADER", "wrong")], says: "X-IDENTITY-HEADER"),
    Refusal(testDescription: "header secret", kind: .machineLearning, headers: [], says: "header secret"),
    Refusal(
      testDescription: "header Authorization", kind: .arc,
      headers: [NameValue("Metadata", "true"), NameValue("Authorization", "Basic wrong")],
      says: "Authorization"),
  ])
  func refuses(_ refusal: Refusal) throws {
    let answer = try ask(
      refusal.kind, version: refusal.version, refusal.query, headers: refusal.headers)
    #expect(answer.status == (refusal.testDescription == "header X-IDENTITY-HEADER" ? 403 : 400))
    #expect(lab.failedCheck == refusal.testDescription)
    #expect(String(decoding: answer.body, as: UTF8.self).contains(refusal.says))
    #expect(!String(decoding: answer.body, as: UTF8.self).contains("s3cret"))
  }

  /// The instance metadata service does not choose between user-assigned identities.
  @Test func oneOfSeveralIdentitiesMustBeNamed() throws {
    let directory = Directory(documents: lab.documents)
    for identity in try directory.managedIdentities() {
      lab.documents.delete(.managedIdentity, identity.name.lowercased())
    }
    for name in ["first", "second"] {
      try lab.documents.save(ManagedIdentity(name: name, tenant: ProviderLab.contoso))
    }
    let answer = try ask(.imds)
    #expect(answer.status == 400 && answer.json?["error"] == "invalid_request")
    #expect(
      answer.json?["error_description"]
        == .string(
          "Multiple user assigned identities exist, please specify the clientId / resourceId of the identity in the "
            + "token request"))
    let first = try #require(try directory.managedIdentities().first)
    #expect(try ask(.imds, [Self.resource, NameValue("client_id", first.clientID)]).status == 200)
  }

  /// An API may require an assignment of apps, too, which is a role.
  @Test func anAPIMayRequireARole() throws {
    var api = ProviderLab.word
    (api.clientID, api.displayName) = ("5e4a0000-0000-4000-8000-000000000001", "Orders API")
    api.isAssignmentRequired = true
    try lab.documents.save(api)
    let identity = try #require(
      try Directory(documents: lab.documents).managedIdentities().first(where: \.isSystemAssigned))
    func answer() throws -> JSONValue? {
      try ask(.imds, [NameValue("resource", "api://" + api.clientID)]).json
    }
    let said = try #require(try answer()?["error_description"]?.string)
    #expect(
      said.hasPrefix(
        "AADSTS501051: Application '\(identity.clientID)'(\(identity.name)) is not assigned to a role for the "
          + "application '\(api.clientID)'(Orders API). Trace ID: "))
    #expect(said.contains(" Correlation ID: ") && said.hasSuffix("Z"))
    try lab.documents.save(AppRole(name: "Read", clientID: api.clientID, members: [identity.name]))
    #expect(try answer()?["access_token"] != nil)
  }

  @Test func arcFirstNamesTheFileWithTheSecret() throws {
    let answer = try ask(.arc, headers: [NameValue("Metadata", "true")])
    #expect(answer.status == 401)
    #expect(answer.headers.first { $0.name == "WWW-Authenticate" }?.value == "Basic realm=/tokens/a.key")
  }

  @Test func withoutAnOwnIdentityTheOnlyOneIsMeant() throws {
    lab.documents.delete(.managedIdentity, "lab-machine")
    let name = try #require(try ask(.imds).json)["client_id"]
    #expect(name?.string == (try Directory(documents: lab.documents).managedIdentities())[0].clientID)
    let refused = try ask(.appService)
    let identifier = refused.json?["correlationId"]
    #expect(
      refused.json
        == [
          "statusCode": .integer(400), "message": "Unable to load the proper Managed Identity.",
          "correlationId": identifier ?? .null,
        ])
    #expect(refused.headers.first { $0.name == "X-CORRELATION-ID" }?.value == identifier?.string)
    try lab.documents.save(ManagedIdentity(name: "second", tenant: ProviderLab.contoso))
    #expect(try ask(.imds).status == 400)
    #expect(lab.failedCheck == "identity assigned")
  }

  /// A machine's listener serves neither pages nor token requests, and the provider's listener serves nothing for a
  /// machine.
  @Test func theTwoListenersAnswerDifferentPaths() throws {
    #expect(try ask(.imds, path: "/common/oauth2/v2.0/token").status == 404)
    #expect(try ask(.imds, path: "/metadata/identity/oauth2/token/").status == 200, "MSAL Node")
    let system = [Self.resource, NameValue("clientid", "")]
    #expect(try ask(.machineLearning, system).status == 200, "MSAL Go")
    #expect(try ask(.imds, path: "/msi/token").status == 404)
    #expect(try lab.get("/metadata/identity/oauth2/token?x=1", bearer: nil).status == 404)
    #expect(try lab.get("/metadata/identity/oauth2/token", bearer: nil).status == 404)
  }

  @Test(arguments: [("410", 410), ("429:7", 429), ("404", 404), ("500", 500)])
  func aFaultHitsTheMachineAlone(_ kind: String, _ status: Int) throws {
    try lab.provider.addFault(Fault(.identity, try #require(Fault.Kind(kind))))
    #expect(try ask(.imds).status == status)
    #expect(try lab.get("/contoso.com/discovery/v2.0/keys", bearer: nil).status == 200)
  }
}
