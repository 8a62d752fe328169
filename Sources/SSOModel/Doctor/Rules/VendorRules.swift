import SSOCore

/// Another vendor's sign-in library; an app's files alone show some of the mistakes in its use.
///
/// Each row cites the library's own source or documentation.
package struct Vendor: Hashable, Sendable {
  /// A Flutter or React Native package that brings in the library.
  struct Wrapper: Hashable, Sendable {
    var name: String
    /// The first version that leaves the filter to the library's own manifest: `[2, 9]` is 2.9.
    var since: [Int] = []
  }

  /// The name in every output, such as `AppAuth`.
  package let name: String
  let rule: DoctorRule
  /// The library's artifact on Android, without the version, and its former names.
  var artifacts: [String] = []
  /// The first version with the placeholders: `[0, 4]` is 0.4.
  var since: [Int] = []
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
  /// Other modules that read the library's property list.
  var otherModules: [String] = []

  struct Placeholder: Hashable, Sendable {
    var name: String
    var attribute: String
  }

  /// The placeholder for the scheme of the redirect URI.
  var schemeName: String { placeholders.first { $0.attribute == "scheme" }?.name ?? "" }

  /// Source: AppAuth-Android, `library/AndroidManifest.xml`, which has the placeholder since 0.4.0, its README, and `Configuration` of its demo app;
  /// flutter_appauth and react-native-app-auth, README.
  static let appAuth = Vendor(
    name: "AppAuth", rule: .appAuthRedirect, artifacts: ["net.openid:appauth"], since: [0, 4],
    wrappers: [Wrapper(name: "flutter_appauth"), Wrapper(name: "react-native-app-auth")],
    placeholders: [Placeholder(name: "appAuthRedirectScheme", attribute: "scheme")],
    activity: "net.openid.appauth.RedirectUriReceiverActivity", foreignKeys: ["scopes", "issuer_uri"],
    modules: ["AppAuth", "AppAuthCore"])

  /// Source: Auth0.Android, `auth0/src/main/AndroidManifest.xml` and its README; react-native-auth0, README.
  static let auth0 = Vendor(
    name: "Auth0", rule: .auth0Callback, artifacts: ["com.auth0.android:auth0"], since: [2],
    wrappers: [Wrapper(name: "auth0_flutter"), Wrapper(name: "react-native-auth0", since: [2, 9])],
    placeholders: [
      Placeholder(name: "auth0Domain", attribute: "host"),
      Placeholder(name: "auth0Scheme", attribute: "scheme"),
    ], activity: "com.auth0.android.provider.RedirectActivity", modules: ["Auth0"], otherModules: ["Lock"])

  /// Source: okta-oidc-android, `library/src/main/AndroidManifest.xml`, `OIDCConfig`, and CHANGELOG; okta-oidc-ios and
  /// okta-mobile-swift, `Package.swift`.
  static let okta = Vendor(
    name: "Okta", rule: .oktaConfiguration,
    artifacts: ["com.okta.android:okta-oidc-android", "com.okta.android:oidc-androidx"],
    wrappers: [Wrapper(name: "@okta/okta-react-native")],
    placeholders: [Placeholder(name: "appAuthRedirectScheme", attribute: "scheme")],
    activity: "com.okta.oidc.OktaRedirectActivity", foreignKeys: appAuthKeys,
    modules: ["OktaOidc", "WebAuthenticationUI", "BrowserSignin", "OktaOAuth2", "OAuth2Auth"],
    otherModules: ["OktaAuthNative", "OktaStorage", "AuthFoundation", "OktaDirectAuth", "OktaIdx"])

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

  /// Source: dotnet/maui, `WebAuthenticator.android.cs`.
  static let webAuthenticator = Vendor(name: "WebAuthenticator", rule: .webAuthenticator)

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
    /// The dependency on the library that is misspelt or a comment.
    var missingDependency: Found<String>?
    /// The build type or flavour that has no value of a placeholder, with the place of the others.
    var lackingVariant: Found<String>?
    /// The placeholders of the app's own manifest that no build file sets.
    var unset: [Unset] = []
    /// The misspelt name of the placeholders' map.
    var misnamed: Found<String>?
    /// The string resources that the build or the code names, and that no file declares.
    var undeclared: [Undeclared] = []
    /// Whether a file of the project says that resources are not published.
    var isWithheld = false
    /// The keys that a configuration lacks.
    var lackingKeys: [LackingKey] = []
    /// The package names of all builds, the app's own first.
    var packageNames: [String] = []
    var packageName: String? { packageNames.first }
    /// The hosts that code gives to Auth0's library.
    var domains: [Found<String>] = []
    /// The client IDs that code gives to it.
    var clientIDs: [Found<String>] = []
    /// The schemes of which a wrapper takes one by itself, with the place that names it.
    var usualSchemes: Found<[String]>?
    /// The scheme that it takes, with a variable of the build.
    var wrapperScheme: String?
    /// The redirect URIs of the library's configuration files: each build may have its own.
    var redirectURIs: [Found<String>] = []
    /// The addresses of the provider in the configuration files.
    var issuers: [Found<String>] = []
    /// The issuers to which a library adds the path of the metadata.
    var bases: [Found<String>] = []
    /// The redirect URIs of code without a scheme.
    var bareURIs: [Found<String>] = []
    /// The redirect URIs with which a session ends.
    var signOutURIs: [Found<String>] = []
    /// The place where a component asks for a wrapper's context, which no component provides.
    var unprovidedUse: FilePlace?
    /// Whether the app's manifest declares the library's activity.
    var hasOwnActivity = false
    /// The hosts of the pages whose address the filters of that activity take, or none if one of them is not known.
    var pageHosts: Set<String> = []
    /// Whether code asks Android for the activity that takes the redirect URI of the configuration.
    var isSchemeCompared = false
    /// Whether code names the configuration file.
    var isConfigurationNamed = false
    /// The schemes of all filters of the app's own manifest.
    var manifestSchemes: Set<String> = []
    var isKotlinScript = false
    /// Whether code of a wrapper asks on which platform it runs.
    var isPerPlatform = false
    /// Whether code of a wrapper signs in.
    var isCalled = false
    /// The manifest that lacks the filter which the app has to declare itself.
    var lackingFilter: FilePlace?
    /// The path of that filter.
    var callbackPath: Found<String>?
    /// Whether the values are those of an Expo plugin, from which Expo makes the build.
    var isOfPlugin = false
  }

  /// A placeholder in a manifest of the app, without a value.
  struct Unset: Hashable, Sendable {
    var name: String
    /// The attribute that it fills in, such as `scheme`.
    var attribute: String
    var place: FilePlace

    /// Creates the first placeholder of an attribute's value, or `nil` if Gradle itself sets all.
    init?(_ attribute: String, of value: String, at place: FilePlace) {
      guard let start = value.firstRange(of: "${")?.upperBound,
        let end = value[start...].firstIndex(of: "}"), case let name = String(value[start..<end]),
        !["applicationId", "packageName", "applicationName"].contains(name)
      else { return nil }
      (self.name, self.attribute, self.place) = (name, attribute, place)
    }
  }

  /// A string resource that no file declares.
  struct Undeclared: Hashable, Sendable {
    var name: Found<String>
    /// The declared name that resembles it.
    var nearest: String?
  }

  /// A key that a configuration needs and lacks.
  struct LackingKey: Hashable, Sendable {
    var name: String
    /// Whether it is there with an empty value.
    var isThere: Bool
    var misspelt: MisspeltKey?
    var place: FilePlace
  }

  /// A property list with the library's configuration.
  package struct List: Hashable, Sendable {
    var values: [String: Found<String>]
    /// The place where code asks Auth0's library for an https callback, which belongs to an associated domain.
    var secureCallback: FilePlace?
    /// The associated domains of all entitlements, such as `webcredentials:contoso.auth0.com`, or `nil` without one.
    var domains: FoundList?
    /// The place where code reads the list, if the project's file shows that no app has it.
    var unbundledUse: FilePlace?
    /// Whether code imports the library, and every call of it is a comment.
    var isUncalled = false
    /// Whether code signs in with a page in a browser, which needs a redirect URI.
    var usesBrowser = false
  }

  /// The client of Google Sign-In and the URL schemes of the app.
  package struct Client: Hashable, Sendable {
    var clientID: Found<String>
    /// Whether it comes from Info.plist, where the library reads it, and not from GoogleService-Info.plist.
    var isConfigured: Bool
    var schemes: FoundList
  }

  /// The redirect URIs of an app with .NET's WebAuthenticator on Android.
  package struct Callback: Hashable, Sendable {
    var redirects: [Found<String>] = []
    /// The filters of the activities that receive the answer; `@` is a part that is not known.
    var filters: [AndroidFacts.Filter] = []
    /// The activity that receives the answer.
    var activity: FilePlace?
    /// The domains and the client IDs that code gives to Auth0's library.
    var domains: [Found<String>] = []
    var clientIDs: [Found<String>] = []
  }

  package enum Kind: Hashable, Sendable {
    case module(Module)
    case callback(Callback)
    case list(List)
    case client(Client)
    /// The place where code signs in with Google without a client ID, and the file and the key that lack it.
    case noClient(use: FilePlace, lacking: String, near: Found<String>?)
    /// The client IDs of `google-services.json` for an Android app.
    case services(Services)
    /// The sandbox of a macOS app, without outgoing connections; a wrapper or a sample creates it even for an app that is
    /// never built.
    case sandbox(mayBeLeftOver: Bool)
    /// The settings of a program on a server.
    case server(Server)
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
    /// The client IDs that code gives to the library for its server, and which are not of the type Web.
    var wrongClients: [Found<String>] = []
  }

  /// The name of the app with the vendor's, by which checks refer to it.
  package var name: String
  package var vendor: Vendor
  package var origin: FilePlace
  var kind: Kind

  /// The settings of a program on a server, or `nil` for an app.
  var server: Server? { if case .server(let server) = kind { server } else { nil } }
}

/// The rules for other vendors' libraries, to the extent that files alone decide them.
struct VendorRules {
  let facts: VendorFacts
  var registrations: [RegistrationFacts] = []

  func checks() -> [DoctorCheck] {
    switch facts.kind {
    case .module(let module): moduleChecks(module)
    case .callback(let callback): callbackChecks(callback)
    case .list(let list): listChecks(list).map { list.isUncalled ? $0.asQuestion : $0 }
    case .client(let client): clientChecks(client)
    case .noClient(let use, let lacking, let near): [noClientCheck(use, lacking, near)]
    case .services(let services): servicesChecks(services)
    case .server(let server): serverChecks(server)
    case .sandbox(let mayBeLeftOver):
      [
        .outgoingConnections(
          of: facts.name, isCutOff: true, at: facts.origin,
          severity: mayBeLeftOver ? .worksInSomeCases : .fails
        )
      ]
    }
  }

  func check(
    _ name: String, expected: String, found: String, _ holds: Bool, _ mistake: String, at place: FilePlace,
    severity: DoctorCheck.Severity = .fails, _ refusal: DoctorCheck.Refusal? = nil, fix: String? = nil
  ) -> DoctorCheck {
    DoctorCheck(
      rule: facts.vendor.rule, subject: facts.name,
      check: Check(name, expected: expected, found: found, holds, source: "real-apps.md §2"),
      mistake: mistake,
      severity: severity, place: place, refusal: refusal, fix: fix)
  }

  private func servicesChecks(_ services: VendorFacts.Services) -> [DoctorCheck] {
    let found = services.wanted.filter { services.packageNames.contains($0) }
    var checks: [DoctorCheck] = []
    if let first = services.wanted.first {
      checks.append(
        check(
          "google-services.json has the app's package", expected: first,
          found: services.packageNames.isEmpty ? "none" : services.packageNames.joined(separator: ", "),
          !found.isEmpty, "google-services.json is of other packages", at: facts.origin,
          DoctorCheck.Refusal(
            "No matching client found", "No matching client found for package name '\(first)'"),
          fix: "\"package_name\": \"\(first)\""))
    }
    if let use = services.webClientUse {
      checks.append(
        check(
          "google-services.json has a Web client", expected: "an oauth_client with client_type 3",
          found: services.hasWebClient ? "one" : "none", services.hasWebClient,
          "There is no default_web_client_id", at: use,
          DoctorCheck.Refusal("Unresolved reference", "Unresolved reference: default_web_client_id")))
    }
    return checks
      + services.wrongClients.map { client in
        check(
          "the server's client is of the type Web", expected: "the ID of a Web client", found: client.value,
          false,
          "The client ID is not one of a Web client", at: client.place,
          DoctorCheck.Refusal("DEVELOPER_ERROR", "DEVELOPER_ERROR"))
      }
  }
}

extension DoctorRule {
  /// The rules for other vendors' libraries.
  package static let vendors: [DoctorRule] = [
    .appAuthRedirect, .auth0Callback, .oktaConfiguration, .googleSignIn, .webAuthenticator,
  ]

  static let appAuthRedirect = DoctorRule(
    "appauth-redirect", "AppAuth's activity takes the redirect URI",
    why: """
      AppAuth's own manifest has the filter of the activity that receives the answer, with a placeholder for the \
      scheme. Without a value the build fails, and with another one the browser does not come back to the app.
      """)

  static let auth0Callback = DoctorRule(
    "auth0-callback", "Auth0's library finds its domain and its callback",
    why: """
      Auth0's manifest on Android has placeholders for domain and scheme of the callback, and its library for iOS \
      reads Auth0.plist. Without them the build fails, or the app crashes when it signs in.
      """)

  static let oktaConfiguration = DoctorRule(
    "okta-configuration", "Okta's library finds its configuration and its callback",
    why: """
      Okta's manifest on Android has a placeholder for the scheme of the redirect URI, and its library for iOS \
      reads Okta.plist, which it rejects if a value is missing.
      """)

  static let googleSignIn = DoctorRule(
    "google-sign-in", "Google Sign-In finds its client and its URL scheme",
    why: """
      The library for iOS raises an exception unless the reversed client ID is a URL scheme of the app. On Android \
      the build takes the client of the app's package name from google-services.json.
      """)

  package static let webAuthenticator = DoctorRule(
    "web-authenticator", "An activity takes the callback of .NET's WebAuthenticator",
    why: """
      On Android the browser returns to the activity whose filter takes the callback's scheme. Without one, \
      WebAuthenticator throws before it opens the browser.
      """)
}
