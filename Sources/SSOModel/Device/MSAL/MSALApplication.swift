import SSOCore
import SSOKeychain
import SSOReference

/// The checks that `MSALPublicClientApplication` performs when it is created, in the SDK's order.
///
/// See docs/behaviour/broker.md §12, §1, docs/behaviour/keychain.md §4.
package struct MSALApplication: Sendable {
  /// A requirement for an app; the cases are in the SDK's order.
  package enum Requirement: CaseIterable, Sendable {
    case authority, clientID, fragment, redirectScheme, brokerCapable, querySchemes, teamID
  }

  /// A check, and the error that the app receives if it fails.
  package struct Condition: Sendable {
    package let requirement: Requirement
    package let check: Check
    fileprivate let refusal: @Sendable () -> SDKError

    package var error: SDKError { refusal() }
  }

  private let app: InstalledApp
  private let platform: Platform
  private let authority: Result<Authority, SDKError>
  /// Whether the developer did not specify a redirect URI, so that the SDK looks for one whose scheme is registered.
  private let derivesRedirectURI: Bool

  package init(app: InstalledApp, platform: Platform = .iOS) {
    self.platform = app.platform ?? platform
    let derived = app.derivedRedirectURI(on: self.platform)
    derivesRedirectURI = derived != nil
    var app = app
    app.redirectURI = derived ?? app.redirectURI
    self.app = app
    let library = self.platform.msal
    authority = Result { () throws(SDKError) in try library.authority(of: app) }
  }

  /// All checks that apply to this app, each performed independently, as a reader of the app's files needs them.
  package var conditions: [Condition] { Requirement.allCases.compactMap(condition) }

  /// Returns the checks up to the first that fails, and its error.
  func checks() -> (checks: [Check], error: SDKError?) {
    var checks: [Check] = []
    for case let condition? in Requirement.allCases.lazy.map(condition) {
      checks.append(condition.check)
      if condition.check.verdict == .failed { return (checks, condition.error) }
    }
    return (checks, nil)
  }

  /// Returns the condition for a requirement, or `nil` if it does not apply to this app.
  private func condition(_ requirement: Requirement) -> Condition? {
    let asked =
      switch requirement {
      case .authority: authorityCondition()
      case .clientID: clientCondition()
      // Only Apple's apps have an Info.plist and a keychain; `AndroidRules` covers the other checks of Android's SDK.
      case _ where app.platform?.isApple == false: nil as Asked
      case .fragment: fragmentCondition()
      case .redirectScheme: schemeCondition()
      case .brokerCapable: brokerCapableCondition()
      case .querySchemes: querySchemesCondition()
      case .teamID: teamCondition()
      }
    return asked.map { Condition(requirement: requirement, check: $0.check, refusal: $0.refusal) }
  }

  private func remedy(_ change: String) -> Remedy { Remedy(.app, app.bundleID, change) }

  /// A check, and a closure that creates its error, because most checks pass.
  private typealias Asked = (check: Check, refusal: @Sendable () -> SDKError)?

  /// Returns the condition for the authority.
  ///
  /// It comes first in the real SDK too, because the app needs an `MSALAuthority` before it can create the object
  /// (interactive-call.md §4).
  private func authorityCondition() -> Asked {
    let refusal: SDKError? = if case .failure(let error) = authority { error } else { nil }
    let check =
      refusal.flatMap { _ in app.authorityClassCheck ?? kindCheck }
      ?? Check(
        "authority is well formed", expected: "https://host/tenant",
        found: app.authority.isEmpty ? "none" : app.authority,
        refusal == nil, source: "interactive-call.md §4",
        remedy: remedy("authority=\(app.mendedAuthority(policy: Self.usualPolicy))"),
        failure: "its authority is malformed")
    return (check, { refusal ?? MSALError.make(code: .internalError, "") })
  }

  /// The usual name of a user flow, for an authority without one.
  package static let usualPolicy = "B2C_1_signin"

  /// The failed check that MSAL supports the kind of the authority, or `nil` if it does.
  private var kindCheck: Check? {
    guard platform.isApple, Authority.isADFS(app.authority) || app.authorityClass == .adfs else { return nil }
    return Check(
      "MSAL supports the kind of the authority", expected: "Azure AD, Azure AD B2C, or CIAM",
      found: "\(AuthorityClass.adfs.rawValue) of \(app.authority)", false, source: "interactive-call.md §4",
      remedy: app.authorityClass == .adfs && !Authority.isADFS(app.authority)
        ? remedy("authorityClass=") : remedy("authority=\(PublicCloud.workAuthority)"),
      failure: "MSAL signs users of AD FS in only through Azure AD")
  }

  private func clientCondition() -> Asked {
    let isBlank = app.clientID.allSatisfy(\.isWhitespace)
    return (
      Check(
        "client ID is given", expected: "a client ID", found: isBlank ? "none" : app.clientID, !isBlank,
        source: "broker.md §12", failure: "it has no client ID"),
      {
        MSALError.make(
          code: .invalidParameter, "clientId is a required parameter and must not be nil or empty.")
      }
    )
  }

  private func fragmentCondition() -> Asked {
    let check = Check(
      "redirect URI has no fragment", expected: "no #", found: app.redirectURI,
      !app.redirectURI.contains("#"),
      source: "broker.md §12", failure: "its redirect URI has a fragment")
    return app.redirectURI.isEmpty || !platform.requiresRegisteredScheme
      ? nil
      : (
        check, { MSALError.make(code: .internalError, "RedirectUri MUST NOT include a fragment component.") }
      )
  }

  /// Returns the condition for the redirect scheme, which must match exactly, including its case.
  ///
  /// If the redirect URI is not specified, one of the two defaults must be registered. macOS requires any scheme,
  /// registered or not (`CC/util/mac/MSIDRedirectUriVerifier.m`).
  private func schemeCondition() -> Asked {
    let bypass: String? = app.bypassesRedirectValidation ? "bypassRedirectURIValidation" : nil
    guard platform.requiresRegisteredScheme else {
      return (
        Check(
          "redirect URI has a scheme", expected: "a scheme", found: bypass ?? app.redirectURI,
          bypass != nil || app.redirectScheme != nil, source: "broker.md §12",
          remedy: remedy("redirectURI=\(PlatformDefaults.redirectURI(bundleID: app.bundleID))"),
          failure: "its redirect URI has no scheme"),
        { MSALError.make(code: .invalidParameter, "Invalid redirect URI provided") }
      )
    }
    let registered = app.urlSchemes.isEmpty ? "no schemes" : app.urlSchemes.joined(separator: ", ")
    guard !app.redirectURI.isEmpty else {
      // Without a client ID, the scheme with the client ID is not known.
      let defaults = app.defaultRedirectURIs.compactMap { urlScheme(of: $0) }.filter { $0 != "msal" }
      return (
        Check(
          "a default redirect scheme is registered", expected: defaults.joined(separator: " or "),
          found: bypass ?? registered, bypass != nil, source: "broker.md §12",
          remedy: remedy("urlSchemes+=\(defaults[0])"),
          failure: "its Info.plist does not register a default redirect scheme"),
        { [app] in Self.schemeMissing(defaults[0], app.defaultRedirectURIs[0]) }
      )
    }
    let exemption: String? =
      if app.redirectScheme == "https" {
        "https does not need a scheme"
      } else if app.isExtension {
        "not checked in an app extension"
      } else {
        bypass
      }
    // The redirect URI is another app's: with its scheme registered, the next check fails.
    let isToChange =
      app.urlSchemes.contains(PlatformDefaults.redirectScheme(bundleID: app.bundleID))
      && brokerCapableCondition()?.check.verdict == .failed
    let holds = app.redirectScheme.map { app.urlSchemes.contains($0) } ?? false
    return (
      Check(
        "redirect scheme is registered", expected: app.redirectScheme ?? "a scheme",
        found: exemption
          ?? (app.redirectScheme == nil ? "\(app.redirectURI), which does not have one" : registered),
        exemption != nil || holds, source: "broker.md §12",
        remedy: isToChange
          ? app.brokerCapability.remedy
          : remedy(
            app.redirectScheme.map { "urlSchemes+=\($0)" }
              ?? "redirectURI=\(PlatformDefaults.redirectURI(bundleID: app.bundleID))"),
        failure: app.redirectScheme.map { "its Info.plist does not register the scheme \($0)" }
          ?? "its redirect URI \(app.redirectURI) has no scheme"),
      { [app] in Self.schemeMissing(app.redirectScheme ?? "(null)", app.redirectURI) }
    )
  }

  /// Returns the condition that Azure AD requires since MSAL 2.0.0, except for `consumers`; B2C and CIAM never use a
  /// broker.
  ///
  /// The SDK does not report an error about a redirect URI that it derived: the app gets neither an object nor an error
  /// (broker.md §12(5)).
  private func brokerCapableCondition() -> Asked {
    guard !app.bypassesRedirectValidation, !app.redirectURI.isEmpty, app.needsBrokerCapableRedirectURI
    else { return nil }
    return (app.brokerCapability, { [self] in derivesRedirectURI ? MSALError.nilObject : redirectInvalid })
  }

  private func querySchemesCondition() -> Asked {
    guard platform.brokerCall != nil, app.brokerUse == .auto, app.brokerCapability.verdict == .passed,
      !app.isExtension
    else { return nil }
    let wanted = PlatformDefaults(platform).queriesSchemes
    let missing = wanted.filter { !app.queriesSchemes.contains($0) }
    return (
      Check(
        "query schemes are registered", expected: wanted.joined(separator: ", "),
        found: app.queriesSchemes.isEmpty ? "none" : app.queriesSchemes.joined(separator: ", "),
        missing.isEmpty, source: "broker.md §1",
        remedy: remedy("queriesSchemes+=\(wanted.joined(separator: ","))"),
        failure: "its LSApplicationQueriesSchemes lacks \(missing.joined(separator: " and "))"),
      { Self.querySchemesMissing }
    )
  }

  /// Returns the condition for the team ID, which the cache requires.
  ///
  /// Whether the app is entitled to the access group shows only on the first read or write (keychain.md §4).
  private func teamCondition() -> Asked {
    (
      Check(
        "team ID can be read from the keychain", expected: "a team ID",
        found: app.teamID.isEmpty ? "none: the app is not signed" : app.teamID, !app.teamID.isEmpty,
        source: "keychain.md §4", remedy: remedy("teamID=\(Self.exampleTeam)"),
        failure: "it is not signed by a team"),
      { MSALError.make(code: .internalError, "Failed to retrieve teamId from keychain.") }
    )
  }

  private static let exampleTeam = "ABCDE12345"

  // MARK: The SDK's error messages

  private static func schemeMissing(_ scheme: String, _ uri: String) -> SDKError {
    MSALError.make(
      code: .redirectSchemeNotRegistered,
      """
      The required app scheme "\(scheme)" is not registered in the app's info.plist file. Please add "\(scheme)" \
      into Info.plist under CFBundleURLSchemes without any whitespaces and make sure that redirectURi "\(uri)" \
      is register in the portal for your app.
      """)
  }

  private static var querySchemesMissing: SDKError {
    MSALError.make(
      code: .redirectSchemeNotRegistered,
      """
      The required query schemes "msauthv2" and "msauthv3" are not registered in the app's info.plist file. \
      Please add "msauthv2" and "msauthv3" into Info.plist under LSApplicationQueriesSchemes without any whitespaces.
      """)
  }

  private var redirectInvalid: SDKError {
    let scheme = app.redirectScheme ?? ""
    let host = URLParts(app.redirectURI)?.authority ?? ""
    let cause =
      if scheme == "http" || scheme == "https" {
        "uses an unsupported scheme (http(s)://host)"
      } else if app.redirectURI.hasPrefix("msauth"), host == "auth" {
        "uses MSAL format (msauth.<bundle_id>://auth) but the bundle ID does not match the app’s bundle ID"
      } else if app.redirectURI.hasPrefix("msauth") {
        "uses MSAL scheme (msauth.<bundle_id>) but is missing the required host component \"auth\""
      } else if scheme.isEmpty {
        "is missing a scheme"
      } else if app.redirectURI == "urn:ietf:wg:oauth:2.0:oob" {
        "'urn:ietf:wg:oauth:2.0:oob' is not supported"
      } else {
        host.isEmpty ? "is missing a host" : "is invalid"
      }
    let more = scheme.isEmpty ? "\nRegister your scheme in Info.plist under CFBundleURLSchemes." : ""
    return MSALError.make(
      code: .invalidRedirectURI,
      """
      The provided redirect URI \(cause). Please ensure the redirect URI follows the valid format: \
      msauth.\(app.bundleID)://auth\(more)
      """)
  }
}

extension InstalledApp {
  /// Returns the authority without its mistake: with `https`, with the policy that B2C needs, or that of all accounts.
  package func mendedAuthority(policy: String) -> String {
    if let secureAuthority { return secureAuthority }
    let path = URLParts(authority)?.path.split(separator: "/") ?? []
    guard path.count == 2, path[0].lowercased() == "tfp" else { return PublicCloud.commonAuthority }
    return (authority.hasSuffix("/") ? String(authority.dropLast()) : authority) + "/" + policy
  }

  /// The authority with `https`, or `nil` if that is not its mistake.
  fileprivate var secureAuthority: String? {
    guard let parts = URLParts(authority), parts.scheme.lowercased() == "http" else { return nil }
    let secure = "https" + authority.dropFirst(parts.scheme.count)
    return (try? Authority(secure)) == nil ? nil : secure
  }

  /// The check that code creates the authority with the class of its kind, or `nil` if the class is not known or fits.
  var authorityClassCheck: Check? {
    guard let (check, error) = authorityClass?.check(of: authority, by: bundleID), error != nil else {
      return nil
    }
    return check
  }
}

extension InstalledApp {
  /// The full access group that the SDK was configured with (keychain.md §4).
  ///
  /// Where apps cannot share a cache, it is the app's own identifier, whatever is configured.
  package var sharedAccessGroup: String {
    fullAccessGroup(
      builtDefaults.hasSharedCache ? keychainSharingGroup : nil, teamID: teamID, bundleID: bundleID)
  }

  /// MSAL for the app's platform.
  var msal: any MSALLibrary { builtDefaults.platform.msal }

  /// The authority that MSAL creates for the app, or `nil` if MSAL refuses its URL.
  package var msalAuthority: Authority? { try? msal.authority(of: self) }

  /// Whether the app's entitlements contain that group.
  package var isEntitled: Bool { entitledGroups.contains(sharedAccessGroup) }
}
