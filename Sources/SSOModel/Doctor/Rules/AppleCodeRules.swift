import SSOCore
import SSODevice
import SSOProvider

/// The rules for values that code gives to the SDK in addition to those of the application object: for native
/// authentication, requests, and MSAL.NET.
extension AppleRules {
  // MARK: The redirect URI

  /// The check of a redirect URI of the form that MSAL for Android has: `msauth://<package>/<signature hash>`.
  func platformCheck(_ app: InstalledApp, _ unlisted: MSALApplication.Condition) -> DoctorCheck {
    let uri = PlatformDefaults.redirectURI(bundleID: app.bundleID)
    return check(
      .redirectURI,
      Check(
        "the redirect URI is for iOS and macOS", expected: uri, found: app.redirectURI, false,
        source: "broker.md §1"), "The redirect URI is that of Android",
      at: facts.source?.redirectURI.place, unlisted.error, fix: uri)
  }

  /// Returns whether the redirect URI has the scheme of another bundle ID, which the app does not register, where MSAL
  /// does not ask for the broker's form: before version 2, and for `consumers`.
  ///
  /// Registering the scheme would only hide the mistake: the SDK would not use the broker.
  func hasForeignRedirect(_ app: InstalledApp) -> Bool {
    guard facts.source?.redirectURI.found != nil, facts.urlSchemes != nil, facts.hasBroker != false,
      facts.platform.requiresRegisteredScheme, facts.source?.isNativeAuth != true, !facts.isExtension,
      app.bundleID != AppleFacts.bundleIDVariable, !app.bypassesRedirectValidation,
      let scheme = urlScheme(of: app.redirectURI), scheme.hasPrefix("msauth."),
      scheme != PlatformDefaults.redirectScheme(bundleID: app.bundleID), !app.urlSchemes.contains(scheme)
    else { return false }
    let conditions = MSALApplication(app: app, platform: facts.platform).conditions
    return !conditions.contains { $0.requirement == .brokerCapable }
  }

  /// The finding of such a redirect URI, with the error of its scheme.
  func foreignRedirectCheck(_ app: InstalledApp, _ unlisted: MSALApplication.Condition) -> DoctorCheck {
    check(
      capabilityRule(app), app.brokerCapability, "The redirect URI is another app's",
      at: facts.source?.redirectURI.place, unlisted.error,
      fix: PlatformDefaults.redirectURI(bundleID: app.bundleID))
  }

  func codeChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard app.sdk == .msal else { return [] }
    let checks = [subdomainCheck, challengeCheck, continuationCheck].compactMap(\.self) + scopesChecks
    return checks + (facts.redirectsOfDotNet.isEmpty ? [] : [dotNetSchemeCheck].compactMap(\.self))
  }

  /// The check that the tenant's subdomain is one label of a host: the SDK adds `https://` and `.ciamlogin.com`.
  ///
  /// Source: microsoft-authentication-library-for-objc, `MSALNativeAuthAuthorityProvider.swift`.
  private var subdomainCheck: DoctorCheck? {
    guard let source = facts.source, let subdomain = source.tenantSubdomain.found, !subdomain.value.isEmpty,
      !Placeholders.contain(subdomain.value)
    else { return nil }
    let host = URLParts(subdomain.value)?.host ?? subdomain.value
    let label = host.prefix { $0 != "." && $0 != "/" }
    return check(
      .authority,
      Check(
        "the tenant's subdomain is one label", expected: "\(label)", found: subdomain.value,
        source.authorityOfSubdomain != nil, source: "real-apps.md §2"),
      "The tenant subdomain is more than a subdomain", at: subdomain.place,
      fix: "tenantSubdomain: \"\(label)\"")
  }

  /// Returns the findings of misspelt keys that other findings do not mention.
  ///
  /// Whether the app needs the key may depend on code that was not read, or on the kind of its authority.
  func misspeltChecks(beside others: [DoctorCheck]) -> [DoctorCheck] {
    let rules: [(key: String, rule: DoctorRule)] = [
      ("CFBundleURLTypes", .urlScheme), ("CFBundleURLSchemes", .urlScheme),
      ("LSApplicationQueriesSchemes", .querySchemes), ("keychain-access-groups", .keychainGroup),
    ]
    return rules.compactMap { key, rule in
      // The SDK asks an app extension for neither list of schemes.
      guard let misspelt = facts.misspelt[key], !facts.isExtension || rule == .keychainGroup,
        !others.contains(where: { $0.hasFailed && $0.rule == rule })
      else { return nil }
      let spelling = Check(
        "the system knows the key", expected: key, found: misspelt.written.value, false,
        source: "real-apps.md §2")
      return respelt(
        check(
          rule, spelling, misspelt.mistake, at: misspelt.written.place, severity: .worksInSomeCases), key)
    }
  }

  /// The finding of C# code that lets MSAL.NET call the broker and does not hand back the URL of the answer.
  ///
  /// Source: microsoft-authentication-library-for-dotnet, `Platforms/iOS/AuthenticationContinuationHelper.cs`.
  private var continuationCheck: DoctorCheck? {
    guard facts.platform == .iOS, let place = facts.lackingContinuation else { return nil }
    let name = "AuthenticationContinuationHelper.SetAuthenticationContinuationEventArgs"
    return check(
      .callback,
      Check(
        "OpenUrl hands the broker's answer to MSAL.NET", expected: name, found: "no call", false,
        source: "real-apps.md §2"), "The app delegate does not forward the URL", at: place,
      severity: .worksInSomeCases,
      fix: """
        public override bool OpenUrl(UIApplication app, NSUrl url, NSDictionary options)
        {
          \(name)(url);
          return base.OpenUrl(app, url, options);
        }
        """)
  }

  /// The finding of native authentication without a challenge type: the SDK then offers only `redirect`, so that each
  /// call sends the user to the browser.
  ///
  /// Source: microsoft-authentication-library-for-objc, `MSALNativeAuthInternalConfiguration.swift`.
  private var challengeCheck: DoctorCheck? {
    guard let place = facts.source?.noChallenges else { return nil }
    return check(
      .nativeAuth,
      Check(
        "native authentication has a challenge type", expected: "OOB, password", found: "none", false,
        source: "real-apps.md §2"), "Native authentication has no challenge types", at: place,
      fix: "challengeTypes: [.OOB, .password]")
  }

  /// The findings of requests with scopes that the SDK adds itself and therefore rejects.
  ///
  /// Source: microsoft-authentication-library-common-for-objc, `MSIDRequestParameters.m`.
  private var scopesChecks: [DoctorCheck] {
    (facts.source?.scopes ?? []).compactMap { list in
      guard let error = SilentFlow.reservedScopeError(list.values) else { return mistakenScopesCheck(list) }
      let own = list.values.filter { !SilentFlow.isReserved($0) }
      return check(
        .requestScopes,
        Check(
          "a request has no reserved scopes", expected: "scopes of a resource",
          found: list.values.joined(separator: " "), false, source: "silent-call.md §1"),
        "The scopes of a request are reserved ones", at: list.place, error,
        fix: own.isEmpty ? nil : RequestScopesMistake.literal(own))
    }
  }

  /// Returns the finding of scopes that Entra refuses, or `nil`.
  ///
  /// MSAL redeems the code with all scopes of the request, so they are of one API (`MSIDTokenRequestProvider`).
  private func mistakenScopesCheck(_ list: FoundList) -> DoctorCheck? {
    guard let mistake = facts.refusal(ofScopes: list.values) else { return nil }
    var check = check(
      .requestScopes,
      Check(
        mistake.requirement, expected: mistake.expected, found: mistake.found, false,
        source: "real-apps.md §2"), mistake.title, at: list.place,
      fix: RequestScopesMistake.literal(mistake.right))
    check.refusal = mistake.refusal
    return check
  }

  /// The check that Info.plist has the scheme of a redirect URI of C# code.
  ///
  /// Without it, only a broker's response is lost; the browser's session knows the scheme (`SystemWebUI.cs`). An app
  /// that registers another scheme of MSAL expects the response.
  private var dotNetSchemeCheck: DoctorCheck? {
    guard facts.platform == .iOS, !facts.isExtension, let listed = facts.urlSchemes,
      !listed.values.contains(where: { $0.contains("$(") }),
      facts.wrapperBrokerUse == .auto
        || listed.values.contains(where: { $0.hasPrefix("msal") || $0.hasPrefix("msauth") })
    else { return nil }
    let schemes = facts.redirectsOfDotNet.compactMap { urlScheme(of: $0.value) }
    let known = Set(listed.values.map { $0.lowercased() })
    guard let scheme = schemes.first else { return nil }
    return check(
      .urlScheme,
      Check(
        "the scheme of the redirect URI is registered", expected: scheme,
        found: listed.values.isEmpty ? "no schemes" : listed.values.joined(separator: ", "),
        schemes.contains { known.contains($0.lowercased()) }, source: "real-apps.md §2"),
      "CFBundleURLTypes lacks the redirect scheme", at: listed.place, severity: .worksInSomeCases,
      fix: Self.schemeLines(scheme, isListed: false))
  }
}

extension DoctorRule {
  package static let nativeAuth = DoctorRule(
    "native-auth", "Native authentication has challenge types and an account mode that fit",
    why: """
      The SDK offers the challenge types to the provider and refuses types that it does not know. On Android it also \
      needs account_mode SINGLE and one authority of the type CIAM.
      """)
}
