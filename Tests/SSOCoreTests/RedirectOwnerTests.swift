import Testing

@testable import SSOCore

/// docs/behaviour/broker.md §12(4), the rule by which the SDK, the broker, and the provider determine the owner of a
/// redirect URI.
@Suite struct RedirectOwnerTests {
  @Test(
    arguments: [
      ("msauth.com.contoso.app://auth", "com.contoso.app"), ("x-app://com.contoso.app", "com.contoso.app"),
      ("x-app://com.contoso.app/path?a#b", "com.contoso.app"),
      ("msauth://com.contoso.app/c2lnbmF0dXJl", "com.contoso.app"),
      ("msauth.com.Contoso.App://auth", "com.Contoso.App"),
      // MSAL's form is the entire text; a longer text is ADAL's form, of an app with the bundle ID "auth".
      ("msauth.com.contoso.app://auth/path", "auth"), ("msauth.com.contoso.app://auth?a", "auth"),
      ("MSAUTH.com.contoso.app://auth", "auth"), ("https://com.contoso.app/", "com.contoso.app"),
      ("x-app:///com.contoso.app", nil), ("x-app://", nil), ("://com.contoso.app", nil),
      ("urn:ietf:wg:oauth:2.0:oob", nil), ("", nil),
    ] as [(String, String?)])
  func namesTheAppThatARedirectURIBelongsTo(_ uri: String, _ bundleID: String?) {
    #expect(RedirectOwner.bundleID(in: uri) == bundleID)
  }
}
