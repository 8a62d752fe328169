/// `error` of a refused request: the codes of RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6, RFC 8628 §3.5,
/// RFC 6750 §3.1, RFC 7009 §2.2.1 and RFC 7591 §3.2.2, and Entra's own.
// swift-format-ignore
package enum OAuthErrorCode: CodeEntry, ExplainedCode {
  case invalidRequest = "invalid_request: The request is malformed. Cause: A parameter is missing or repeated; the AADSTS number says which. Remedy: Compare the request in the trace with what the provider expects."
  case invalidClient = "invalid_client: The client is unknown, or its secret is wrong. Cause: An unregistered client ID, or a redirect URI of another client at the token endpoint. Remedy: Compare with the registration."
  case invalidGrant = "invalid_grant: The code or refresh token is not accepted. Cause: Expired, revoked, used before, or of another client. Remedy: In a silent call MSAL gives -50002: sign in again."
  case invalidScope = "invalid_scope: A scope is malformed or of several resources. Cause: AADSTS70011 or AADSTS28000. Remedy: Ask for scopes of one resource."
  case unauthorizedClient = "unauthorized_client: The client may not use this flow. Cause: Not allowed in the registration, or a policy wants app protection. Remedy: Look at the suberror."
  case unsupportedGrantType = "unsupported_grant_type: The token endpoint does not know this grant. Cause: A misspelt grant_type. Remedy: Use a grant that the discovery document lists."
  case unsupportedResponseType = "unsupported_response_type: The authorize endpoint does not know this response type. Cause: A response type other than code. Remedy: Use code with PKCE."
  case accessDenied = "access_denied: The person declined, or a policy refused. Cause: Consent refused or the sign-in was cancelled. Remedy: MSAL gives -50005."
  case serverError = "server_error: The server failed. Cause: A failure of the provider. Remedy: Try again later."
  case temporarilyUnavailable = "temporarily_unavailable: The server is busy. Cause: A failure of the provider, or too many dynamically registered clients. Remedy: Try again later."
  case interactionRequired = "interaction_required: A person is needed. Cause: A policy, or missing consent, prevents a silent request. Remedy: Sign in interactively with the claims of the answer."
  case loginRequired = "login_required: No account is signed in. Cause: prompt=none without a session. Remedy: Sign in."
  case consentRequired = "consent_required: The person has not consented. Cause: prompt=none, or a refresh with a new scope. Remedy: Ask interactively."
  case accountSelectionRequired = "account_selection_required: Several people are signed in. Cause: prompt=none with more than one session. Remedy: Send login_hint, or show the picker. Not raised here."
  case invalidTenant = "invalid_tenant: The tenant does not exist. Cause: AADSTS90002. Remedy: Correct the authority."
  case invalidInstance = "invalid_instance: The host is not known. Cause: Instance discovery; AADSTS50049. Remedy: Correct the authority."
  case authorizationPending = "authorization_pending: The person has not answered yet. Cause: A device-code client polled too early. Remedy: Poll again after the interval."
  case slowDown = "slow_down: The client polls too often. Cause: A device-code client. Remedy: Add five seconds to the interval."
  case expiredToken = "expired_token: The device code has expired. Cause: The person did not answer in time. Remedy: Start again."
  case authorizationDeclined = "authorization_declined: The person declined the device code. Cause: Esc in the picker or consent. Remedy: Nothing."
  case badVerificationCode = "bad_verification_code: This is not a valid device code. Cause: A mistyped user code, or a device code of another provider. Remedy: Start again on the device."
  case invalidResource = "invalid_resource: There is no such API. Cause: A resource, or the first part of a scope, that names no API of the tenant; AADSTS500011. Remedy: Compare with the API's App ID URI."
  case invalidTarget = "invalid_target: The resource does not fit the scopes. Cause: The parameter resource at a version 2.0 endpoint; AADSTS9010010. Remedy: Leave it out, or send the App ID URI that the scopes begin with."
  case invalidToken = "invalid_token: The access token is not accepted. Cause: Expired, of another provider, or for another API. Remedy: Get a token for this API."
  case insufficientScope = "insufficient_scope: The access token may not do this. Cause: A scope is missing: openid for user info. Remedy: Ask for the scope."
  case insufficientClaims = "insufficient_claims: A new access token is needed, with the claims of the challenge. Cause: Signed out everywhere, a changed password, a disabled account or a changed policy, and a client with the capability cp1. Remedy: Pass the challenge's claims to the silent call; if that is refused, sign in."
  case unsupportedTokenType = "unsupported_token_type: This kind of token cannot be revoked. Cause: An access token at the revocation endpoint. Remedy: Revoke the refresh token."
  case invalidRedirectURI = "invalid_redirect_uri: A redirect URI cannot be registered. Cause: Neither https, nor http on loopback, nor a scheme with a dot in it. Remedy: Correct it."
  case invalidClientMetadata = "invalid_client_metadata: A client cannot be registered with this metadata. Cause: The description names the field. Remedy: Correct it."
  case requestNotSupported = "request_not_supported: Request objects are not read. Cause: An authorization request with request=. Remedy: Send its fields one by one."
  case requestURINotSupported = "request_uri_not_supported: Request objects are not fetched. Cause: An authorization request with request_uri=. Remedy: Send its fields one by one."

  package var family: Explanation.Family { .oauth }
}

/// `suberror` of a refused request, which is Entra's own: what kind of `error` it is.
// swift-format-ignore
package enum OAuthSuberror: CodeEntry, ExplainedCode {
  case badToken = "bad_token: This is not a valid refresh token. Cause: Marked invalid by hand, or of another provider. MSAL deletes it. Remedy: Sign in again."
  case clientMismatch = "client_mismatch: The family refresh token is not for this client. Cause: The client is not in family 1. MSAL records that in the app metadata. Remedy: Nothing: the app's own token is used from now on."
  case userAccountDeleted = "user_account_deleted: The account no longer exists. Cause: It was removed from the directory. MSAL removes the account from the cache. Remedy: Sign in with another account."
  case protectionPolicyRequired = "protection_policy_required: Intune app protection is required. Cause: A policy of the tenant. MSAL gives -50004. Remedy: Enrol with the Intune SDK."
  case tokenExpired = "token_expired: The refresh token has expired. Cause: Not used for too long. Remedy: Sign in again. Not raised here."
  case additionalAction = "additional_action: Something has to be done outside of the sign-in. Cause: A policy about the device or the broker. Remedy: Register the device, make it compliant, or install the broker."
  case messageOnly = "message_only: Nothing that the person does in the sign-in helps. Cause: A policy about the app. Remedy: Meet its requirements, or change it."
  case basicAction = "basic_action: A simple action of the person resolves it. Cause: Multi-factor authentication, or terms of use. Remedy: Sign in interactively."

  package var family: Explanation.Family { .oauth }
}
