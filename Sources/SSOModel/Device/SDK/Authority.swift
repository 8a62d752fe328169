import SSOCore
import SSOKeychain
import SSOReference

/// The class of the SDK with which code creates an authority, which decides its kind, whatever the URL.
package enum AuthorityClass: String, Codable, CaseIterable, Sendable {
  case aad = "MSALAADAuthority"
  case b2c = "MSALB2CAuthority"
  case ciam = "MSALCIAMAuthority"
  case adfs = "MSALADFSAuthority"

  /// Returns the check that code creates an authority with the class of the URL's kind, and the error of another class.
  ///
  /// Returns `nil` for a class that accepts the URLs of other kinds, and for a URL that is not an authority.
  package func check(of url: String, by app: String? = nil) -> (check: Check, error: SDKError?)? {
    guard self == .aad, let own = try? Authority(url) else { return nil }
    let (error, wanted) = (own.errorAsAzureAD, own.ownClass.rawValue)
    // No class takes a URL of AD FS.
    let isADFS = own.kind == .adfs
    return (
      Check(
        "the authority is made with the class of its kind",
        expected: isADFS ? PublicCloud.workAuthority : wanted,
        found: "\(rawValue) of \(url)", error == nil, source: "interactive-call.md §4",
        remedy: app.map {
          Remedy(.app, $0, isADFS ? "authority=\(PublicCloud.workAuthority)" : "authorityClass=\(wanted)")
        },
        failure: "its code creates the authority with the class of Azure AD"), error
    )
  }
}

/// An authority URL that a developer passes to the SDK, parsed and normalised (docs/behaviour/interactive-call.md §4).
package struct Authority: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case aad = "Azure AD"
    case b2c = "Azure AD B2C"
    case ciam = "CIAM"
    case adfs = "AD FS"
  }

  let kind: Kind
  /// The lowercase host, with a port if there is one.
  package let host: String
  /// The path segments that belong to the authority, as written.
  private let segments: [String]

  /// - Throws: The SDK's error for a URL that is not an authority (`CC/validation`): -51100, which reaches the app as
  ///   -50000 with -42008.
  package init(_ text: String) throws(SDKError) {
    let (host, path) = try Self.parts(of: text)
    try self.init(host: host, path: path)
  }

  /// Creates the authority of an app with the class that its code uses.
  ///
  /// `MSALB2CAuthority` accepts any URL, except `/tfp/` without a policy, and `MSALCIAMAuthority` any URL.
  /// `MSALAADAuthority` refuses the URLs of other kinds that it recognises, and takes the first segment of any other path
  /// as the tenant. `MSALADFSAuthority` refuses every URL (`MSALB2CAuthority.m`, `MSALCIAMAuthority.m`,
  /// `MSALADFSAuthority.m`; `CC/validation/MSIDAADAuthority.m`).
  package init(of app: InstalledApp) throws(SDKError) {
    let (host, path) = try Self.parts(of: app.authority)
    switch app.authorityClass {
    case .b2c:
      self.init(kind: .b2c, host: host, segments: try Self.segmentsOfB2C(path))
    case .aad:
      let url = try Authority(host: host, path: path)
      if let refusal = url.errorAsAzureAD, url.kind != .b2c || url.hasTenant { throw refusal }
      self.init(kind: .aad, host: host, segments: Array(path.prefix(1)))
    case .ciam:
      let url = try Authority(host: host, path: path)
      self = url.kind == .ciam ? url : Authority(kind: .ciam, host: host, segments: Array(path.prefix(1)))
    case .adfs: throw Self.adfsRefused
    case nil: try self.init(withClassOfKind: app.authority)
    }
  }

  /// Creates the authority of a URL with the class of its kind, as MSAL for iOS and macOS takes it.
  init(withClassOfKind text: String) throws(SDKError) {
    try self.init(text)
    if kind == .adfs { throw Self.adfsRefused }
  }

  /// The error for an authority of AD FS, for which MSAL for iOS and macOS has a class that always fails.
  private static var adfsRefused: SDKError {
    MSALError.make(
      code: IdentityCoreCode.unsupportedFunctionality.msal, "AD FS authority is not supported yet in MSAL")
  }

  /// Returns whether a URL names an AD FS server.
  package static func isADFS(_ url: String) -> Bool { (try? Authority(url))?.kind == .adfs }

  private static func parts(of text: String) throws(SDKError) -> (host: String, path: [String]) {
    guard let parts = URLParts(text) else {
      throw invalid("'authority' is a required parameter and must not be nil or empty.")
    }
    guard parts.scheme == "https", !parts.authority.isEmpty else {
      throw invalid("authority must use HTTPS.")
    }
    return (parts.authority.lowercased(), parts.path.parts(between: "/"))
  }

  private init(kind: Kind, host: String, segments: [String]) {
    (self.kind, self.host, self.segments) = (kind, host, segments)
  }

  private init(host: String, path: [String]) throws(SDKError) {
    let labels = host.parts(between: ".")
    let first = path.first?.lowercased()
    self.host = host
    if labels.count >= 3, labels[1] == "ciamlogin" {
      kind = .ciam
      segments = [path.first ?? labels[0] + ".onmicrosoft.com"]
    } else if first == "tfp" {
      kind = .b2c
      segments = try Self.segmentsOfB2C(path)
    } else if first != "adfs", Self.isB2C(host, path) {
      kind = .b2c
      segments = path
    } else {
      guard let tenant = path.first else { throw Self.invalid("authority must have AAD tenant.") }
      kind = first == "adfs" ? .adfs : .aad
      segments = [tenant]
    }
  }

  private static func segmentsOfB2C(_ path: [String]) throws(SDKError) -> [String] {
    guard path.first?.lowercased() == "tfp" else { return path }
    guard path.count >= 3 else {
      throw invalid(
        "B2C authority should have at least 3 segments in the path (i.e. https://<host>/tfp/<tenant>/<policy>/...)"
      )
    }
    return Array(path.prefix(3))
  }

  /// Returns whether a developer would create an `MSALB2CAuthority` from it, which accepts any URL.
  ///
  /// The SDK determines the kind by the class, and the lab by the URL. A path of several parts at a host that is not
  /// one of Azure AD's specifies a policy.
  private static func isB2C(_ host: String, _ path: [String]) -> Bool {
    host.hasSuffix(".b2clogin.com") || path.count > 1 && !Cloud.trustedHosts.contains(host)
  }

  /// Returns the host of any URL that represents an authority, even of one without a tenant.
  package static func host(in text: String) -> String { URLParts(text)?.authority.lowercased() ?? "" }

  private static func invalid(_ text: String) -> SDKError { MSALError.make(code: .internalError, text) }

  /// The index of the tenant, or `nil` if the entire path counts, as for AD FS and for B2C without `tfp`.
  private var tenantIndex: Int? {
    switch kind {
    case .aad, .ciam: 0
    case .b2c: segments.count > 1 && segments[0].lowercased() == "tfp" ? 1 : nil
    case .adfs: nil
    }
  }

  /// The tenant: `common`, a GUID, or a domain; `adfs` for AD FS.
  package var tenant: String { tenantIndex.map { segments[$0] } ?? segments.first ?? "" }
  /// The realm under which credentials are cached: the tenant, or the entire path.
  package var realm: String { tenantIndex == nil ? path : tenant.lowercased() }
  /// Whether the response contains the realm, as it does for every authority with a tenant.
  var hasTenant: Bool { tenantIndex != nil }
  /// The path, such as `/common` or `/tfp/contoso.com/b2c_1_signin`.
  var path: String { "/" + segments.joined(separator: "/") }
  var url: String { "https://" + host + path }

  /// Returns the authority with another tenant, or unchanged if it does not have a tenant.
  func with(tenant: String) -> Authority {
    guard let tenantIndex else { return self }
    var segments = segments
    segments[tenantIndex] = tenant
    return Authority(kind: kind, host: host, segments: segments)
  }

  /// The tenants that stand for any directory, so that the account decides.
  package static let tenantless: Set<String> = ["common", "organizations", "consumers"]
  package var isTenantless: Bool { kind == .aad && Self.tenantless.contains(realm) }

  /// Whether it has aliases and instance discovery, which only Azure AD has (interactive-call.md §4).
  package var hasInstanceDiscovery: Bool { kind == .aad }
  var supportsBroker: Bool { kind == .aad }
  /// The SDK's class for this kind of authority.
  package var ownClass: AuthorityClass {
    switch kind {
    case .aad: .aad
    case .b2c: .b2c
    case .ciam: .ciam
    case .adfs: .adfs
    }
  }

  /// The error for an app that creates an `MSALAADAuthority` from this URL, or `nil` if it is an Azure AD URL.
  ///
  /// The SDK recognises only the B2C URLs with `tfp` (`CC/validation/MSIDAADAuthority.m`, `MSIDB2CAuthority.m`). It
  /// takes the first segment of any other B2C URL as the tenant, and instance discovery does not know the host.
  package var errorAsAzureAD: SDKError? {
    let name: String? =
      switch kind {
      case .aad: nil
      case .b2c: hasTenant ? "B2C" : ""
      case .ciam: "CIAM"
      case .adfs: "ADFS"
      }
    return name.map { name in
      name.isEmpty
        ? MSALAuthorities.invalidInstance()
        : MSALError.make(
          code: .invalidParameter, "Trying to initialize AAD authority with \(name) authority url.")
    }
  }

  /// Whether the client ID is accepted as a scope, as only B2C does (silent-call.md §1(0)).
  var takesClientIDAsScope: Bool { kind == .b2c }
}

/// The conversion of codes of IdentityCore, the layer below the SDKs.
///
/// IdentityCore's `MSALErrorConverter` and `ADAuthenticationErrorConverter` do this.
extension IdentityCoreCode {
  private static let msalCodes: [IdentityCoreCode: MSALCode] = [
    .invalidDeveloperParameter: .invalidParameter, .missingAccountParameter: .accountRequired,
    .interactionRequired: .interactionRequired, .serverNonHttpsRedirect: .nonHttpsRedirect,
    .mismatchedAccount: .mismatchedUser, .redirectSchemeNotRegistered: .redirectSchemeNotRegistered,
    .invalidRedirectURI: .invalidRedirectURI, .cacheMultipleUsers: .ambiguousAccount,
    .serverOauth: .authorizationFailed, .serverInvalidResponse: .invalidResponse,
    .serverInvalidRequest: .invalidRequest, .serverInvalidClient: .invalidClient,
    .serverInvalidGrant: .invalidGrant, .serverInvalidScope: .invalidScope,
    .serverUnauthorizedClient: .unauthorizedClient, .serverDeclinedScopes: .serverDeclinedScopes,
    .serverAccessDenied: .userCanceled, .serverError: .serverError, .serverInvalidState: .invalidState,
    .serverProtectionPoliciesRequired: .serverProtectionPoliciesRequired,
    .authorizationFailed: .authorizationFailed, .serverUnhandledResponse: .unhandledResponse,
    .unexpectedHttpResponse: .unexpectedHttpResponse, .authorityValidation: .failedAuthorityValidation,
    .userCancel: .userCanceled, .sessionCanceledProgrammatically: .userCanceled,
    .interactiveSessionAlreadyRunning: .interactiveSessionAlreadyRunning,
    .noMainViewController: .noViewController,
    .attemptToOpenURLFromExtension: .attemptToOpenURLFromExtension,
    .uiNotSupportedInExtension: .uiNotSupportedInExtension,
    .insufficientDeviceStrength: .insufficientDeviceStrength,
    .mdmEnrollmentNeedsRetry: .mdmEnrollmentCompletedNeedsRetry,
    .invalidASWebAuthenticationURL: .invalidASWebAuthenticationURL,
    .brokerResponseNotReceived: .brokerResponseNotReceived,
    .brokerNoResumeStateFound: .brokerNoResumeStateFound,
    .brokerBadResumeStateFound: .brokerBadResumeStateFound,
    .brokerMismatchedResumeState: .brokerMismatchedResumeState,
    .brokerResponseHashMissing: .brokerResponseHashMissing,
    .brokerCorruptedResponse: .brokerCorruptedResponse,
    .brokerResponseDecryptionFailed: .brokerResponseDecryptionFailed,
    .brokerResponseHashMismatch: .brokerResponseHashMismatch,
    .brokerKeyFailedToCreate: .brokerKeyFailedToCreate, .brokerKeyNotFound: .brokerKeyNotFound,
    .workplaceJoinRequired: .workplaceJoinRequired, .brokerUnknown: .brokerUnknown,
    .brokerApplicationTokenWriteFailed: .brokerApplicationTokenWriteFailed,
    .brokerApplicationTokenReadFailed: .brokerApplicationTokenReadFailed,
    .brokerNotAvailable: .brokerNotAvailable,
  ]

  /// MSAL's code for this error.
  package var msal: MSALCode { Self.msalCodes[self] ?? .internalError }

  /// ADAL's code for an error between the app and the broker.
  ///
  /// An error that prevents reading a response is 505; a key that cannot be created for a request is -1
  /// (docs/behaviour/broker.md §4(5), §7(6)).
  package var adal: ADALCode {
    switch self {
    case .interactiveSessionAlreadyRunning: .uiMultipleInteractiveRequests
    case .brokerResponseNotReceived: .tokenBrokerResponseNotReceived
    case .brokerNoResumeStateFound: .tokenBrokerNoResumeState
    case .brokerBadResumeStateFound: .tokenBrokerBadResumeState
    case .brokerMismatchedResumeState: .tokenBrokerMismatchedResumeState
    case .brokerResponseHashMissing: .tokenBrokerHashMissing
    case .brokerKeyNotFound, .brokerCorruptedResponse, .brokerResponseDecryptionFailed:
      .tokenBrokerDecryptionFailed
    case .brokerResponseHashMismatch: .tokenBrokerResponseHashMismatch
    case .brokerKeyFailedToCreate: .unexpected
    default: .tokenBrokerUnknown
    }
  }
}

extension MSALCode {
  /// Whether the app can act on the code, which is then delivered unchanged; otherwise, it accompanies -50000.
  var isRecoverable: Bool {
    switch self {
    case .workplaceJoinRequired, .interactionRequired, .serverDeclinedScopes,
      .serverProtectionPoliciesRequired,
      .userCanceled, .serverInvalidRequestResetPasswordRequired:
      true
    default: false
    }
  }
}

extension OAuthErrorCode {
  /// MSAL's code for an OAuth error, converted through IdentityCore's.
  var msal: MSALCode {
    switch self {
    case .invalidRequest: .invalidRequest
    case .invalidClient: .invalidClient
    case .invalidGrant: .invalidGrant
    case .invalidScope: .invalidScope
    case .unauthorizedClient: .unauthorizedClient
    case .interactionRequired: .interactionRequired
    case .accessDenied: .userCanceled
    case .serverError: .serverError
    default: .authorizationFailed
    }
  }
}
