import Essentials
import SSOCore
import SSODevice
import SSOProvider
import SSOReference
import SafeText

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

/// The rules for the authority with which an iOS or macOS app creates the application object.
extension AppleRules {
  func authorityChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard let place = (facts.source?.authority.found ?? facts.source?.patternedAuthority?.url)?.place else {
      return []
    }
    let classes = classChecks + hostChecks
    // Nothing else is known about an authority that the SDK does not create.
    guard !classes.contains(where: \.hasFailed) else { return classes }
    let setUp = SetUpChecks(of: app)
    if facts.source?.hasUnknownKnownAuthorities == false, let (check, error) = setUp.validation {
      return classes + [
        self.check(
          .authority, check, "knownAuthorities lacks the B2C authority", at: place, error,
          fix: "config.knownAuthorities = [authority]")
      ]
    }
    guard let (check, error) = setUp.instance else { return classes }
    return classes + [
      self.check(
        .authority, check, "The authority's host is not known", at: place, error,
        fix: "https://\(PublicCloud.preferredNetwork)/"
          + (app.msalAuthority?.tenant ?? "common"))
    ] + [tenantCheck(app)].compactMap(\.self)
  }

  /// The findings of hosts that are misspellings of Entra's, which an app may declare as known, and of which code may have
  /// others than the app's own authority.
  private var hostChecks: [DoctorCheck] {
    (facts.source?.typedAuthorities ?? []).compactMap { made in
      let host = Authority.host(in: made.url.value)
      guard !host.isEmpty, !Placeholders.contain(host), let meant = EntraHost.meant(by: host),
        meant.hasSuffix(".b2clogin.com") || made.url != facts.source?.authority.found
      else { return nil }
      return check(
        .authority,
        Check(
          "the authority's host is one of Entra's", expected: meant, found: host, false,
          source: "interactive-call.md §4"), "The authority's host is mistyped", at: made.url.place,
        fix: made.url.value.replacing(host, with: meant))
    }
  }

  /// The finding of a tenant that is neither an ID nor a domain, or `nil`.
  private func tenantCheck(_ app: InstalledApp) -> DoctorCheck? {
    guard facts.hasBroker != false, let name = EntraTenant.impossible(in: app.authority) else { return nil }
    var found = check(
      .authority,
      Check(
        "the authority's path is the tenant", expected: "an ID, a domain, or common", found: name, false,
        source: "real-apps.md §2"), "The tenant is neither an ID nor a domain",
      at: facts.source?.authorityParts.first { $0.value.lowercased() == name }?.place
        ?? facts.source?.authority.place,
      fix: "https://\(Authority.host(in: app.authority))/<tenant ID or domain>")
    found.refusal = EntraTenant.refusal(of: name)
    return found
  }

  /// The checks of authorities that are created with `MSALAADAuthority`, which accepts only URLs of Azure AD, and with
  /// `MSALB2CAuthority`, which never uses a broker.
  var classChecks: [DoctorCheck] {
    let made = facts.source?.typedAuthorities ?? []
    return made.compactMap { made in
      let ownClass = AuthorityClass(rawValue: made.className)
      if ownClass == .b2c { return policyCheck(made) }
      guard let (check, error) = ownClass?.check(of: made.url.value) else { return nil }
      return self.check(
        .authority, check, "The authority is made with another kind's class", at: made.url.place, error,
        fix: Authority.isADFS(made.url.value)
          ? check.expected
          : "\(check.expected)(url: \(made.isPattern ? "url" : "URL(string: \"\(made.url.value)\")!"))")
    }
  }

  /// The check that a B2C authority has a policy, without which the tenant's own pages answer at Entra's hosts, and none
  /// at B2C's (AzureAD/microsoft-identity-web#456).
  private func policyCheck(_ made: SourceFacts.TypedAuthority) -> DoctorCheck? {
    guard let parts = URLParts(made.url.value) else { return nil }
    let path = parts.path.split(separator: "/")
    let isLong = PublicCloud.aliases.contains(parts.host.lowercased()) || path.first?.lowercased() == "tfp"
    var refusal: SDKError?
    do throws(SDKError) { _ = try Authority(made.url.value) } catch { refusal = error }
    let isCertain = !made.isPattern && (refusal != nil || parts.host.lowercased().hasSuffix(".b2clogin.com"))
    return check(
      .authority,
      Check(
        "a B2C authority has a tenant and a policy", expected: "https://<host>/tfp/<tenant>/<policy>",
        found: made.url.value, path.count >= (isLong ? 3 : 2), source: "interactive-call.md §4"),
      "The B2C authority lacks its tenant or policy", at: made.url.place,
      severity: isCertain ? .fails : .worksInSomeCases, isCertain ? refusal : nil,
      fix: "https://<tenant>.b2clogin.com/tfp/<tenant>.onmicrosoft.com/<policy>")
  }
}

/// The rules that compare the keychain group of the SDK with the entitlements.
extension AppleRules {
  func keychainChecks(_ app: InstalledApp) -> [DoctorCheck] {
    if let missing = facts.missingEntitlements { return [fileCheck(missing)] }
    guard let group = facts.sharingGroup else { return [] }
    // Without a team, the prefix that the group needs is not known: ``teamChecks(_:)`` reports that.
    guard !facts.isBuilt || facts.platform == .iOS || facts.teamID != nil else { return [] }
    // A signature has the team ID where the source has a variable.
    let isSigned = facts.source == nil && facts.teamID != nil
    let wanted = isSigned ? app.sharedAccessGroup : "$(AppIdentifierPrefix)" + group
    // If the files do not contain a team, compare the prefix in its place, on both sides.
    var signed = app
    if signed.teamID.isEmpty { signed.teamID = "$(AppIdentifierPrefix)".replacing("$", with: "") }
    var (check, error) = SetUpChecks(of: signed).entitlement
    check.expected = wanted
    switch facts.entitlements {
    case .unread: return []
    case .none(let place, let unused):
      check.found = unused.map { "no file is named; \($0) is not used" } ?? "no entitlements"
      let file = unused ?? "\(facts.name)/\(facts.name).entitlements"
      let fix =
        // The build of .NET uses the file beside Info.plist.
        fileName(place.path) == "Info.plist"
        ? "\(folder(of: place.path))/Entitlements.plist:\n"
          + Self.arrayLines("keychain-access-groups", [wanted], isThere: false)
        : "CODE_SIGN_ENTITLEMENTS = \(file);"
      guard check.verdict == .passed, unused != nil else {
        let mistake = unused == nil ? "The app has no entitlements" : "The entitlements file is not used"
        return [
          self.check(
            .keychainGroup, check, mistake, at: place,
            severity: isOnlyNamed || isOfKotlin ? .worksInSomeCases : .fails,
            error,
            fix: fix)
        ]
      }
      // The app's own group does not need an entitlement, but the file does not take effect as intended.
      check.name = "the entitlements file is used"
      check.verdict = .failed
      return [
        self.check(
          .keychainGroup, check, "The entitlements file is not used", at: place, severity: .worksInSomeCases,
          fix: fix)
      ]
    case .groups(let list, let place):
      check.found =
        list.map { $0.values.isEmpty ? "no groups" : $0.values.joined(separator: ", ") } ?? "no groups"
      return [
        respelt(
          self.check(
            .keychainGroup, check, "The entitlements lack the SDK's keychain group", at: list?.place ?? place,
            severity: mayHaveChosen(list) || isOnlyNamed || isOfKotlin || list?.hasUnknownItem == true
              ? .worksInSomeCases : .fails, error,
            fix: Self.arrayLines(
              "keychain-access-groups", [wanted], isThere: list?.items.isEmpty == false)),
          "keychain-access-groups")
      ].map { check in
        guard check.hasFailed, check.misspelt == nil, mayHaveChosen(list) else { return check }
        var check = check
        check.unseenValue =
          app.sdk == .adal ? "defaultKeychainSharingGroup" : "keychainSharingGroup of cacheConfig"
        check.check.found += ", which \(check.unseenValue ?? "") in code may name"
        return check
      }
    }
  }

  /// The check of an entitlements file that a build setting names, without which Xcode builds nothing.
  private func fileCheck(_ missing: Found<String>) -> DoctorCheck {
    let group = facts.sharingGroup ?? "<group of the code>"
    let lines = Self.arrayLines(
      "keychain-access-groups", ["$(AppIdentifierPrefix)" + group], isThere: false)
    return check(
      .keychainGroup,
      Check(
        "the entitlements file is there", expected: missing.value, found: "no file", false,
        source: "real-apps.md §2"), "The entitlements file is missing", at: missing.place,
      fix: "\(missing.value):\n\(lines)")
  }

  /// Whether the app's code names MSAL's types and does not create an application object, as in a test that replaces
  /// MSAL.
  private var isOnlyNamed: Bool {
    guard let source = facts.source, facts.library == nil, facts.sdk == .msal else { return false }
    return !source.makesApplication && !source.isNativeAuth && source.clientID == .absent
  }

  /// Whether Kotlin that is not read sets up MSAL, which may use the app's own group.
  private var isOfKotlin: Bool { facts.library?.value == "MSAL" && facts.source?.makesApplication != true }

  /// Whether the app's code, which was not read, may let the SDK use one of these groups in place of the default.
  private func mayHaveChosen(_ groups: FoundList?) -> Bool {
    facts.source == nil && !facts.isBuilt && facts.wrapperBrokerUse == nil
      && groups?.values.isEmpty == false
  }
}

/// The rules for the Intune SDK, which creates an application object of MSAL with its own settings.
extension AppleRules {
  /// Returns the check of the application object that the Intune SDK creates with the redirect URI in its own settings.
  func intuneChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard let intune = facts.intune, let given = intune.redirectURI ?? intune.redirectScheme else {
      return []
    }
    var own = app
    own.redirectURI =
      intune.redirectURI?.value ?? intune.redirectScheme.map { "\($0.value)://\(app.bundleID)" } ?? ""
    own.clientID = intune.clientID?.value ?? app.clientID
    let fix =
      "<key>ADALRedirectUri</key>\n<string>\(PlatformDefaults.redirectURI(bundleID: app.bundleID))</string>"
    let conditions = MSALApplication(app: own, platform: facts.platform).conditions
    // ``setUpChecks(_:)`` makes this check if the app's own code creates the object.
    let isChecked = facts.querySchemes == nil || !facts.checksQuerySchemes || !facts.hasUnknownRedirect
    let queries = conditions.filter { $0.requirement == .querySchemes && !isChecked }.map { checked($0, own) }
    let redirects = conditions.filter { [.redirectScheme, .brokerCapable].contains($0.requirement) }
    guard let failed = redirects.first(where: { $0.check.verdict == .failed }) ?? redirects.last else {
      return queries
    }
    var check = failed.check
    check.name = "Intune: " + check.name
    let mistake =
      failed.requirement == .redirectScheme
      ? "Intune's redirect scheme is not registered" : "Intune's redirect URI is not broker-capable"
    return [self.check(.intuneRedirect, check, mistake, at: given.place, failed.error, fix: fix)] + queries
  }
}

extension DoctorRule {
  package static let intuneRedirect = DoctorRule(
    "intune-redirect", "Intune's redirect URI is one that the app can use",
    why: """
      The Intune SDK signs in with the redirect URI of IntuneMAMSettings, which is checked like \
      the app's own.
      """, reports: 2)
}

/// The lines that repair an iOS or macOS app.
extension AppleRules {
  static func stringLine(_ text: String) -> String { "<string>\(Escaping.xml.signs(in: text))</string>" }

  static func schemeLines(_ scheme: String, isListed: Bool) -> String {
    isListed
      ? stringLine(scheme)
      : "<key>CFBundleURLTypes</key>\n<array>\n  <dict>\n    <key>CFBundleURLSchemes</key>\n    <array>\n"
        + "      \(stringLine(scheme))\n    </array>\n  </dict>\n</array>"
  }

  static func arrayLines(_ key: String, _ values: [String], isThere: Bool) -> String {
    let lines = values.map(stringLine)
    return isThere
      ? lines.joined(separator: "\n")
      : (["<key>\(key)</key>", "<array>"] + lines.map { "  " + $0 } + ["</array>"]).joined(separator: "\n")
  }

  /// Returns lines of a property list as the file that makes the list has them.
  static func lines(_ fix: String, for place: FilePlace?) -> String {
    guard let path = place?.path, path.hasSuffix(".yml") || path.hasSuffix(".yaml") else { return fix }
    let isList = fix.hasPrefix("<string>")
    let outer = isList ? "array" : "dict"
    let whole = "<plist><\(outer)>\(fix)</\(outer)></plist>"
    guard let list = try? PropertyListReader.read(Data(whole.utf8)) else { return fix }
    return list.linesOfYAML.joined(separator: "\n")
  }

  /// Returns the lines of a delegate, in the language of the file to which they belong.
  func callbackLines(_ app: InstalledApp, at place: FilePlace?) -> String {
    guard app.sdk == .msal else { return "ADAuthenticationContext.handleADALResponse(url)" }
    if place.flatMap({ SourceLanguage($0.path) }) == .objectiveC { return objectiveCLines(app) }
    if facts.source?.swiftUIApp != nil {
      return
        ".onOpenURL { url in\n  _ = MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil)\n}"
    }
    return app.usesScenes
      ? "func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {\n"
        + "  guard let context = contexts.first else { return }\n"
        + "  MSALPublicClientApplication.handleMSALResponse(\n"
        + "    context.url, sourceApplication: context.options.sourceApplication)\n}"
      : "func application(\n  _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]\n"
        + ") -> Bool {\n  MSALPublicClientApplication.handleMSALResponse(\n"
        + "    url, sourceApplication: options[.sourceApplication] as? String)\n}"
  }

  private func objectiveCLines(_ app: InstalledApp) -> String {
    let head =
      app.usesScenes
      ? "- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)contexts {\n"
        + "  UIOpenURLContext *context = contexts.anyObject;\n"
      : "- (BOOL)application:(UIApplication *)app openURL:(NSURL *)url options:(NSDictionary *)options {\n"
    let call =
      app.usesScenes
      ? "  [MSALPublicClientApplication handleMSALResponse:context.URL\n"
        + "                                sourceApplication:context.options.sourceApplication];\n}"
      : "  return [MSALPublicClientApplication handleMSALResponse:url\n"
        + "             sourceApplication:options[UIApplicationOpenURLOptionsSourceApplicationKey]];\n}"
    return head + call
  }
}

extension PropertyListNode {
  fileprivate var linesOfYAML: [String] {
    if let array {
      return array.flatMap { element in
        let lines = element.linesOfYAML
        return lines.prefix(1).map { "- " + $0 } + lines.dropFirst().map { "  " + $0 }
      }
    }
    if let dictionary {
      return dictionary.flatMap { entry in
        [entry.key + ":"] + entry.value.linesOfYAML.map { "  " + $0 }
      }
    }
    return [string ?? bool.map { $0 ? "true" : "false" } ?? ""]
  }
}
