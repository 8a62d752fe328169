import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab

/// The checks of `MSALPublicClientApplication` on creation, in the SDK's order and words.
///
/// See docs/behaviour/broker.md §12, §1, docs/behaviour/keychain.md §4, and docs/behaviour/errors.md §4.
struct ApplicationCheckTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (inout InstalledApp) -> Void
    /// The name of the check that fails, or `nil` if the object is created.
    var fails: String?
    var code: Int?
    var says = ""
    var platform = Platform.iOS
  }

  static let format = "Please ensure the redirect URI follows the valid format: msauth.com.contoso.app://auth"
  static let wrongFormat =
    "uses MSAL format (msauth.<bundle_id>://auth) but the bundle ID does not match the app’s bundle ID"

  static let queriesMissing =
    "The required query schemes \"msauthv2\" and \"msauthv3\" are not registered in the app's info.plist "
    + "file. Please add \"msauthv2\" and \"msauthv3\" into Info.plist under LSApplicationQueriesSchemes without "
    + "any whitespaces."

  /// An app that is configured as the article says.
  static let app = InstalledApp(
    bundleID: "com.contoso.app", teamID: "A1B2C3D4E5", displayName: "App", vendor: "Contoso",
    clientID: "client", redirectURI: "msauth.com.contoso.app://auth",
    keychainAccessGroups: ["$(AppIdentifierPrefix)com.microsoft.adalcache"],
    keychainSharingGroup: "com.microsoft.adalcache", urlSchemes: ["msauth.com.contoso.app"],
    queriesSchemes: ["msauthv2", "msauthv3"])

  private static func redirect(
    _ uri: String, _ cause: String, code: Int = -42011, more: String = "", extension isExtension: Bool = false
  ) -> Row {
    Row(
      testDescription: "\(uri.isEmpty ? "none" : uri) \(cause)",
      change: { app in
        app.redirectURI = uri
        app.urlSchemes = urlScheme(of: uri).map { [$0] } ?? []
        app.isExtension = isExtension
      }, fails: "redirect URI is broker-capable", code: code,
      says: "The provided redirect URI \(cause). \(format)\(more)")
  }

  private static func schemeMissing(_ scheme: String, _ uri: String) -> String {
    "The required app scheme \"\(scheme)\" is not registered in the app's info.plist file. Please add "
      + "\"\(scheme)\" into Info.plist under CFBundleURLSchemes without any whitespaces and make sure that "
      + "redirectURi \"\(uri)\" is register in the portal for your app."
  }

  static let made = [
    Row(testDescription: "as the article says", change: { _ in }),
    Row(
      testDescription: "ADAL's form: any scheme, the bundle ID as host",
      change: {
        $0.redirectURI = "x-msauth-app://com.contoso.app"
        $0.urlSchemes = ["x-msauth-app"]
      }),
    Row(testDescription: "no redirect URI, MSAL's scheme registered", change: { $0.redirectURI = "" }),
    Row(
      testDescription: "no redirect URI, the old scheme registered, for personal accounts",
      change: {
        $0.redirectURI = ""
        $0.urlSchemes = ["msalclient"]
        $0.authority = "https://login.microsoftonline.com/consumers"
      }),
    Row(
      testDescription: "no redirect URI, the old scheme registered, MSAL before 2.0",
      change: { ($0.redirectURI, $0.urlSchemes, $0.sdkVersion) = ("", ["msalclient"], "1.9.0") }),
    Row(
      testDescription: "msal<client ID>, MSAL before 2.0",
      change: {
        ($0.redirectURI, $0.urlSchemes, $0.sdkVersion) = ("msalclient://auth", ["msalclient"], "1.9.0")
      }),
    Row(
      testDescription: "msal<client ID> for personal accounts",
      change: {
        $0.redirectURI = "msalclient://auth"
        $0.urlSchemes = ["msalclient"]
        $0.authority = "https://login.microsoftonline.com/consumers"
      }),
    Row(
      testDescription: "msal<client ID> for B2C",
      change: {
        $0.redirectURI = "msalclient://auth"
        $0.urlSchemes = ["msalclient"]
        $0.authority = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_signin"
      }),
    Row(
      testDescription: "msal<client ID> for B2C by the class, at a host of Azure AD",
      change: {
        $0.redirectURI = "msalclient://auth"
        $0.urlSchemes = ["msalclient"]
        $0.authority = "https://login.microsoftonline.com/contoso.onmicrosoft.com/B2C_1_signin"
        $0.authorityClass = .b2c
      }),
    Row(
      testDescription: "msal<client ID> for CIAM",
      change: {
        $0.redirectURI = "msalclient://auth"
        $0.urlSchemes = ["msalclient"]
        $0.authority = "https://contoso.ciamlogin.com"
      }),
    Row(
      testDescription: "msal<client ID> for CIAM by the class, at a domain of its own",
      change: {
        $0.redirectURI = "msalclient://auth"
        $0.urlSchemes = ["msalclient"]
        $0.authority = "https://login.contoso.com/contoso.onmicrosoft.com"
        $0.authorityClass = .ciam
      }),
    Row(
      testDescription: "bypassRedirectURIValidation",
      change: {
        $0.redirectURI = "msauth.com.contoso.other://auth"
        $0.bypassesRedirectValidation = true
      }),
    Row(
      testDescription: "bypassRedirectURIValidation wants no query schemes, as it is never broker-capable",
      change: {
        $0.queriesSchemes = []
        $0.bypassesRedirectValidation = true
      }),
    Row(
      testDescription: "macOS: no scheme and no query scheme need be registered",
      change: { ($0.urlSchemes, $0.queriesSchemes) = ([], []) }, platform: .macOS),
    Row(
      testDescription: "macOS: the default needs no registered scheme",
      change: { ($0.redirectURI, $0.urlSchemes) = ("", []) }, platform: .macOS),
    Row(
      testDescription: "macOS: a fragment is not looked for",
      change: { $0.redirectURI = "any://com.contoso.app#x" }, platform: .macOS),
    Row(
      testDescription: "macOS: with bypassRedirectURIValidation nothing is asked",
      change: { ($0.redirectURI, $0.bypassesRedirectValidation) = ("callback", true) }, platform: .macOS),
    Row(
      testDescription: "an extension needs no scheme",
      change: {
        $0.urlSchemes = []
        $0.isExtension = true
      }),
    Row(
      testDescription: "an extension needs no scheme for the default redirect URI",
      change: {
        $0.urlSchemes = []
        $0.redirectURI = ""
        $0.isExtension = true
      }),
    Row(
      testDescription: "an extension needs no query schemes",
      change: {
        $0.queriesSchemes = []
        $0.isExtension = true
      }),
    Row(
      testDescription: "no broker wanted: no query schemes",
      change: {
        $0.queriesSchemes = []
        $0.brokerUse = .none
      }),
    Row(
      testDescription: "a group that is not entitled shows on the first read only",
      change: { $0.keychainAccessGroups = [] }),
  ]

  static let refused = [
    Row(
      testDescription: "authority over http",
      change: { $0.authority = "http://login.microsoftonline.com/common" },
      fails: "authority is well formed", code: -42008, says: "authority must use HTTPS."),
    Row(
      testDescription: "an authority of AD FS",
      change: { $0.authority = "https://sts.contoso.com/adfs" },
      fails: "MSAL supports the kind of the authority", code: -42008,
      says: "AD FS authority is not supported yet in MSAL"),
    Row(
      testDescription: "the class of AD FS, whatever the URL",
      change: { $0.authorityClass = .adfs },
      fails: "MSAL supports the kind of the authority", code: -42008,
      says: "AD FS authority is not supported yet in MSAL"),
    Row(
      testDescription: "authority without tenant",
      change: { $0.authority = "https://login.microsoftonline.com" },
      fails: "authority is well formed", code: -42008, says: "authority must have AAD tenant."),
    Row(
      testDescription: "blank client ID", change: { $0.clientID = " " }, fails: "client ID is given",
      code: -42000, says: "clientId is a required parameter and must not be nil or empty."),
    Row(
      testDescription: "a fragment comes before an unregistered scheme",
      change: { $0.redirectURI = "other://com.contoso.app#x" }, fails: "redirect URI has no fragment",
      code: -42008, says: "RedirectUri MUST NOT include a fragment component."),
    Row(
      testDescription: "scheme not registered", change: { $0.urlSchemes = ["other"] },
      fails: "redirect scheme is registered", code: -42001,
      says: schemeMissing("msauth.com.contoso.app", "msauth.com.contoso.app://auth")),
    Row(
      testDescription: "scheme registered in another case",
      change: { $0.urlSchemes = ["msauth.com.contoso.App"] },
      fails: "redirect scheme is registered", code: -42001,
      says: schemeMissing("msauth.com.contoso.app", "msauth.com.contoso.app://auth")),
    Row(
      testDescription: "somebody else's redirect URI dies at the scheme",
      change: { $0.redirectURI = "msauth.com.contoso.other://auth" }, fails: "redirect scheme is registered",
      code: -42001, says: schemeMissing("msauth.com.contoso.other", "msauth.com.contoso.other://auth")),
    Row(
      testDescription: "no scheme at all", change: { $0.redirectURI = "callback" },
      fails: "redirect scheme is registered", code: -42001, says: schemeMissing("(null)", "callback")),
    Row(
      testDescription: "no redirect URI, no default scheme",
      change: {
        $0.redirectURI = ""
        $0.urlSchemes = ["other"]
      },
      fails: "a default redirect scheme is registered", code: -42001,
      says: schemeMissing("msauth.com.contoso.app", "msauth.com.contoso.app://auth")),
    redirect("msauth.com.contoso.other://auth", wrongFormat),
    redirect("msauth.com.contoso.App://auth", wrongFormat),
    redirect(
      "msauth.com.contoso.app://callback",
      "uses MSAL scheme (msauth.<bundle_id>) but is missing the required host component \"auth\""),
    redirect("https://contoso.com/callback", "uses an unsupported scheme (http(s)://host)"),
    redirect("http://localhost", "uses an unsupported scheme (http(s)://host)"),
    redirect("urn:ietf:wg:oauth:2.0:oob", "'urn:ietf:wg:oauth:2.0:oob' is not supported"),
    redirect("contoso:callback", "is missing a host"),
    redirect("contoso://com.contoso.other", "is invalid"),
    redirect(
      "callback", "is missing a scheme",
      more: "\nRegister your scheme in Info.plist under CFBundleURLSchemes.", extension: true),
    Row(
      testDescription: "macOS: a URI without a scheme", change: { $0.redirectURI = "callback" },
      fails: "redirect URI has a scheme", code: -42000, says: "Invalid redirect URI provided",
      platform: .macOS),
    Row(
      testDescription: "macOS: another app's redirect URI",
      change: { $0.redirectURI = "msauth.com.contoso.other://auth" }, fails: "redirect URI is broker-capable",
      code: -42011, says: "The provided redirect URI \(wrongFormat). \(format)", platform: .macOS),
    Row(
      testDescription: "one query scheme is missing", change: { $0.queriesSchemes = ["msauthv2"] },
      fails: "query schemes are registered", code: -42001,
      says: queriesMissing),
    Row(
      testDescription: "a foreign redirect URI comes before the query schemes",
      change: {
        $0.redirectURI = "msauth.com.contoso.other://auth"
        $0.urlSchemes = ["msauth.com.contoso.other"]
        $0.queriesSchemes = []
      }, fails: "redirect URI is broker-capable", code: -42011,
      says: "The provided redirect URI \(wrongFormat). \(format)"),
    Row(
      testDescription: "query schemes come before the team",
      change: {
        $0.queriesSchemes = []
        $0.teamID = ""
      },
      fails: "query schemes are registered", code: -42001,
      says: queriesMissing),
    Row(
      testDescription: "not signed", change: { $0.teamID = "" },
      fails: "team ID can be read from the keychain", code: -42008,
      says: "Failed to retrieve teamId from keychain."),
  ]

  @Test(arguments: made + refused)
  func theObject(_ row: Row) throws {
    var app = Self.app
    row.change(&app)
    let (checks, error) = MSALApplication(app: app, platform: row.platform).checks()
    #expect(checks.filter { $0.verdict == .failed }.map(\.name) == (row.fails.map { [$0] } ?? []))
    #expect(checks.dropLast().allSatisfy { $0.verdict == .passed })
    #expect(error?.internalCode == row.code)
    #expect(error.map(\.code) == row.code.map { _ in -50000 })
    #expect((error?.description ?? "") == row.says)
  }

  /// The SDK derived the redirect URI, so that there is no error to report (docs/behaviour/broker.md §12(5)).
  @Test func aDerivedRedirectURIOfTheOldFormLeavesNeitherObjectNorError() {
    var app = Self.app
    (app.redirectURI, app.urlSchemes) = ("", ["msalclient"])
    let (checks, error) = MSALApplication(app: app).checks()
    #expect(checks.last?.name == "redirect URI is broker-capable" && checks.last?.verdict == .failed)
    #expect(error?.code == 0 && error?.internalCode == nil)
    #expect(error?.printed.hasPrefix("Error Domain=Foundation._GenericObjCError Code=0 ") == true)
    #expect(app.withDefaultRedirectURI(on: .iOS).redirectURI.isEmpty)
  }

  /// Versions 2.7.15 and 4.0.3 of ADAL have a function for scene delegates (docs/behaviour/broker.md §7(1)).
  @Test(arguments: [("2.7.14", false), ("2.7.15", true), ("4.0.2", false), ("4.0.3", true), ("6.0.5", true)])
  func anADALAppWithScenesGetsItsURL(_ version: String, _ arrives: Bool) {
    var app = Self.app
    (app.sdk, app.sdkVersion, app.usesScenes, app.urlForwarding) = (.adal, version, true, .sceneDelegate)
    #expect((URLForwarding.check(of: app).verdict == .passed) == arrives)
  }

  @Test func theyRunInTheOrderOfTheSDK() {
    #expect(
      MSALApplication(app: Self.app).checks().checks.map(\.name) == [
        "authority is well formed", "client ID is given", "redirect URI has no fragment",
        "redirect scheme is registered", "redirect URI is broker-capable", "query schemes are registered",
        "team ID can be read from the keychain",
      ])
  }

  @Test func anExtensionShowsNoSignInButCallsSilently() throws {
    let lab = try SilentLab()
    try lab.perform(EditRecord(.app, record: SilentLab.app, [try FieldChange("isExtension=yes")]))
    let (outcome, _) = try lab.perform(
      SignIn(app: SilentLab.app, account: nil, scopes: [], prompt: .whenRequired))
    #expect(outcome.errorCode == -42405)
    #expect(outcome.summary == "Interaction is not supported in an app extension.")
    #expect(outcome.failedCheck?.name == "not an app extension")
    #expect(try lab.silent().outcome.source == "cache")
  }

  @Test func anAuthorityOfAnotherKindIsRefused() throws {
    let lab = try SilentLab()
    let options = CallOptions(authority: "https://contoso.b2clogin.com/contoso.com/B2C_1_signin")
    let outcomes = [
      try lab.silent(SilentLab.app, options).outcome,
      try lab.perform(
        SignIn(app: SilentLab.app, account: nil, scopes: [], prompt: .whenRequired, options: options)
      ).outcome,
    ]
    for outcome in outcomes {
      #expect(outcome.errorCode == -42000)
      #expect(
        outcome.summary
          == "Unsupported authority type. Please configure MSALPublicClientApplication with the same authority type"
      )
      #expect(outcome.failedCheck?.found == "Azure AD B2C")
    }
  }
}
