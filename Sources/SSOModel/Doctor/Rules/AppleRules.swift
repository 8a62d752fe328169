/// The rules for an iOS or macOS app, which are applied to the facts from its files.
///
/// The conditions are the SDK's, as they apply to the lab's own apps: an app is created from the facts and then
/// checked.
struct AppleRules {
  let facts: AppleFacts
  /// The client ID that the user specified, for apps whose files do not contain one.
  let givenClientID: String?
  let registrations: [RegistrationFacts]

  func checks() -> [DoctorCheck] {
    guard let app = facts.installedApp(clientID: givenClientID) else { return [] }
    let placeholders = placeholderChecks
    let waiting = Set(placeholders.map(\.place))
    let source = facts.source
    func isReady(_ found: Found<String>?) -> Bool { found.map { !waiting.contains($0.place) } ?? true }
    let isFilled =
      isReady(source?.redirectURI.found) && isReady(facts.bundleID) && isReady(facts.clientID)
    var checks = placeholders
    if isFilled {
      checks += setUpChecks(app) + brokerChecks(app) + intuneChecks(app)
    }
    if isReady(facts.bundleID) { checks += keychainChecks(app) + callbackChecks(app) }
    if isReady(source?.authority.found) { checks += authorityChecks(app) }
    checks += teamChecks(app)
    if isFilled { checks += RegistrationRules(app, facts, subject: subject, registrations).checks() }
    return checks
  }

  var subject: String { facts.subject }

  func check(
    _ rule: DoctorRule, _ check: Check, at place: FilePlace?, severity: DoctorCheck.Severity = .fails,
    _ error: SDKError? = nil, fix: String? = nil
  ) -> DoctorCheck {
    DoctorCheck(
      rule: rule, subject: subject, check: check, severity: severity, place: place ?? facts.origin,
      refusal: error.map(DoctorCheck.Refusal.init), fix: fix)
  }

  // MARK: Not filled in

  private var placeholderChecks: [DoctorCheck] {
    let values: [(name: String, found: Found<String>?)] = [
      ("bundle ID", facts.bundleID), ("client ID", facts.clientID),
      ("redirect URI", facts.source?.redirectURI.found), ("authority", facts.source?.authority.found),
    ]
    let waiting = values.filter { $0.found?.value != AppleFacts.bundleIDVariable }.compactMap { name, found in
      found.flatMap { Placeholders.contain($0.value) || $0.value.isEmpty ? (name, $0) : nil }
    }
    return waiting.map { name, found in
      check(
        .placeholder,
        Check(
          "\(name) is the app's own", expected: "the app's own",
          found: found.value.isEmpty ? "nothing" : found.value,
          false, source: "real-apps.md §1"), at: found.place, severity: .notFilledIn)
    }
  }

  // MARK: Creation of the application object

  private func setUpChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard app.sdk == .msal else { return legacySetUpChecks(app) }
    let conditions = MSALApplication(app: app, platform: facts.platform).conditions.filter(isKnown)
    // If the redirect URI has to change, check the scheme of the new one.
    let hasToChange = conditions.contains {
      $0.requirement == .brokerCapable && $0.check.verdict == .failed
    }
    let scheme = PlatformDefaults.redirectScheme(bundleID: app.bundleID)
    let isListed = app.urlSchemes.contains(scheme)
    let unlisted = conditions.first { $0.requirement == .redirectScheme && $0.check.verdict == .failed }
    return conditions.compactMap { condition in
      guard hasToChange else { return judged(condition, app) }
      switch condition.requirement {
      case .redirectScheme: return isListed ? nil : judged(condition, app, scheme: scheme)
      // The SDK checks the scheme first, so it prints that error.
      case .brokerCapable: return judged(condition, app, error: isListed ? unlisted?.error : nil)
      default: return judged(condition, app)
      }
    }
  }

  /// Returns whether the files that decide a condition were read.
  private func isKnown(_ condition: MSALApplication.Condition) -> Bool {
    let hasUnknownRedirect = facts.hasUnknownRedirect
    switch condition.requirement {
    case .authority: return facts.source != nil
    case .clientID: return facts.clientID != nil || givenClientID != nil
    case .fragment: return !hasUnknownRedirect
    // The macOS broker accepts it from programs without a team: ``teamChecks(_:)``.
    case .brokerCapable: return !hasUnknownRedirect && facts.givenRedirectURI != Self.unsignedRedirectURI
    case .redirectScheme:
      return !hasUnknownRedirect && (facts.urlSchemes != nil || !facts.platform.requiresRegisteredScheme)
    case .querySchemes: return !hasUnknownRedirect && facts.querySchemes != nil
    case .teamID: return false
    }
  }

  /// Returns the check of a condition.
  ///
  /// `wanted` is the scheme to register, if not the redirect URI's. `printed` is the error, if not the condition's.
  private func judged(
    _ condition: MSALApplication.Condition, _ app: InstalledApp, scheme wanted: String? = nil,
    error printed: SDKError? = nil
  ) -> DoctorCheck {
    let uri = PlatformDefaults.redirectURI(bundleID: app.bundleID)
    let redirect = facts.source?.redirectURI.place
    let code = facts.source?.clientID.place ?? facts.source?.sdk?.place
    switch condition.requirement {
    case .authority:
      return check(
        .authority, condition.check, at: facts.source?.authority.place, condition.error,
        fix: PublicCloud.commonAuthority)
    case .clientID, .teamID:
      return check(.clientID, condition.check, at: code, condition.error)
    case .fragment:
      return check(.redirectURI, condition.check, at: redirect, condition.error, fix: uri)
    case .redirectScheme:
      let scheme =
        wanted ?? urlScheme(of: app.redirectURI) ?? PlatformDefaults.redirectScheme(bundleID: app.bundleID)
      // A scheme that differs only in case or white space may already be in the list.
      let similar = facts.urlSchemes?.items.first { $0.value.trimmed.lowercased() == scheme.lowercased() }
      return check(
        .urlScheme, condition.check, at: similar?.place ?? facts.urlSchemes?.place, condition.error,
        fix: Self.schemeLines(scheme, isListed: similar != nil))
    case .brokerCapable:
      return check(capabilityRule(app), condition.check, at: redirect, printed ?? condition.error, fix: uri)
    case .querySchemes:
      let missing = PlatformDefaults(facts.platform).queriesSchemes.filter {
        !app.queriesSchemes.contains($0)
      }
      return check(
        .querySchemes, condition.check, at: facts.querySchemes?.place, condition.error,
        fix: Self.arrayLines("LSApplicationQueriesSchemes", missing, isThere: !app.queriesSchemes.isEmpty))
    }
  }

  private func legacySetUpChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard facts.urlSchemes != nil, facts.querySchemes != nil, facts.source?.redirectURI.found != nil else {
      return []
    }
    let (checks, error) = ADALApplication(app: app).checks()
    return checks.enumerated().map { index, check in
      let scheme = urlScheme(of: app.redirectURI) ?? "x-msauth"
      return switch index {
      case 0:
        self.check(
          .redirectURI, check, at: facts.source?.redirectURI.place, error, fix: "\(scheme)://\(app.bundleID)")
      case 1:
        self.check(
          .urlScheme, check, at: facts.urlSchemes?.place, error,
          fix: Self.schemeLines(scheme, isListed: false))
      default:
        self.check(
          .querySchemes, check, at: facts.querySchemes?.place, error,
          fix: Self.arrayLines(
            "LSApplicationQueriesSchemes",
            app.builtDefaults.queriesSchemes.filter { !app.queriesSchemes.contains($0) },
            isThere: !app.queriesSchemes.isEmpty))
      }
    }
  }

  func capabilityRule(_ app: InstalledApp) -> DoctorRule {
    let uri = app.withDefaultRedirectURI(on: facts.platform).redirectURI
    return uri.lowercased() == PlatformDefaults.oldRedirectURI(clientID: app.clientID).lowercased()
      ? .oldRedirect : .brokerUnused
  }

  // MARK: Suggested lines

  private static func schemeLines(_ scheme: String, isListed: Bool) -> String {
    isListed
      ? "<string>\(scheme)</string>"
      : "<key>CFBundleURLTypes</key>\n<array>\n  <dict>\n    <key>CFBundleURLSchemes</key>\n    <array>\n"
        + "      <string>\(scheme)</string>\n    </array>\n  </dict>\n</array>"
  }

  static func arrayLines(_ key: String, _ values: [String], isThere: Bool) -> String {
    let lines = values.map { "<string>\($0)</string>" }
    return isThere
      ? lines.joined(separator: "\n")
      : (["<key>\(key)</key>", "<array>"] + lines.map { "  " + $0 } + ["</array>"]).joined(separator: "\n")
  }
}
