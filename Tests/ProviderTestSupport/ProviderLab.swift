import Foundation
import Testing

@testable import SSOCore
@testable import SSOProvider

/// Documents in memory, sorted by their keys.
final class DocumentsInMemory: DocumentStore {
  var bodies: [DocumentKind: [String: Data]] = [:]

  func document(_ kind: DocumentKind, _ key: String) -> Data? { bodies[kind]?[key] }
  func documents(_ kind: DocumentKind, keyPrefix: String) -> [(key: String, body: Data)] {
    (bodies[kind] ?? [:]).filter { $0.key.hasPrefix(keyPrefix) }.sorted { $0.key < $1.key }
      .map { (key: $0.key, body: $0.value) }
  }
  func documents(_ kind: DocumentKind, after key: String, limit: Int) -> [(key: String, body: Data)] {
    Array(documents(kind, keyPrefix: "").filter { $0.key > key }.prefix(limit))
  }
  func put(_ body: Data, _ kind: DocumentKind, _ key: String) { bodies[kind, default: [:]][key] = body }
  func delete(_ kind: DocumentKind, _ key: String) { bodies[kind]?[key] = nil }
}

/// Two tenants, a few users, three apps, and the broker, with a browser that has cookies, and a clock.
final class ProviderLab {
  static let contoso = Tenant(
    id: "11111111-1111-4111-8111-111111111111", displayName: "Contoso", domains: ["contoso.com"])
  static let fabrikam = Tenant(
    id: "22222222-2222-4222-8222-222222222222", displayName: "Fabrikam", domains: ["fabrikam.com"])
  static let alice = DirectoryUser(
    objectID: "a11ce000-0000-4000-8000-000000000001", homeTenantID: contoso.id,
    username: "alice@contoso.com", displayName: "Alice", password: "right",
    guestIn: [fabrikam.id: "a11ce000-0000-4000-8000-00000000000f"])
  static let notes = ClientRegistration(
    clientID: "notes", displayName: "Notes", publisher: "Contoso",
    redirectURIs: ["msauth.com.contoso.notes://auth", "http://localhost"],
    allowedScopes: ["User.Read", "Mail.Read"], adminOnlyScopes: ["Mail.Read"])
  static let word = ClientRegistration(
    clientID: "word", displayName: "Word", publisher: "Microsoft",
    redirectURIs: ["msauth.com.microsoft.word://auth"], familyID: "1", isPreauthorized: true)
  static let excel = ClientRegistration(
    clientID: "excel", displayName: "Excel", publisher: "Microsoft",
    redirectURIs: ["msauth.com.microsoft.excel://auth"], familyID: "1", isPreauthorized: true)
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  static let openID = " openid profile offline_access"

  let documents = DocumentsInMemory()
  let random: RandomSource
  let trace = TraceRecorder()
  var now = Instant(1_767_261_600)
  var cookies: [NameValue] = []
  var isGeneric = false

  init(seed: UInt64 = 1) throws {
    random = RandomSource(Randomness(seed: seed))
    for tenant in [Self.contoso, Self.fabrikam] { try documents.save(tenant) }
    for registration in [Self.notes, Self.word, Self.excel, .authenticationBroker] {
      try documents.save(registration)
    }
    try save(Self.alice)
    var lonely = Self.notes
    (lonely.clientID, lonely.isMultiTenant, lonely.homeTenantID) = ("lonely", false, Self.contoso.id)
    try documents.save(lonely)
    for (name, change) in Self.others {
      var person = Self.alice
      (person.username, person.guestIn) = (name + "@contoso.com", [:])
      change(&person)
      try save(person)
    }
  }

  private static var others: [(String, (inout DirectoryUser) -> Void)] {
    [("bob", { _ in }), ("dora", { $0.isDisabled = true }), ("mia", { $0.requiresMFA = true })]
  }

  func save(_ person: DirectoryUser) throws { try documents.save(person) }

  var provider: Provider {
    Provider(documents: documents, now: now, random: random, trace: trace, isGeneric: isGeneric)
  }

  func send(_ request: HTTPRequest) throws -> ProviderResponse {
    let answer = try provider.respond(to: request, cookies: cookies)
    for cookie in answer.setCookies {
      cookies.removeAll { $0.name == cookie.name }
      cookies.append(cookie)
    }
    return answer
  }

  /// The usual scopes: Graph's, or the client's own at a user flow, which has no Graph.
  private func scopes(_ given: String?, _ client: ClientRegistration, _ tenant: String) -> String {
    given ?? (AuthorityPath.endsInPolicy(tenant) ? client.clientID : "User.Read") + Self.openID
  }

  /// Sends an authorization request as `client`.
  ///
  /// A change to `nil` omits the parameter.
  func authorize(
    _ client: ClientRegistration, tenant: String = "common", scope: String? = nil,
    _ changes: [String: String?] = [:]
  ) throws -> ProviderResponse {
    let scope = scopes(scope, client, tenant)
    var query: [NameValue] = [
      NameValue("client_id", client.clientID), NameValue("redirect_uri", client.redirectURIs[0]),
      NameValue("response_type", "code"), NameValue("scope", scope), NameValue("state", "s1"),
      NameValue("nonce", "n1"), NameValue("code_challenge", Self.challenge),
      NameValue("code_challenge_method", "S256"),
    ]
    query.removeAll { changes.keys.contains($0.name) }
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
      if let value { query.append(NameValue(name, value)) }
    }
    return try send(
      HTTPRequest(
        "GET", origin: "https://login.microsoftonline.com", path: "/\(tenant)/oauth2/v2.0/authorize",
        query: query))
  }

  func post(_ path: String, _ form: KeyValuePairs<String, String>) throws -> ProviderResponse {
    try send(
      HTTPRequest(
        "POST", origin: "https://login.microsoftonline.com", path: path, form: form.map { NameValue($0, $1) })
    )
  }

  /// Signs in, consents if prompted, and returns the code.
  func code(
    _ client: ClientRegistration, tenant: String = "common", scope: String? = nil,
    username: String = "alice@contoso.com"
  ) throws -> String {
    var answer = try authorize(client, tenant: tenant, scope: scope)
    if case .signIn(let page) = answer.page {
      answer = try post(
        "/common/login", ["flow": page.flowID, "username": username, "password": "right"])
    }
    if case .consent(let page) = answer.page {
      answer = try post("/common/consent", ["flow": page.flowID, "accept": "1"])
    }
    return try #require(answer.http.location.flatMap { URLParts($0)?.fields }?["code"])
  }

  func redeem(code: String, _ client: ClientRegistration, tenant: String = "common") throws -> HTTPResponse {
    try post(
      "/\(tenant)/oauth2/v2.0/token",
      [
        "grant_type": "authorization_code", "client_id": client.clientID, "code": code,
        "redirect_uri": client.redirectURIs[0], "code_verifier": Self.verifier, "device_id": "phone",
        "client_info": "1",
      ]
    ).http
  }

  func signIn(
    _ client: ClientRegistration, tenant: String = "common", scope: String? = nil
  ) throws -> TokenResponse {
    try TokenResponse(
      reading: redeem(code: code(client, tenant: tenant, scope: scope), client, tenant: tenant))
  }

  func refresh(
    _ secret: String, _ client: ClientRegistration, tenant: String = "common", scope: String? = nil
  ) throws -> HTTPResponse {
    try post(
      "/\(tenant)/oauth2/v2.0/token",
      [
        "grant_type": "refresh_token", "client_id": client.clientID, "refresh_token": secret,
        "scope": scopes(scope, client, tenant),
      ]
    ).http
  }

  /// Returns a forged token for Alice, with the app Notes as the API.
  func forged(_ kind: ForgedToken.Kind) throws -> String {
    try provider.forge(
      kind, for: "api://" + Self.notes.clientID, permission: "User.Read", person: Self.alice,
      client: Self.word, origin: "https://localhost:8443"
    ).compact
  }

  /// The name of the check that failed last.
  var failedCheck: String? { trace.hops.last?.checks.last { $0.verdict == .failed }?.name }
}
