import SSOCore
import SSOReading
import SSOReference
import Testing

/// Errors whose cause is behind a wrapper, in a line of another program, or in another language.
@Suite struct WrappedErrorTests {
  @Test(arguments: [
    PrintedSample(
      "Flutter, the reason behind the wrapper", "The certificate for this server is invalid",
      "PlatformException(authorize_and_exchange_code_failed, Failed to authorize: Connection error making token request to 'https://id.contoso.example/token': The certificate for this server is invalid. You may be at another server., null, null)"
    ),
    PrintedSample(
      "Flutter, a known reason", "JSON deserialization error",
      "PlatformException(authorize_and_exchange_code_failed, Failed to authorize: [error: null, description: JSON deserialization error], Value <html> cannot be converted, null)"
    ),
    PrintedSample(
      "Flutter, two at once", "Concurrent operations detected",
      "PlatformException(authorize_failed, Concurrent operations detected: authorize, authorize, null, null)"),
    PrintedSample(
      "iOS in Dutch", "org.openid.appauth.general fout -3",
      "sign-in: De bewerking kan niet worden voltooid. (org.openid.appauth.general fout -3.)"),
    PrintedSample(
      "iOS in German", "org.openid.appauth.general-Fehler -5",
      "oauth: Der Vorgang konnte nicht abgeschlossen werden. (org.openid.appauth.general-Fehler -5.)"),
    PrintedSample(
      "AppAuth for Android", #"AuthorizationException: {"type":0,"code":3"#,
      #"E/Notes: AuthorizationException: {"type":0,"code":3,"errorDescription":"Network error"}"#),
    PrintedSample(
      "AppAuth for Android, an error of OAuth", "invalid_grant",
      #"W/Notes: net.openid.appauth.AuthorizationException: {"type":2,"code":2002}"#),
    PrintedSample(
      "Intune above MSAL", "-50002",
      """
      The operation failed because the SDK could not access the user's AAD token.
      Error Domain=MSALErrorDomain Code=-50002 "(null)" UserInfo={MSALErrorDescriptionKey=An account is needed.}
      """),
    PrintedSample(
      "the answer of a server in a chain of credentials",
      "The requested lamp does not support http method 'GET'",
      """
      │ Error: ChainedTokenCredential: failed to acquire a
      │ token.
      │ Attempted credentials:
      │ \tClientAssertionCredential: getAssertion: received HTTP status 405 with
      │ response: {"count":1,"value":{"Message":"The requested lamp does not
      │ support http method 'GET'."}}
      """),
    PrintedSample(
      "words of several servers", "invalid_grant: Bad Request",
      "panic: oauth2: \"invalid_grant\" \"Bad Request\""),
    PrintedSample(
      "Amazon, behind the domain of its SDK", "invalid_request: The lamp cannot be updated",
      "Error Domain=com.amazon.cognito.AWSCognitoAuthErrorDomain Code=-3000 \"(null)\" UserInfo={error=invalid_request: The lamp cannot be updated.\n })"
    ),
    PrintedSample(
      "Keycloak, a reason", "invalid_token: The lamp is of another house",
      #"type="REFRESH_TOKEN_ERROR", realmId="1", clientId="lamp", error="invalid_token", reason="The lamp is of another house""#
    ),
    PrintedSample(
      "a line of the system in MSAL's log",
      "Cannot start ASWebAuthenticationSession without providing presentation context",
      """
      2026-11-20 11:06:10.237705+0100 Notes[13221:7760760] TID=7758914 MSAL 1.6.0 iOS Sim 18.0 [2026-11-20 10:06:10 - \
      7B76FA1E-CED9-4A5F-9F2E-BA119AB85477] Beginning interactive flow.
      2026-11-20 11:06:10.301000+0100 Notes[13221:7760760] Cannot start ASWebAuthenticationSession without providing \
      presentation context. Set presentationContextProvider before calling -start.
      """),
    PrintedSample(
      "a broker's answer at level Info", "device_network_not_available",
      "2026-11-20 14:45:12.230;MSAL: (False) MSAL 4.61.3.0 MSAL.Xamarin.Android 34 [2026-11-20 12:45:12 - "
        + "e0f9b667-4880-4bd9-9ad8-567d05aee487] Error device_network_not_available returned in broker response. "
    ),
    PrintedSample(
      "Linux' pam", "AADSTS50055", "pam_aad(login:auth): Unknown error code(s) from server: [50055]"),
    PrintedSample(
      "a sign-in log of Log Analytics", "AADSTS50126",
      "ResultType : 50126\nResultDescription : The lamp is out"),
    PrintedSample(
      "Python's proxy", "Tunnel connection failed: 407",
      "az login: HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Max retries exceeded with url: /common (Caused by ProxyError('Unable to connect to proxy', OSError('Tunnel connection failed: 407 Proxy Authentication Required')))"
    ),
    PrintedSample(
      "Python's TLS", "certificate verify failed",
      "az login: HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Max retries exceeded with url: /common (Caused by SSLError(SSLError(\"bad handshake: Error([('SSL routines', 'tls_process', 'certificate verify failed')],)\",),))"
    ),
    PrintedSample(
      "a container's log", "AADSTS50126",
      #"""
      {"log":"Starting\n","stream":"stdout","time":"2026-11-20T10:00:00Z"}
      {"log":"AADSTS50126: Error validating credentials.\n","stream":"stderr","time":"2026-11-20T10:00:01Z"}
      """#),
    PrintedSample(
      "Auth0", "a0.browser_not_available",
      "E/Notes: com.auth0.android.authentication.AuthenticationException: a0.browser_not_available"),
    PrintedSample(
      "Google's library", "com.google.GIDSignIn error -4",
      "signin: The operation couldn't be completed. (com.google.GIDSignIn error -4.)"),
    PrintedSample(
      "React Native", "service_configuration_fetch_error",
      "[Error: Network error - service_configuration_fetch_error]"),
    PrintedSample(
      "a workload", "AADSTS70021",
      "azidentity: AADSTS70021: No matching federated identity record found for presented assertion subject."),
    PrintedSample(
      "a library for Node", "unexpected \"aud\" claim value", "RPError: unexpected \"aud\" claim value"),
    PrintedSample(
      "one banner, one error", "An unknown argument *** was passed",
      """
      ##[error]Error: Contoso Lamp CLI for sign-in
      Version: 1.15.9

      Error: An unknown argument *** was passed.
      """),
  ])
  func theCauseIsNamed(_ sample: PrintedSample) throws {
    let reading = readLog(sample.text)
    let verdict = try #require(reading.verdict, "\(reading.unknown)")
    #expect(verdict.cause == sample.cause)
  }

  /// A sentence that no table has is explained by its own words, if they are about one thing.
  @Test(arguments: [
    ("oidc\nError: the audience of the lamp is another house\n", "aud"),
    ("saml\nError: the lamp sent an invalid signature to the house\n", "keys"),
    ("saml\nError: invalid signature, or the audience of the lamp is another house\n", nil),
    ("oidc\nError: the lamp did not want to shine today\n", nil),
  ])
  func itsWordsExplainASentence(_ text: String, _ advice: String?) throws {
    let verdict = try #require(readLog(text).verdict)
    #expect(verdict.certainty == .unknown)
    #expect((verdict.remedy?.description.contains(advice ?? "x") ?? false) == (advice != nil), "\(verdict)")
  }

  /// Reports of other tools, and lines that are not failures.
  @Test(arguments: [
    "Signing in to Contoso 365...\nNo token found for resource https://graph.microsoft.com.",
    "oauth:\nError message: \n<REDACTED: Generic Secret>",
    "Okta sign-in\n{\"code\":\"-1000\",\"detail\":\"x\"}",
  ])
  func nothingIsQuoted(_ text: String) {
    let reading = readLog(text + "\n")
    #expect(reading.verdict == nil, "\(reading.traces)")
  }

  /// A number belongs to the domain before it.
  @Test func aNumberIsOfItsOwnDomain() {
    let text = """
      Error Domain=com.apple.AuthenticationServices.AuthorizationError Code=1005 "(null)"
      Error Domain=NSURLErrorDomain Code=-1012 "(null)"
      """
    #expect(Explanation.find(in: text).map(\.code).contains("-1005") == false)
    #expect(Explanation.find(in: text).map(\.code).contains("-1012"))
    #expect(Explanation.find(in: "code -1000, detail: the lamp has error -600 of Okta").isEmpty)
  }

  @Test func onlyAnObjectIsARecording() {
    #expect(HARFile.isRecording(Array(#"{ "log" : { "version": "1.2" }}"#.utf8)))
    #expect(!HARFile.isRecording(Array(#"{"log":"Starting\n","stream":"stdout"}"#.utf8)))
  }
}
