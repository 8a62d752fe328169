/// The beginning of every path: which directory is asked, and in which way.
enum AuthorityTenant: Hashable {
  /// Any account.
  case common
  /// Work and school accounts of any tenant.
  case organizations
  /// Personal accounts.
  case consumers
  case named(Tenant)
  case unknown(String)
  /// A user flow of Azure AD B2C, by its name as it was asked.
  case policy(String, Tenant)
  /// The AD FS of an organisation.
  case federation(Tenant)

  /// Finds the tenant of `AuthorityPath.authority`.
  init(_ segment: String, in directory: Directory) throws {
    switch segment.lowercased() {
    case "common": self = .common
    case "organizations": self = .organizations
    case "consumers": self = .consumers
    case "adfs": self = try directory.federatedTenant().map(Self.federation) ?? .unknown(segment)
    case let name:
      let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
      let tenant = try directory.tenant(byNameOrID: parts.first ?? "")
      let policy = segment.split(separator: "/", maxSplits: 1).dropFirst().first.map(String.init)
      self = tenant.map { found in policy.map { .policy($0, found) } ?? .named(found) } ?? .unknown(segment)
    }
  }

  /// As written in a path: a GUID for a named tenant, whatever name was asked (docs/behaviour/provider.md §2).
  var segment: String {
    switch self {
    case .common: "common"
    case .organizations: "organizations"
    case .consumers: "consumers"
    case .named(let tenant): tenant.id
    case .unknown(let name): name
    case .policy(let policy, let tenant): tenant.id + "/" + policy
    case .federation: "adfs"
    }
  }

  /// The directory, if it is a certain one.
  var tenant: Tenant? {
    switch self {
    case .named(let tenant), .policy(_, let tenant), .federation(let tenant): tenant
    case .common, .organizations, .consumers, .unknown: nil
    }
  }

  var policy: String? { if case .policy(let name, _) = self { name } else { nil } }
  var isFederation: Bool { if case .federation = self { true } else { false } }
  /// Of B2C and AD FS an administrator consents for all people.
  var asksForConsent: Bool { policy == nil && !isFederation }
  var displayName: String { tenant?.displayName ?? "Microsoft" }

  /// The tenant that issues this person's tokens: the home tenant unless one was named; nil if that one does
  /// not know the person.
  func issuingTenantID(for person: Person) -> String? {
    switch self {
    case .common: person.homeTenantID
    case .organizations: person.isPersonal ? nil : person.homeTenantID
    case .consumers: person.isPersonal ? person.homeTenantID : nil
    case .named(let tenant), .policy(_, let tenant), .federation(let tenant):
      person.objectID(in: tenant.id) == nil ? nil : tenant.id
    case .unknown: nil
    }
  }
}

/// A directory that is asked must exist.
///
/// `code` is `invalid_tenant` in discovery and on pages; the token endpoint says `invalid_request`.
func checkTenantExists(
  _ tenant: AuthorityTenant, code: OAuthErrorCode = .invalidTenant
) -> RuleResult {
  var isKnown = true
  if case .unknown = tenant { isKnown = false }
  // A GUID has a dash, and a domain name a dot.
  let isName = tenant.segment.contains { ".-".contains($0) }
  return RuleResult(
    "tenant exists", expected: "common, organizations, consumers, a GUID or a verified domain",
    found: tenant.segment, isKnown, source: "provider.md §2(2)",
    else: isName
      ? OAuthError(
        code, "Tenant '\(tenant.segment)' not found. Check the tenant ID or domain in the authority.",
        aadsts: .tenantNotFound)
      : OAuthError(
        code,
        "Specified tenant identifier '\(tenant.segment)' is neither a valid DNS name, nor a valid external domain.",
        aadsts: .tenantNameInvalid))
}

/// The person must belong to the directory asked, at home or as a guest.
func checkPersonBelongs(_ person: Person, to tenant: AuthorityTenant) -> RuleResult {
  RuleResult(
    "person belongs to tenant", expected: tenant.segment,
    found: "\(person.username), at home in \(person.homeTenantID)",
    tenant.issuingTenantID(for: person) != nil, source: "provider.md §2",
    else: OAuthError(
      .invalidGrant,
      "User account '\(person.username)' does not exist in tenant '\(tenant.displayName)'. "
        + "Sign in with another account, or have it added as a guest.",
      aadsts: .accountNotInTenant))
}
