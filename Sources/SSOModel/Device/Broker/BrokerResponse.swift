import Essentials

/// The broker's response to one request, in the dialect of the request (docs/behaviour/broker.md §7, §8).
struct BrokerResponse {
  var request: BrokerRequest
  /// The version of the broker app.
  var version: String
  /// A token that the app stores and sends with its next request.
  var applicationToken: String?
  /// Whether the device is in shared mode.
  var isShared = false

  /// Returns `<redirect URI>?response=<base64url(AES)>&hash=<hex>&msg_protocol_ver=…`; ADAL's failures are plain text.
  func url(_ fields: [NameValue]) throws -> String {
    let version = NameValue("msg_protocol_ver", request.dialect.answerVersion)
    if request.dialect == .adal, fields["error_code"] != nil {
      return request.redirectURI + "?" + FormEncoding.encode(fields + [version])
    }
    let plaintext = Data(FormEncoding.encode(fields).utf8)
    let ciphertext = try BrokerCrypto.encrypt(plaintext, key: request.brokerKey)
    let query = [
      NameValue("response", Base64URL.encode([UInt8](ciphertext))),
      NameValue("hash", BrokerCrypto.hash(plaintext)), version,
    ]
    return request.redirectURI + "?" + FormEncoding.encode(query)
  }

  /// Returns the fields of a success, without empty fields.
  ///
  /// `token` is the JSON from the token endpoint.
  func success(_ token: [String: JSONValue], at now: Instant) -> [NameValue] {
    func text(_ name: String) -> String {
      switch token[name] {
      case .string(let value): value
      case .integer(let value): String(value)
      default: ""
      }
    }
    let lifetime = Int(text("expires_in")) ?? 3600
    let extended = Int(text("ext_expires_in")) ?? lifetime
    let claims = try? JSONWebToken(unverified: text("id_token")).claims
    let common = [
      NameValue("authority", request.authority),
      NameValue("client_id", request.clientID), NameValue("id_token", text("id_token")),
      NameValue("access_token", text("access_token")), NameValue("refresh_token", text("refresh_token")),
      NameValue("expires_on", String(now.seconds + lifetime)),
      NameValue("ext_expires_on", String(now.seconds + extended)), NameValue("foci", text("foci")),
      NameValue("correlation_id", request.correlationID), NameValue("x-broker-app-ver", version),
      NameValue("vt", "YES"), NameValue("broker_nonce", request.nonce),
      NameValue("application_token", applicationToken ?? ""),
    ]
    let own =
      switch request.dialect {
      case .msal:
        [
          NameValue("success", "1"), NameValue("scope", text("scope")),
          NameValue("client_info", text("client_info")),
          NameValue("home_account_id", ClientInfo(text("client_info"))?.homeAccountID ?? ""),
          NameValue("token_type", text("token_type")), NameValue("redirect_uri", request.redirectURI),
          NameValue("device_mode", isShared ? "shared" : ""),
        ]
      case .adal:
        [
          NameValue("resource", request.values[.resource] ?? ""),
          NameValue("user_id", claims?["preferred_username"]?.string ?? claims?["upn"]?.string ?? ""),
        ]
      }
    return (common + own).filter { !$0.value.isEmpty }
  }

  /// Returns the fields of a failure.
  ///
  /// `code` is MSAL's; ADAL receives its own code for the same failure.
  func failure(_ code: MSALCode, _ description: String, oauth: OAuthError? = nil, username: String? = nil)
    -> [NameValue]
  {
    let fields =
      switch request.dialect {
      case .msal:
        failure(
          domain: MSALError.domain, code.text, description,
          metadata: ["username": username, "home_account_id": request.homeAccountID])
          + [NameValue("error", oauth?.code.text ?? ""), NameValue("suberror", oauth?.suberror ?? "")]
      case .adal:
        [
          NameValue("error_description", description), NameValue("error_code", Self.adalCode(code).text),
          NameValue(
            "error_domain", code == .userCanceled ? "ADAuthenticationErrorDomain" : "ADOAuthServerErrorDomain"
          ),
          NameValue("protocol_code", oauth?.code.text ?? ""),
          NameValue("suberror", oauth?.suberror ?? ""),
          NameValue("user_id", username ?? ""), NameValue("correlation_id", request.correlationID),
          NameValue("broker_nonce", request.nonce), NameValue("x-broker-app-ver", version),
        ]
      }
    return fields.filter { !$0.value.isEmpty }
  }

  /// Returns MSAL's failure if the provider could not be reached, or OAuth does not use its status.
  ///
  /// Returns `nil` for any other response, and for ADAL, whose failures come from `failure(_:_:)`.
  func failure(transport answer: HTTPResponse) -> [NameValue]? {
    guard request.dialect == .msal, ![200, 400, 401].contains(answer.status) else { return nil }
    guard answer.status != 0 else {
      return failure(domain: "NSURLErrorDomain", "-1004", "Could not connect to the server.")
    }
    return failure(
      domain: "MSIDHttpErrorCodeDomain", IdentityCoreCode.serverUnhandledResponse.text,
      MSALError.words(forStatus: answer.status),
      metadata: [
        "http_response_code": String(answer.status),
        "http_response_headers": FormEncoding.encode(answer.headers),
      ])
  }

  private func failure(
    domain: String, _ code: String, _ description: String, metadata: [String: String?] = [:]
  ) -> [NameValue] {
    let known = metadata.compactMapValues { $0.map(JSONValue.string) }
    return [
      NameValue("success", "0"), NameValue("broker_error_domain", domain),
      NameValue("broker_error_code", code), NameValue("error_description", description),
      NameValue("correlation_id", request.correlationID), NameValue("broker_nonce", request.nonce),
      NameValue("x-broker-app-ver", version),
      NameValue("error_metadata", known.isEmpty ? "" : JSONValue.object(known).text(.wire)),
    ]
  }

  /// Returns ADAL's code of errors.md §3 for a failure of the broker.
  private static func adalCode(_ code: MSALCode) -> ADALCode {
    switch code {
    case .userCanceled: .uiUserCancel
    case .serverProtectionPoliciesRequired: .serverProtectionPolicyRequired
    case .interactionRequired: .serverUserInputNeeded
    case .invalidResponse: .serverInvalidResponse
    default: .serverOAuth
    }
  }
}
