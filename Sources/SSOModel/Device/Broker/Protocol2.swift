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
