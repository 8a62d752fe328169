import SSOCore

/// Another vendor's sign-in library; an app's files alone show some of the mistakes in its use.
///
/// Each row cites the library's own source or documentation.
package struct Vendor: Hashable, Sendable {
  /// A Flutter or React Native package that brings in the library.
  struct Wrapper: Hashable, Sendable {
    var name: String
    /// The first major version that leaves the filter to the library's own manifest.
    var major = 0
  }

  /// The name in every output, such as `AppAuth`.
  package let name: String
  let rule: DoctorRule
  /// The library's artifact on Android, without the version, and its former names.
  var artifacts: [String] = []
  /// The first major version with the placeholders.
  var major = 0
  var wrappers: [Wrapper] = []
  /// The placeholders of the library's manifest, each with the attribute of `<data>` that it fills in.
  var placeholders: [Placeholder] = []
  /// The activity with the placeholders, which an app's manifest may replace.
  var activity = ""
  /// The keys of other libraries' JSON configurations that this library's lacks, or `nil` if the library reads no JSON
  /// configuration.
  var foreignKeys: [String]?
  /// The library's modules for Apple's platforms, as code imports them.
  var modules: [String] = []

  struct Placeholder: Hashable, Sendable {
    var name: String
    var attribute: String
  }

  /// The placeholder for the scheme of the redirect URI.
  var schemeName: String { placeholders.first { $0.attribute == "scheme" }?.name ?? "" }

  /// Source: AppAuth-Android, `library/AndroidManifest.xml`, its README, and `Configuration` of its demo app;
  /// flutter_appauth and react-native-app-auth, README.
  static let appAuth = Vendor(
    name: "AppAuth", rule: .appAuthRedirect, artifacts: ["net.openid:appauth"],
    wrappers: [Wrapper(name: "flutter_appauth"), Wrapper(name: "react-native-app-auth")],
    placeholders: [Placeholder(name: "appAuthRedirectScheme", attribute: "scheme")],
    activity: "net.openid.appauth.RedirectUriReceiverActivity", foreignKeys: ["scopes", "issuer_uri"],
    modules: ["AppAuth", "AppAuthCore"])

  /// Source: Auth0.Android, `auth0/src/main/AndroidManifest.xml` and its README; react-native-auth0, README.
  static let auth0 = Vendor(
    name: "Auth0", rule: .auth0Callback, artifacts: ["com.auth0.android:auth0"], major: 2,
    wrappers: [Wrapper(name: "auth0_flutter"), Wrapper(name: "react-native-auth0", major: 3)],
    placeholders: [
      Placeholder(name: "auth0Domain", attribute: "host"),
      Placeholder(name: "auth0Scheme", attribute: "scheme"),
    ], activity: "com.auth0.android.provider.RedirectActivity", modules: ["Auth0"])

  /// Source: okta-oidc-android, `library/src/main/AndroidManifest.xml`, `OIDCConfig`, and CHANGELOG; okta-oidc-ios and
  /// okta-mobile-swift, `Package.swift`.
  static let okta = Vendor(
    name: "Okta", rule: .oktaConfiguration,
    artifacts: ["com.okta.android:okta-oidc-android", "com.okta.android:oidc-androidx"],
    wrappers: [Wrapper(name: "@okta/okta-react-native")],
    placeholders: [Placeholder(name: "appAuthRedirectScheme", attribute: "scheme")],
    activity: "com.okta.oidc.OktaRedirectActivity", foreignKeys: appAuthKeys,
    modules: ["OktaOidc", "WebAuthenticationUI", "BrowserSignin", "OktaOAuth2", "OAuth2Auth"])

  /// Source: okta-sdk-appauth-android, README, which brings AppAuth with its manifest.
  static let oktaAppAuth = Vendor(
    name: "Okta", rule: .oktaConfiguration, artifacts: ["com.okta.android:appauth-android"],
    placeholders: appAuth.placeholders, activity: appAuth.activity, foreignKeys: appAuthKeys)

  /// The keys of AppAuth's configuration that Okta's lacks.
  private static let appAuthKeys = [
    "authorization_scope", "authorization_endpoint_uri", "token_endpoint_uri",
  ]

  /// Source: okta-mobile-kotlin, `web-authentication-ui/src/main/AndroidManifest.xml` and its README.
  static let oktaWeb = Vendor(
    name: "Okta", rule: .oktaConfiguration, artifacts: ["com.okta.kotlin:web-authentication-ui"],
    placeholders: [Placeholder(name: "webAuthenticationRedirectScheme", attribute: "scheme")],
    activity: "com.okta.webauthenticationui.RedirectActivity")

  /// Source: GoogleSignIn-iOS, `GIDSignIn.m` and `GIDSignInCallbackSchemes.m`.
  static let google = Vendor(name: "Google Sign-In", rule: .googleSignIn, modules: ["GoogleSignIn"])

  /// The libraries whose manifest the build of an Android app merges.
  static let android: [Vendor] = [.appAuth, .auth0, .okta, .oktaAppAuth, .oktaWeb]

  /// The libraries for Apple's platforms.
  static let apple: [Vendor] = [.appAuth, .auth0, .okta, .google]
}

/// A use of a vendor's library in one app.
package struct VendorFacts: Hashable, Sendable {
  /// An Android app's build, manifest, and configuration.
  package struct Module: Hashable, Sendable {
    /// The placeholders that no build file sets.
    var missing: [String] = []
    /// The values of placeholders that are literals: each build may have its own.
    var values: [String: [Found<String>]] = [:]
    var packageName: String?
    /// The redirect URIs of the library's configuration files: each build may have its own.
    var redirectURIs: [Found<String>] = []
    /// The addresses of the provider in the configuration files.
    var issuers: [Found<String>] = []
    /// Whether code names the configuration file.
    var isConfigurationNamed = false
    /// The schemes of all filters of the app's own manifest.
    var manifestSchemes: Set<String> = []
    var isKotlinScript = false
  }

  /// A property list with the library's configuration.
  package struct List: Hashable, Sendable {
    var values: [String: Found<String>]
    /// The keys that are there, whatever their type.
    var keys: Set<String>
    /// The place where code asks Auth0's library for an https callback, which belongs to an associated domain.
    var secureCallback: FilePlace?
    /// The associated domains of all entitlements, such as `webcredentials:contoso.auth0.com`, or `nil` without one.
    var domains: FoundList?
  }

  /// The client of Google Sign-In and the URL schemes of the app.
  package struct Client: Hashable, Sendable {
    var clientID: Found<String>
    /// Whether it comes from Info.plist, where the library reads it, and not from GoogleService-Info.plist.
    var isConfigured: Bool
    var schemes: FoundList
  }

  package enum Kind: Hashable, Sendable {
    case module(Module)
    case list(List)
    case client(Client)
    /// The client IDs of `google-services.json` for an Android app.
    case services(Services)
    /// The sandbox of a macOS app, without outgoing connections; a wrapper creates it even for an app that is never
    /// built.
    case sandbox(isOfWrapper: Bool)
  }

  /// The clients of `google-services.json` that the app needs.
  package struct Services: Hashable, Sendable {
    /// The package names of its clients.
    var packageNames: [String]
    /// The package names of the app's builds.
    var wanted: [String]
    /// Whether it has a client of the type Web for the app, from which the build makes `default_web_client_id`.
    var hasWebClient: Bool
    /// The place where code uses `R.string.default_web_client_id`, if no file of the app declares it.
    var webClientUse: FilePlace?
  }

  /// The name of the app with the vendor's, by which checks refer to it.
  package var name: String
  package var vendor: Vendor
  package var origin: FilePlace
  var kind: Kind
}
