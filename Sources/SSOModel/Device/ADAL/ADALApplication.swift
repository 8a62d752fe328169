import SSOCore
import SSOKeychain
import SSOReference

/// ADAL's checks before an interactive call, and its choice between broker and web view.
///
/// See docs/behaviour/broker.md §1, §12; claim B4.
package struct ADALApplication {
  let app: InstalledApp

  package init(app: InstalledApp) { self.app = app }

  /// Returns the checks of every interactive call with `AD_CREDENTIALS_AUTO`, even if there is no broker.
  ///
  /// `AD_CREDENTIALS_EMBEDDED` skips them. The checks end with the first that fails, whose error is returned.
  package func checks() -> (checks: [Check], error: SDKError?) {
    guard app.brokerUse == .auto else { return ([], nil) }
    let (checks, error) = redirectChecks
    guard error == nil, app.adalVersion.asksForNonceCapableBroker else { return (checks, error) }
    let wanted = app.builtDefaults.queriesSchemes
    let query = Check(
      "query schemes are registered", expected: wanted.joined(separator: ", "),
      found: app.queriesSchemes.isEmpty ? "none" : app.queriesSchemes.joined(separator: ", "),
      wanted.allSatisfy(app.queriesSchemes.contains), source: "broker.md §1",
      remedy: Remedy(.app, app.bundleID, "queriesSchemes+=\(wanted.joined(separator: ","))"),
      failure: "its Info.plist lacks the broker's query schemes")
    return (checks + [query], query.verdict == .passed ? nil : ADALError.querySchemesMissing)
  }

  /// The checks of `validBrokerRedirectUri:` up to the first that fails, and error 501 if one does.
  var redirectChecks: (checks: [Check], error: SDKError?) {
    let scheme = app.redirectScheme ?? ""
    let host = URLParts(app.redirectURI)?.authority ?? ""
    var checks = [
      Check(
        "redirect URI has the bundle ID as host", expected: app.bundleID,
        found: host.isEmpty ? app.redirectURI : host, host == app.bundleID, source: "broker.md §12",
        remedy: (app.urlSchemes.first ?? app.redirectScheme).map {
          Remedy(.app, app.bundleID, "redirectURI=\($0)://\(app.bundleID)")
        }, failure: "the host of its redirect URI is not its bundle ID")
    ]
    guard checks.last?.verdict == .passed else { return (checks, ADALError.redirectURIInvalid) }
    checks.append(
      Check(
        "redirect scheme is registered", expected: scheme,
        found: app.urlSchemes.isEmpty ? "no schemes" : app.urlSchemes.joined(separator: ", "),
        app.urlSchemes.contains(scheme), source: "broker.md §12",
        remedy: Remedy(.app, app.bundleID, "urlSchemes+=\(scheme)"),
        failure: "its Info.plist does not register the scheme \(scheme)"))
    return (checks, checks.last?.verdict == .passed ? nil : ADALError.redirectURIInvalid)
  }

  /// Returns all conditions for using the broker, in order, whether or not they hold (broker.md §1).
  ///
  /// AD FS authorities never use the broker.
  func brokerDecision(on device: Device, installed: [InstalledApp]) -> [Check] {
    let checks = [
      Check(
        "credentials type", expected: "AD_CREDENTIALS_AUTO", found: credentialsType,
        app.brokerUse == .auto, source: "claim B4", remedy: Remedy(.app, app.bundleID, "brokerUse=auto"),
        failure: "its credentials type is \(credentialsType)"),
      Check(
        "authority is Azure AD", expected: "not AD FS", found: app.authority, !app.adalAuthority.isADFS,
        source: "broker.md §1", failure: "its authority is an AD FS"),
      Check(
        "not an app extension", expected: "an app",
        found: app.isExtension ? "an app extension" : "an app",
        !app.isExtension, source: "broker.md §1", failure: "it is an app extension"),
    ]
    return checks + device.brokerReach(app.builtDefaults.brokerSchemes, of: app, installed: installed)
  }

  /// The `credentialsType` as ADAL's header names it; embedded is ADAL's default.
  var credentialsType: String { app.brokerUse == .auto ? "AD_CREDENTIALS_AUTO" : "AD_CREDENTIALS_EMBEDDED" }
}

extension ADALRequest {
  /// Returns error 100 for the first missing argument, which ADAL checks before anything else (errors.md §3), or `nil`.
  func argumentError(_ app: InstalledApp) -> SDKError? {
    for (name, value) in [("resource", resource), ("clientId", app.clientID)]
    where value.allSatisfy(\.isWhitespace) {
      var error = ADALError.invalidArgument(name, value)
      error.failedCheck = Check(
        "\(name) is given", expected: "a value", found: "none", false, source: "errors.md §3",
        failure: "\(name) is missing")
      return error
    }
    return nil
  }
}

extension ADALError {
  static let redirectURIInvalid = ADALError.make(
    .tokenBrokerInvalidRedirectURI,
    """
    Your AuthenticationContext is configured to allow brokered authentication but your redirect URI is not setup \
    properly. Make sure your redirect URI is in the form of <app-scheme>://<bundle-id> (e.g. \
    "x-msauth-testapp://com.microsoft.adal.testapp") and that the "app-scheme" you choose is registered in your \
    application's info.plist.
    """)
  static let querySchemesMissing = ADALError.make(
    .developerInvalidArgument,
    """
    The required query schemes "msauth" and "msauthv3" are not registered in the app's info.plist file. Please \
    add "msauth" and "msauthv3" into Info.plist under LSApplicationQueriesSchemes without any whitespaces.
    """)
}

/// An authority URL as ADAL sees it, with the names that it may have in the cache (docs/behaviour/adal.md §1, §4).
package struct ADALAuthority: Hashable {
  /// The URL as the developer typed it.
  var url: String
  var version: ADALVersion

  var path: [String] { URLParts(url)?.path.split(separator: "/").map(String.init) ?? [] }
  var host: String { (URLParts(url)?.authority ?? "").lowercased() }
  package var tenant: String { path.first ?? "common" }
  package var isADFS: Bool { tenant.lowercased() == "adfs" }
  /// The scheme and host that requests are sent to.
  var origin: String { "https://" + host }
  /// The host under which everything is stored: the preferred cache, or the host itself if it has no known aliases.
  package var environment: String { EnvironmentAliases.publicCloud.preferredCache(for: host) }
  /// The hosts of the unified cache, with the preferred cache first.
  package var environments: [String] { EnvironmentAliases.publicCloud.candidates(for: host) }

  /// The authority under which tokens are stored.
  ///
  /// It has the preferred-cache host and the tenant of the request, with `organizations` as `common`. Before 2.5.2, and
  /// for AD FS, it is the URL exactly as typed.
  package var stored: String {
    guard version.knowsAliases, !isADFS else { return url }
    return Self.cached(host: environment, tenant: tenant)
  }

  /// The authorities under which tokens are looked up, in order (adal.md §5).
  package var candidates: [String] {
    guard version.knowsAliases, !isADFS else { return [url] }
    return environments.map { Self.cached(host: $0, tenant: tenant) }
  }

  static func cached(host: String, tenant: String) -> String {
    "https://\(host)/\(tenant.lowercased() == "organizations" ? "common" : tenant)"
  }
}

extension InstalledApp {
  package var adalAuthority: ADALAuthority { ADALAuthority(url: authority, version: adalVersion) }
}

/// A version of ADAL, with the features of its generation (docs/behaviour/adal.md §4, docs/behaviour/broker.md §1, §4).
package struct ADALVersion: Hashable, Comparable {
  private let number: SDKVersion

  init(_ text: String) { number = SDKVersion(text) }

  /// The version as it was written.
  package var text: String { number.text }

  package static func < (a: Self, b: Self) -> Bool { a.number < b.number }

  /// Whether family refresh tokens are supported, since 2.2.
  package var knowsFamilies: Bool { self >= ADALVersion("2.2") }
  /// Whether authority aliases are known, since 2.5.2.
  ///
  /// Before that, each host has its own part of the cache.
  var knowsAliases: Bool { self >= ADALVersion("2.5.2") }
  /// Whether unified refresh tokens and accounts, `client_info=1`, and `homeAccountId` are used, since 2.7.
  package var isUnified: Bool { self >= ADALVersion("2.7") }
  /// Whether the app asks for `msauthv3` in addition to `msauth`, and the broker receives a nonce and an app token.
  ///
  /// This applies to 2.7.14 and later versions 2, and to 4.0.2 and later (built with the iOS 13 SDK).
  var asksForNonceCapableBroker: Bool { isSince("4.0.2", or: "2.7.14") }
  /// Whether a scene delegate can call `handleADALResponse:sourceApplication:` (docs/behaviour/broker.md §7(1)).
  package var supportsScenes: Bool { isSince("4.0.3", or: "2.7.15") }

  /// Returns whether the version has a change that came to the newest versions and to versions 2 at the same time.
  private func isSince(_ newest: String, or second: String) -> Bool {
    self >= ADALVersion(newest) || (self >= ADALVersion(second) && self < ADALVersion("3"))
  }
}

extension InstalledApp {
  package var adalVersion: ADALVersion { ADALVersion(sdkVersion) }
  /// The resource that an ADAL app requests; version 1 has one resource where MSAL has scopes.
  package var resource: String { scopes.first ?? "" }
}
