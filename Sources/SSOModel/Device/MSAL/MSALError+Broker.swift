import Essentials

/// MSAL's error for a response of the broker.
///
/// See docs/behaviour/broker.md §8(3), (4); `CC/requests/sdk/msal/MSIDDefaultBrokerResponseHandler.m`.
extension MSALError {
  /// The entries of `error_metadata` that reach the app, with their names there, in the order of errors.md §1(7).
  private static let metadataKeys = [
    ("http_response_headers", "MSALHTTPHeadersKey"), ("http_response_code", "MSALHTTPResponseCodeKey"),
    ("declined_scopes", "MSALDeclinedScopesKey"), ("granted_scopes", "MSALGrantedScopesKey"),
    ("username", "MSALDisplayableUserIdKey"), ("home_account_id", "MSALHomeAccountIdKey"),
  ]

  static func make(broker fields: [NameValue], correlationID: String) -> SDKError {
    let number = fields["broker_error_code"].flatMap { Int($0) } ?? 0
    let domain = fields["broker_error_domain"] ?? ""
    var error = converted(
      domain: domain.isEmpty ? "MSIDErrorDomain" : domain,
      number == 0 ? IdentityCoreCode.brokerUnknown.number : number,
      fields["error_description"] ?? "Broker did not provide any details")
    error.oauthError = fields["error"]
    error.suberror = fields["suberror"]
    error.correlationID = fields["correlation_id"] ?? correlationID
    let metadata = fields["error_metadata"].flatMap { JSONValue(bounded: Array($0.utf8)) }
    error.userInfo = metadataKeys.compactMap { key, name in
      metadata?[key].map { NameValue(name, words($0, of: key)) }
    }
    if let version = fields["x-broker-app-ver"] {
      error.userInfo.append(NameValue("MSALBrokerVersionKey", version))
    }
    return error
  }

  /// Returns the broker's error, with codes of IdentityCore converted to MSAL's (`MSAL/MSALErrorConverter.m`).
  ///
  /// Codes of MSAL and of foreign domains are not converted.
  private static func converted(domain: String, _ number: Int, _ description: String) -> SDKError {
    switch domain {
    case "MSIDErrorDomain", "MSIDOAuthErrorDomain", "MSIDHttpErrorCodeDomain":
      return make(code: IdentityCoreCode(number: number)?.msal ?? .internalError, description)
    case "MSIDKeychainErrorDomain": return SDKError(.msal, domain: keychainDomain, code: number, description)
    case Self.domain:
      if let code = MSALCode(number: number) { return make(code: code, description) }
      var error = make(code: .internalError, description)
      error.internalCode = number
      return error
    default: return SDKError(.msal, domain: domain, code: number, description)
    }
  }

  /// Returns a value as Foundation prints it.
  ///
  /// Older brokers send the headers as a form.
  private static func words(_ value: JSONValue, of key: String) -> String {
    if let fields = value.object {
      return dictionary(
        fields.sorted { $0.key < $1.key }.map { NameValue($0.key, $0.value.string ?? $0.value.text(.wire)) })
    }
    if let list = value.array { return self.list(list.compactMap(\.string)) }
    let text = value.string ?? value.text(.wire)
    return key == "http_response_headers" ? dictionary(FormEncoding.decode(text) ?? []) : text
  }
}
