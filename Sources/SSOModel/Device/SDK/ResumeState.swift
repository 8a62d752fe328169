/// The dictionary that the SDK leaves in the app's defaults while the broker is in front.
///
/// It is stored under `adal-broker-resume-dictionary`, so that even the next process can handle a response
/// (docs/behaviour/broker.md §5). MSAL and ADAL use the same key.
package struct ResumeState: Hashable {
  package var values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  init(_ request: BrokerRequest, keychainGroup: String, sdkName: String?) {
    values = [
      "authority": request.authority, "client_id": request.clientID, "redirect_uri": request.redirectURI,
      "correlation_id": request.correlationID, "keychain_group": keychainGroup,
    ]
    values["broker_nonce"] = request.values[.brokerNonce]
    values["sdk_name"] = sdkName
    switch request.dialect {
    case .msal:
      values["scope"] = request.scopes.joined(separator: " ")
      values["oidc_scope"] = request.values[.extraOIDCScopes]
      values["client_sku"] = request.values[.clientSKU]
      values["skip_validate_result_account"] = request.values[.skipValidateResultAccount]
      values["provided_authority_url"] = request.authority
      values["instance_aware"] = "NO"
    case .adal:
      values["resource"] = request.values[.resource]
    }
  }

  func missing(of needed: [String]) -> [String] { needed.filter { values[$0]?.isEmpty ?? true } }
  var redirectURI: String { values["redirect_uri"] ?? "" }
  var nonce: String { values["broker_nonce"] ?? "" }
  var scopes: [String] { (values["scope"] ?? "").split(separator: " ").map(String.init) }
  var correlationID: String { values["correlation_id"] ?? "" }
}

/// The app's NSUserDefaults, of which the SDK uses one dictionary.
///
/// They are deleted with the app; the keychain is not (keychain.md §1(12)).
///
/// Throws `StoreError`.
package struct AppDefaults {
  static let resumeKey = "adal-broker-resume-dictionary"

  package var documents: any DocumentStore
  /// The key of the document: `<device>/<bundle ID>`.
  package var key: String

  package init(documents: any DocumentStore, key: String) {
    self.documents = documents
    self.key = key
  }

  package func resumeState() throws -> ResumeState? {
    try documents.read([String: [String: String]].self, .appDefaults, key)?[Self.resumeKey].map(
      ResumeState.init)
  }

  package func setResumeState(_ state: ResumeState?) throws {
    guard let state else { return try documents.delete(.appDefaults, key) }
    try documents.write([Self.resumeKey: state.values], .appDefaults, key)
  }
}
