/// `error` of a rejected request.
///
/// The codes are those of RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6, RFC 8628 §3.5, RFC 6750
/// §3.1, RFC 7009 §2.2.1 and RFC 7591 §3.2.2, and Entra's own.
package enum OAuthErrorCode: String, ExplainedCode {
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
  case authorizationPending = "authorization_pending"
  case slowDown = "slow_down"
  case expiredToken = "expired_token"
  case authorizationDeclined = "authorization_declined"
  case badVerificationCode = "bad_verification_code"
  case invalidResource = "invalid_resource"
  case invalidTarget = "invalid_target"
  case invalidToken = "invalid_token"
  case insufficientScope = "insufficient_scope"
  case insufficientClaims = "insufficient_claims"
  case unsupportedTokenType = "unsupported_token_type"
  case invalidRedirectURI = "invalid_redirect_uri"
  case invalidClientMetadata = "invalid_client_metadata"
  case requestNotSupported = "request_not_supported"
  case requestURINotSupported = "request_uri_not_supported"

  package var family: Explanation.Family { .oauth }
}

/// `suberror` of a rejected request, which is Entra's own: the kind of `error`.
package enum OAuthSuberror: String, ExplainedCode {
  case badToken = "bad_token"
  case clientMismatch = "client_mismatch"
  case userAccountDeleted = "user_account_deleted"
  case protectionPolicyRequired = "protection_policy_required"
  case additionalAction = "additional_action"
  case messageOnly = "message_only"
  case basicAction = "basic_action"

  package var family: Explanation.Family { .oauth }
}
