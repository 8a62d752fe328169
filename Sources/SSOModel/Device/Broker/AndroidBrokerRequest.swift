import SSOCore

/// A request of MSAL for Android to the broker, as a trace shows it (docs/behaviour/android.md §2(3)).
///
/// It is a bundle with the JSON of `BrokerRequest.java` and the negotiated version of the protocol. SSOTerm passes its
/// broker the same values as on iOS.
struct AndroidBrokerRequest {
  let request: BrokerRequest
  let app: InstalledApp
  let isSilent: Bool

  /// `LATEST_MSAL_TO_BROKER_PROTOCOL_VERSION_CODE`, which SSOTerm's broker has too.
  private static let protocolVersion = "16.0"

  /// The fields with the names of `BrokerRequest.SerializedNames`; Gson leaves out those without a value.
  var fields: [NameValue] {
    let values = request.values
    var fields: [(name: String, value: String?)] = [
      ("authority", request.authority), ("scopes", values[.scope]), ("redirect_uri", request.redirectURI),
      ("client_id", request.clientID),
      ("username", isSilent ? request.username : request.loginHint ?? request.username),
    ]
    if isSilent {
      fields += [
        ("home_account_id", request.homeAccountID),
        // SSOTerm's accounts belong to the home tenant.
        ("local_account_id", request.homeAccountID?.split(separator: ".").first.map(String.init)),
      ]
    } else {
      fields.append(("prompt", (values[.prompt] ?? PromptBehavior.selectAccount.rawValue).uppercased()))
    }
    fields += [
      ("claims", values[.claims]),
      ("force_refresh", String(values[.forceRefresh] != nil || values[.claims] != nil)),
      ("correlation_id", request.correlationID), ("client_app_name", app.bundleID),
      ("client_app_version", app.version), ("client_version", app.sdkVersion), ("client_sdk_type", "MSAL"),
      ("environment", "Production"), ("multiple_clouds_supported", "false"),
      ("authorization_agent", isSilent ? nil : "WEBVIEW"),
      ("common.broker.protocol.version.name", Self.protocolVersion),
    ]
    return fields.compactMap { field in
      field.value.flatMap { $0.isEmpty ? nil : NameValue(field.name, $0) }
    }
  }
}
