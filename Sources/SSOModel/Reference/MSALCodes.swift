/// MSAL's public codes (fact sheet §6.1; remedies from the threads of §8).
let msalTable = """
  -50000 | MSALErrorInternal | Not recoverable by the app as it is; the cause is in MSALInternalErrorCodeKey. | Every failure that is not one of the six recoverable ones, -50006 to -50008 among them. | Look at the internal code: ssoterm explain with it. It is most often a set-up error in Info.plist, entitlements or the registration.
  -50001 | MSALErrorWorkplaceJoinRequired | The server asked for a registered device, and no broker can register it. | Conditional Access wants a registered device and the broker is not installed. | Install Microsoft Authenticator, or take the policy off for this app.
  -50002 | MSALErrorInteractionRequired | A silent call is impossible: a person is needed. | No account, signed out, no refresh token to be read, or the provider refused it. | Call acquireToken. If another app of the suite is signed in, ssoterm why APP names the condition of sharing that fails.
  -50003 | MSALErrorServerDeclinedScopes | Fewer scopes were granted than asked for. | The registration does not allow a scope, or consent left it out. The token is saved first. | Ask again with the granted scopes. Do not pass reserved scopes or a client ID as a scope.
  -50004 | MSALErrorServerProtectionPoliciesRequired | Intune app protection is required. | unauthorized_client with suberror protection_policy_required. | Enrol the app with the Intune SDK, then call again.
  -50005 | MSALErrorUserCanceled | The person closed the window, or said no. | Esc at a prompt, access_denied, or an error page that was closed. | Nothing, or look at the page: an unregistered redirect URI shows AADSTS50011 there.
  -50006 | MSALErrorServerError | The server answered server_error. It reaches the app as -50000 with this as internal code. | A fault of the provider. | Try again later.
  -50007 | MSALErrorInsufficientDeviceStrength | The device is not strong enough. It reaches the app as -50000. | The server sent the upgrade redirect. | Update the device's registration.
  -50008 | MSALErrorMDMEnrollmentCompletedNeedsRetry | Enrolment is complete; the call must be made again. It reaches the app as -50000. | Enrolment in the middle of a sign-in. | Call again.
  -50142 | MSALErrorServerInvalidRequestResetPasswordRequired | The password must be reset. | AD FS or B2C asks for a reset. | Start the reset flow.
  """

/// What stands in MSALInternalErrorCodeKey beside -50000.
let msalInternalTable = """
  -42000 | InvalidParameter | A parameter of the call is missing or wrong. | An empty scope list, client ID or redirect URI. | The description names the parameter.
  -42001 | RedirectSchemeNotRegistered | The scheme of the redirect URI is not in CFBundleURLTypes, or the query schemes are missing. | Checked when the application object is made. | Add msauth.<bundle ID> to CFBundleURLSchemes, and msauthv2 and msauthv3 to LSApplicationQueriesSchemes.
  -42002 | InvalidRequest | The server found the request malformed. | invalid_request of the provider. | The description carries the AADSTS number.
  -42003 | InvalidClient | The server does not know the client like this. | invalid_client: AADSTS700016 or AADSTS500112. | Compare client ID and redirect URI with the registration. Register the app as native, not as Web.
  -42004 | InvalidGrant | The server refused the grant. | invalid_grant in an interactive call. | Sign in again.
  -42005 | InvalidScope | A scope is malformed or unknown. | AADSTS70011 or AADSTS28000. | Use full scopes of one resource.
  -42006 | UnauthorizedClient | The client may not do this. | unauthorized_client. | Look at the registration's permissions.
  -42007 | UnhandledResponse | The server answered with an HTTP status that the SDK does not handle. | A 5xx or 429; with extended lifetime an old access token may be used instead. | Try again; look at MSALHTTPResponseCodeKey.
  -42008 | Unexpected | Something went wrong that has no code of its own. | A team ID that cannot be read, or an unknown inner code. | Read the description. `Failed to retrieve teamId from keychain.` means that the build has no entitlements.
  -42009 | UnexpectedHttpResponse | The server answered 403 or 404. | An authority or route that does not exist. | Check the authority.
  -42010 | FailedAuthorityValidation | The authority's host is not known. | Instance discovery answered invalid_instance. | Correct the host, or list it in knownAuthorities.
  -42011 | InvalidRedirectURI | The redirect URI does not have MSAL's format. | It is not msauth.<bundle ID>://auth for this bundle ID; checked when the application object is made. | Use msauth.<bundle ID>://auth in the app and in its registration.
  -42101 | MismatchedUser | Another account signed in than the one asked for. | The person chose another account. | Sign in as the account asked for, or pass no account.
  -42102 | AmbiguousAccount | Several accounts fit, and none was named. | A silent call without an account in an app that knows two or more. | Show an account picker and pass the account.
  -42104 | AuthorizationFailed | The authorize endpoint refused. | An error in the redirect that has no better code. | Read MSALOAuthErrorKey and the description.
  -42106 | AccountRequired | No account was given. | acquireTokenSilent with a nil account. | Take one from allAccounts.
  -42401 | SessionCanceled | A web session was cancelled by the program. | Not used by MSAL: it gives -50005. | Nothing.
  -42402 | InteractiveSessionAlreadyRunning | One interactive call at a time. | A second sign-in while one is open. | Wait for the first to finish.
  -42403 | NoViewController | There is nothing to show the web view on. | No parent view controller. | Pass one in webviewParameters.
  -42404 | AttemptToOpenURLFromExtension | An app extension cannot open URLs. | A brokered call from an extension. | Sign in in the containing app.
  -42405 | UINotSupportedInExtension | An app extension cannot show a sign-in. | An interactive call from an extension. | Sign in in the containing app.
  -42501 | InvalidState | The state in the answer is not the one that was sent. | A response that belongs to another request. | Start again; look for two apps with one URL scheme.
  -42600 | InvalidResponse | The server's answer cannot be used. | A truncated body, or no access token in it. | Try again; look at the trace.
  -42602 | NonHttpsRedirect | The server redirected to plain http. | A broken authority. | Check the authority.
  -42700 | BrokerResponseNotReceived | The app came back from the broker without its answer. | The person switched back, or the app or scene delegate does not hand the URL on. | Call MSALPublicClientApplication.handleMSALResponse in the delegate that iOS calls: the scene delegate where there is one. Do not insist on a sourceApplication; it is nil since iOS 13.
  -42701 | BrokerNoResumeStateFound | An answer came, but nobody had asked. | The app was reinstalled or the call is over. | Start the sign-in again.
  -42702 | BrokerBadResumeStateFound | The stored request cannot be read. | adal-broker-resume-dictionary lacks a key. | Start the sign-in again.
  -42703 | BrokerMismatchedResumeState | The answer belongs to another request. | The URL does not begin with the redirect URI, or the nonce differs. | Start again; look for a late answer or a second app with the scheme.
  -42704 | BrokerResponseHashMissing | The answer has no hash. | A damaged or forged answer. | Update the broker; look at the trace.
  -42705 | BrokerCorruptedResponse | The answer cannot be read. | A damaged answer. | Start again.
  -42706 | BrokerResponseDecryptionFailed | The answer cannot be decrypted. | The broker key was made anew between request and answer, or the ciphertext was changed. | Start again; do not reinstall or change the keychain group in between.
  -42707 | BrokerResponseHashMismatch | The decrypted answer does not have its hash. | The ciphertext was changed, or the wrong key was used. | Start again.
  -42708 | BrokerKeyFailedToCreate | The key for the broker's answer cannot be written. | -34018: the keychain group is not in the entitlements. | Add com.microsoft.adalcache to keychain-access-groups.
  -42709 | BrokerKeyNotFound | The key for the broker's answer is gone. | The app was reinstalled while the broker had the request. | Start again.
  -42711 | BrokerUnknown | The broker answered with an error that the SDK does not know. | An unknown error domain or code in the answer. | Read the description; update MSAL.
  -42712 | BrokerApplicationTokenWriteFailed | The broker's application token cannot be stored. | The keychain refuses the write. | Check the entitlements.
  -42713 | BrokerApplicationTokenReadFailed | The broker's application token cannot be read. | The keychain refuses the read. | Check the entitlements.
  -42714 | BrokerNotAvailable | The operation needs a broker, and there is none. | getDeviceInformation without Microsoft Authenticator. | Install the broker.
  -42745 | InvalidASWebAuthenticationURL | The web session cannot open this URL. | A start URL that is not https. | Check the authority.
  """
