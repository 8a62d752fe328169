/// What a person once agreed to let an app do, per tenant: `{"scopes":["user.read"]}`, canonical and sorted.
struct ConsentGrant: Codable, Hashable {
  var scopes: [String]
}

/// The consent grants, keyed `tenant/object/client`, and `kept/tenant/object/client`.
struct ConsentGrants {
  let documents: any DocumentStore
  /// An external client asks.
  let isServed: Bool

  /// Before the key of a grant that external clients depend on.
  private static let kept = "kept/"

  private func key(_ person: Person, _ tenantID: String, _ clientID: String) -> String {
    [tenantID, person.objectID(in: tenantID) ?? person.objectID, clientID].joined(separator: "/").lowercased()
  }

  /// Scopes asked that the person has not agreed to yet, in the order asked; none where an administrator consents for all people.
  func missing(
    _ scopes: RequestedScopes, of person: Person, at tenant: AuthorityTenant, tenantID: String,
    for registration: ClientRegistration
  ) throws -> [String] {
    guard tenant.asksForConsent, !registration.isPreauthorized else { return [] }
    let key = key(person, tenantID, registration.clientID)
    let granted = try granted(key)
    let missing = missing(scopes, granted)
    return missing.isEmpty ? [] : self.missing(scopes, granted.union(try self.granted(Self.kept + key)))
  }

  private func granted(_ key: String) throws -> Set<String> {
    Set(try documents.read(ConsentGrant.self, .consentGrant, key)?.scopes ?? [])
  }

  private func missing(_ scopes: RequestedScopes, _ granted: Set<String>) -> [String] {
    // `.default` asks for what is there: any permission on that resource (Entra's static consent).
    let resources = Set(
      granted.filter { !RequestedScopes.openID.contains($0) }.map(RequestedScopes.resourceIdentity))
    return scopes.all.filter { scope in
      if granted.contains(RequestedScopes.canonical(scope)) { return false }
      return !RequestedScopes.isDefault(scope)
        || !resources.contains(RequestedScopes.resourceIdentity(of: scope))
    }
  }

  /// Keeps the consent by which an external client is given tokens under a key that no intent writes: undo does not reach it.
  func keepForExternalClient(_ clientID: String, of person: Person, tenantID: String) throws {
    let key = key(person, tenantID, clientID)
    let (now, kept) = (try granted(key), try granted(Self.kept + key))
    guard !now.isSubset(of: kept) else { return }
    try documents.write(
      ConsentGrant(scopes: now.union(kept).sorted()), .consentGrant, Self.kept + key)
  }

  /// Agrees to all of them, besides what was agreed to before; with `.default` to all that is registered.
  func grant(
    _ scopes: RequestedScopes, of person: Person, tenantID: String, to registration: ClientRegistration
  ) throws {
    let key = (isServed ? Self.kept : "") + key(person, tenantID, registration.clientID)
    var asked = scopes.all
    if asked.contains(where: RequestedScopes.isDefault) { asked += registration.allowedScopes }
    let after = try granted(key).union(asked.map(RequestedScopes.canonical))
    try documents.write(ConsentGrant(scopes: after.sorted()), .consentGrant, key)
  }
}

/// The person must have agreed to every scope asked.
func checkConsent(
  _ missing: [String], code: OAuthErrorCode, _ registration: ClientRegistration
) -> RuleResult {
  RuleResult(
    "consent", expected: "granted", found: missing.isEmpty ? "granted" : missing.joined(separator: " "),
    missing.isEmpty, source: "Entra",
    else: .consentMissing(
      code,
      "The user or administrator has not consented to use the application with ID '\(registration.clientID)' named "
        + "'\(registration.displayName)'. Send an interactive authorization request for this user and resource."
    ))
}

extension OAuthError {
  /// The suberror is the error of the same name.
  static func consentMissing(_ code: OAuthErrorCode, _ reason: String) -> OAuthError {
    var error = OAuthError(code, reason, aadsts: .consentMissing)
    error.suberror = OAuthErrorCode.consentRequired.text
    return error
  }
}
