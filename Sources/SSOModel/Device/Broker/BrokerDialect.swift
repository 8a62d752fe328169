import SSOCore
import SSOReference

/// A protocol between apps and the broker: MSAL's ``Protocol3`` or ADAL's ``Protocol2`` (docs/behaviour/broker.md §3, §4).
protocol BrokerDialect: Sendable {
  /// The URL scheme of a request.
  var scheme: String { get }
  /// The version of the protocol, which is also the `msg_protocol_ver` of a response.
  var version: String { get }
  /// The parameter of a request that contains ``version``.
  var versionParameter: BrokerParameter { get }
  /// The parameters in the order of docs/behaviour/broker.md §3 and §4; the protocol does not define an order.
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
  /// protocol does not define any.
  func failure(_ response: BrokerResponse, transport answer: HTTPResponse) -> [NameValue]?
}

/// Returns the dialect that has the URL's scheme, or `nil` if the scheme is unknown.
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
  /// Android's; the protocols with URLs do not send it.
  case forceRefresh = "force_refresh"

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
/// The caller cannot forge the bundle ID. On Windows, the redirect URI names the client in place of the app.
package struct CallerCheck {
  var reportedBundleID: String
  var redirectURI: String
  /// The client of a request to the Web Account Manager, or `nil` for any other request.
  var windowsClientID: String?

  package init(reportedBundleID: String, redirectURI: String) {
    self.reportedBundleID = reportedBundleID
    self.redirectURI = redirectURI
  }

  /// Creates the check for an app that has not sent a request.
  package init(of app: InstalledApp) {
    self.init(reportedBundleID: app.bundleID, redirectURI: app.redirectURI)
    if app.builtDefaults.platform == .windows { windowsClientID = app.clientID }
  }

  package var check: Check {
    if let windowsClientID {
      let wanted = RedirectOwner.webAccountManager(clientID: windowsClientID)
      return Check(
        "redirect URI is the Web Account Manager's for the client", expected: wanted, found: redirectURI,
        redirectURI.lowercased() == wanted.lowercased(), source: "broker.md §2",
        failure: "the redirect URI is not the Web Account Manager's for the client")
    }
    return Check(
      "caller's bundle ID matches the redirect URI", expected: "redirect URI of \(reportedBundleID)",
      found: redirectURI,
      RedirectOwner.bundleID(in: redirectURI) == reportedBundleID, source: "claim B1",
      failure: "the caller's bundle ID does not match the redirect URI")
  }
}

/// ADAL's protocol with the broker (docs/behaviour/broker.md §4).
struct Protocol2: BrokerDialect {
  var scheme: String { BrokerScheme.v1.rawValue }
  var version: String { "2" }
  var versionParameter: BrokerParameter { .maximumProtocolVersion }
  var parameters: [BrokerParameter] {
    [
      .authority, .resource, .clientID, .redirectURI, .username, .usernameType, .force, .skipCache,
      .correlationID, .brokerKey, .clientVersion, .maximumProtocolVersion, .legacyExtraQueryParameters,
      .claims, .clientCapabilities, .clientAppName, .clientAppVersion, .intuneEnrollmentIDs,
      .intuneMAMResource, .brokerNonce, .applicationToken,
    ]
  }
  var target: BrokerParameter { .resource }
  var keepsEmptyValues: Bool { true }
  var sendsPlainFailures: Bool { true }

  // MARK: ADAL's side

  var sdkName: String { "adal-objc" }
  var handlerName: String { "handleADALResponse" }
  var storesKeyInGroup: Bool { false }
  var getsKeyFirst: Bool { false }
  /// ADAL caches the tokens of a late response (broker.md §9).
  var forgetsUnanswered: Bool { false }
  /// ADAL identifies itself since 2.7 (broker.md §5).
  func identifiesItself(_ app: InstalledApp) -> Bool { app.adalVersion.isUnified }
  /// ADAL sends them since 2.7.14 and 4.0.2 (broker.md §4).
  func sendsNonce(_ app: InstalledApp) -> Bool { app.adalVersion.asksForNonceCapableBroker }

  func complete(_ values: inout [BrokerParameter: String], of app: InstalledApp) {}

  func resumeValues(of request: BrokerRequest) -> [String: String?] {
    ["resource": request.values[.resource]]
  }

  /// ADAL does not require the keychain group.
  func neededState(hasNonce: Bool) -> KeyValuePairs<String, String> {
    hasNonce
      ? ["broker_nonce": "nonce", "redirect_uri": "redirect uri"] : ["redirect_uri": "redirect uri"]
  }

  var noResumeState: String { "No resume state found in NSUserDefaults" }
  var nonceMismatch: String { "Nonce in broker response does not match!" }
  var notBase64: String { BrokerConversation.notDecrypted }
  func keyNotCreated(_ status: KeychainError) -> String { "Unable to retrieve broker key." }
  func keyNotFound(_ status: KeychainError) -> String { BrokerConversation.notDecrypted }

  // MARK: The broker's side

  var endpoints: String { "/oauth2/" }

  /// The endpoint version of MSAL calls the resource `resource/.default`.
  func scopes(of request: BrokerRequest) -> [String] {
    let resource = wanted(request).value
    return [(resource.hasSuffix("/") ? String(resource.dropLast()) : resource) + "/.default"]
  }

  func wanted(_ request: BrokerRequest) -> NameValue {
    NameValue("resource", request.values[.resource] ?? "")
  }

  /// `force` corresponds to MSAL's `prompt=login`.
  func prompt(in values: [BrokerParameter: String]) -> String? { values[.force] == "YES" ? "login" : nil }
  func setPrompt(_ prompt: String?, in values: inout [BrokerParameter: String]) {
    values[.force] = prompt == nil ? "NO" : "YES"
  }

  func success(_ response: BrokerResponse, _ text: (String) -> String) -> [NameValue] {
    let claims = try? JSONWebToken(unverified: text("id_token")).claims
    return [
      wanted(response.request),
      NameValue("user_id", claims?["preferred_username"]?.string ?? claims?["upn"]?.string ?? ""),
    ]
  }

  func failure(
    _ response: BrokerResponse, _ code: MSALCode, _ description: String, oauth: OAuthError?, username: String?
  ) -> [NameValue] {
    let domain: ADALError.Domain = code == .userCanceled ? .authentication : .oauthServer
    return [
      NameValue("error_description", description), NameValue("error_code", Self.code(code).text),
      NameValue("error_domain", domain.rawValue), NameValue("protocol_code", oauth?.code.text ?? ""),
      NameValue("suberror", oauth?.suberror ?? ""), NameValue("user_id", username ?? ""),
      NameValue("correlation_id", response.request.correlationID),
      NameValue("broker_nonce", response.request.nonce), NameValue("x-broker-app-ver", response.version),
    ]
  }

  func failure(_ response: BrokerResponse, transport answer: HTTPResponse) -> [NameValue]? { nil }

  /// Returns ADAL's code of errors.md §3 for a failure of the broker.
  private static func code(_ code: MSALCode) -> ADALCode {
    switch code {
    case .userCanceled: .uiUserCancel
    case .serverProtectionPoliciesRequired: .serverProtectionPolicyRequired
    case .interactionRequired: .serverUserInputNeeded
    case .invalidResponse: .serverInvalidResponse
    default: .serverOAuth
    }
  }
}

/// MSAL's protocol with the broker (docs/behaviour/broker.md §3).
///
/// `msauthv3` is queried, never opened (broker.md §1).
struct Protocol3: BrokerDialect {
  var scheme: String { BrokerScheme.v2.rawValue }
  var version: String { "3" }
  var versionParameter: BrokerParameter { .messageProtocolVersion }
  var parameters: [BrokerParameter] {
    [
      .authority, .clientID, .redirectURI, .correlationID, .brokerKey, .brokerNonce, .clientVersion,
      .clientAppName, .clientAppVersion, .clientSKU, .messageProtocolVersion, .scope, .extraOIDCScopes,
      .extraConsentScopes, .homeAccountID, .username, .loginHint, .prompt, .extraQueryParameters, .claims,
      .clientCapabilities, .intuneEnrollmentIDs, .intuneMAMResource, .applicationToken, .tokenType,
      .requestConfirmation, .keyID, .sdkBrokerCapabilities, .skipValidateResultAccount, .nestedClientID,
      .nestedRedirectURI, .extraSKU, .boundRefreshTokenRedemption, .newOnboardingFlow, .ignoreBrokerRequest,
    ]
  }
  var target: BrokerParameter { .scope }
  var keepsEmptyValues: Bool { false }
  var sendsPlainFailures: Bool { false }

  // MARK: MSAL's side

  var sdkName: String { "msal-objc" }
  var handlerName: String { "handleMSALResponse" }
  var storesKeyInGroup: Bool { true }
  var getsKeyFirst: Bool { true }
  var forgetsUnanswered: Bool { true }
  func identifiesItself(_ app: InstalledApp) -> Bool { true }
  func sendsNonce(_ app: InstalledApp) -> Bool { true }

  func complete(_ values: inout [BrokerParameter: String], of app: InstalledApp) {
    values[.clientSKU] = app.builtDefaults.sku
    values[.sdkBrokerCapabilities] = "sso_extension"
    values[.skipValidateResultAccount] = values[.skipValidateResultAccount] ?? "NO"
  }

  func resumeValues(of request: BrokerRequest) -> [String: String?] {
    [
      "scope": request.scopes.joined(separator: " "), "oidc_scope": request.values[.extraOIDCScopes],
      "client_sku": request.values[.clientSKU],
      "skip_validate_result_account": request.values[.skipValidateResultAccount],
      "provided_authority_url": request.authority, "instance_aware": "NO",
    ]
  }

  func neededState(hasNonce: Bool) -> KeyValuePairs<String, String> {
    ["redirect_uri": "redirect uri", "broker_nonce": "broker nonce", "keychain_group": "keychain group"]
  }

  var noResumeState: String { "No broker resume state found in NSUserDefaults" }
  var nonceMismatch: String { "Broker nonce mismatch!" }
  var notBase64: String { "Encrypted response missing from broker response" }
  func keyNotCreated(_ status: KeychainError) -> String { "Could not write broker key \(status.number)" }
  func keyNotFound(_ status: KeychainError) -> String {
    "Couldn't find broker key with error Error Domain=MSIDErrorDomain "
      + "Code=\(IdentityCoreCode.brokerKeyFailedToCreate.number) \"(null)\" "
      + "UserInfo={MSIDErrorDescriptionKey=\(keyNotCreated(status))}"
  }

  // MARK: The broker's side

  var endpoints: String { "/oauth2/v2.0/" }

  func scopes(of request: BrokerRequest) -> [String] {
    (request.values[.scope] ?? "").split(separator: " ").map(String.init)
  }

  func wanted(_ request: BrokerRequest) -> NameValue {
    NameValue("scope", (request.scopes + ["openid", "profile", "offline_access"]).joined(separator: " "))
  }

  func prompt(in values: [BrokerParameter: String]) -> String? { values[.prompt] }
  func setPrompt(_ prompt: String?, in values: inout [BrokerParameter: String]) { values[.prompt] = prompt }

  func success(_ response: BrokerResponse, _ text: (String) -> String) -> [NameValue] {
    [
      NameValue("success", "1"), NameValue("scope", text("scope")),
      NameValue("client_info", text("client_info")),
      NameValue("home_account_id", ClientInfo(text("client_info"))?.homeAccountID ?? ""),
      NameValue("token_type", text("token_type")), NameValue("redirect_uri", response.request.redirectURI),
      NameValue("device_mode", response.isShared ? "shared" : ""),
    ]
  }

  func failure(
    _ response: BrokerResponse, _ code: MSALCode, _ description: String, oauth: OAuthError?, username: String?
  ) -> [NameValue] {
    failure(
      response, domain: MSALError.domain, code.text, description,
      metadata: ["username": username, "home_account_id": response.request.homeAccountID])
      + [NameValue("error", oauth?.code.text ?? ""), NameValue("suberror", oauth?.suberror ?? "")]
  }

  func failure(_ response: BrokerResponse, transport answer: HTTPResponse) -> [NameValue]? {
    guard ![200, 400, 401].contains(answer.status) else { return nil }
    guard answer.status != 0 else {
      return failure(response, domain: "NSURLErrorDomain", "-1004", "Could not connect to the server.")
    }
    return failure(
      response, domain: "MSIDHttpErrorCodeDomain", IdentityCoreCode.serverUnhandledResponse.text,
      MSALError.displayText(forStatus: answer.status),
      metadata: [
        "http_response_code": String(answer.status),
        "http_response_headers": FormEncoding.encode(answer.headers),
      ])
  }

  private func failure(
    _ response: BrokerResponse, domain: String, _ code: String, _ description: String,
    metadata: [String: String?] = [:]
  ) -> [NameValue] {
    let known = metadata.compactMapValues { $0.map(JSONValue.string) }
    return [
      NameValue("success", "0"), NameValue("broker_error_domain", domain),
      NameValue("broker_error_code", code), NameValue("error_description", description),
      NameValue("correlation_id", response.request.correlationID),
      NameValue("broker_nonce", response.request.nonce), NameValue("x-broker-app-ver", response.version),
      NameValue("error_metadata", known.isEmpty ? "" : JSONValue.object(known).text(.wire)),
    ]
  }
}
