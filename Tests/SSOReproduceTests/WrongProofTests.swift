import DoctorTestSupport
import Foundation
import SSOCore
import SSODevice
import SSODoctor
import SSOReference
import Testing

@testable import SSOReproduce

/// A result is not called reproduced if the caller, the place, the protocol, or the proof of the program differs.
@Suite struct WrongProofTests {
  private static func result(_ files: [String: String], on platform: Platform? = nil) throws -> Reproduction {
    try withFolder(of: files) { folder in
      var reader = EvidenceReader()
      if let platform { reader.assume(appFor: platform) }
      reader.take(try Doctor.examine([folder]))
      return Reproducer(reader.finish()).reproduce()
    }
  }

  // MARK: Android

  private static func android(_ change: (inout AndroidFixture) -> Void) -> [String: String] {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    change(&fixture)
    return fixture.files
  }

  /// MSAL 3 and later refuse a redirect URI that another activity takes, before they look for their own.
  @Test(arguments: [
    (nil, "multiple_apps_listening_url_scheme"), ("5.1.0", "multiple_apps_listening_url_scheme"),
    ("2.2.3", "app_manifest_validation_error"),
  ])
  func anotherActivityHasItsOwnCode(_ version: String?, _ code: String) throws {
    let result = try Self.result(
      Self.android { fixture in
        fixture.replace(
          "identity.client.BrowserTabActivity", with: "OtherActivity", in: AndroidFixture.manifest)
        if let version {
          fixture.replace(
            "libs.msal", with: "'com.microsoft.identity.client:msal:\(version)'", in: "app/build.gradle")
        }
      })
    #expect(result.verdict == .reproduced && result.failure?.symbol == code, "\(result.difference ?? "")")
    #expect(result.changes.first?.kindName == "manifest", "\(result.changes)")
    #expect(result.changes.first?.place?.hasSuffix("AndroidManifest.xml:5") == true)
    #expect(result.changes.first?.failsThen == nil)
  }

  /// The changes of an Android project are named by its files.
  @Test func theConfigurationOfAndroidIsNotAPropertyList() throws {
    let result = try Self.result(
      Self.android { fixture in
        fixture.files["app/src/main/java/Account.kt"] =
          "import com.microsoft.identity.client.*\nval app = PublicClientApplication"
          + ".createSingleAccountPublicClientApplication(this, R.raw.auth_config, listener)"
      })
    #expect(result.changes.map(\.kindName) == ["configuration"])
  }

  /// A build of a wrapper's project has apps for both systems.
  @Test(arguments: [Platform.iOS, .android])
  func theChosenSystemDecidesTheApp(_ platform: Platform) throws {
    var files = Self.android { _ in }
    for (path, text) in XcodeFixture().files { files["ios/" + path] = text }
    let result = try Self.result(files, on: platform)
    let id = result.facts.first { $0.name == .bundleID }?.value
    #expect(id == (platform == .android ? "com.contoso.notes" : "com.contoso.mail"))
  }

  // MARK: Logs

  /// The page may have shown any error before the person closed it.
  @Test func aCancellationIsNotAnAssumedError() throws {
    var fixture = XcodeFixture()
    fixture.registration = fixture.registration.replacing("com.contoso.mail", with: "com.contoso.old")
    let files = fixture.files.merging(["registration.json": fixture.registration]) { $1 }
    try withFolder(of: files) { folder in
      var reader = EvidenceReader()
      let text =
        "Error Domain=MSALErrorDomain Code=-50005 \"(null)\" UserInfo={MSALErrorDescriptionKey=User cancelled}"
      try reader.read(EvidenceFile(name: "a.log", data: Data(text.utf8)))
      reader.take(try Doctor.examine([folder, folder + "/registration.json"]))
      let result = Reproducer(reader.finish()).reproduce()
      #expect(result.verdict != .reproduced || result.failure?.aadsts == nil, "\(result.failure as Any)")
      #expect(result.failure?.sdkCode == -50005)
    }
  }

  /// The page with which Conditional Access refuses a device has no letters before its number.
  @Test func thePageOfAPolicyIsOfTheAuthorizationEndpoint() {
    let result = reproduce(
      """
      You can't get there from here
      Error Code: 53000
      Request Id: 1f3c2a10-0000-4d92-a1c6-7e4f90b2d385
      App name: Notes
      App id: 8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c
      Device platform: iOS
      Device state: Unregistered
      """)
    #expect(result.shown.aadsts == 53000 && result.shown.place == .authorize)
    #expect(result.verdict != .reproduced || result.failure?.place == .authorize)
  }

  /// The token endpoint never answers `access_denied`, so the error came with the redirect to the program's own page.
  @Test func aDeniedAccessIsOfTheAuthorizationEndpoint() {
    let result = reproduce(
      """
      Authentication Error: "['access_denied']". Description: "["AADSTS50005: User tried to log in to a device from a \
      platform (Unknown) that's currently not supported through Conditional Access policy."]"
      Login failed
      """)
    #expect(result.shown.aadsts == 50005 && result.shown.place == .authorize)
    #expect(result.verdict != .reproduced || result.failure?.place == .authorize)
  }

  @Test func aNumberBesideAnotherWordIsNotEntras() {
    #expect(ErrorLabel.number(aloneIn: "Error Code: 12345") == nil)
    #expect(ErrorLabel.number(aloneIn: "Error Code: 53000 and more") == nil)
    #expect(ErrorLabel.number(aloneIn: "  error code: 53000  ") == 53000)
  }

  /// The issuer of a SAML request is not a client ID, whatever its form.
  @Test func aRequestOfSAMLIsOnlyNear() {
    let result = reproduce(
      """
      GET https://login.microsoftonline.com/contoso.com/saml2?SAMLRequest=abc
      AADSTS700016: Application with identifier '8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c' was not found in the directory
      """)
    #expect(
      result.verdict != .reproduced && result.difference?.contains("SAML") == true,
      "\(result.difference ?? "")")
    #expect(!result.facts.contains { $0.name == .clientID })
  }

  /// Blazor WebAssembly is a page, although its names are those of ASP.NET Core.
  @Test(arguments: [
    "RemoteAuthenticatorView: AADSTS9002326: Cross-origin token redemption is permitted only for the 'Single-Page Application'",
    "builder.Services.AddMsalAuthentication(\nAADSTS9002326: Cross-origin token redemption is permitted only for the 'Single-Page Application'",
    "AADSTS50011: The redirect URI 'https://localhost:5001/authentication/login-callback' specified in the request does not match",
  ])
  func blazorInTheBrowserIsAPage(_ text: String) {
    let result = reproduce(text)
    #expect(result.scenario?.contains("kind: page") == true, "\(result.scenario ?? "")")
    #expect(result.verdict == .reproduced, "\(result.difference ?? "")")
  }

  /// The lab's program presents a token of another issuer.
  @Test(arguments: [
    ("ClientCertificateCredential authentication failed", true), ("WorkloadIdentityCredential failed", false),
  ])
  func aCertificateIsNotATokenOfAnotherIssuer(_ line: String, _ isNear: Bool) {
    let result = reproduce(
      line + "\nAADSTS700024: Client assertion is not within its valid time range.")
    #expect((result.verdict == .nearest) == isNear, "\(result.difference ?? "")")
    #expect(!isNear || result.difference?.contains("certificate") == true)
  }

  /// The request itself sent what the provider's sentence quotes.
  @Test(arguments: [
    "The provided value for the input parameter 'device_code' is not valid.",
    "The value 'device_code' is malformed.",
  ])
  func aDeviceCodeIsNotARefreshToken(_ sentence: String) {
    let result = reproduce("AADSTS70000: " + sentence)
    #expect(result.scenario?.contains("grant: deviceCode") == true, "\(result.scenario ?? "")")
    #expect(result.verdict == .reproduced, "\(result.difference ?? "")")
  }

  /// Entra's sentences had another name for the redirect URI once.
  @Test(arguments: ["reply address", "reply url", "reply URL"])
  func theOldNameOfARedirectURIIsRead(_ name: String) {
    let result = reproduce(
      "AADSTS50011: The \(name) 'http://localhost:10800/Home/Authorize' does not match the others")
    #expect(result.scenario?.contains("kind: webServer") == true, "\(result.scenario ?? "")")
  }

  /// Only the token endpoint answers `invalid_grant` (RFC 6749 §5.2).
  @Test func aRefusedGrantIsOfTheTokenEndpoint() {
    let result = reproduce(
      "az login: {'error': 'invalid_grant', 'error_description': 'AADSTS53003: Access has been blocked by Conditional Access'}"
    )
    #expect(result.shown.place == .token)
    #expect(result.verdict != .reproduced || result.failure?.place == .token)
  }

  /// The user signs in to a page; then a policy asks for more, and the server calls on behalf of the user.
  @Test func onBehalfOfAPersonAPolicyAsksForMore() {
    let result = reproduce(
      "AcquireTokenOnBehalfOf: AADSTS50076: Due to a configuration change made by your administrator, you must use"
    )
    #expect(result.scenario?.contains("grant: onBehalfOf") == true, "\(result.scenario ?? "")")
    #expect(result.failure?.aadsts == 50076 && result.failure?.place == .token)
  }

  /// A user flow has other rules than a tenant.
  @Test func aUserFlowIsNotATenant() {
    let result = reproduce(
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_lamp/oauth2/v2.0/authorize\nAADSTS700016: not found"
    )
    #expect(result.verdict != .reproduced)
  }

  @Test func adalIsNotMSAL() {
    let result = reproduce(
      "Error Domain=ADBrokerResponseErrorDomain Code=503 AD_ERROR_TOKENBROKER_RESPONSE_NOT_RECEIVED "
        + "AADSTS65001: The user or administrator has not consented to use the application")
    #expect(result.verdict != .reproduced)
  }

  /// The endpoints of native authentication are not those of a sign-in with a page.
  @Test(arguments: [
    ("POST /contoso.onmicrosoft.com/oauth2/v2.0/initiate", Failure.Place.nativeAuth),
    ("POST /contoso.onmicrosoft.com/signup/v1.0/start", .nativeAuth),
    ("POST /contoso.onmicrosoft.com/oauth2/v2.0/token", .token),
    ("GET /common/oauth2/v2.0/authorize", .authorize),
  ])
  func nativeAuthenticationHasItsOwnEndpoints(_ action: String, _ place: Failure.Place) {
    #expect(Hop(from: .sdk, to: .provider, action: action, result: "").providerPlace == place)
  }

  /// A frame of a stack, or the redirect itself, shows the endpoint.
  @Test(arguments: [
    (
      "at Microsoft.AspNetCore.Authentication.OpenIdConnect.OpenIdConnectHandler.RedeemAuthorizationCodeAsync",
      Failure.Place.token
    ),
    ("oauth2: cannot fetch token: 401 Unauthorized", .token),
    ("nothing", nil),
  ])
  func aFrameShowsTheEndpoint(_ line: String, _ place: Failure.Place?) {
    #expect(reproduce(line + "\nAADSTS7000215: Invalid client secret provided.").shown.place == place)
  }

  @Test func anAnswerInARedirectIsOfTheAuthorizationEndpoint() {
    let result = reproduce(
      "https://app.example/callback?error=access_denied&error_description=AADSTS65004%3a+User+declined+to+consent"
    )
    #expect(result.shown.place == .authorize && result.shown.aadsts == 65004)
  }
}
