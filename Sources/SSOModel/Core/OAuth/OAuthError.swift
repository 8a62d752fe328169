/// Why the identity provider refused a request: the codes of RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core
/// §3.1.2.6,
/// and the two of Entra's own.
///
/// `code` goes on the wire as `error`; `reason` is one sentence for the person and goes into
/// `error_description`,
/// behind the AADSTS number. Two errors are equal when all of it is.
package struct OAuthError: Error, Hashable, Sendable {
  package enum Code: String, CaseIterable, Codable, Sendable {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidScope = "invalid_scope"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
    case accessDenied = "access_denied"
    case serverError = "server_error"
    case temporarilyUnavailable = "temporarily_unavailable"
    case interactionRequired = "interaction_required"
    case loginRequired = "login_required"
    case consentRequired = "consent_required"
    case accountSelectionRequired = "account_selection_required"
    case invalidTenant = "invalid_tenant"
    case invalidInstance = "invalid_instance"
    // The device code's (RFC 8628 §3.5), two of them in Entra's words.
    case authorizationPending = "authorization_pending"
    case slowDown = "slow_down"
    case expiredToken = "expired_token"
    case authorizationDeclined = "authorization_declined"
    case badVerificationCode = "bad_verification_code"
    // RFC 6750 §3.1, RFC 7009 §2.2.1, RFC 7591 §3.2.2.
    case invalidToken = "invalid_token"
    case insufficientScope = "insufficient_scope"
    case unsupportedTokenType = "unsupported_token_type"
    case invalidRedirectURI = "invalid_redirect_uri"
    case invalidClientMetadata = "invalid_client_metadata"
    // OpenID Connect Core §3.1.2.6.
    case requestNotSupported = "request_not_supported"
    case requestURINotSupported = "request_uri_not_supported"
  }

  package var code: Code
  package var reason: String
  /// Entra's number, 50126 in `AADSTS50126`.
  package var aadsts: Int?
  /// `bad_token`, `client_mismatch`, `consent_required`, `user_account_deleted` (fact sheet 4.1).
  package var suberror: String?
  /// What the client has to ask for next time, as JSON: a claims challenge.
  package var claims: String?

  package init(
    _ code: Code, _ reason: String, aadsts: Int? = nil, suberror: String? = nil, claims: String? = nil
  ) {
    self.code = code
    self.reason = reason
    self.aadsts = aadsts
    self.suberror = suberror
    self.claims = claims
  }

  /// `AADSTS50126: Error validating credentials…`
  package var message: String { aadsts.map { "AADSTS\($0): \(reason)" } ?? reason }
}
