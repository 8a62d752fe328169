import SSOCore
import SSOReference

/// The combination of values that the authorization endpoint returns (OAuth 2.0 Multiple Response Type
/// Encoding Practices §3).
enum ResponseType: String, CaseIterable, Codable {
  case code
  case idToken = "id_token"
  case codeAndIDToken = "code id_token"
  case idTokenAndToken = "id_token token"
  /// An access token alone, which Entra accepts but does not publish (Entra: implicit grant flow, "Acquire
  /// access tokens silently").
  case token

  /// Creates a response type from its space-separated values, in any order, or returns `nil` if the
  /// combination is not supported.
  init?(text: String) {
    let words = Set(text.split(separator: " "))
    guard let known = Self.allCases.first(where: { Set($0.rawValue.split(separator: " ")) == words }) else {
      return nil
    }
    self = known
  }

  /// The response types in Entra's discovery document.
  static let published: [ResponseType] = [.code, .idToken, .codeAndIDToken, .idTokenAndToken]

  var hasCode: Bool { self == .code || self == .codeAndIDToken }
  var hasIDToken: Bool { self != .code && self != .token }
  var hasAccessToken: Bool { self == .token || self == .idTokenAndToken }
  var hasTokens: Bool { self != .code }

  /// The default response mode.
  ///
  /// Tokens are not sent in a query, because queries end up in logs.
  var usualMode: String { hasTokens ? "fragment" : "query" }
}

/// Checks the response type.
///
/// The rules of response type and mode follow in the order in which they apply.

func checkResponseType(_ request: AuthorizationRequest) -> RuleResult {
  guard !request.responseTypeText.isEmpty else { return checkPresent("response_type", nil) }
  let lacksOpenID = request.responseType?.hasIDToken == true && !request.scopes.contains("openid")
  return RuleResult(
    "response type",
    expected: lacksOpenID
      ? "the scope openid" : ResponseType.published.map(\.rawValue).joined(separator: ", "),
    found: request.responseTypeText, request.responseType != nil && !lacksOpenID,
    source: "OpenID Connect Core §3",
    else: OAuthError(
      .unsupportedResponseType,
      lacksOpenID
        ? "response_type 'id_token' requires the 'openid' scope."
        : "The response type '\(request.responseTypeText)' is not supported.",
      aadsts: lacksOpenID ? .scopeOfIDTokenMissing : .responseTypeUnsupported))
}

/// Checks that the registration allows the requested tokens.
///
/// ID tokens and access tokens are enabled separately (Entra: implicit grant settings).
func checkTypeIsEnabled(_ request: AuthorizationRequest) -> RuleResult {
  let (type, client) = (request.responseType ?? .code, request.registration)
  let lacksIDToken = type.hasIDToken && client?.enableIDTokenIssuance != true
  let lacksToken = type.hasAccessToken && client?.enableAccessTokenIssuance != true
  return RuleResult(
    "response type enabled",
    expected: lacksIDToken
      ? "enableIDTokenIssuance" : lacksToken ? "enableAccessTokenIssuance" : "allowed by the registration",
    found: type.rawValue, !lacksIDToken && !lacksToken, source: "Entra",
    failure: "the response type is not enabled",
    else: lacksIDToken
      ? OAuthError(
        .unsupportedResponseType, "response_type 'id_token' is not enabled for the application.",
        aadsts: .idTokenNotEnabled)
      : OAuthError(
        .unsupportedResponseType, "response_type 'token' is not enabled for the application.",
        aadsts: .responseTypeNotEnabled))
}

func checkResponseMode(_ request: AuthorizationRequest) -> RuleResult {
  RuleResult(
    "response mode", expected: "query, fragment or form_post", found: request.responseMode,
    ["query", "fragment", "form_post"].contains(request.responseMode), source: "Entra",
    else: OAuthError(
      .invalidRequest, "The response mode '\(request.responseMode)' is not supported.",
      aadsts: .responseModeUnsupported))
}

func checkModeOfTokens(_ request: AuthorizationRequest) -> RuleResult {
  let hasTokens = request.responseType?.hasTokens ?? false
  return RuleResult(
    "response mode of tokens", expected: hasTokens ? "fragment or form_post" : "any",
    found: request.responseMode, !hasTokens || request.responseMode != "query",
    source: "OAuth 2.0 Multiple Response Types §5",
    else: OAuthError(
      .invalidRequest,
      "The application requested an unsupported mode 'query' when requesting a token.",
      aadsts: .responseModeUnsupported))
}

func checkNonce(_ request: AuthorizationRequest) -> RuleResult {
  let isNeeded = request.responseType?.hasIDToken ?? false
  return RuleResult(
    "nonce", expected: isNeeded ? "a nonce" : "any", found: request.nonce == nil ? "none" : "sent",
    !isNeeded || request.nonce?.isEmpty == false, source: "OpenID Connect Core §3.2.2.1",
    else: OAuthError(
      .invalidRequest,
      "The required field 'nonce' is missing from the credential. Ensure that you have all the necessary "
        + "parameters for the login request.", aadsts: .fieldMissing))
}
