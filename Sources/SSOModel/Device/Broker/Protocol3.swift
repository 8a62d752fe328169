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
      MSALError.words(forStatus: answer.status),
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
