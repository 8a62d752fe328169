/// A protocol between apps and the broker: MSAL's ``Protocol3`` or ADAL's ``Protocol2`` (docs/behaviour/broker.md §3, §4).
protocol BrokerDialect: Sendable {
  /// The URL scheme of a request.
  var scheme: String { get }
  /// The version of the protocol, which is also the `msg_protocol_ver` of a response.
  var version: String { get }
  /// The parameter of a request that contains ``version``.
  var versionParameter: BrokerParameter { get }
  /// The parameters in the order of docs/behaviour/broker.md §3 and §4; the protocol itself defines no order.
  var parameters: [BrokerParameter] { get }
  /// The parameter for the requested scopes or resource.
  var target: BrokerParameter { get }
  /// Whether a parameter without a value is sent as an empty one.
  var keepsEmptyValues: Bool { get }
  /// Whether a failure is sent in plain text.
  var sendsPlainFailures: Bool { get }

  // MARK: The app's side (docs/behaviour/broker.md §5–§9)

  /// The `sdk_name` in the resume dictionary.
  var sdkName: String { get }
  /// The SDK's function that handles a response.
  var handlerName: String { get }
  /// Whether the SDK stores its key in the cache's access group, and not in the first entitled group.
  var storesKeyInGroup: Bool { get }
  /// Whether the SDK gets its key before it looks at the response, and not only when it decrypts it.
  var getsKeyFirst: Bool { get }
  /// Whether the SDK deletes the resume dictionary if the app is active again without a response.
  var forgetsUnanswered: Bool { get }
  /// Returns whether the app's version of the SDK identifies itself in the resume dictionary.
  func identifiesItself(_ app: InstalledApp) -> Bool
  /// Returns whether the app's version of the SDK sends a nonce and an application token.
  func sendsNonce(_ app: InstalledApp) -> Bool
  /// Adds the values that only this protocol has.
  func complete(_ values: inout [BrokerParameter: String], of app: InstalledApp)
  /// Returns the values of the resume dictionary that only this protocol has.
  func resumeValues(of request: BrokerRequest) -> [String: String?]
  /// Returns the keys that the resume dictionary must contain, in the order in which they are checked, with their names
  /// in the SDK's error.
  func neededState(hasNonce: Bool) -> KeyValuePairs<String, String>

  var noResumeState: String { get }
  var nonceMismatch: String { get }
  var notBase64: String { get }
  func keyNotCreated(_ status: KeychainError) -> String
  func keyNotFound(_ status: KeychainError) -> String

  // MARK: The broker's side (docs/behaviour/broker.md §7, §8)

  /// The path of the provider's endpoints below the tenant.
  var endpoints: String { get }
  /// Returns the requested scopes, without the OpenID scopes.
  func scopes(of request: BrokerRequest) -> [String]
  /// Returns the parameter of a token request for the scopes or the resource.
  func wanted(_ request: BrokerRequest) -> NameValue
  func prompt(in values: [BrokerParameter: String]) -> String?
  func setPrompt(_ prompt: String?, in values: inout [BrokerParameter: String])
  /// Returns the fields of a success that only this protocol has; `text` returns a member of the token response.
  func success(_ response: BrokerResponse, _ text: (String) -> String) -> [NameValue]
  /// Returns the fields of a failure, for which ADAL has a separate code.
  func failure(
    _ response: BrokerResponse, _ code: MSALCode, _ description: String, oauth: OAuthError?, username: String?
  ) -> [NameValue]
  /// Returns the fields of a failure for a response of the provider that is not an OAuth response, or `nil` if the
  /// protocol has none for it.
  func failure(_ response: BrokerResponse, transport answer: HTTPResponse) -> [NameValue]?
}

/// Returns the dialect that has the URL's scheme, or `nil` if none has it.
func brokerDialect(ofURL url: String) -> (any BrokerDialect)? {
  let scheme = url.prefix { $0 != ":" }.lowercased()
  let dialects: [any BrokerDialect] = [Protocol3(), Protocol2()]
  return dialects.first { $0.scheme == scheme }
}

/// Returns whether the URL has the scheme of a request to the broker.
package func isBrokerURL(_ url: String) -> Bool { brokerDialect(ofURL: url) != nil }

/// A parameter of a request, by its name on the wire (docs/behaviour/broker.md §3, §4).
enum BrokerParameter: String, Hashable {
  case authority, scope, username, prompt, claims, resource, force
  case clientID = "client_id"
  case redirectURI = "redirect_uri"
  case correlationID = "correlation_id"
  case brokerKey = "broker_key"
  case brokerNonce = "broker_nonce"
  case clientVersion = "client_version"
  case clientAppName = "client_app_name"
  case clientAppVersion = "client_app_version"
  case clientSKU = "client_sku"
  case messageProtocolVersion = "msg_protocol_ver"
  case extraOIDCScopes = "extra_oidc_scopes"
  case extraConsentScopes = "extra_consent_scopes"
  case homeAccountID = "home_account_id"
  case loginHint = "login_hint"
  case extraQueryParameters = "extra_query_param"
  case clientCapabilities = "client_capabilities"
  case intuneEnrollmentIDs = "intune_enrollment_ids"
  case intuneMAMResource = "intune_mam_resource"
  case applicationToken = "application_token"
  case tokenType = "token_type"
  case requestConfirmation = "req_cnf"
  case keyID = "key_id"
  case sdkBrokerCapabilities = "sdk_broker_capabilities"
  case skipValidateResultAccount = "skip_validate_result_account"
  case nestedClientID = "brk_client_id"
  case nestedRedirectURI = "brk_redirect_uri"
  case extraSKU = "x-client-xtra-sku"
  case boundRefreshTokenRedemption = "bound_rt_redeem"
  case newOnboardingFlow = "new_mobile_onboarding_flow"
  case ignoreBrokerRequest = "ignore_broker_request"
  case usernameType = "username_type"
  case skipCache = "skip_cache"
  case maximumProtocolVersion = "max_protocol_ver"
  case legacyExtraQueryParameters = "extra_qp"

  /// Whether the value is a secret, or as sensitive as one.
  var isSecret: Bool { self == .brokerKey || self == .applicationToken }

  /// The name in the error for a missing parameter, which is that of the SDK's own variable.
  var developerName: String {
    switch self {
    case .scope: "target"
    case .clientID: "clientId"
    case .redirectURI: "redirectUri"
    case .correlationID: "correlationId"
    case .brokerKey: "brokerKey"
    default: rawValue
    }
  }
}

/// The check of the caller's redirect URI against the bundle ID that the *system* reports (claim B1).
///
/// The caller cannot forge the bundle ID.
package struct CallerCheck {
  var reportedBundleID: String
  var redirectURI: String

  package init(reportedBundleID: String, redirectURI: String) {
    self.reportedBundleID = reportedBundleID
    self.redirectURI = redirectURI
  }

  package var check: Check {
    Check(
      "caller's bundle ID matches the redirect URI", expected: "redirect URI of \(reportedBundleID)",
      found: redirectURI,
      RedirectOwner.bundleID(in: redirectURI) == reportedBundleID, source: "claim B1")
  }
}
