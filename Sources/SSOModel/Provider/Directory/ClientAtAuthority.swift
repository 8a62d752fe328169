import SSOCore
import SSOReference

/// A client at the authority of a request, the input of the rules that every endpoint shares.
struct ClientAtAuthority {
  /// The endpoint of the request, if Entra's responses differ.
  enum Endpoint {
    case authorize, token, deviceCode
    /// The token endpoint, for a token of the app alone.
    case appToken
  }

  var registration: ClientRegistration?
  var clientID: String
  var tenant: AuthorityTenant
  var endpoint = Endpoint.authorize

  /// The rules of the client, in the order in which they apply.
  static var rules: [(ClientAtAuthority) -> RuleResult] {
    [checkClientIsKnown, checkClientIsEnabled, checkAccountsServed, checkClientServesTenant]
  }

  /// The first rule that is broken, or `nil`: a token request lists these checks only if one fails, because the
  /// sign-in has listed them.
  var firstFailure: RuleResult? {
    Self.rules.lazy.map { $0(self) }.first { $0.check.verdict == .failed }
  }

  private var isMultiTenant: Bool { registration?.isMultiTenant ?? false }

  /// The number for an authority of other accounts than the registration accepts, or `nil` if it accepts them.
  ///
  /// A registration for one organization is for accounts of organizations.
  fileprivate var mismatchOfAccounts: AADSTSCode? {
    guard let registration else { return nil }
    if registration.isConverged == false {
      return [.common, .consumers].contains(tenant) ? .notConverged : nil
    }
    switch registration.accounts {
    case .personal: return tenant == .consumers ? nil : .personalAccountsOnly
    case .organizations: return tenant == .consumers ? .organizationsOnly : nil
    case nil: return tenant == .consumers && !isMultiTenant ? .organizationsOnly : nil
    }
  }

  /// Whether the tenant of the authority knows the app.
  ///
  /// For app-only tokens, the grant itself checks an authority without a tenant.
  fileprivate var servesTenant: Bool {
    if case .policy = tenant { return isMultiTenant }
    guard let tenant = tenant.tenant else { return isMultiTenant || endpoint == .appToken }
    let home = registration?.homeTenantID
    return isMultiTenant || home == nil || home == tenant.id
  }

  /// Whether the device endpoint looks for a tenant first: it mistakes a client that the authority does not lead to for
  /// a missing tenant (microsoftgraph/msgraph-training-dotnet#2,
  /// AzureAD/microsoft-authentication-library-for-python#141).
  private var looksForTenant: Bool {
    endpoint == .deviceCode && [.common, .organizations].contains(tenant)
  }

  fileprivate var errorOfUnknown: OAuthError {
    looksForTenant
      ? .tenantNotNamed
      : OAuthError(
        .unauthorizedClient,
        "Application with identifier '\(clientID)' was not found in the directory '\(tenant.displayName)'. This can "
          + "happen if the application has not been installed by the administrator of the tenant or consented to by "
          + "any user in the tenant. You may have sent your authentication request to the wrong tenant.",
        aadsts: .clientNotFound)
  }

  fileprivate var errorOfSingleTenant: OAuthError {
    looksForTenant
      ? .tenantNotNamed
      : OAuthError(
        .invalidRequest,
        "Application '\(clientID)'(\(registration?.displayName ?? "")) is not configured as a multi-tenant application. "
          + "Usage of the /common endpoint is not supported for such applications created after '10/15/2018'. Use a "
          + "tenant-specific endpoint or configure the application to be multi-tenant.",
        aadsts: .notMultiTenant)
  }
}

extension OAuthError {
  package static let tenantNotNamed = OAuthError(
    .invalidRequest,
    "No tenant-identifying information found in either the request or implied by any provided credentials.",
    aadsts: .tenantNotNamed)
}

func checkClientIsKnown(_ client: ClientAtAuthority) -> RuleResult {
  let (clientID, isKnown) = (client.clientID, client.registration != nil)
  guard !clientID.isEmpty else { return checkPresent("client_id", nil) }
  let isEmptyID = clientID.utf8.count == 36 && clientID.allSatisfy { "0-".contains($0) }
  if isEmptyID, !isKnown {
    return RuleResult(
      "client registered", expected: "a registered client ID", found: clientID, false,
      source: "Entra (Azure/Commercial-Marketplace-SaaS-Accelerator#748)",
      failure: "no client with this ID is registered",
      else: OAuthError(
        .unauthorizedClient, "\(clientID) is not a valid application identifier.", aadsts: .clientIDEmpty))
  }
  return RuleResult(
    "client registered", expected: "a registered client ID", found: clientID, isKnown,
    source: "RFC 6749 §4.1.2.1", failure: "no client with this ID is registered", else: client.errorOfUnknown)
}

private func checkClientIsEnabled(_ client: ClientAtAuthority) -> RuleResult {
  let isDisabled = client.registration?.isDisabled == true
  return RuleResult(
    "app enabled", expected: "enabled", found: isDisabled ? "disabled" : "enabled", !isDisabled,
    source: "Entra", remedy: Remedy(.registration, client.clientID, "isDisabled=no"),
    failure: "the app is disabled",
    else: OAuthError(
      .unauthorizedClient,
      "Application '\(client.clientID)'(\(client.registration?.displayName ?? "")) is disabled.",
      aadsts: .clientDisabled))
}

/// Checks that the authority is for accounts that the registration accepts.
private func checkAccountsServed(_ client: ClientAtAuthority) -> RuleResult {
  let mismatch = client.mismatchOfAccounts
  let (expected, sentence) =
    switch mismatch {
    case .notConverged:
      (
        "organizations or a tenant",
        "not supported over the /common or /consumers endpoints. Please use the /organizations or tenant-specific "
          + "endpoint."
      )
    case .personalAccountsOnly:
      (
        "consumers",
        "configured for use by Microsoft Account users only. Please use the /consumers endpoint to serve this request."
      )
    case .organizationsOnly:
      (
        "any but consumers",
        "configured for use by Azure Active Directory users only. Please do not use the /consumers endpoint to serve "
          + "this request."
      )
    default: ("any of the app's accounts", "")
    }
  return RuleResult(
    "authority of the app's accounts", expected: expected, found: client.tenant.segment, mismatch == nil,
    source: "Entra",
    else: OAuthError(
      .invalidRequest,
      "Application '\(client.clientID)'(\(client.registration?.displayName ?? "")) is \(sentence)",
      aadsts: mismatch ?? .notConverged))
}

private func checkClientServesTenant(_ client: ClientAtAuthority) -> RuleResult {
  let (registration, servesTenant) = (client.registration, client.servesTenant)
  if case .policy = client.tenant, !servesTenant {
    return RuleResult(
      "app serves user flows", expected: "accounts in any identity provider", found: "accounts of one tenant",
      false, source: "Microsoft Learn, \"Register a web application in Azure Active Directory B2C\"",
      remedy: Remedy(.registration, client.clientID, "isMultiTenant=yes"),
      failure: "the app does not serve user flows", else: .clientNotOfB2C(client.clientID))
  }
  let home = registration?.isMultiTenant == true ? nil : registration?.homeTenantID
  return RuleResult(
    "app serves tenant",
    expected: client.tenant.tenant == nil ? "a named tenant, unless multi-tenant" : home ?? "any",
    found: client.tenant.tenant?.id ?? client.tenant.segment, servesTenant, source: "Entra",
    failure: "the app does not serve this authority",
    else: client.tenant.tenant == nil ? client.errorOfSingleTenant : client.errorOfUnknown)
}

/// Checks that the app of a user of an external tenant, and its APIs, are registered for that tenant alone; or returns
/// `nil` if the user's tenant is not external.
///
/// Entra says so on a page (MaikuB/flutter_appauth#622; GitHub code search: “AADSTS500207”). A registration whose field
/// `accounts` is not set counts as one for the tenant.
func checkAccountType(
  at home: Tenant?, _ client: ClientRegistration, _ scopes: RequestedScopes, in directory: Directory
) throws -> RuleResult? {
  guard home?.isExternal == true else { return nil }
  let apis = try scopes.resources.compactMap { name in
    try directory.resource(named: name).flatMap { try directory.registration(clientID: $0.appID) }
  }
  let foreign = ([client] + apis).first { $0.accounts != nil }
  return RuleResult(
    "registrations of an external tenant", expected: "accounts of the tenant alone",
    found: foreign.map { "\($0.displayName) accepts others" } ?? "accounts of the tenant alone",
    foreign == nil, source: "Entra External ID",
    remedy: foreign.map { Remedy(.registration, $0.clientID, "accounts=") },
    else: OAuthError(
      .invalidRequest, "The account type can't be used for the resource you're trying to access.",
      aadsts: .accountTypeOfResource))
}

extension OAuthError {
  /// The response of a user flow to an app that is not registered for user flows.
  fileprivate static func clientNotOfB2C(_ clientID: String) -> OAuthError {
    var error = OAuthError(
      .unauthorizedClient,
      "The provided application with ID '\(clientID)' is not valid against this service. Please use an application "
        + "created via the B2C portal and try again.")
    error.b2c = B2CCode.clientNotOfB2C.number
    return error
  }
}
