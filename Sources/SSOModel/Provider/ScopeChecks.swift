import SSOCore

/// What the scope rules look at.
struct ScopeRequest {
  var scopes: RequestedScopes
  var registration: ClientRegistration

  static var rules: [(ScopeRequest) -> Finding] {
    [checkScopesNamed, checkScopesSize, checkOneResource, checkScopesAllowed]
  }
}

private func checkScopesNamed(_ request: ScopeRequest) -> Finding {
  Finding(
    "scope present", expected: "at least one scope", found: "\(request.scopes.all.count)",
    !request.scopes.isEmpty, source: "RFC 6749 §3.3",
    else: OAuthError(
      .invalidRequest, "The request body must contain the following parameter: 'scope'.", aadsts: 900144))
}

/// They go along in codes, tokens and answers.
private func checkScopesSize(_ request: ScopeRequest) -> Finding {
  let size = request.scopes.all.reduce(0) { $0 + $1.utf8.count }
  return Finding(
    "scopes are bounded", expected: "at most 8192 bytes", found: "\(size)", size <= 8192,
    source: "the limit is ours",
    else: OAuthError(
      .invalidScope, "The scopes are \(size) bytes long: at most 8192 are read.", aadsts: 70011))
}

private func checkOneResource(_ request: ScopeRequest) -> Finding {
  let resources = request.scopes.resources
  return Finding(
    "scopes of one resource", expected: "at most one resource",
    found: resources.isEmpty ? "none" : resources.joined(separator: ", "), resources.count <= 1,
    source: "Entra",
    else: OAuthError(
      .invalidScope, "Scopes of more than one resource were asked for in one request.", aadsts: 28000))
}

private func checkScopesAllowed(_ request: ScopeRequest) -> Finding {
  let allowed = Set(request.registration.allowedScopes.map(RequestedScopes.canonical))
  // `.default` asks for whatever is registered, the app's own ID for a token for itself.
  let foreign = request.scopes.ofResources.filter {
    !allowed.isEmpty && !RequestedScopes.isDefault($0) && !allowed.contains(RequestedScopes.canonical($0))
      && $0.lowercased() != request.registration.clientID.lowercased()
  }
  return Finding(
    "scopes registered", expected: allowed.isEmpty ? "any" : allowed.sorted().joined(separator: " "),
    found: request.scopes.ofResources.joined(separator: " "), foreign.isEmpty, source: "Entra",
    else: OAuthError(
      .invalidScope,
      "The scope '\(foreign.joined(separator: " "))' is not registered for "
        + "'\(request.registration.displayName)'.",
      aadsts: 70011))
}
