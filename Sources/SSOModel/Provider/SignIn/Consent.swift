import SSOCore
import SSOReference

/// `POST /{tenant}/consent`: the user's response to the consent page.
///
/// The fields are `flow`, and `accept` or `cancel`.
struct ConsentEndpoint {
  let provider: ProviderResources

  func respond(_ context: inout RequestContext) throws -> ProviderResponse {
    let signIn = try provider.signIn(of: &context)
    let flow = signIn.flow
    let username = flow.username ?? ""
    let tenant = try AuthorityTenant(flow.authoritySegment, in: provider.directory)
    guard flow.isSignedIn, let person = try provider.directory.person(username: username),
      let registration = try provider.directory.registration(clientID: flow.clientID),
      let tenantID = tenant.issuingTenantID(for: person)
    else {
      return try signIn.page(username: username, asks: .username, context)
    }
    try signIn.end()
    do throws(OAuthError) { try context.require(checkConsentGiven(context.request.form)) } catch {
      return try signIn.response.withError(error, &context)
    }
    if flow.isAdminConsent == true {
      try context.require(checkIsAdministrator(person, tenantID: tenantID))
      try provider.consents.grant(flow.scopes, ofOrganisation: tenantID, to: registration)
      return signIn.response.consented(tenantID: tenantID)
    }
    try provider.consents.grant(flow.scopes, of: person, tenantID: tenantID, to: registration)
    let situation = try AccessSituation(of: flow, context, provider)
    return try signIn.response.completed(for: person, situation, cookies: [], context)
  }
}

private func checkConsentGiven(_ form: [NameValue]) -> RuleResult {
  let isAccepted = form["accept"] != nil && form["cancel"] == nil
  return RuleResult(
    "consent given", expected: "accept", found: isAccepted ? "accept" : "cancel", isAccepted,
    source: "RFC 6749 §4.1.2.1",
    failure: "consent was declined",
    else: OAuthError(
      .accessDenied, "User declined to consent to access the app.", aadsts: .consentDeclined))
}

/// The scopes that a user consented to for an app in a tenant, as the app asked for them, sorted:
/// `{"scopes":["User.Read"]}`.
struct ConsentGrant: Codable, Hashable {
  var scopes: [String]
}

/// The consent grants, with the keys `tenant/object/client` and `kept/tenant/object/client`.
///
/// The object of a grant for the organisation is `allprincipals`, the `consentType` of such a grant at Entra.
struct ConsentGrants {
  let documents: any DocumentStore
  /// Whether the request is from an external client.
  let isServed: Bool

  /// The key prefix of grants that external clients depend on.
  private static let kept = "kept/"

  private func key(_ person: DirectoryUser, _ tenantID: String, _ clientID: String) -> String {
    [tenantID, person.objectID(in: tenantID) ?? person.objectID, clientID].joined(separator: "/").lowercased()
  }

  private func key(ofOrganisation tenantID: String, _ clientID: String) -> String {
    [tenantID, "AllPrincipals", clientID].joined(separator: "/").lowercased()
  }

  /// Returns the requested scopes without consent, in order.
  ///
  /// The array is empty if an administrator consents for all users.
  func missing(
    _ scopes: RequestedScopes, of person: DirectoryUser, at tenant: AuthorityTenant, tenantID: String,
    for registration: ClientRegistration
  ) throws -> [String] {
    guard tenant.asksForConsent, !registration.isPreauthorized else { return [] }
    let key = key(person, tenantID, registration.clientID)
    let granted = try granted(key)
    var missing = missing(scopes, granted)
    if missing.isEmpty { return [] }
    missing = self.missing(scopes, granted.union(try self.granted(Self.kept + key)))
    if missing.isEmpty { return [] }
    let ofOrganisation = try self.missing(scopes, ofOrganisation: tenantID, for: registration)
    return missing.filter(ofOrganisation.contains)
  }

  /// Returns the requested scopes without consent for the organisation, in order.
  ///
  /// A consent to `.default` of a registration that may request any scope is to all permissions of the resource. OpenID
  /// Connect's scopes are included in each consent (Microsoft Learn, "Overview of permissions and consent in the Microsoft
  /// identity platform").
  func missing(
    _ scopes: RequestedScopes, ofOrganisation tenantID: String, for registration: ClientRegistration
  ) throws -> [String] {
    let key = key(ofOrganisation: tenantID, registration.clientID)
    let granted = try granted(key).union(self.granted(Self.kept + key))
    if granted.isEmpty { return scopes.all }
    let whole =
      registration.allowedScopes.isEmpty
      ? Set(granted.filter(RequestedScopes.isDefault).map(RequestedScopes.resourceIdentity)) : []
    return missing(scopes, granted).filter {
      !RequestedScopes.openID.contains($0.lowercased())
        && !whole.contains(RequestedScopes.resourceIdentity(of: $0))
    }
  }

  /// Returns the scopes of an API to which the user, or an administrator for all users, has consented, without
  /// `.default`.
  ///
  /// Each access token has all of them, whichever the client asked for (Microsoft Learn, "Scopes and permissions in the
  /// Microsoft identity platform": `.default`; microsoftgraph/msgraph-sdk-powershell#1056,
  /// AzureAD/microsoft-authentication-library-for-dotnet#1713).
  func scopes(
    of person: DirectoryUser, at tenant: AuthorityTenant, tenantID: String,
    for registration: ClientRegistration,
    on target: ProtectedResource
  ) throws -> [String] {
    guard tenant.asksForConsent else { return [] }
    let keys = [
      key(person, tenantID, registration.clientID), key(ofOrganisation: tenantID, registration.clientID),
    ]
    let consented = try keys.flatMap { try stored($0) + stored(Self.kept + $0) }
    let declined = Set(registration.declinedScopes.map(RequestedScopes.canonical))
    let names = Set(
      try Directory(documents: documents).identifiers(of: target).map(ProtectedResource.identity))
    return Self.unique(consented).filter { scope in
      !RequestedScopes.openID.contains(scope.lowercased()) && !RequestedScopes.isDefault(scope)
        && !declined.contains(RequestedScopes.canonical(scope))
        && names.contains(RequestedScopes.resourceIdentity(of: scope))
    }
  }

  private func stored(_ key: String) throws -> [String] {
    try documents.read(ConsentGrant.self, .consentGrant, key)?.scopes ?? []
  }

  private func granted(_ key: String) throws -> Set<String> {
    Set(try stored(key).map(RequestedScopes.canonical))
  }

  /// Returns the scopes without duplicates, in order.
  private static func unique(_ scopes: [String]) -> [String] {
    var seen: Set<String> = []
    return scopes.filter { seen.insert(RequestedScopes.canonical($0)).inserted }
  }

  private func missing(_ scopes: RequestedScopes, _ granted: Set<String>) -> [String] {
    // `.default` requests existing consent: any permission on that resource suffices (Entra's static
    // consent).
    let resources = Set(
      granted.filter { !RequestedScopes.openID.contains($0) }.map(RequestedScopes.resourceIdentity))
    return scopes.all.filter { scope in
      if granted.contains(RequestedScopes.canonical(scope)) { return false }
      return !RequestedScopes.isDefault(scope)
        || !resources.contains(RequestedScopes.resourceIdentity(of: scope))
    }
  }

  /// Saves the consent for an external client's tokens under a key that intents do not write, so that undo does
  /// not affect it.
  func keepForExternalClient(_ clientID: String, of person: DirectoryUser, tenantID: String) throws {
    for key in [key(person, tenantID, clientID), key(ofOrganisation: tenantID, clientID)] {
      let kept = try stored(Self.kept + key)
      let all = Self.unique(kept + (try stored(key)))
      guard all.count > kept.count else { continue }
      try documents.write(ConsentGrant(scopes: all.sorted()), .consentGrant, Self.kept + key)
    }
  }

  /// Grants consent to the scopes in addition to earlier ones, and with `.default` to all registered
  /// permissions.
  func grant(
    _ scopes: RequestedScopes, of person: DirectoryUser, tenantID: String, to registration: ClientRegistration
  ) throws {
    try grant(scopes, to: registration, key: key(person, tenantID, registration.clientID))
  }

  /// Grants consent for all users of an organisation.
  func grant(
    _ scopes: RequestedScopes, ofOrganisation tenantID: String, to registration: ClientRegistration
  ) throws {
    try grant(scopes, to: registration, key: key(ofOrganisation: tenantID, registration.clientID))
  }

  private func grant(_ scopes: RequestedScopes, to registration: ClientRegistration, key: String) throws {
    let key = (isServed ? Self.kept : "") + key
    var asked = scopes.all
    if asked.contains(where: RequestedScopes.isDefault) { asked += registration.allowedScopes }
    let after = Self.unique(try stored(key) + asked)
    try documents.write(ConsentGrant(scopes: after.sorted()), .consentGrant, key)
    guard registration.hasNoServicePrincipal == true else { return }
    var added = registration
    added.hasNoServicePrincipal = nil
    try documents.save(added)
  }
}

/// Checks that the user has consented to every requested scope.
///
/// The token endpoint of the personal accounts has its own answer (AzureAD/microsoft-authentication-library-for-js#3303,
/// ZeroPointSix/outlookEmailPlus#107). Its answer to a broker is not public: here it is that of the work accounts, for which
/// the broker shows the page of consent.
func checkConsent(
  _ missing: [String], code: OAuthErrorCode, _ registration: ClientRegistration, isPersonal: Bool = false
) -> RuleResult {
  RuleResult(
    "consent", expected: "granted", found: missing.isEmpty ? "granted" : missing.joined(separator: " "),
    missing.isEmpty, source: "Entra",
    else: isPersonal
      ? OAuthError(
        code,
        "The request was denied because one or more scopes requested are unauthorized or expired. The user must first "
          + "sign in and grant the client application access to the requested scope.", aadsts: .grantInvalid)
      : .consentMissing(code, to: registration))
}

/// Checks that a user of an external tenant may consent to the missing scopes.
///
/// They cannot consent: an administrator has to, for all of them (Microsoft Learn,
/// identity-platform/consent-types-developer). No public source shows the number that Entra returns; it is assumed to be
/// the same as without a page.
func checkUsersMayConsent(
  _ person: DirectoryUser, tenantID: String, to registration: ClientRegistration, _ missing: [String]
) -> RuleResult {
  let isAdministrator = person.isAdministrator == true && person.homeTenantID == tenantID
  return RuleResult(
    "consent in an external tenant", expected: "consent by an administrator",
    found: missing.isEmpty
      ? "granted" : isAdministrator ? "an administrator" : missing.joined(separator: " "),
    missing.isEmpty || isAdministrator, source: "Entra External ID",
    remedy: Remedy(.registration, registration.clientID, "isPreauthorized=yes"),
    else: .consentMissing(.accessDenied, to: registration))
}

/// Checks that a Microsoft app asks only for scopes of Microsoft's APIs that are preauthorized for it, or returns `nil`
/// for any other app (secureworks/PhishInSuits#1, Azure-Samples/DSRegTool#1).
///
/// The registration's `allowedScopes` are the preauthorized ones; an empty list limits nothing. `.default` of an API needs one
/// scope of it.
func checkPreauthorized(_ registration: ClientRegistration, for scopes: RequestedScopes) -> RuleResult? {
  guard registration.isOfMicrosoft, !registration.allowedScopes.isEmpty else { return nil }
  let listed = Set(registration.allowedScopes.map(RequestedScopes.canonical))
  let resources = Set(registration.allowedScopes.map(RequestedScopes.resourceIdentity))
  let foreign = scopes.ofResources.first { scope in
    let resource = RequestedScopes.resourceIdentity(of: scope)
    guard ProtectedResource.isFirstParty(resource) else { return false }
    return RequestedScopes.isDefault(scope)
      ? !resources.contains(resource) : !listed.contains(RequestedScopes.canonical(scope))
  }
  return RuleResult(
    "scopes preauthorized", expected: registration.allowedScopes.joined(separator: " "),
    found: foreign ?? scopes.ofResources.joined(separator: " "), foreign == nil, source: "Entra",
    else: OAuthError(
      .invalidRequest,
      "Consent between first party application '\(registration.clientID)' and first party resource "
        + "'\(foreign.map(RequestedScopes.resourceIdentity) ?? "")' must be configured via preauthorization - applications "
        + "owned and operated by Microsoft must get approval from the API owner before requesting tokens for that API.",
      aadsts: .notPreauthorized))
}

extension OAuthError {
  fileprivate static func consentMissing(
    _ code: OAuthErrorCode, to registration: ClientRegistration
  ) -> OAuthError {
    consentMissing(
      code,
      "The user or administrator has not consented to use the application with ID '\(registration.clientID)' named "
        + "'\(registration.displayName)'. Send an interactive authorization request for this user and resource."
    )
  }

  /// Returns a consent error, whose suberror has the same name.
  static func consentMissing(_ code: OAuthErrorCode, _ reason: String) -> OAuthError {
    var error = OAuthError(code, reason, aadsts: .consentMissing)
    error.suberror = OAuthErrorCode.consentRequired.text
    return error
  }
}
