/// ADAL's codes, all prefixed AD_ERROR_ (fact sheet §6.3; causes from §4.3, §6.4 and §8).
let adalTable = """
  0 | AD_ERROR_SUCCEEDED | No error. | The call worked. | Nothing.
  -1 | AD_ERROR_UNEXPECTED | Something went wrong that has no code of its own. | An unknown inner error. | Read the details.
  100 | AD_ERROR_DEVELOPER_INVALID_ARGUMENT | A parameter or setting is wrong. | A nil resource or client ID, or msauth is missing in LSApplicationQueriesSchemes. | Add msauth to LSApplicationQueriesSchemes.
  101 | AD_ERROR_DEVELOPER_AUTHORITY_VALIDATION | The authority's host is not known. | Instance discovery refused the host. | Correct the authority, or switch validation off for AD FS.
  200 | AD_ERROR_SERVER_USER_INPUT_NEEDED | A silent call is impossible: a person is needed. | Nothing fits in the cache, or the refresh token was refused. | Call acquireToken. ssoterm why APP says what was looked for.
  201 | AD_ERROR_SERVER_WPJ_REQUIRED | The server wants a registered device. | Conditional Access, and no broker. | Install the broker and use AD_CREDENTIALS_AUTO.
  202 | AD_ERROR_SERVER_OAUTH | The server answered with an OAuth error. | protocolCode has it. | ssoterm explain with the AADSTS number.
  203 | AD_ERROR_SERVER_REFRESH_TOKEN_REJECTED | The refresh token was refused. | invalid_grant. ADAL deletes the token and asks for a person. | Sign in again.
  204 | AD_ERROR_SERVER_WRONG_USER | Another person signed in than the one asked for. | userId of kind required, and another account was chosen. | Sign in as the one asked for.
  205 | AD_ERROR_SERVER_NON_HTTPS_REDIRECT | The server redirected to plain http. | A broken authority. | Check the authority.
  206 | AD_ERROR_SERVER_INVALID_ID_TOKEN | The ID token cannot be read. | A damaged answer. | Look at the trace.
  207 | AD_ERROR_SERVER_MISSING_AUTHENTICATE_HEADER | A 401 without WWW-Authenticate. | A resource that does not follow RFC 6750. | Fix the resource.
  208 | AD_ERROR_SERVER_AUTHENTICATE_HEADER_BAD_FORMAT | WWW-Authenticate cannot be read. | A resource that does not follow RFC 6750. | Fix the resource.
  209 | AD_ERROR_SERVER_UNAUTHORIZED_CODE_EXPECTED | The resource did not answer 401. | The resource needs no token. | Fix the resource.
  210 | AD_ERROR_SERVER_UNSUPPORTED_REQUEST | The server does not support the request. | An old AD FS. | Update the server.
  211 | AD_ERROR_SERVER_AUTHORIZATION_CODE | No authorization code came back. | The redirect carried an error or nothing. | Look at the redirect in the trace.
  212 | AD_ERROR_SERVER_INVALID_RESPONSE | The server's answer cannot be used. | A truncated or empty body. | Try again.
  213 | AD_ERROR_SERVER_PROTECTION_POLICY_REQUIRED | Intune app protection is required. | unauthorized_client with suberror protection_policy_required. | Enrol the app with the Intune SDK.
  300 | AD_ERROR_CACHE_MULTIPLE_USERS | Several users fit, and none was named. | A silent call without userId. | Pass userId.
  301 | AD_ERROR_CACHE_VERSION_MISMATCH | The cache was written by another version. | An item of a newer format. | Sign in again, or update ADAL.
  302 | AD_ERROR_CACHE_BAD_FORMAT | An item cannot be read. | The archive is not an ADTokenCacheStoreItem. | Delete the item.
  303 | AD_ERROR_CACHE_NO_REFRESH_TOKEN | There is no refresh token. | Only an access token is stored. | Sign in again.
  400 | AD_ERROR_UI_MULTLIPLE_INTERACTIVE_REQUESTS | One interactive call at a time. | A second sign-in while one is open. | Wait for the first.
  401 | AD_ERROR_UI_NO_MAIN_VIEW_CONTROLLER | There is nothing to show the web view on. | No parent controller. | Set one.
  402 | AD_ERROR_UI_NOT_SUPPORTED_IN_APP_EXTENSION | An app extension cannot show a sign-in. | An interactive call from an extension. | Sign in in the containing app.
  403 | AD_ERROR_UI_USER_CANCEL | The person closed the window. | Esc at a prompt, or an error page that was closed. | Nothing, or look at the page.
  404 | AD_ERROR_UI_NOT_ON_MAIN_THREAD | UI was called from another thread. | A programming error. | Call on the main thread.
  500 | AD_ERROR_TOKENBROKER_UNKNOWN | The broker answered with an error that ADAL does not know. | An unknown code in the answer. | Read the details.
  501 | AD_ERROR_TOKENBROKER_INVALID_REDIRECT_URI | The redirect URI cannot be used with the broker. | AD_CREDENTIALS_AUTO, and the redirect URI is not <scheme>://<bundle ID> or its scheme is not registered. | Use <scheme>://<bundle ID>, registered in CFBundleURLSchemes.
  502 | AD_ERROR_TOKENBROKER_RESPONSE_HASH_MISMATCH | The decrypted answer does not have its hash. | The ciphertext was changed, or the wrong key was used. | Start again.
  503 | AD_ERROR_TOKENBROKER_RESPONSE_NOT_RECEIVED | The app came back without the broker's answer. | The delegate does not call handleBrokerResponse. | Hand the URL on, in the app delegate or the scene delegate.
  504 | AD_ERROR_TOKENBROKER_FAILED_TO_CREATE_KEY | The key for the broker's answer cannot be made or found. | -34018, or a reinstalled app. | Check keychain-access-groups.
  505 | AD_ERROR_TOKENBROKER_DECRYPTION_FAILED | The answer cannot be decrypted. | Another key, or a changed ciphertext. | Start again.
  506 | AD_ERROR_TOKENBROKER_NOT_A_BROKER_RESPONSE | The URL is not a broker's answer. | Another app opened the URL. | Pass on only URLs from com.microsoft.azureauthenticator.
  507 | AD_ERROR_TOKENBROKER_NO_RESUME_STATE | An answer came, but nobody had asked. | The call is over, or the app was reinstalled. | Start again.
  508 | AD_ERROR_TOKENBROKER_BAD_RESUME_STATE | The stored request cannot be read. | adal-broker-resume-dictionary lacks a key. | Start again.
  509 | AD_ERROR_TOKENBROKER_MISMATCHED_RESUME_STATE | The answer belongs to another request. | Other redirect URI or nonce. | Start again.
  510 | AD_ERROR_TOKENBROKER_HASH_MISSING | The answer has no hash. | A damaged or forged answer. | Update the broker.
  511 | AD_ERROR_TOKENBROKER_NOT_SUPPORTED_IN_EXTENSION | An app extension cannot call the broker. | A brokered call from an extension. | Sign in in the containing app.
  """
