/// What the scope rules look at.
struct ScopeRequest {
  var scopes: RequestedScopes
  var registration: ClientRegistration
  var tenant: AuthorityTenant
  /// What the scopes are for; nil: this lab has no such API.
  var resource: ProtectedResource?
  /// `resource` of version 2.0, which has to name the same API as the scopes; nil: it was not sent.
  var namedResource: String?
  /// App ID and App ID URIs of `resource`.
  var identifiers: [String] = []

  static var rules: [(ScopeRequest) -> RuleResult] {
    [
      checkScopesNamed, checkScopesSize, checkOneResource, checkResourceFits, checkResourceIsKnown,
      checkScopesExist, checkScopesAllowed,
    ]
  }

  init(
    _ scopes: RequestedScopes, for registration: ClientRegistration, at tenant: AuthorityTenant,
    in directory: Directory, named namedResource: String? = nil
  ) throws {
    self.scopes = scopes
    self.registration = registration
    self.tenant = tenant
    resource = try directory.resource(for: scopes, registration, tenant)
    // B2C and AD FS are not known to compare it.
    guard let namedResource, tenant.policy == nil, !tenant.isFederation else { return }
    self.namedResource = namedResource
    identifiers = try resource.map { try directory.identifiers(of: $0) } ?? []
  }
}

extension Directory {
  /// The API that scopes are for, Graph if they name none; nil: there is no such API.
  ///
  /// What B2C and AD FS serve is registered with them and not in the lab: any name is taken.
  func resource(
    for scopes: RequestedScopes, _ registration: ClientRegistration, _ tenant: AuthorityTenant
  ) throws -> ProtectedResource? {
    let isForItself = scopes.contains(registration.clientID.lowercased())
    let name =
      isForItself ? registration.clientID : scopes.resources.first ?? ProtectedResource.graphAppID
    if tenant.policy != nil || tenant.isFederation {
      return ProtectedResource(appID: name, identifier: name, tokenVersion: tenant.isFederation ? 1 : 2)
    }
    return try resource(named: name)
  }
}

private func checkScopesNamed(_ request: ScopeRequest) -> RuleResult {
  RuleResult(
    "scope present", expected: "at least one scope", found: "\(request.scopes.all.count)",
    !request.scopes.isEmpty, source: "RFC 6749 §3.3",
    else: OAuthError(
      .invalidRequest, "The request body must contain the following parameter: 'scope'.",
      aadsts: .bodyParameterMissing))
}

/// They go along in codes, tokens and answers.
private func checkScopesSize(_ request: ScopeRequest) -> RuleResult {
  let size = request.scopes.all.reduce(0) { $0 + $1.utf8.count }
  return RuleResult(
    "size of the scopes", expected: "at most 8192 bytes", found: "\(size)", size <= 8192,
    source: "SSOTerm's limit",
    else: OAuthError(
      .invalidScope, "The scopes are \(size) bytes long: at most 8192 are read.", aadsts: .scopeInvalid))
}

private func checkOneResource(_ request: ScopeRequest) -> RuleResult {
  let resources = request.scopes.resources
  return RuleResult(
    "scopes of one resource", expected: "at most one resource",
    found: resources.isEmpty ? "none" : resources.joined(separator: ", "), resources.count <= 1,
    source: "Entra",
    else: OAuthError(
      .invalidScope, "Scopes of more than one resource were asked for in one request.",
      aadsts: .severalResources))
}

/// Entra compares bytes: a slash at the end makes a difference.
///
/// That every App ID URI of the API is taken, and not only the one that the scope begins with, is assumed.
func checkResourceFits(_ request: ScopeRequest) -> RuleResult {
  let fitting = request.scopes.ofResources.isEmpty ? [] : request.scopes.resources + request.identifiers
  return RuleResult(
    "resource fits the scopes",
    expected: fitting.isEmpty ? "none: the scopes are of no resource" : fitting.joined(separator: " or "),
    found: request.namedResource ?? "none", request.namedResource.map(fitting.contains) ?? true,
    source: "Entra",
    else: OAuthError(
      .invalidTarget,
      "The resource parameter provided in the request doesn't match with the requested scopes.",
      aadsts: .resourceDoesNotFit))
}

func checkResourceIsKnown(_ request: ScopeRequest) -> RuleResult {
  checkResourceIsKnown(
    request.resource, named: request.scopes.resources.first ?? ProtectedResource.graphAppID, request.tenant)
}

func checkResourceIsKnown(
  _ resource: ProtectedResource?, named name: String, _ tenant: AuthorityTenant
) -> RuleResult {
  RuleResult(
    "resource registered", expected: "one of Microsoft's APIs, or an app of this lab", found: name,
    resource != nil, source: "Entra",
    else: OAuthError(
      .invalidResource,
      "The resource principal named \(name) was not found in the tenant named \(tenant.displayName). This can "
        + "happen if the application has not been installed by the administrator of the tenant or consented to by "
        + "any user in the tenant. You might have sent your authentication request to the wrong tenant.",
      aadsts: .resourceNotFound))
}

func checkScopesExist(_ request: ScopeRequest) -> RuleResult {
  let offered = request.resource?.permissions
  let unknown = request.scopes.ofResources.first { scope in
    guard let offered, !RequestedScopes.isDefault(scope), RequestedScopes.resource(of: scope) != scope else {
      return false
    }
    return !offered.contains((scope.split(separator: "/").last ?? "").lowercased())
  }
  return RuleResult(
    existenceName, expected: offered.map { "one of \($0.count) of the resource" } ?? "any",
    found: unknown ?? request.scopes.ofResources.joined(separator: " "), unknown == nil, source: "Entra",
    else: OAuthError(
      .invalidClient,
      "The application '\(request.registration.displayName)' asked for scope '\(unknown ?? "")' that doesn't "
        + "exist on the resource '\(request.resource?.appID ?? "")'. Contact the app vendor.",
      aadsts: .scopeNotFound))
}

private func checkScopesAllowed(_ request: ScopeRequest) -> RuleResult {
  let allowed = Set(request.registration.allowedScopes.map(RequestedScopes.canonical))
  // `.default` asks for all that is registered, the app's client ID for a token for itself.
  let foreign = request.scopes.ofResources.filter {
    !allowed.isEmpty && !RequestedScopes.isDefault($0) && !allowed.contains(RequestedScopes.canonical($0))
      && $0.lowercased() != request.registration.clientID.lowercased()
  }
  return RuleResult(
    registrationName, expected: allowed.isEmpty ? "any" : allowed.sorted().joined(separator: " "),
    found: request.scopes.ofResources.joined(separator: " "), foreign.isEmpty, source: "Entra",
    else: OAuthError(
      .invalidScope,
      "The scope '\(foreign.joined(separator: " "))' is not registered for "
        + "'\(request.registration.displayName)'.",
      aadsts: .scopeInvalid))
}

private let (existenceName, registrationName) = ("scopes exist", "scopes registered")

extension Check {
  /// Whether it is a check of the scopes that were asked for, which are then what it found.
  package var isOfRequestedScopes: Bool { [existenceName, registrationName].contains(name) }
}
