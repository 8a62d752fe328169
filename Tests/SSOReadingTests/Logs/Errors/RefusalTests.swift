import SSOCore
import SSOReading
import SSOReference
import Testing

/// Refusals of providers other than Entra ID, whose description says more than the word of OAuth before it.
@Suite struct RefusalTests {
  /// Okta, Auth0, Google, Keycloak, and Amazon Cognito print these descriptions; each is a row of `message.tsv`.
  @Test(arguments: [
    (
      "Callback URL mismatch",
      #"{"error":"unauthorized_client","error_description":"Callback URL mismatch. x://lamp"}"#
    ),
    (
      "Callback URL mismatch",
      "unauthorized_client: Callback URL mismatch. https://lamp.example is not in the list."
    ),
    (
      "is not in the list of allowed callback URLs",
      "The url \"lamp://x/callback\" is not in the list of allowed callback URLs: lamp://y/callback. (Auth0)"
    ),
    (
      "PKCE verification failed",
      "{\n  \"error\": \"invalid_grant\",\n  \"error_description\": \"PKCE verification failed.\"\n}"
    ),
    ("redirect_uri_mismatch", "Error 400: redirect_uri_mismatch"),
    (
      "not allowed for the client",
      #"{"error":"unauthorized_client","error_description":"Grant type 'lamp' not allowed for the client."}"#
    ),
    (
      "User is not assigned to the client application",
      "https://lamp.example/callback?error=access_denied&error_description=User+is+not+assigned+to+the+client+application."
    ),
    (
      "invalid_grant: Wrong email or password",
      #"{"error":"invalid_grant","error_description":"Wrong email or password."}"#
    ),
    (
      "Account is not fully set up",
      #"{"error":"invalid_grant","error_description":"Account is not fully set up"}"#
    ),
    (
      "scopes are not configured for the authorization server",
      "invalid_scope: One or more scopes are not configured for the authorization server resource."
    ),
    (
      "Token has been expired or revoked",
      #"googleapis.com: oauth2: "invalid_grant" "Token has been expired or revoked.""#
    ),
    (
      "invalid_grant: Token has been expired or revoked",
      #"oauth2: "invalid_grant" "Token has been expired or revoked.""#
    ),
    ("invalid_grant: Bad Request", #"{"error": "invalid_grant", "error_description": "Bad Request"}"#),
    ("invalid_grant: Bad Request", #"{u'error_description': u'Bad Request', u'error': u'invalid_grant'}"#),
    (
      "invalid_grant: Bad Request",
      #"answer of the lamp: {\n  \"error\": \"invalid_grant\",\n  \"error_description\": \"Bad Request\"\n}"#
    ),
    ("Malformed auth code", "invalid_grant: Malformed auth code."),
    (
      "Invalid client or Invalid client credentials",
      "[invalid_client] Invalid client or Invalid client credentials"
    ),
    (
      "invalid_grant: Code not valid",
      "{\n\"error\": \"invalid_grant\",\n\"error_description\": \"Code not valid\"\n}"
    ),
    ("invalid_grant: Session not active", "OPError: invalid_grant (Session not active)"),
    (
      "invalid_grant: Token is not active",
      #"{"error":"invalid_grant","error_description":"Token is not active"}"#
    ),
    (
      "invalid_grant: Incorrect redirect_uri", "error=invalid_grant, error_description=Incorrect redirect_uri"
    ),
    (
      "redirect_mismatch",
      "https://lamp.auth.eu-west-1.amazoncognito.com/error?error=redirect_mismatch&client_id=1"
    ),
    (
      "GaxiosError: invalid_grant", "GaxiosError: invalid_grant\n    at Gaxios._request (/lamp/gaxios.js:1:2)"
    ),
    (
      "urn:oasis:names:tc:SAML:2.0:status:Responder",
      "<samlp:Status>\n  <samlp:StatusCode Value=\"urn:oasis:names:tc:SAML:2.0:status:Responder\" />\n</samlp:Status>"
    ),
    (
      "urn:oasis:names:tc:SAML:2.0:status:NoPassive",
      "was urn:oasis:names:tc:SAML:2.0:status:Responder -> urn:oasis:names:tc:SAML:2.0:status:NoPassive"
    ),
    (
      "oidc_restore_proto_state: no",
      "[Mon Nov 23 10:00:00 2026] [auth_openidc:error] [pid 7] [client 192.0.2.1:5] oidc_restore_proto_state: no \"mod_auth_openidc_state_x1\" state cookie found\n[Mon Nov 23 10:00:00 2026] [auth_openidc:error] [pid 7] [client 192.0.2.1:5] oidc_authorization_response_match_state: unable to restore state"
    ),
    ("Invalid redirect_uri", "[Error] Invalid redirect_uri: https://lamp.example/signin"),
    ("Request details: redirect_uri", "Error 400: invalid_request\nRequest details: redirect_uri"),
    (
      "GIDSignIn Code=-4",
      "The function throws the GIDSignIn Code=-4 (kGIDSignInErrorCodeHasNoAuthInKeychain) error."
    ),
    (
      "ApiException: 4",
      "PlatformException(sign_in_required, com.google.android.gms.common.api.ApiException: 4: , null)"
    ),
  ])
  func aKnownDescriptionWins(_ cause: String, _ text: String) throws {
    let verdict = try #require(readLog(text + "\n").verdict)
    #expect((verdict.cause, verdict.certainty) == (cause, .seen), "\(text)")
    #expect(verdict.remedy?.description.contains("MSAL") == false)
  }

  /// A description that is in no table is quoted with its word, and the word's advice is not given.
  @Test(arguments: [
    (
      "unauthorized_client: The lamp may not shine here",
      #"{"error":"unauthorized_client","error_description":"The lamp may not shine here."}"#
    ),
    (
      "invalid_grant: The bulb is of another lamp",
      "{\n \"error\": \"invalid_grant\",\n \"error_description\": \"The bulb is of another lamp\"\n}"
    ),
    (
      "access_denied: Lamp says no",
      "https://lamp.example/cb?state=1&error=access_denied&error_description=Lamp%20says%20no"
    ),
    ("invalid_request: The lamp asks for a bulb", "**invalid_request:** The lamp asks for a bulb."),
    (
      "access_denied: Unauthorized",
      "RPError: state missing from the response\nreqParams: { error: \"access_denied\", error_description: \"Unauthorized\" }"
    ),
  ])
  func anUnknownDescriptionIsQuoted(_ cause: String, _ text: String) throws {
    let verdict = try #require(readLog(text + "\n").verdict)
    #expect((verdict.cause, verdict.certainty) == (cause, .seen))
    #expect(verdict.meaning.contains("the provider's words"))
    #expect(verdict.remedy?.description.contains("description") == true)
  }

  /// A shop's address is not about a sign-in just because of its parameters' names.
  @Test(arguments: [
    "GET https://shop.example/cart?error=no_stock&error_description=Sold+out",
    "https://shop.example/lamp?error_description=The+lamp+could+not+be+sent&error=not_sent",
  ])
  func theAddressOfAShopIsNoSignIn(_ text: String) { #expect(readLog(text + "\n").verdict == nil) }

  /// Beside Entra's number, its own row says more than the word.
  @Test func entrasNumberSaysMore() {
    let text = #"{"error":"invalid_grant","error_description":"AADSTS50173: The lamp was revoked."}"#
    #expect(readLog(text + "\n").verdict?.cause == "AADSTS50173")
  }

  /// The sentence of a number decides between its causes.
  @Test(arguments: [
    ("AADSTS90023: Public clients can't send a client secret", "secret"),
    ("AADSTS90023: Cross-origin token redemption is permitted only for the lamp", "single-page"),
    ("AADSTS90023: The lamp is not valid", "parameter"),
  ])
  func theSentenceOfANumberDecides(_ text: String, _ advice: String) throws {
    let remedy = try #require(readLog("Error: " + text + ". Trace ID: 1\n").verdict?.remedy)
    #expect(remedy.description.contains(advice))
  }

  /// An error inside another one is the cause.
  @Test(arguments: [
    (
      "unexpected ID Token \"nonce\" claim value",
      "ClientError: unexpected JWT claim value encountered {\n  code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED',\n"
        + "  [cause]: OperationProcessingError: unexpected ID Token \"nonce\" claim value\n      at lamp (/oauth4webapi/x.js:1)\n"
    ),
    (
      "The lamp has no bulb",
      "openid-client\nClientError: the lamp failed to shine\n  [cause]: LampError: The lamp has no bulb\n"
    ),
    (
      "com.google.GIDSignIn, keychain error",
      "PlatformException(sign_in_failed, com.google.GIDSignIn, keychain error, null)"
    ),
    ("no bulb there", "PlatformException(sign_in_failed, com.example.Lamp, no bulb there, null)"),
    (
      "The ID Token contains invalid claims: {iat",
      "An error occurred while attempting to decode the Jwt: The ID Token contains invalid claims: {iat=2026-11-20T09:41:07Z}"
    ),
    (
      "The ID token is not yet valid",
      "The command failed with an unexpected error. Here is the traceback:\n0. The ID token is not yet valid. Current epoch = 1"
    ),
    (
      "untrusted_authority",
      "{\n  \"errorCode\": \"endpoints_resolution_error\",\n  \"errorMessage\": \"Error: could not resolve endpoints. Detail: "
        + "ClientConfigurationError: untrusted_authority: The lamp is not trusted.\"\n}"
    ),
    (
      "exceeds the 4kb cookie limit",
      "Error loading cookied session: cookie \"_oauth2_proxy\" not present, removing session\n"
        + "WARNING: Multiple cookies are required for this session as it exceeds the 4kb cookie limit."
    ),
    (
      "invalidRequestMessage",
      "org.keycloak.lamp\nERROR: invalidRequestMessage\nERROR: unexpectedErrorHandlingRequestMessage: HTTP 500 Internal Server Error"
    ),
    (
      "does not match expected issuer",
      #"azure: ID token issuer \"https://lamp/1\" does not match expected issuer \"https://lamp/2\"","msg":"500: Error getting user email from external provider""#
    ),
    (
      "AuthenticatorException: bind failure",
      "2026-11-20 09:41:07.661 16737-18176 AccountMan E  [2026-11-20 09:41:07 - thread_id: 3177, correlation_id: "
        + "232c43c9-3afb-4d4a-a83a-78f76ac91f03 - Android 35] bind failure\n  android.accounts.AuthenticatorException: bind failure\n"
        + "  \tat android.accounts.AccountManager.lamp(AccountManager.java:1)"
    ),
    (
      "ETIMEDOUT",
      "ClientAuthError: network_error: Network request failed | Fetch client threw: Error: connect ETIMEDOUT 192.0.2.1:443"
    ),
  ])
  func theInnerCauseWins(_ cause: String, _ text: String) throws {
    let verdict = try #require(readLog(text + "\n").verdict)
    #expect(verdict.cause == cause, "\(verdict)")
  }

  /// Windows' DPAPI cannot decrypt another user's or machine's cache.
  @Test(arguments: [
    "The command failed with an unexpected error. Here is the traceback:\n[WinError -2146893813] : ''\nTraceback (most recent call last):\n",
    "Decryption failed: [WinError -2146893813] Key not valid for use in specified state. App developer may consider this "
      + "guidance: https://github.com/lamp/wiki/PersistenceDecryptionError\n",
    "msal_extensions: OSError: [WinError -2146893813] Key not valid for use in specified state.\n",
  ])
  func aCacheThatCannotBeDecryptedIsDeleted(_ text: String) throws {
    let remedy = try #require(readLog(text).verdict?.remedy)
    #expect(remedy.description.contains("msal_token_cache.bin"))
  }

  /// Apache's debug lines from before it knows the user, a number, and a word are not failed calls.
  @Test(arguments: [
    "[authz_core:debug] [pid 434] mod_authz_core.c(809): AH01626: authorization result of Require valid-user : denied (no authenticated user yet)\n"
      + "[auth_openidc:debug] [pid 434] oidc_lamp: the lamp asks",
    "404", "401", "100", "1001", "1", "50000 ms", "unauthorized", "forbidden", "not found",
  ])
  func whatIsNoFailureIsNone(_ text: String) { #expect(readLog(text + "\n").verdict == nil) }

  @Test func apachesErrorStaysOne() {
    let text =
      "[authz_core:error] [pid 434] AH01631: user ada: authorization failure for \"/oidc\": The lamp refused"
    #expect(readLog(text + "\n").verdict != nil)
  }

  /// A logger that wraps lines does not end a sentence.
  @Test func aWrappedSentenceIsWhole() {
    let text =
      "2026-11-20T09:41:07.771140505Z oidc: Failed to light a                \n2026-11-20T09:41:07.771171934Z        lamp today    \n"
    #expect(readLog(text).verdict?.cause == "Failed to light a lamp today")
  }

  @Test(arguments: [
    (
      "A window handle must be configured",
      "Connect-AzAccount : InteractiveBrowserCredential authentication failed: A window handle must be configured. See x",
      "Update-AzConfig"
    ),
    (
      "Status_Unexpected",
      "az login\n(pii). Status: Response_Status.Status_Unexpected, Error code: 2147500037, Tag: 557973639",
      "enable_broker_on_windows"
    ),
  ])
  func theAdviceFitsThePlatform(_ cause: String, _ text: String, _ advice: String) throws {
    let verdict = try #require(readLog(text + "\n").verdict)
    #expect(verdict.cause?.contains(cause) == true && verdict.remedy?.description.contains(advice) == true)
  }
}
