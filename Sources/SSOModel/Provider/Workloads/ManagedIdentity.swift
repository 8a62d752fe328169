import Essentials
import SSOCore
import SSOReference

/// `GET /metadata/identity/oauth2/token` and similar paths: issues a managed identity's token to a program on
/// its machine.
struct ManagedIdentityEndpoint {
  let provider: ProviderResources
  let host: ManagedIdentityHost

  /// The lifetime of the tokens in seconds: one day (docs/behaviour/workloads.md §2).
  static let lifetime = 86_400

  func respond(_ context: inout RequestContext) throws -> ProviderResponse {
    // MSAL Node appends a slash (`UrlString.canonicalizeUri`).
    let path = context.request.path.lowercased().parts(between: "/")
    guard path == host.path.lowercased().parts(between: "/") else {
      return ProviderResponse(HTTPResponse(404))
    }
    do {
      if let challenge = try proveCaller(&context) { return challenge }
      return try issue(&context)
    } catch let error as OAuthError {
      context.refusal = error
      return ProviderResponse(refusal(error, context))
    }
  }

  /// Checks the proof that only a program on the machine can send.
  ///
  /// - Returns: The challenge of Azure Arc if the caller has not read the file yet, or `nil`.
  private func proveCaller(_ context: inout RequestContext) throws -> ProviderResponse? {
    let request = context.request
    switch host.kind {
    case .imds: try context.require([checkMetadataHeader(request, host), checkNotForwarded(request)])
    case .appService: try context.require(checkSecretHeader("X-IDENTITY-HEADER", request, host))
    case .machineLearning: try context.require(checkSecretHeader("secret", request, host))
    case .arc:
      try context.require([checkMetadataHeader(request, host), checkNotForwarded(request)])
      guard request.header("Authorization") != nil else {
        var challenge = HTTPResponse.json(401, body(of: .arcSecretMissing, context))
        challenge.headers.append(NameValue("WWW-Authenticate", "Basic realm=\(host.file ?? "")"))
        return ProviderResponse(challenge)
      }
      try context.require(checkSecretHeader("Authorization", request, host))
    }
    return nil
  }

  private func issue(_ context: inout RequestContext) throws -> ProviderResponse {
    let query = context.request.query
    try context.require([
      checkNothingIsRepeatedHere(context.request.repeatedField), checkVersion(query["api-version"], of: host),
      checkResourceIsNamed(query["resource"], of: host),
    ])
    let all = try provider.directory.managedIdentities()
    let wish = WantedIdentity(query)
    let found = wish.choice(among: all, on: host.kind)
    let identity = try context.require(found, checkIdentity(found, wish, among: all, on: host))
    let name = query["resource"] ?? ""
    let tenant = try AuthorityTenant(identity.tenantID, in: provider.directory)
    let known = try provider.directory.resource(named: name)
    let target = try context.require(known, checkResourceIsKnown(known, named: name, tenant))
    let assignment = try checkAppAssigned(
      [identity.clientID, identity.name], named: identity.name, to: target, in: provider.directory)
    try context.require([assignment].compactMap(\.self))
    let token = try TokenIssuer(provider, origin: host.issuerOrigin)
      .accessToken(of: identity, for: target, lifetime: Self.lifetime)
    return ProviderResponse(.json(200, body(of: token, identity, resource: name)))
  }

  /// Returns the body of a response, with numbers as strings.
  ///
  /// Azure Machine Learning and App Service omit `expires_in`.
  private func body(of token: String, _ identity: ManagedIdentity, resource: String) -> JSONValue {
    var body: [String: JSONValue] = [
      "access_token": .string(token), "client_id": .string(identity.clientID), "resource": .string(resource),
      "token_type": "Bearer", "expires_on": .string(String(provider.now.seconds + Self.lifetime)),
    ]
    if host.kind == .imds || host.kind == .arc {
      body["refresh_token"] = ""
      body["expires_in"] = .string(String(Self.lifetime))
      body["ext_expires_in"] = .string(String(Self.lifetime))
      body["not_before"] = .string(String(provider.now.seconds - TokenResponse.backdating))
      body["object_id"] = .string(identity.objectID)
      body["msi_res_id"] = .string(identity.resourceID)
    }
    return .object(body)
  }

  /// Returns the response to a rejected request; App Service also sends the correlation ID as a header
  /// (Azure/azure-sdk-for-net#43691).
  private func refusal(_ error: OAuthError, _ context: RequestContext) -> HTTPResponse {
    var response = HTTPResponse.json(status(of: error), body(of: error, context))
    if host.kind == .appService {
      response.headers.append(NameValue("X-CORRELATION-ID", context.correlationID))
    }
    return response
  }

  /// App Service forbids a request without the secret (Azure/azure-sdk-for-net#26578).
  private func status(of error: OAuthError) -> Int {
    host.kind == .appService && error.code == .invalidClient ? 403 : 400
  }

  private func body(of error: OAuthError, _ context: RequestContext) -> JSONValue {
    switch host.kind {
    case .imds, .arc:
      ["error": .string(error.code.text), "error_description": .string(description(of: error, context))]
    case .appService:
      [
        "statusCode": .integer(Int64(status(of: error))), "message": .string(error.message),
        "correlationId": .string(context.correlationID),
      ]
    case .machineLearning:
      ["error": ["code": .string(error.code.text), "message": .string(error.message)]]
    }
  }

  /// Returns the description of an error, which the instance metadata service gets from Entra with the trace ID
  /// (AzureAD/microsoft-authentication-library-for-dotnet#3979).
  private func description(of error: OAuthError, _ context: RequestContext) -> String {
    guard error.aadsts != nil else { return error.message }
    return OAuthErrorBody(
      error, traceID: provider.random.uuid(), correlationID: context.correlationID, now: provider.now
    ).description
  }
}

/// The managed identity that a request specifies.
struct WantedIdentity {
  private let clientID: String?
  private let objectID: String?
  private let resourceID: String?

  /// Reads the query, whose parameter names differ between services and their versions.
  init(_ query: [NameValue]) {
    func value(_ names: String...) -> String? { names.lazy.compactMap { query[$0] }.first?.lowercased() }
    // MSAL Go sends an empty one to Azure Machine Learning for the system-assigned identity (`azure_ml.go`).
    clientID = value("client_id") ?? value("clientid").flatMap { $0.isEmpty ? nil : $0 }
    objectID = value("object_id", "principal_id")
    resourceID = value("msi_res_id", "mi_res_id")
  }

  var displayText: String {
    [clientID, objectID, resourceID].compactMap(\.self).first ?? "none named"
  }

  fileprivate var isNamed: Bool { clientID != nil || objectID != nil || resourceID != nil }

  /// Returns the specified identity, or else the system-assigned one, or the only one.
  ///
  /// App Service never takes another identity than the system-assigned one unless the request names it (Microsoft: How to
  /// use managed identities for App Service, "REST endpoint reference"; Azure/ms-rest-nodeauth#86).
  func choice(among all: [ManagedIdentity], on kind: ManagedIdentityHost.Kind) -> ManagedIdentity? {
    guard isNamed else {
      return all.first(where: \.isSystemAssigned) ?? (all.count == 1 && kind != .appService ? all[0] : nil)
    }
    return all.first { identity in
      clientID.map { $0 == identity.clientID.lowercased() } ?? true
        && objectID.map { $0 == identity.objectID.lowercased() } ?? true
        && resourceID.map { $0 == identity.resourceID.lowercased() } ?? true
    }
  }
}

extension OAuthError {
  fileprivate static let arcSecretMissing = OAuthError(
    .invalidClient, "The request has no Authorization header: send the content of the file that realm names.")
}

private let source = "workloads.md §1"

/// Checks the header without which a machine does not answer (Microsoft Learn, "How to use managed identities on a virtual
/// machine": `bad_request_102`); what Azure Arc answers is not known.
private func checkMetadataHeader(_ request: HTTPRequest, _ host: ManagedIdentityHost) -> RuleResult {
  let value = request.header("Metadata")
  return RuleResult(
    "header Metadata", expected: "true", found: value ?? "none", value == "true",
    source: source,
    else: OAuthError(
      host.kind == .imds ? .metadataHeaderMissing : .invalidRequest, "Required metadata header not specified")
  )
}

/// Checks that no parameter is sent twice (Microsoft Learn, "How to use managed identities on a virtual machine":
/// `invalid_request`).
private func checkNothingIsRepeatedHere(_ name: String?) -> RuleResult {
  RuleResult(
    "no parameter twice", expected: "each once", found: name ?? "each once", name == nil, source: source,
    failure: "a parameter occurs twice",
    else: OAuthError(.invalidRequest, "The request includes the parameter '\(name ?? "")' more than once."))
}

private func checkNotForwarded(_ request: HTTPRequest) -> RuleResult {
  let value = request.header("X-Forwarded-For")
  return RuleResult(
    "not forwarded", expected: "no X-Forwarded-For", found: value ?? "none", value == nil, source: source,
    failure: "the request was forwarded",
    else: OAuthError(.invalidRequest, "A request with the header X-Forwarded-For is not answered."))
}

/// Checks the secret in a header.
///
/// In `Authorization` it follows `Basic`.
private func checkSecretHeader(
  _ name: String, _ request: HTTPRequest, _ host: ManagedIdentityHost
) -> RuleResult {
  let value = request.header(name) ?? ""
  let sent =
    name == "Authorization" && value.lowercased().hasPrefix("basic ") ? String(value.dropFirst(6)) : value
  let isRight = isSameSecret(sent, host.secret)
  return RuleResult(
    "header \(name)", expected: "the secret of this machine",
    found: value.isEmpty ? "none" : isRight ? "the same" : "another", isRight, source: source,
    else: OAuthError(.invalidClient, "The header \(name) does not hold the secret of this machine."))
}

private func checkVersion(_ version: String?, of host: ManagedIdentityHost) -> RuleResult {
  RuleResult(
    "api-version", expected: host.versions.joined(separator: " or "), found: version ?? "none",
    version.map(host.versions.contains) ?? false, source: source,
    else: OAuthError(
      .invalidRequest,
      "api-version is invalid or was not specified. It is \(host.versions.joined(separator: " or "))."))
}

private func checkResourceIsNamed(_ resource: String?, of host: ManagedIdentityHost) -> RuleResult {
  // The sentence of the other services is not known.
  let isMetadataService = host.kind == .imds || host.kind == .arc
  return RuleResult(
    "resource present", expected: "resource", found: resource ?? "none", resource?.isEmpty == false,
    source: source,
    failure: "the resource is missing",
    else: OAuthError(
      .invalidRequest,
      isMetadataService
        ? "Required query variable 'resource' is missing"
        : "The request must contain the parameter 'resource'."))
}

private func checkIdentity(
  _ identity: ManagedIdentity?, _ wish: WantedIdentity, among all: [ManagedIdentity],
  on host: ManagedIdentityHost
) -> RuleResult {
  let sentence =
    switch host.kind {
    case .imds where !wish.isNamed && all.count > 1:
      "Multiple user assigned identities exist, please specify the clientId / resourceId of the identity in the token "
        + "request"
    case .appService:
      wish.isNamed
        ? "No User Assigned or Delegated Managed Identity found for specified ClientId/ResourceId/PrincipalId."
        : "Unable to load the proper Managed Identity."
    case .imds, .arc, .machineLearning: "Identity not found"
    }
  return RuleResult(
    "identity assigned", expected: all.isEmpty ? "an identity" : all.map(\.name).joined(separator: " or "),
    found: identity?.name ?? wish.displayText, identity != nil, source: source,
    failure: "the identity is not assigned", else: OAuthError(.invalidRequest, sentence))
}

/// The part of an Azure machine or service that gives its programs managed identity tokens
/// (docs/behaviour/workloads.md §1).
package struct ManagedIdentityHost: Codable, Hashable, Sendable {
  /// The environment that a program detects.
  ///
  /// Each one has its own variables, headers, and responses.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    /// A virtual machine with the instance metadata service.
    case imds
    /// App Service, Functions, or Container Apps.
    case appService = "app-service"
    case machineLearning = "machine-learning"
    /// A machine outside Azure that Azure Arc manages.
    case arc
  }

  package var kind: Kind
  /// The secret that proves that the caller runs here.
  ///
  /// The instance metadata service does not require one.
  package var secret: String
  /// The file that contains the secret, for Azure Arc.
  package var file: String?
  /// The origin of the provider that issues the tokens, such as `https://localhost:8443`.
  package var issuerOrigin: String

  package init(_ kind: Kind, secret: String, file: String? = nil, issuerOrigin: String) {
    self.kind = kind
    self.secret = secret
    self.file = file
    self.issuerOrigin = issuerOrigin
  }

  /// The only folder from which clients accept Azure Arc's file.
  package static let arcFolder = "/var/opt/azcmagent/tokens"

  /// The path of the token endpoint.
  package var path: String {
    switch kind {
    case .imds, .arc: "/metadata/identity/oauth2/token"
    case .appService: "/msi/token"
    case .machineLearning: "/MSI/auth"
    }
  }

  /// Returns the environment variables that Azure's SDKs use to find the endpoint.
  package func variables(port: Int) -> [NameValue] {
    let origin = "http://localhost:\(port)"
    switch kind {
    case .imds: return [NameValue("AZURE_POD_IDENTITY_AUTHORITY_HOST", origin)]
    case .appService:
      return [NameValue("IDENTITY_ENDPOINT", origin + path), NameValue("IDENTITY_HEADER", secret)]
    case .machineLearning:
      return [NameValue("MSI_ENDPOINT", origin + path), NameValue("MSI_SECRET", secret)]
    case .arc: return [NameValue("IDENTITY_ENDPOINT", origin + path), NameValue("IMDS_ENDPOINT", origin)]
    }
  }

  /// The origin at which the machine's programs find the endpoint.
  package var usualOrigin: String { kind == .imds ? "http://169.254.169.254" : "http://localhost:42356" }
  /// The API version that most programs ask for.
  package var usualVersion: String { versions[0] }

  /// The supported API versions, the most common one first.
  var versions: [String] {
    switch kind {
    case .imds: ["2018-02-01", "2019-08-01", "2021-02-01"]
    case .appService: ["2019-08-01"]
    case .machineLearning: ["2017-09-01"]
    case .arc: ["2020-06-01", "2019-11-01", "2021-02-01"]
    }
  }
}

/// A simulated issuer outside Entra, such as a Kubernetes cluster or a CI system (docs/behaviour/workloads.md
/// §3).
///
/// Its key is generated on first use.
///
/// Throws `StoreError`.
package struct ForeignIssuer {
  private struct Kept: Codable {
    var id: String
    var der: Data
  }

  private static let key = "foreign"

  let documents: any DocumentStore
  let random: RandomSource

  package init(documents: any DocumentStore, random: RandomSource) {
    self.documents = documents
    self.random = random
  }

  /// Returns the issuer URL, such as `https://localhost:8443/federation`.
  package static func url(at origin: String) -> String { origin + "/federation" }

  /// Returns a workload's token, such as the token that Kubernetes projects into a pod or that a CI system
  /// gives its job.
  package func token(
    issuer: String, subject: String, audience: String, at now: Instant, lifetime: Int
  ) throws -> String {
    let claims: [String: JSONValue] = [
      "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience),
      "iat": .integer(Int64(now.seconds)), "nbf": .integer(Int64(now.seconds)),
      "exp": .integer(Int64(now.seconds + lifetime)), "jti": .string(random.uuid()),
    ]
    return try JSONWebToken(claims: claims).signed(by: signingKey())
  }

  func publicKey() throws -> TokenVerificationKey { try signingKey().publicKey }

  private func signingKey() throws -> TokenSigningKey {
    if let kept = try documents.read(Kept.self, .signingKey, Self.key) {
      return try TokenSigningKey(id: kept.id, der: kept.der)
    }
    let key = try TokenSigningKey(id: Base64URL.encode(random.bytes(20)), from: random)
    try documents.write(Kept(id: key.id, der: key.der), .signingKey, Self.key)
    return key
  }

  /// Returns the configuration (`GET /federation/.well-known/openid-configuration`, OpenID Connect Discovery
  /// §3).
  static func configuration(at origin: String) -> JSONValue {
    let issuer = url(at: origin)
    return [
      "issuer": .string(issuer), "jwks_uri": .string(issuer + "/keys"),
      "response_types_supported": ["id_token"],
      "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
    ]
  }
}
