import Essentials
import SSOCore
import SSOReference

/// The scopes of one request without duplicates, in the client's order and spelling.
///
/// `User.Read` and `https://graph.microsoft.com/User.Read` are the same scope. Case is ignored.
package struct RequestedScopes: Hashable, Codable {
  static let graph = "https://graph.microsoft.com"
  static let openID = ["openid", "profile", "email", "offline_access"]
  /// The scopes of personal accounts that do not belong to an API of the directory.
  static let ofXbox: Set = ["xboxlive.signin", "xboxlive.offline_access"]

  package var all: [String]

  package init(_ text: String) {
    var seen: Set<String> = []
    all = text.split(separator: " ").map(String.init).filter { seen.insert(Self.canonical($0)).inserted }
  }

  /// Returns a scope in lowercase, without Graph's prefix.
  static func canonical(_ scope: String) -> String {
    let scope = scope.lowercased()
    let prefix = graphPrefixes.first { scope.hasPrefix($0) }
    return prefix.map { String(scope.dropFirst($0.count)) } ?? scope
  }

  private static let graphPrefixes = [graph, ProtectedResource.graphAppID].map { $0 + "/" }

  var isEmpty: Bool { all.isEmpty }
  func contains(_ scope: String) -> Bool { all.contains { Self.canonical($0) == scope } }

  /// The scopes that are permissions on a resource, without OpenID Connect's own scopes.
  var ofResources: [String] { all.filter { !Self.openID.contains($0.lowercased()) } }

  /// Returns the resource of a scope: an identifier URI or app ID before the last slash, an app ID alone, or
  /// else Graph.
  static func resource(of scope: String) -> String {
    let name = scope.lastIndex(of: "/").map { String(scope[..<$0]) } ?? scope
    return name.contains("://") || isAppID(name) ? name : ProtectedResource.graphAppID
  }

  /// Returns a canonical identifier for the resource of a scope, which is the same for all names of the
  /// resource.
  static func resourceIdentity(of scope: String) -> String {
    ProtectedResource.identity(of: resource(of: scope))
  }

  /// Returns whether the part of a scope before the last slash can name a resource.
  static func isWellFormed(_ scope: String) -> Bool {
    guard let slash = scope.lastIndex(of: "/") else { return true }
    let name = String(scope[..<slash])
    return name.contains("://") || isAppID(name)
  }

  /// Returns whether a text has the form of a GUID.
  static func isAppID(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        == [8, 4, 4, 4, 12]
      && text.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// The requested resources, without duplicates.
  ///
  /// A token can be for only one.
  var resources: [String] {
    var seen: Set<String> = []
    return ofResources.filter { seen.insert(Self.resourceIdentity(of: $0)).inserted }.map(Self.resource)
  }

  /// The scopes of each resource, with OpenID Connect's own.
  ///
  /// One element if the scopes are of at most one resource.
  package var byResource: [RequestedScopes] {
    guard resources.count > 1 else { return [self] }
    return resources.map { resource in
      var part = self
      part.all = all.filter {
        Self.openID.contains($0.lowercased())
          || Self.resourceIdentity(of: $0) == ProtectedResource.identity(of: resource)
      }
      return part
    }
  }

  /// The `scope` of the response.
  ///
  /// Like Entra, it omits `offline_access`.
  var granted: String { granted(declining: []) }

  /// Returns the `scope` of the response without declined scopes, and with the others to which the user has consented, as the
  /// API spells them.
  func granted(
    declining declined: [String], with consented: [String] = [], on target: ProtectedResource? = nil
  ) -> String {
    let left = Set(declined.map(Self.canonical) + ["offline_access"])
    return (all.filter { !left.contains(Self.canonical($0)) } + missing(of: consented))
      .map { target?.spelled($0) ?? $0 }.joined(separator: " ")
  }

  /// Returns those of some scopes that were not asked for.
  private func missing(of scopes: [String]) -> [String] {
    let asked = Set(all.map(Self.canonical))
    return scopes.filter { !asked.contains(Self.canonical($0)) }
  }

  /// The claim `scp`: the last parts of the permissions.
  ///
  /// For Graph it includes OpenID Connect's scopes, because the user info endpoint is there.
  ///
  /// `.default` stands for all to which the user has consented. Without any, as for a preauthorized app, it stands for the
  /// permission that every registration has, or for those of the API.
  func permissions(on target: ProtectedResource, with consented: [String] = []) -> String {
    let isGraph = target.appID == ProtectedResource.graphAppID
    let asked = all.compactMap { scope -> String? in
      if Self.openID.contains(scope.lowercased()) {
        return isGraph && scope.lowercased() != "offline_access" ? scope : nil
      }
      let last = scope.split(separator: "/").last.map(String.init) ?? scope
      guard last.lowercased() == ".default" else { return last }
      return consented.isEmpty ? target.usualPermissions : nil
    }
    return (asked + missing(of: consented).map { $0.split(separator: "/").last.map(String.init) ?? $0 })
      .map(target.spelled).joined(separator: " ")
  }

  /// Returns the description of a scope for the consent page.
  static func meaning(of scope: String) -> String {
    switch canonical(scope) {
    case "openid": "Sign you in"
    case "profile": "View your basic profile"
    case "email": "View your email address"
    case "offline_access": "Maintain access to data you have given it access to"
    case "user.read": "Sign you in and read your profile"
    case "user.readwrite": "Read and update your profile"
    case "user.read.all", "user.readbasic.all": "Read all users' profiles"
    case "mail.read": "Read your mail"
    case "mail.send": "Send mail as you"
    case "calendars.read": "Read your calendars"
    case "files.read": "Read your files"
    case "files.readwrite": "Have full access to your files"
    case "directory.read.all": "Read directory data"
    default: scope.hasSuffix("/.default") ? "Have all permissions it is registered for" : "Use \(scope)"
    }
  }
}

/// The input of the scope rules.
struct ScopeRequest {
  var scopes: RequestedScopes
  var registration: ClientRegistration
  var tenant: AuthorityTenant
  /// The resource of the scopes, or `nil` if this lab does not have it.
  var resource: ProtectedResource?
  /// `resource` of a version 2.0 request, which must specify the same API as the scopes, or `nil` if it was
  /// not sent.
  var namedResource: String?
  /// The app ID and the App ID URIs of `resource`.
  var identifiers: [String] = []
  /// Whether the registration lists permissions of `resource`, or need not.
  var isRequired = true
  /// Whether the scopes stand for the `resource` of a version 1 request, which may have any form.
  var isVersionOne = false
  /// Whether the authorization endpoint itself issues the access token.
  var isForFrontChannel = false

  /// The rules of a request for an access token.
  var rules: [(ScopeRequest) -> RuleResult] { Self.rulesOfForm + [checkOneResource] + rulesOfResource }

  /// The rules of all scopes together.
  static var rulesOfForm: [(ScopeRequest) -> RuleResult] {
    [checkScopesNamed, checkScopesSize, checkScopesForm, checkDefaultStandsAlone]
  }

  /// The rules of the scopes of one resource.
  var rulesOfResource: [(ScopeRequest) -> RuleResult] {
    [checkResourceFits, checkResourceIsKnown]
      + (tenant.policy == nil ? [] : [checkScopesOfUserFlow])
      + (isVersionOne && tenant.policy == nil && !tenant.isFederation ? [checkNotForItselfByURI] : [])
      + (registration.requiredAPIs == nil ? [] : [checkResourceIsRequired])
      + [checkScopesExist, checkScopesAllowed]
  }

  /// Whether a code may be for several resources.
  ///
  /// Entra asks for consent to all of them, and the client names one when it redeems the code (MSAL:
  /// `extraScopesToConsent`). B2C and AD FS are not known to do so.
  var mayNameSeveralResources: Bool {
    !isForFrontChannel && !isVersionOne && tenant.policy == nil && !tenant.isFederation
  }

  /// Creates the input for the scopes of a request, or for scopes without a request.
  init(
    _ scopes: RequestedScopes, for registration: ClientRegistration, at tenant: AuthorityTenant,
    in directory: Directory, of http: HTTPRequest? = nil
  ) throws {
    self.scopes = scopes
    isVersionOne = http?.isVersionOne ?? false
    self.registration = registration
    self.tenant = tenant
    resource = try directory.resource(for: scopes, registration, tenant)
    if let resource, let required = registration.requiredAPIs {
      // The APIs of a user flow and of AD FS need not be registered in the lab.
      let isOfLab = tenant.policy == nil && !tenant.isFederation
      let known = isOfLab ? resource : try directory.resource(named: resource.identifier)
      let identifiers = try known.map { [$0.appID] + (try directory.identifiers(of: $0)) }
      let names = Set((identifiers ?? [resource.identifier]).map(ProtectedResource.identity))
      isRequired = required.contains { names.contains(ProtectedResource.identity(of: $0)) }
    }
    // B2C and AD FS are not known to compare it.
    guard let namedResource = http?.resourceBesideScopes, tenant.policy == nil, !tenant.isFederation else {
      return
    }
    self.namedResource = namedResource
    identifiers = try resource.map { try directory.identifiers(of: $0) } ?? []
  }
}

extension Directory {
  /// Returns the API of the scopes, which is Graph by default, or `nil` if it does not exist.
  ///
  /// The APIs of B2C and AD FS are not registered in the lab, so any name is accepted there.
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
    failure: "the scope is missing",
    else: OAuthError(
      .invalidRequest,
      "The request body must contain the following parameter: '\(request.isVersionOne ? "resource" : "scope")'.",
      aadsts: .bodyParameterMissing))
}

/// Limits the size of the scopes, because codes, tokens and responses contain them.
private func checkScopesSize(_ request: ScopeRequest) -> RuleResult {
  let size = request.scopes.all.reduce(0) { $0 + $1.utf8.count }
  return RuleResult(
    "size of the scopes", expected: "at most 8192 bytes", found: "\(size)", size <= 8192,
    source: "SSOTerm's limit",
    else: OAuthError(
      .invalidScope, "The scopes are \(size) bytes long: at most 8192 are read.", aadsts: .scopeInvalid))
}

/// Checks that a scope with a prefix begins with a URI or an app ID, followed by a permission.
///
/// A user flow does not accept commas, neither in a scope nor as the separator of two scope parameters
/// (MicrosoftDocs/azure-docs#95221, SocialiteProviders/Providers#1164).
private func checkScopesForm(_ request: ScopeRequest) -> RuleResult {
  if request.tenant.policy != nil, let illegal = request.scopes.all.first(where: { $0.contains(",") }) {
    return RuleResult(
      "form of the scopes", expected: "scopes without commas", found: illegal, false,
      source: "Azure AD B2C", else: .scopeIllegal)
  }
  let isChecked = request.tenant.policy == nil && !request.tenant.isFederation && !request.isVersionOne
  let malformed = isChecked ? request.scopes.ofResources.first { !RequestedScopes.isWellFormed($0) } : nil
  return RuleResult(
    "form of the scopes", expected: "URI/permission, app ID/permission, or a permission of Graph",
    found: malformed ?? request.scopes.ofResources.joined(separator: " "), malformed == nil, source: "Entra",
    else: .scopeInvalid(
      request.scopes,
      because:
        "The scope format is invalid. Scope must be in a valid URI form <https://example/scope> or a valid Guid "
        + "<guid/scope>."))
}

/// Checks that `.default`, which stands for the registered permissions, is not combined with a permission.
///
/// Two resources with `.default` are accepted here; Entra is not known to reject them at a sign-in.
private func checkDefaultStandsAlone(_ request: ScopeRequest) -> RuleResult {
  let error = OAuthError.defaultBesidePermissions(request.scopes)
  return RuleResult(
    "no permission beside .default", expected: "RESOURCE/.default alone, or permissions",
    found: request.scopes.ofResources.joined(separator: " "), error == nil,
    source: "Entra", failure: "the scopes combine .default with permissions",
    else: error ?? .scopeInvalid(request.scopes))
}

private func checkOneResource(_ request: ScopeRequest) -> RuleResult {
  let resources = request.scopes.resources
  return RuleResult(
    "scopes of one resource", expected: "at most one resource",
    found: resources.isEmpty ? "none" : resources.joined(separator: ", "), resources.count <= 1,
    source: "Entra",
    else: .severalResources(
      request.scopes, aadsts: request.isForFrontChannel ? .severalResourcesOfToken : .severalResources))
}

/// Checks that an access token that the authorization endpoint itself issues is for an API
/// (AzureAD/microsoft-authentication-library-for-js#1470 and #333, manfredsteyer/angular-oauth2-oidc#289).
func checkNamesResource(_ request: ScopeRequest) -> RuleResult {
  let scopes = request.scopes.all.joined(separator: " ")
  return RuleResult(
    "scope of an API", expected: "a scope of an API, or the client ID", found: scopes,
    !request.scopes.ofResources.isEmpty || request.scopes.isEmpty, source: "Entra",
    else: request.tenant.policy != nil
      ? OAuthError(
        .invalidRequest, .tokenScopeMissing,
        "The scope '\(scopes)' provided in request must specify a resource, such as "
          + "'https://example.com/calendar.read'.")
      : OAuthError(
        .invalidScope,
        "The provided value for the input parameter scope '\(scopes)' is not valid when requesting an access token. "
          + "Please specify a valid scope.",
        // Entra has this number for an assertion's audience, too.
        aadsts: .clientAssertionAudience))
}

/// Checks that a user flow is asked for the scopes of an API with a URI, and not for Graph's
/// (AzureAD/microsoft-authentication-library-for-js#1597 and #1331, MicrosoftDocs/azure-docs#15474).
func checkScopesOfUserFlow(_ request: ScopeRequest) -> RuleResult {
  let graph = ProtectedResource.graphAppID
  let foreign = request.scopes.ofResources.first {
    $0.lowercased() != request.registration.clientID.lowercased()
      && RequestedScopes.resourceIdentity(of: $0) == graph
  }
  return RuleResult(
    "scopes of a user flow", expected: "scopes of an API of the tenant, or the client ID",
    found: foreign ?? request.scopes.ofResources.joined(separator: " "), foreign == nil,
    source: "Azure AD B2C",
    else: OAuthError(
      .invalidRequest, .scopeUnsupported,
      "The scope '\(foreign ?? "")' provided in the request is not supported."))
}

/// Checks that a client that is its own API names itself by its client ID in `resource`
/// (AzureAD/azure-activedirectory-library-for-dotnet#659, snok/django-auth-adfs#107).
private func checkNotForItselfByURI(_ request: ScopeRequest) -> RuleResult {
  let name = request.scopes.resources.first ?? ""
  let isItself = request.resource?.appID.lowercased() == request.registration.clientID.lowercased()
  let isByURI = isItself && ProtectedResource.identity(of: name) != request.registration.clientID.lowercased()
  return RuleResult(
    "resource of a client that is its own API", expected: isItself ? request.registration.clientID : "any",
    found: name, !isByURI, source: "Entra", else: .tokenForItself(request.registration))
}

extension OAuthError {
  /// Returns the error for scopes of several resources, with Entra's sentence.
  package static func severalResources(
    _ scopes: RequestedScopes, aadsts: AADSTSCode = .severalResources
  ) -> OAuthError {
    OAuthError(
      .invalidScope,
      "Provided value for the input parameter scope is not valid because it contains more than one resource. Scope "
        + "\(scopes.all.joined(separator: " ")) is not valid.",
      aadsts: aadsts)
  }

  /// Returns the error for `.default` beside a permission, with Entra's sentence, or `nil` if all or none of the scopes are
  /// `.default`.
  package static func defaultBesidePermissions(_ scopes: RequestedScopes) -> OAuthError? {
    let named = scopes.ofResources
    let defaults = named.filter(RequestedScopes.isDefault)
    guard !defaults.isEmpty, defaults.count < named.count else { return nil }
    return .scopeInvalid(scopes, because: ".default scope can't be combined with resource-specific scopes.")
  }

  /// Creates an error of a user flow of Azure AD B2C, which has its own numbers.
  init(_ code: OAuthErrorCode, _ number: B2CCode, _ reason: String) {
    self.init(code, reason)
    b2c = number.number
  }

  /// The error of a user flow for scopes with a comma.
  static let scopeIllegal = OAuthError(
    .invalidRequest, .scopeIllegal,
    "The request contains an invalid scope parameter which includes an illegal character ','.")

  /// The error of a user flow for scopes that are not among the app's permissions.
  fileprivate static let notGrantedInUserFlow = OAuthError(
    .invalidRequest, .resourceNotGranted,
    "This application does not have sufficient permissions against this web resource to perform the operation."
  )

  /// Returns the error for an API that the registration does not list.
  ///
  /// A registration without any permission has a separate error for Microsoft's directory APIs
  /// (Azure-Samples/active-directory-dotnet-deviceprofile#8, Azure/RDS-Templates#230). For another API, the list in the
  /// sentence is empty (Azure/azure-cli#33887). That both depend on this alone is assumed.
  fileprivate static func resourceNotRequired(
    _ request: ScopeRequest, _ name: String, _ listed: [String]
  ) -> OAuthError {
    let client = request.registration
    if listed.isEmpty, let api = ProtectedResource.nameOfDirectoryAPI(request.resource?.appID ?? "") {
      return OAuthError(
        .invalidClient,
        "Misconfigured application. This could be due to one of the following: the client has not listed any permissions "
          + "for '\(api)' in the requested permissions in the client's application registration. Or, the admin has not "
          + "consented in the tenant. Or, check the application identifier in the request to ensure it matches the "
          + "configured client application identifier. Or, check the certificate in the request to ensure it's valid. "
          + "Please contact your admin to fix the configuration or consent on behalf of the tenant. Client app ID: "
          + "\(client.clientID).",
        aadsts: .noPermissionListed)
    }
    return OAuthError(
      .invalidClient,
      "Invalid resource. The client has requested access to a resource which is not listed in the requested "
        + "permissions in the client's application registration. Client app ID: "
        + "\(client.clientID)(\(client.displayName)). Resource value from request: \(name). Resource app ID: "
        + "\(request.resource?.appID ?? ""). List of valid resources from app registration: "
        + "\(listed.joined(separator: ", ")).",
      aadsts: .resourceNotRequired)
  }

  /// Returns the error of a client that asks for a token for itself, and names itself by a URI or not at all.
  static func tokenForItself(_ client: ClientRegistration) -> OAuthError {
    OAuthError(
      .invalidRequest,
      "Application '\(client.clientID)'(\(client.displayName)) is requesting a token for itself. This scenario is "
        + "supported only if resource is specified using the GUID based App Identifier.",
      aadsts: .tokenForItself)
  }

  /// Returns the error for scopes that cannot be read, with Entra's sentence.
  static func scopeInvalid(_ scopes: RequestedScopes, because reason: String? = nil) -> OAuthError {
    OAuthError(
      .invalidScope,
      "The provided request must include a 'scope' input parameter. The provided value for the input parameter 'scope' "
        + "is not valid. The scope \(scopes.all.joined(separator: " ")) is not valid."
        + (reason.map { " " + $0 } ?? ""),
      aadsts: .scopeInvalid)
  }
}

/// Checks that the resource matches the scopes.
///
/// Entra compares bytes, so a trailing slash matters.
///
/// It is an assumption that every App ID URI of the API is accepted, and not only the URI in the scope.
func checkResourceFits(_ request: ScopeRequest) -> RuleResult {
  let fitting = request.scopes.ofResources.isEmpty ? [] : request.scopes.resources + request.identifiers
  return RuleResult(
    "resource fits the scopes",
    expected: fitting.isEmpty ? "none: the scopes do not name a resource" : fitting.joined(separator: " or "),
    found: request.namedResource ?? "none", request.namedResource.map(fitting.contains) ?? true,
    source: "Entra",
    else: OAuthError(
      .invalidTarget,
      "The resource parameter provided in the request doesn't match with the requested scopes.",
      aadsts: .resourceDoesNotFit))
}

func checkResourceIsKnown(_ request: ScopeRequest) -> RuleResult {
  if request.tenant == .consumers, request.resource == nil {
    // The personal accounts' service looks for the scopes (AzureAD/microsoft-authentication-library-for-js#3504).
    let scopes = request.scopes.all.joined(separator: " ")
    return RuleResult(
      "resource registered", expected: "one of Microsoft's APIs, or an app of this lab",
      found: request.scopes.resources.first ?? "none", false, source: "Entra",
      failure: "no such resource is registered",
      else: OAuthError(
        .invalidScope,
        "The provided value for the input parameter 'scope' is not valid. The scope '\(scopes)' does not exist.",
        aadsts: .scopeInvalid))
  }
  return checkResourceIsKnown(
    request.resource, named: request.scopes.resources.first ?? ProtectedResource.graphAppID, request.tenant)
}

func checkResourceIsKnown(
  _ resource: ProtectedResource?, named name: String, _ tenant: AuthorityTenant
) -> RuleResult {
  if resource?.isDisabled == true {
    return RuleResult(
      "resource enabled", expected: "enabled", found: "\(name), disabled", false, source: "Entra",
      failure: "the resource is disabled",
      else: OAuthError(
        .invalidResource,
        "The service principal for resource '\(name)' is disabled. This indicate that a subscription within the tenant "
          + "has lapsed, or that the administrator for this tenant has disabled the application, preventing tokens from "
          + "being issued for it.", aadsts: .resourceDisabled))
  }
  return RuleResult(
    "resource registered", expected: "one of Microsoft's APIs, or an app of this lab", found: name,
    resource != nil, source: "Entra",
    failure: "no such resource is registered",
    else: OAuthError(
      .invalidResource,
      "The resource principal named \(name) was not found in the tenant named \(tenant.displayName). This can "
        + "happen if the application has not been installed by the administrator of the tenant or consented to by "
        + "any user in the tenant. You might have sent your authentication request to the wrong tenant.",
      aadsts: .resourceNotFound))
}

/// Checks that the registration lists the API, for a request of its listed permissions (`.default`, and version 1).
///
/// A scope with a permission asks for consent to it instead (Microsoft Learn, "Scopes and permissions": dynamic
/// consent).
private func checkResourceIsRequired(_ request: ScopeRequest) -> RuleResult {
  let client = request.registration
  // A user flow and AD FS never ask the user for consent.
  let isByAdministrator = !request.tenant.asksForConsent
  let asksForListed =
    isByAdministrator
    ? request.scopes.ofResources.contains {
      $0.lowercased() != client.clientID.lowercased()
        && RequestedScopes.resourceIdentity(of: $0) != ProtectedResource.graphAppID
    }
    : request.scopes.ofResources.contains(where: RequestedScopes.isDefault)
  let name = request.scopes.resources.first ?? ""
  let listed = client.requiredAPIs ?? []
  return RuleResult(
    "API among the required permissions",
    expected: listed.joined(separator: " or "),
    found: name, request.isRequired || !asksForListed, source: "Entra",
    remedy: Remedy(.registration, client.clientID, "requiredAPIs+=\(name)"),
    else: request.tenant.policy != nil ? .notGrantedInUserFlow : .resourceNotRequired(request, name, listed))
}

func checkScopesExist(_ request: ScopeRequest) -> RuleResult {
  let offered = request.resource?.permissions
  let unknown = request.scopes.ofResources.first { scope in
    guard let offered, !RequestedScopes.isDefault(scope), RequestedScopes.resource(of: scope) != scope,
      request.tenant != .consumers || !RequestedScopes.ofXbox.contains(scope.lowercased())
    else { return false }
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
  // `.default` requests all registered permissions, and the app's client ID a token for the app itself.
  let foreign = request.scopes.ofResources.filter {
    !allowed.isEmpty && !RequestedScopes.isDefault($0) && !allowed.contains(RequestedScopes.canonical($0))
      && $0.lowercased() != request.registration.clientID.lowercased()
      // A Microsoft app needs preauthorization for them instead, which is checked in place of the consent.
      && !(request.registration.isOfMicrosoft
        && ProtectedResource.isFirstParty(RequestedScopes.resourceIdentity(of: $0)))
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
  /// Whether this is a check of the requested scopes, in which case `found` contains them.
  package var isOfRequestedScopes: Bool { [existenceName, registrationName].contains(name) }
}
