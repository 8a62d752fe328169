/// What the scope rules look at.
struct ScopeRequest {
  var scopes: RequestedScopes
  var registration: ClientRegistration

  static var rules: [(ScopeRequest) -> RuleResult] {
    [checkScopesNamed, checkScopesSize, checkOneResource, checkScopesAllowed]
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
    "scopes are bounded", expected: "at most 8192 bytes", found: "\(size)", size <= 8192,
    source: "the limit is ours",
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

private func checkScopesAllowed(_ request: ScopeRequest) -> RuleResult {
  let allowed = Set(request.registration.allowedScopes.map(RequestedScopes.canonical))
  // `.default` asks for all that is registered, the app's client ID for a token for itself.
  let foreign = request.scopes.ofResources.filter {
    !allowed.isEmpty && !RequestedScopes.isDefault($0) && !allowed.contains(RequestedScopes.canonical($0))
      && $0.lowercased() != request.registration.clientID.lowercased()
  }
  return RuleResult(
    "scopes registered", expected: allowed.isEmpty ? "any" : allowed.sorted().joined(separator: " "),
    found: request.scopes.ofResources.joined(separator: " "), foreign.isEmpty, source: "Entra",
    else: OAuthError(
      .invalidScope,
      "The scope '\(foreign.joined(separator: " "))' is not registered for "
        + "'\(request.registration.displayName)'.",
      aadsts: .scopeInvalid))
}
