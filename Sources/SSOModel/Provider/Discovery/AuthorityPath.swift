import SSOCore
import SSOReference

/// A request path of the provider, split into the authority and the rest (docs/behaviour/provider.md §2).
///
/// Examples are `/common/…` and `/contoso.com/…`. Azure AD B2C uses `/tfp/contoso.com/B2C_1_signin/…`,
/// `/contoso.com/B2C_1_signin/…` (on a custom domain with more segments in between), and
/// `/contoso.com/…?p=B2C_1_signin`. AD FS uses `/adfs/…`.
package struct AuthorityPath {
  /// The authority: `common`, `contoso.com`, `contoso.com/B2C_1_signin`, or `adfs`.
  var authority: String
  var rest: [String]

  init(_ request: HTTPRequest) {
    self.init(request.path.parts(between: "/"), policy: request.query["p"])
  }

  init(_ segments: [String], policy: String? = nil) {
    if segments.first?.lowercased() == "tfp", segments.count > 2 {
      authority = segments[1] + "/" + segments[2]
      rest = Array(segments.dropFirst(3))
    } else if let policy = segments.dropFirst().firstIndex(where: Self.isPolicy) {
      // The developer may choose the segments between tenant and policy.
      authority = segments[0] + "/" + segments[policy]
      rest = Array(segments.dropFirst(policy + 1))
    } else {
      authority = segments.first ?? "common"
      rest = Array(segments.dropFirst())
      if let policy, Self.isPolicy(policy) { authority += "/" + policy }
    }
  }

  /// Returns whether a segment names a user flow (`B2C_1_…`) or a custom policy (`B2C_1A_…`).
  package static func isPolicy(_ segment: String) -> Bool {
    // Each segment of each request is asked.
    let first = segment.utf8.first.map { $0 | 0x20 }
    return first == UInt8(ascii: "b") && segment.lowercased().hasPrefix("b2c_1")
  }

  var isFederation: Bool { authority.lowercased() == "adfs" }
  var isPolicy: Bool { Self.endsInPolicy(authority) }

  /// Returns whether an authority is a user flow or a custom policy of B2C: `contoso.com/B2C_1_signin`.
  static func endsInPolicy(_ authority: String) -> Bool {
    authority.split(separator: "/").dropFirst().last.map { isPolicy(String($0)) } ?? false
  }
}

/// The authority that a request path begins with: a directory, or the kind of accounts.
enum AuthorityTenant: Hashable {
  /// All accounts.
  case common
  /// Work and school accounts of all tenants.
  case organizations
  /// Personal accounts.
  case consumers
  case named(Tenant)
  case unknown(String)
  /// A user flow of Azure AD B2C, with the name as the client sent it.
  case policy(String, Tenant)
  /// The AD FS of an organisation.
  case federation(Tenant)

  /// Finds the tenant of an `AuthorityPath.authority`.
  init(_ segment: String, in directory: Directory) throws {
    switch segment.lowercased() {
    case "common": self = .common
    case "organizations": self = .organizations
    case "consumers", Tenant.personalID: self = .consumers
    case "adfs": self = try directory.federatedTenant().map(Self.federation) ?? .unknown(segment)
    case let name:
      let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
      let tenant = try directory.tenant(byNameOrID: parts.first ?? "")
      let policy = segment.split(separator: "/", maxSplits: 1).dropFirst().first.map(String.init)
      self = tenant.map { found in policy.map { .policy($0, found) } ?? .named(found) } ?? .unknown(segment)
    }
  }

  /// The path segment.
  ///
  /// For a named tenant it is the GUID, whatever name the client sent (docs/behaviour/provider.md §2).
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

  /// The directory, or `nil` if the authority does not specify one.
  var tenant: Tenant? {
    switch self {
    case .named(let tenant), .policy(_, let tenant), .federation(let tenant): tenant
    case .common, .organizations, .consumers, .unknown: nil
    }
  }

  var policy: String? { if case .policy(let name, _) = self { name } else { nil } }
  var isFederation: Bool { if case .federation = self { true } else { false } }
  /// Whether users are asked for consent.
  ///
  /// For B2C and AD FS, an administrator consents for all users.
  var asksForConsent: Bool { policy == nil && !isFederation }
  /// The directory's name in Entra's sentences.
  var displayName: String {
    tenant?.displayName ?? (self == .consumers ? "Microsoft Accounts" : "Microsoft")
  }

  /// Returns whether the personal accounts' service redeems a code or refresh token, because of the authority or the
  /// token's form.
  func redeems(personal secret: String) -> Bool {
    self == .consumers || policy == nil && secret.hasPrefix("M.")
  }

  /// Returns the tenant that issues this user's tokens, or `nil` if the specified tenant does not know the
  /// user.
  ///
  /// If the authority does not specify a tenant, it is the home tenant.
  func issuingTenantID(for person: DirectoryUser) -> String? {
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

/// Checks that the directory exists.
///
/// `code` is `invalid_tenant` in discovery and on pages, and `invalid_request` at the token endpoint. Discovery looks for
/// a name of any form (microsoftgraph/windowsupdates-webapplication-sample#6, james-gould/azure-keyvault-emulator#324).
func checkTenantExists(
  _ tenant: AuthorityTenant, code: OAuthErrorCode = .invalidTenant, isDiscovery: Bool = false
) -> RuleResult {
  var isKnown = true
  if case .unknown = tenant { isKnown = false }
  // Entra names it decoded; each output spells out the characters that it must not show.
  let name = FormEncoding.decodeText(tenant.segment, plusIsSpace: false) ?? tenant.segment
  let isName = isDiscovery || name.contains(".") || RequestedScopes.isAppID(name)
  let isEmptyID = name.utf8.count == 36 && name.allSatisfy { "0-".contains($0) }
  let (sentence, number): (String, AADSTSCode) =
    if isEmptyID {
      (
        "Requested tenant identifier '\(name)' is not valid. Tenant identifiers may not be an empty GUID.",
        .tenantIDEmpty
      )
    } else if isName {
      (
        "Tenant '\(name)' not found. Check to make sure you have the correct tenant ID and are signing into the correct "
          + "cloud. Check with your subscription administrator, this may happen if there are no active subscriptions "
          + "for the tenant.", .tenantNotFound
      )
    } else {
      (
        "Specified tenant identifier '\(name)' is neither a valid DNS name, nor a valid external domain.",
        .tenantNameInvalid
      )
    }
  return RuleResult(
    "tenant exists", expected: "common, organizations, consumers, a GUID or a verified domain",
    found: name, isKnown, source: "provider.md §2(2)", failure: "the tenant does not exist",
    else: OAuthError(code, sentence, aadsts: number))
}

/// Checks that the user's cloud is that of the host: a directory of one cloud does not know the users of another, and
/// the users of an external tenant sign in at its own host (AzureAD/microsoft-authentication-library-for-dotnet#4666,
/// vibber-ai/fastapi-azure-auth#242).
///
/// A server of the lab stands for the tenant's host if the path names the tenant, and otherwise for the public cloud's.
func checkCloud(
  of person: DirectoryUser, at home: Tenant?, host: String, by authority: AuthorityTenant
) -> RuleResult {
  let asked = Cloud(host: host)
  if let home, let own = home.cloudHost, home.isExternal,
    asked != nil || authority.tenant == nil && !Tenant.isExternalHost(host)
  {
    return RuleResult(
      "host of the person's tenant", expected: own, found: host, false, source: "Entra External ID",
      else: OAuthError(
        .invalidRequest, "The domain is not a valid login domain for the account type.",
        aadsts: .loginDomainInvalid))
  }
  let own = home?.cloudHost.map { Cloud(host: $0) } ?? .global
  return RuleResult(
    "person belongs to the cloud", expected: asked?.rawValue ?? "any",
    found: own?.rawValue ?? "another cloud",
    asked == nil || own == nil || asked == own, source: "provider.md §2",
    failure: "the account belongs to another cloud",
    else: OAuthError(
      .invalidGrant,
      "The user account '\(person.username)' does not exist in the directory of \(asked?.rawValue ?? host).",
      aadsts: .accountNotFound))
}

/// Checks that a code or refresh token goes to the service of its account: the personal accounts' at `consumers` and
/// `common`, and Entra at the others, which knows a personal account as a guest (BingAds/BingAds-Python-SDK#297,
/// Maishan-Inc/Microsoft-Email-Manager#11; GitHub code search: “AADSTS70000121”).
///
/// Returns `nil` if it does.
func checkServiceOfGrant(
  isPersonal: Bool, at tenant: AuthorityTenant, isGuest: @autoclosure () throws -> Bool
) rethrows -> RuleResult? {
  guard tenant.policy == nil, !tenant.isFederation else { return nil }
  let isItsOwn = isPersonal ? [.common, .consumers].contains(tenant) : tenant != .consumers
  guard try !isItsOwn && !(isPersonal && isGuest()) else { return nil }
  return RuleResult(
    "service of the account", expected: isPersonal ? "consumers or common" : "any but consumers",
    found: tenant.segment, false, source: "Entra",
    else: isPersonal
      ? OAuthError(
        .invalidGrant,
        "The passed grant is from a personal Microsoft account and is required to be sent to the /consumers or /common "
          + "endpoint.", aadsts: .grantOfPersonalAccount)
      : OAuthError(
        .invalidGrant, "The grant was obtained for a different tenant.", aadsts: .grantOfAnotherTenant))
}

/// Checks that the user is a member or a guest of the directory.
///
/// A user who is neither also cannot satisfy a second factor that the directory requires, for which Entra has a
/// separate number (Microsoft Learn, "Microsoft Entra authentication and authorization error codes": AADSTS90072).
func checkPersonBelongs(
  _ person: DirectoryUser, to tenant: AuthorityTenant, for client: ClientRegistration, in directory: Directory
) throws -> RuleResult {
  let provider = person.isPersonal ? "live.com" : issuerOfVersionOne(tenantID: person.homeTenantID)
  let asksFactor = try directory.policies().contains {
    $0.requires == .mfa && $0.tenantID != nil
      && $0.tenantID?.lowercased() == tenant.tenant?.id.lowercased()
  }
  return RuleResult(
    "person belongs to tenant", expected: tenant.segment,
    found: "\(person.username), at home in \(person.homeTenantID)",
    tenant.issuingTenantID(for: person) != nil, source: "provider.md §2",
    failure: "the account does not belong to the tenant",
    else: OAuthError(
      .invalidGrant,
      "User account '\(person.username)' from identity provider '\(provider)' does not exist in tenant "
        + "'\(tenant.displayName)' and cannot access the application '\(client.clientID)'(\(client.displayName)) in that "
        + "tenant. The account needs to be added as an external user in the tenant first. Sign out and sign in again "
        + "with a different Azure Active Directory user account.",
      aadsts: asksFactor ? .accountNotInTenantForMFA : .accountNotInTenant))
}
