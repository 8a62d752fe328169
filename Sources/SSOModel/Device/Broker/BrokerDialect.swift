/// A protocol between apps and the broker: MSAL's protocol 3 or ADAL's protocol 2 (docs/behaviour/broker.md §3, §4).
package enum BrokerDialect: String, Hashable, CaseIterable {
  case msal, adal

  /// The URL scheme of a request.
  ///
  /// `msauthv3` is queried, never opened (broker.md §1).
  var scheme: String { (self == .msal ? BrokerScheme.v2 : .v1).rawValue }

  /// The `msg_protocol_ver` of a response.
  var answerVersion: String { self == .msal ? "3" : "2" }

  /// The `sdk_name` in the resume dictionary (broker.md §5).
  var sdkName: String { self == .msal ? "msal-objc" : "adal-objc" }

  /// The parameters in the order of docs/behaviour/broker.md §3 and §4; the protocol itself defines no order.
  var parameters: [BrokerParameter] {
    switch self {
    case .msal:
      [
        .authority, .clientID, .redirectURI, .correlationID, .brokerKey, .brokerNonce, .clientVersion,
        .clientAppName, .clientAppVersion, .clientSKU, .messageProtocolVersion, .scope, .extraOIDCScopes,
        .extraConsentScopes, .homeAccountID, .username, .loginHint, .prompt, .extraQueryParameters, .claims,
        .clientCapabilities, .intuneEnrollmentIDs, .intuneMAMResource, .applicationToken, .tokenType,
        .requestConfirmation, .keyID, .sdkBrokerCapabilities, .skipValidateResultAccount, .nestedClientID,
        .nestedRedirectURI, .extraSKU, .boundRefreshTokenRedemption, .newOnboardingFlow, .ignoreBrokerRequest,
      ]
    case .adal:
      [
        .authority, .resource, .clientID, .redirectURI, .username, .usernameType, .force, .skipCache,
        .correlationID, .brokerKey, .clientVersion, .maximumProtocolVersion, .legacyExtraQueryParameters,
        .claims, .clientCapabilities, .clientAppName, .clientAppVersion, .intuneEnrollmentIDs,
        .intuneMAMResource, .brokerNonce, .applicationToken,
      ]
    }
  }

  /// The parameters without which the request is a developer error.
  var mandatory: [BrokerParameter] {
    switch self {
    case .msal: [.authority, .scope, .clientID, .redirectURI, .correlationID, .brokerKey]
    case .adal: [.authority, .resource, .clientID, .redirectURI, .correlationID, .brokerKey]
    }
  }

  /// Whether a parameter without a value is sent as an empty one, as ADAL does; MSAL omits it.
  var keepsEmptyValues: Bool { self == .adal }

  /// Creates the dialect that has the URL's scheme, or returns `nil` if none has it.
  package init?(url: String) {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard let dialect = Self.allCases.first(where: { $0.scheme == scheme }) else { return nil }
    self = dialect
  }
}

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
