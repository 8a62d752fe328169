import Essentials
import SSOCore
import SSODevice

/// The rules for an Android app (docs/behaviour/real-apps.md §2(4), §2(5)).
///
/// They are the checks that MSAL for Android makes when the application object is created, and the comparisons that the
/// broker makes.
struct AndroidRules {
  let facts: AndroidFacts
  let registrations: [RegistrationFacts]
  /// The client ID of an app whose files do not show one.
  var givenClientID: String?

  func checks() -> [DoctorCheck] {
    guard facts.redirectsOfDotNet.isEmpty, facts.clientIDsOfDotNet.isEmpty, facts.misspeltSettings.isEmpty
    else {
      return dotNetClientChecks + dotNetAuthorityChecks + dotNetChecks + dotNetActivityChecks
    }
    let all = facts.configurations.map { configuration in
      let checks = configurationChecks(configuration)
      return facts.isLeftOver(configuration) ? checks.map(\.asQuestion) : checks
    }
    let softened = zip(facts.configurations, all).flatMap { configuration, checks in
      // A build with its own configuration and package name does not have another configuration, and a call may name it.
      facts.hasOwnFilters(configuration) || facts.ownPackageNames(of: configuration) != nil
        || facts.isSurelyMade(configuration) && isMalformed(configuration)
        ? checks : checks.map { $0.softened(among: all) }
    }
    return malformedChecks + softened + modeChecks + misspeltActivityChecks(besides: softened)
      + waitingFilters
      + filterFormChecks + exportedChecks + unexportedChecks + otherBuildChecks + assetChecks + resourceChecks
      + resourceNameChecks + unsetChecks + dependencyChecks
      + scopesChecks
  }

  /// Returns whether a redirect URI names the app's package, and has no form that the broker or the browser can use, so that
  /// it is not that of another build.
  private func isMalformed(_ configuration: AndroidFacts.Configuration) -> Bool {
    guard let uri = configuration.redirectURI?.value, let parts = URLParts(uri),
      facts.packageNames(of: configuration).contains(parts.authority)
    else { return false }
    return hash(of: parts).map { own in
      uri != PlatformDefaults.androidRedirectURI(package: parts.authority, signatureHash: own)
    } ?? true
  }

  /// The finding of a configuration that Dart reads from an asset which the build leaves out.
  private var assetChecks: [DoctorCheck] {
    facts.unlistedAsset.map { asset in
      [
        check(
          .androidConfiguration,
          Check(
            "the asset of the configuration is in the app", expected: asset.value,
            found: "not in pubspec.yaml",
            false, source: "real-apps.md §2"), "pubspec.yaml lacks the configuration", at: asset.place,
          fix: "- \(asset.value)")
      ]
    } ?? []
  }

  /// The package names of all builds.
  private var packageNames: [String] { facts.packageNames }

  func check(
    _ rule: DoctorRule, _ check: Check, _ mistake: String, at place: FilePlace?,
    severity: DoctorCheck.Severity = .fails, _ refusal: DoctorCheck.Refusal? = nil, fix: String? = nil
  ) -> DoctorCheck {
    DoctorCheck(
      rule: rule, subject: facts.name, check: check, mistake: mistake, severity: severity,
      place: place ?? facts.origin, refusal: refusal, fix: fix)
  }

  private func configurationChecks(_ configuration: AndroidFacts.Configuration) -> [DoctorCheck] {
    let waiting = [("client ID", configuration.clientID), ("redirect URI", configuration.redirectURI)]
      .compactMap { name, found in found.flatMap { isWaiting($0.value, name) ? (name, $0) : nil } }
    let isTemplate = [configuration.clientID, configuration.redirectURI].allSatisfy {
      $0.map { $0.value.isEmpty || Placeholders.contain($0.value) } ?? false
    }
    let placeholders = waiting.map { name, found in
      DoctorCheck.placeholder(name, found, subject: facts.name)
    }
    if isTemplate, placeholders.isEmpty, let client = configuration.clientID {
      // All is empty: the template of a project that keeps its values elsewhere.
      return [.placeholder("client ID", Found("", client.place), subject: facts.name)]
    }
    var checks =
      placeholders + authorityChecks(configuration) + spellingChecks(configuration)
      + nativeChecks(configuration) + secretChecks(configuration) + typeChecks(configuration)
    guard placeholders.isEmpty else {
      // The activity is needed whatever the values will be.
      guard facts.activity == nil, facts.usage != nil, !configuration.isNativeAuth,
        configuration.userAgent != "WEBVIEW", let redirect = configuration.redirectURI,
        let parts = URLParts(redirect.value)
      else { return checks }
      return checks + filterChecks(configuration, redirect, parts)
    }
    // A configuration that code does not use may be left over, or a wrapper may add what it lacks.
    if !configuration.isCompletedByCode {
      checks += requiredChecks(configuration).map { facts.usage == nil ? $0.asQuestion : $0 }
    }
    guard !configuration.isNativeAuth else { return checks }
    guard let redirect = configuration.redirectURI, let parts = URLParts(redirect.value) else {
      return checks
    }
    let filter = configuration.userAgent == "WEBVIEW" ? [] : filterChecks(configuration, redirect, parts)
    checks += brokerChecks(configuration, redirect, parts)
    if let own = filter.first(where: { $0.hasFailed && $0.place == redirect.place }),
      let index = checks.firstIndex(where: { $0.rule == .androidRedirect && $0.hasFailed })
    {
      // One mistake of the redirect URI, for the broker and the browser.
      checks[index].severity = own.severity
    } else {
      checks += filter
    }
    checks +=
      [
        encodingCheck(configuration, redirect, parts),
        .tenantCheck(configuration.clientID, authority: configuration.authority, subject: facts.name),
      ].compactMap(\.self)
    if let client = configuration.clientID?.value ?? givenClientID,
      let registration = registrations.of(client)
    {
      checks.append(
        registration.redirectCheck(
          of: redirect.value, usedAs: .publicClient, subject: facts.name, at: redirect.place))
      let place = FilePlace(configuration.path, line: configuration.authoritiesLine)
      checks +=
        configuration.authority.flatMap {
          registration.audienceCheck(of: $0, subject: facts.name, at: place)
        }.map { [$0] } ?? []
    }
    return checks
  }

  private func isWaiting(_ value: String, _ name: String) -> Bool {
    name == "client ID" ? ClientIDForm(value) == .placeholder : Placeholders.contain(value)
  }

  // MARK: msal_config.json

  private func requiredChecks(_ configuration: AndroidFacts.Configuration) -> [DoctorCheck] {
    let place = FilePlace(configuration.path, line: 1)
    let redirect = configuration.redirectURI
    let parts = redirect.flatMap { URLParts($0.value) }
    let redirectCheck = check(
      .androidConfiguration,
      Check(
        "redirect_uri has a scheme and an authority", expected: "msauth://\(packageName)/<signature hash>",
        found: redirect?.value ?? "none", parts.map { !$0.authority.isEmpty } ?? false,
        source: "real-apps.md §2"),
      redirect == nil ? "redirect_uri is missing" : "redirect_uri has no scheme or authority",
      at: redirect?.place ?? place, Self.noRedirect,
      fix: "\"redirect_uri\": \"msauth://\(packageName)/<signature hash>\"")
    // Native authentication needs a redirect URI only for a browser as the fallback.
    let isOptional =
      redirect == nil && (configuration.isNativeAuth || configuration.misspelt["redirect_uri"] != nil)
    let clientCheck = check(
      .androidConfiguration,
      Check(
        "client_id is given", expected: "a client ID", found: configuration.clientID?.value ?? "none",
        configuration.clientID?.value.isEmpty == false, source: "real-apps.md §2"), "client_id is missing",
      at: configuration.clientID?.place ?? place, Self.noClientID)
    return [clientFormCheck(configuration)].compactMap(\.self) + (isOptional ? [] : [redirectCheck])
      + (configuration.misspelt["client_id"] == nil ? [clientCheck] : [])
  }

  private static let noClientID = DoctorCheck.Refusal(
    "IllegalArgumentException", "client_id cannot be null.  Invalid configuration.")
  private static let noRedirect = DoctorCheck.Refusal(
    "IllegalArgumentException", "Invalid, null, or malformed redirect_uri supplied")

  /// The findings of misspelt keys, which MSAL does not read.
  private func spellingChecks(_ configuration: AndroidFacts.Configuration) -> [DoctorCheck] {
    let needsURL = configuration.authorities.contains {
      $0.url == nil && ["B2C", "ADFS", "CIAM"].contains($0.type)
    }
    return configuration.misspelt.compactMap { key in
      let isNeeded: Bool
      switch key.key {
      case "client_id": isNeeded = true
      case "redirect_uri": isNeeded = !configuration.isNativeAuth
      case "authority_url": isNeeded = needsURL
      // ``modeChecks`` reports it.
      case "account_mode" where modeChecks.contains { $0.hasFailed && $0.place == key.written.place }:
        return nil
      default: isNeeded = false
      }
      let refusal =
        key.key == "client_id" ? Self.noClientID : key.key == "redirect_uri" ? Self.noRedirect : nil
      var found = check(
        .androidConfiguration,
        Check(
          "MSAL reads the key", expected: key.key, found: key.written.value, false, source: "real-apps.md §2"),
        key.mistake, at: key.written.place,
        severity: isNeeded && facts.usage != nil ? .fails : .worksInSomeCases, refusal, fix: "\"\(key.key)\":"
      )
      found.misspelt = key
      return found
    }
  }

  /// Returns the check that the provider can know the client ID; AD FS accepts any text.
  private func clientFormCheck(_ configuration: AndroidFacts.Configuration) -> DoctorCheck? {
    guard let client = configuration.clientID, ClientIDForm(client.value) != .empty,
      !configuration.authorities.contains(where: { $0.type == "ADFS" })
    else { return nil }
    return .form(ofClientID: client, named: "client_id", subject: facts.name)
  }

  private static let audiences = [
    "AzureADMyOrg", "AzureADMultipleOrgs", "AzureADandPersonalMicrosoftAccount", "PersonalMicrosoftAccount",
  ]

  private func authorityChecks(_ configuration: AndroidFacts.Configuration) -> [DoctorCheck] {
    let authorities = configuration.authorities
    let place = FilePlace(configuration.path, line: configuration.authoritiesLine)
    var checks: [DoctorCheck] = []
    func valueChecks(_ authorities: [AndroidFacts.Configuration.Authority]) -> [DoctorCheck] {
      [
        userFlowCheck(authorities, at: place), policyCheck(authorities, at: place),
        tenantCheck(authorities, at: place),
      ].compactMap(\.self) + addressChecks(authorities, at: place)
    }
    // No call may ever name an authority that is not the default.
    let isNamed = { (authority: AndroidFacts.Configuration.Authority) in
      authority.isDefault || authorities.count == 1
    }
    checks += valueChecks(authorities.filter(isNamed))
    checks += valueChecks(authorities.filter { !isNamed($0) }).map(\.asQuestion)
    checks += [audienceCheck(authorities, at: place)].compactMap(\.self)
    if authorities.count > 1, !configuration.isNativeAuth {
      let defaults = authorities.count { $0.isDefault }
      checks.append(
        check(
          .defaultAuthority,
          Check(
            "one authority is the default", expected: "1 of \(authorities.count)", found: "\(defaults)",
            defaults == 1, source: "real-apps.md §2"),
          defaults == 0 ? "No authority is the default" : "Several authorities are the default", at: place,
          DoctorCheck.Refusal(
            "IllegalArgumentException", "One authority in your configuration must be marked as default."),
          fix: "\"default\": true"))
    }
    let types = authorities.map(\.type).filter { !Self.types.contains($0) && !Placeholders.contain($0) }
    let audiences = authorities.compactMap(\.audience).filter {
      !Self.audiences.contains($0) && !Placeholders.contain($0)
    }
    // `Authority.getAuthorityUri` of common4j does not have another address for a user flow.
    let isWithoutURL = authorities.contains { $0.type == "B2C" && $0.url == nil }
    if isWithoutURL, configuration.misspelt["authority_url"] == nil {
      checks.append(
        check(
          .authority,
          Check(
            "a B2C authority has its address", expected: "authority_url", found: "none", false,
            source: "real-apps.md §2"), "A B2C authority has no authority_url", at: place,
          fix: "\"authority_url\": \"https://<tenant name>.b2clogin.com/tfp/<tenant>/<policy>/\""))
    }
    for (name, value) in authorities.flatMap({ [("tenant_id", $0.tenant), ("authority_url", $0.url)] }) {
      guard let value, value.isEmpty || Placeholders.contain(value) else { continue }
      checks.append(.placeholder(name, Found(value, place), subject: facts.name))
    }
    return checks + [
      typeCheck(
        "authority", types, of: Self.types, "AAD", at: place,
        "Unrecognized authority type -- null, invalid or unknown type specified."),
      typeCheck(
        "audience", audiences, of: Self.audiences, "AzureADMultipleOrgs", at: place,
        "Unrecognized audience type for AzureActiveDirectoryAuthority -- null, invalid, or unknown type specified"
      ),
    ]
  }

  static let types = ["AAD", "B2C", "ADFS", "CIAM"]

  /// Returns the known type that another one begins with, or of which it is a misspelling.
  private func nearest(to type: String, of known: [String]) -> String? {
    known.first { type.hasPrefix($0) } ?? known.closestSpelling(to: type)
  }

  /// The check that MSAL knows the types of authorities, or of their audiences.
  ///
  /// Source: microsoft-authentication-library-for-android, `PublicClientApplicationConfiguration.validateConfiguration`.
  private func typeCheck(
    _ name: String, _ unknown: [String], of known: [String], _ usual: String, at place: FilePlace,
    _ words: String
  ) -> DoctorCheck {
    check(
      .authority,
      Check(
        "types of \(name) are known", expected: known.joined(separator: ", "),
        found: unknown.isEmpty ? "known" : unknown.joined(separator: ", "), unknown.isEmpty,
        source: "real-apps.md §2"), "A type of \(name) is unknown", at: place,
      DoctorCheck.Refusal("IllegalArgumentException", words),
      fix: "\"type\": \"\(unknown.first.flatMap { nearest(to: $0, of: known) } ?? usual)\"")
  }

  // MARK: The redirect URI

  var packageName: String { facts.packageName?.value ?? "<package name>" }

  /// Returns the base64-encoded SHA-1 hash after the slash, percent-decoded, or `nil` for any other string.
  func hash(of parts: URLParts) -> String? {
    guard let hash = FormEncoding.decodeText(parts.path.dropFirst(), plusIsSpace: false),
      Data(base64Encoded: hash)?.count == 20
    else {
      return nil
    }
    return hash
  }

  private func brokerChecks(
    _ configuration: AndroidFacts.Configuration, _ redirect: Found<String>, _ parts: URLParts
  ) -> [DoctorCheck] {
    // Only Azure AD has a broker.
    guard configuration.authorities.isEmpty || configuration.authorities.contains(where: { $0.type == "AAD" })
    else { return [] }
    let isUsed = facts.usesBroker(configuration)
    var redirectCheck = brokerRedirectCheck(configuration, redirect, parts)
    if isUsed, configuration.isBrokerRegistered == nil, let redirectCheck, redirectCheck.hasFailed,
      redirectCheck.severity != .fails
    {
      // MSAL does not use the broker, which the configuration does not request.
      var check = redirectCheck
      (check.rule, check.mistake) = (.brokerUnused, "The redirect URI does not fit the broker")
      check.refusal = nil
      return [check]
    }
    if redirectCheck?.mistake == Self.otherKeystore, !facts.isSigningKnown {
      // The redirect URI may be that of a build whose keystore is elsewhere.
      redirectCheck = redirectCheck?.asQuestion
    }
    // With the broker, MSAL would reject a redirect URI that does not match it.
    let other = redirectCheck.flatMap { $0.hasFailed ? $0.fix : nil }
    let use = check(
      .brokerUnused,
      Check(
        "broker_redirect_uri_registered", expected: "true", found: isUsed ? "true" : "false", isUsed,
        source: "real-apps.md §2"),
      "The configuration does not use the broker"
        + (other == nil ? "" : ", which its redirect URI does not fit"),
      at: configuration.isBrokerRegistered?.place ?? FilePlace(configuration.path, line: 1),
      severity: .worksInSomeCases,
      fix: (["\"broker_redirect_uri_registered\": true"] + [other].compactMap(\.self)).joined(separator: "\n")
    )
    return isUsed ? [use] + [redirectCheck].compactMap(\.self) : [use]
  }

  private static let otherKeystore = "The redirect URI has another keystore's hash"

  /// Returns the check that a redirect URI is the one for the broker, or `nil` if the package name is not known.
  private func brokerRedirectCheck(
    _ configuration: AndroidFacts.Configuration, _ redirect: Found<String>, _ parts: URLParts
  ) -> DoctorCheck? {
    guard facts.packageName != nil else { return nil }
    let hash = hash(of: parts)
    // If the redirect URI does not have a hash, the filter's is the app's.
    let own = hash ?? filterHash(configuration)
    let signed = facts.signatureHashes + facts.keystoreHashes.map(\.value)
    let hashes = signed.isEmpty ? [own].compactMap(\.self) : signed
    // MSAL compares the hash only if the redirect URI names the package; with another one, it does not use the broker.
    let names = facts.packageNames(of: configuration)
    let package = names.first { $0.lowercased() == parts.authority.lowercased() }
    let isRight =
      package.map { package in
        hashes.contains {
          PlatformDefaults.isAndroid(redirect.value, package: package, signatureHash: $0)
        }
      } ?? false
    // With another package, MSAL does without the broker (`PublicClientApplicationConfiguration.isBrokerRedirectUri`).
    let isOfPackage = package == parts.authority && parts.scheme == "msauth"
    let isOtherKey = hash.map { own in !hashes.contains(own) } ?? false
    let wanted = PlatformDefaults.androidRedirectURI(
      package: package ?? names.first ?? packageName, signatureHash: hashes.first ?? "<signature hash>")
    return check(
      .androidRedirect,
      Check(
        "redirect URI is package name and signature hash", expected: wanted, found: redirect.value, isRight,
        source: "real-apps.md §2"),
      package == nil
        ? "The redirect URI is another package's"
        : parts.scheme != "msauth"
          ? "The redirect URI's scheme is not msauth"
          : isOtherKey && facts.signatureHashes.isEmpty && !signed.isEmpty
            ? Self.otherKeystore : "The redirect URI's signature hash is wrong",
      at: redirect.place,
      severity: isOfPackage ? .fails : .worksInSomeCases,
      isOfPackage
        ? DoctorCheck.Refusal(
          "redirect_uri_validation_error",
          "The redirect URI in the configuration file doesn't match with the one generated with package name and "
            + "signature hash. Please verify the uri in the config file and your app registration in Azure portal."
            + "We expected '\(wanted)' and we received '\(redirect.value)'.") : nil,
      fix: "\"redirect_uri\": \"\(wanted)\"")
  }

  /// The check that each build of the app has a configuration for its package name.
  private var otherBuildChecks: [DoctorCheck] {
    let filled = facts.configurations.filter { configuration in
      facts.usesBroker(configuration)
        && !(configuration.redirectURI.map { Placeholders.contain($0.value) } ?? true)
    }
    let hosts = filled.compactMap { $0.redirectURI.flatMap { URLParts($0.value)?.authority.lowercased() } }
    let missing = facts.otherPackageNames.filter { !hosts.contains($0.value.lowercased()) }
    guard let first = missing.first, packageNames.contains(where: { hosts.contains($0.lowercased()) }) else {
      return []
    }
    return [
      check(
        .androidRedirect,
        Check(
          "each build has a redirect URI", expected: "one for each package name",
          found: "none for \(missing.map(\.value).joined(separator: ", "))", false, source: "real-apps.md §2"),
        "A build has no redirect URI", at: first.place, severity: .worksInSomeCases,
        fix: "\"redirect_uri\": \"msauth://\(first.value)/<signature hash>\"")
    ]
  }

  // MARK: AndroidManifest.xml

  /// The check that the activity of an app with MSAL.NET takes a redirect URI of its code.
  private var dotNetChecks: [DoctorCheck] {
    let all = facts.redirectsOfDotNet.compactMap { found in URLParts(found.value).map { (found, $0) } }
    let taken = all.first { facts.takes($0.1) != false }
    guard let (redirect, parts) = taken ?? all.first, facts.takes(parts) != nil else { return [] }
    let path = parts.decodedPath
    let filter = facts.filters.first
    return [
      check(
        .browserTabActivity,
        Check(
          "BrowserTabActivity takes the redirect URI", expected: redirect.value,
          found: filter.map { "\($0.scheme ?? "")://\($0.host ?? "")\($0.path ?? "")" } ?? "no filter",
          taken != nil, source: "real-apps.md §2"),
        filter == nil
          ? "The app lacks BrowserTabActivity's filter" : "BrowserTabActivity takes another redirect URI",
        at: filter?.place ?? facts.activity ?? redirect.place,
        // With a broker, the browser is used only if the device does not have one.
        severity: facts.mayNeedNoActivity ? .worksInSomeCases : .fails,
        fix: """
          [Activity(Exported = true)]
          [IntentFilter(new[] { Intent.ActionView },
            Categories = new[] { Intent.CategoryBrowsable, Intent.CategoryDefault },
            DataScheme = "\(parts.scheme)", DataHost = "\(parts.authority)"\(path.isEmpty ? "" : ", DataPath = \"\(path)\""))]
          public class MsalActivity : BrowserTabActivity { }
          """)
    ]
  }

  /// The checks of filters for the broker's redirect URI without a redirect URI to match, because a wrapper makes it
  /// from the package name and the signature hash, or because a part of the filter is unknown.
  private var filterFormChecks: [DoctorCheck] {
    let redirects = facts.configurations.compactMap { $0.redirectURI.flatMap { URLParts($0.value) } }
    guard redirects.allSatisfy({ facts.takes($0) == nil }) else { return [] }
    return facts.filters.compactMap(schemeCheck)
      + facts.filters.filter { $0.scheme == "msauth" && $0.waitingPart == nil }.flatMap { filter in
        [pathCheck(filter), hashCheck(filter), redirects.isEmpty ? hostCheck(filter) : nil].compactMap(\.self)
      }
  }

  private func pathCheck(_ filter: AndroidFacts.Filter) -> DoctorCheck? {
    guard let path = filter.path, !AndroidFacts.Filter.isUnknown(path) else { return nil }
    let decoded = FormEncoding.decodeText(path, plusIsSpace: false) ?? path
    let wanted = decoded.hasPrefix("/") ? decoded : "/" + decoded
    return check(
      .browserTabActivity,
      Check(
        "the filter's path is a slash and the hash", expected: wanted, found: path, path == wanted,
        source: "real-apps.md §2"),
      path.hasPrefix("/") ? "The filter's path is encoded" : "The filter's path has no slash before the hash",
      at: filter.place, severity: facts.usage == nil ? .worksInSomeCases : .fails,
      fix: "android:path=\"\(wanted)\"")
  }

  /// The check that a filter has the hash of the keystore with which the build file signs the app.
  private func hashCheck(_ filter: AndroidFacts.Filter) -> DoctorCheck? {
    let hashes = facts.keystoreHashes.map(\.value)
    guard let path = filter.path, isHash(path), let wanted = hashes.first else { return nil }
    return check(
      .browserTabActivity,
      Check(
        "the filter's path is the keystore's hash", expected: hashes.map { "/" + $0 }.joined(separator: ", "),
        found: path, hashes.contains(String(path.dropFirst())), source: "real-apps.md §2"),
      "The filter has another keystore's hash", at: filter.place,
      severity: facts.usage == nil || !facts.isSigningKnown ? .worksInSomeCases : .fails,
      fix: "android:path=\"/\(wanted)\"")
  }

  private func hostCheck(_ filter: AndroidFacts.Filter) -> DoctorCheck? {
    guard facts.packageName != nil, let host = filter.host, !filter.isHostTheApplicationID,
      !AndroidFacts.Filter.isUnknown(host)
    else { return nil }
    return check(
      .browserTabActivity,
      Check(
        "the filter's host is the package name", expected: packageName, found: host,
        packageNames.contains(host), source: "real-apps.md §2"), "The filter's host is another package's",
      at: filter.place,
      severity: facts.redirectMaker != nil && facts.usage != nil ? .fails : .worksInSomeCases,
      facts.redirectMaker == nil ? nil : Self.noFilter, fix: "android:host=\"\(packageName)\"")
  }

  /// The checks for filters of a sample whose placeholders were not replaced.
  private var waitingFilters: [DoctorCheck] {
    facts.filters.compactMap { filter in
      filter.waitingPart.map { part in
        DoctorCheck.placeholder(
          "the filter of BrowserTabActivity", Found(part, filter.place), subject: facts.name)
      }
    }
  }

  /// The check of `android:exported`.
  ///
  /// From API level 31 on, an app with an activity that has a filter cannot be installed without `android:exported`.
  /// MSAL has it in its own manifest, which the build merges, unless the app's activity takes the place of MSAL's.
  ///
  /// Source: microsoft-authentication-library-for-android, `msal/src/main/AndroidManifest.xml`.
  private var exportedChecks: [DoctorCheck] {
    guard let activity = facts.activity, !facts.filters.isEmpty else { return [] }
    let isNeeded = facts.targetSDK.map { $0 >= 31 } ?? false
    return [
      check(
        .browserTabActivity,
        Check(
          "BrowserTabActivity is exported", expected: "android:exported=\"true\"",
          found: facts.isExported.map { "\($0)" } ?? "not said", facts.isExported ?? !isNeeded,
          source: "real-apps.md §2"), "BrowserTabActivity is not exported", at: activity,
        severity: facts.isExported == nil && !facts.filters.contains(where: \.replacesOthers)
          ? .worksInSomeCases : .fails,
        facts.isExported == nil ? Self.notExported : nil,
        fix: "android:exported=\"true\"")
    ]
  }
}

extension DoctorCheck {
  /// Returns a failed check of the redirect URI with a lower severity if another configuration passes it, because only
  /// the call shows which configuration the app uses.
  fileprivate func softened(among all: [[DoctorCheck]]) -> DoctorCheck {
    guard hasFailed, [.androidRedirect, .browserTabActivity].contains(rule),
      all.joined().contains(where: { $0.rule == rule && $0.check.name == self.check.name && !$0.hasFailed })
    else { return self }
    return asQuestion
  }
}

extension AndroidFacts.Filter {
  /// The first part that still contains a placeholder of the sample, or `nil` if all were replaced.
  var waitingPart: String? {
    [scheme, host, path].compactMap(\.self).first { !$0.contains("${") && Placeholders.contain($0) }
  }

  /// Whether a part is a resource or a placeholder whose value is not known.
  var isUnknown: Bool { [scheme, host, path].compactMap(\.self).contains(where: Self.isUnknown) }

  static func isUnknown(_ part: String) -> Bool { part.hasPrefix("@") || part.contains("${") }
}

/// The rules for an Android app.
extension DoctorRule {
  package static let android: [DoctorRule] = [
    .androidConfiguration, .androidRedirect, .browserTabActivity, .defaultAuthority,
  ]
  static let androidConfiguration = DoctorRule(
    "android-configuration", "msal_config.json has what MSAL for Android needs",
    why: "MSAL for Android checks its configuration when the application object is made.")

  package static let androidRedirect = DoctorRule(
    "android-redirect", "Android's redirect URI is made of package name and signature hash",
    why: """
      The broker compares the redirect URI with the package name and signing certificate of the \
      app that calls. Each keystore has another hash.
      """, reports: 7)

  package static let browserTabActivity = DoctorRule(
    "browser-tab-activity", "BrowserTabActivity takes the redirect URI",
    why: """
      The browser hands the answer to the activity whose filter takes the redirect URI: scheme \
      msauth, host the package name, path the hash with a leading slash, not encoded.
      """, reports: 3)

  static let defaultAuthority = DoctorRule(
    "default-authority", "One authority of several is the default",
    why: "With several authorities MSAL for Android must know which one calls use.")
}
