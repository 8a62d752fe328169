import SSOCore
import SSODevice
import SSOReference

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
    guard let app = InstalledApp(facts, clientID: givenClientID), !facts.isOutdated else {
      return []
    }
    let placeholders = placeholderChecks
    let waiting = Set(placeholders.map(\.place))
    let source = facts.source
    func isReady(_ found: Found<String>?) -> Bool { found.map { !waiting.contains($0.place) } ?? true }
    let isFilled =
      isReady(source?.redirectURI.found) && isReady(facts.bundleID) && isReady(facts.clientID)
    var checks = placeholders
    if isFilled {
      checks += setUpChecks(app) + brokerChecks(app) + intuneChecks(app)
    } else if isReady(source?.redirectURI.found), isReady(facts.bundleID), app.sdk == .msal {
      // The client ID does not matter for them, except in the redirect URI of MSAL 0.x.
      let isOld = app.urlSchemes.contains { $0.hasPrefix("msal") } || app.redirectURI.hasPrefix("msal")
      checks += conditions(of: app)
        .filter { [.querySchemes, isOld ? .querySchemes : .redirectScheme].contains($0.requirement) }
        .map { checked($0, app) }
    }
    if isReady(facts.bundleID) { checks += keychainChecks(app) + callbackChecks(app) }
    if isReady(source?.authority.found) { checks += authorityChecks(app) }
    checks += teamChecks(app) + networkChecks + codeChecks(app) + fileChecks + sceneChecks
    checks += misspeltChecks(beside: checks)
    if isFilled { checks += RegistrationRules(app, facts, subject: subject, registrations).checks() }
    guard !facts.isSetUp || facts.isWrapperUnused || source?.replacesApplication == true else {
      return checks
    }
    // The template's sandbox says nothing about an app that has not been set up.
    return checks.filter { $0.rule != .macNetwork }.map(\.asQuestion)
  }

  var subject: String { facts.subject }

  /// Returns a finding of a missing key at the key that resembles it, with that key as the mistake.
  func respelt(_ check: DoctorCheck, _ keys: String...) -> DoctorCheck {
    guard check.hasFailed, let key = keys.lazy.compactMap({ facts.misspelt[$0] }).first else { return check }
    var check = check
    check.misspelt = key
    (check.mistake, check.place, check.fix) = (key.mistake, key.written.place, "<key>\(key.key)</key>")
    (check.check.expected, check.check.found) = (key.key, key.written.value)
    return check
  }

  func check(
    _ rule: DoctorRule, _ check: Check, _ mistake: String, at place: FilePlace?,
    severity: DoctorCheck.Severity = .fails, _ error: SDKError? = nil, fix: String? = nil
  ) -> DoctorCheck {
    DoctorCheck(
      rule: rule, subject: subject, check: check, mistake: mistake, severity: severity,
      place: place ?? facts.origin, refusal: error.flatMap { refusal(of: rule, $0) },
      fix: fix.map { Self.lines($0, for: place) })
  }

  /// Returns the error as the app's SDK prints it, or `nil` if that is not known: MSAL.NET has its own wording.
  private func refusal(of rule: DoctorRule, _ error: SDKError) -> DoctorCheck.Refusal? {
    guard facts.usesDotNet else { return DoctorCheck.Refusal(error) }
    return rule == .keychainGroup ? .missingEntitlementsOfDotNet : nil
  }

  // MARK: Not filled in

  private var placeholderChecks: [DoctorCheck] {
    let values: [(name: String, found: Found<String>?)] = [
      ("bundle ID", facts.bundleID), ("client ID", facts.clientID),
      ("redirect URI", facts.source?.redirectURI.found), ("authority", facts.source?.authority.found),
      ("tenant subdomain", facts.source?.tenantSubdomain.found),
    ]
    // The bundle ID is not visible without its project.
    let visible = values.filter { $0.found?.value.contains(AppleFacts.bundleIDVariable) != true }
    let waiting = visible.compactMap { name, found in
      found.flatMap { isWaiting($0.value, isClientID: name == "client ID") ? (name, $0) : nil }
    }
    return waiting.map { name, found in
      .placeholder(name, found, subject: subject)
    }
  }

  /// Returns whether a value still has to be replaced.
  ///
  /// The SDK rejects an empty client ID.
  private func isWaiting(_ value: String, isClientID: Bool) -> Bool {
    isClientID ? ClientIDForm(value) == .placeholder : value.isEmpty || Placeholders.contain(value)
  }

  /// The check that the provider can know the client ID; AD FS accepts any text.
  private var clientFormCheck: DoctorCheck? {
    guard let client = facts.clientID, facts.source?.authorityClasses.contains("MSALADFSAuthority") != true,
      ClientIDForm(client.value) != .empty, facts.sdk == .msal
    else { return nil }
    return .form(ofClientID: client, subject: subject)
  }

  // MARK: Creation of the application object

  /// Returns the conditions that the files decide.
  ///
  /// If no scheme is there for the SDK's own redirect URI, the query schemes are checked as if it were.
  private func conditions(of app: InstalledApp) -> [MSALApplication.Condition] {
    let all = MSALApplication(app: app, platform: facts.platform).conditions.filter(isKnown)
    guard app.redirectURI.isEmpty, !all.contains(where: { $0.requirement == .querySchemes }),
      all.contains(where: { $0.requirement == .redirectScheme && $0.check.verdict == .failed })
    else { return all }
    var mended = app
    mended.urlSchemes.append(PlatformDefaults.redirectScheme(bundleID: app.bundleID))
    return all
      + MSALApplication(app: mended, platform: facts.platform).conditions
      .filter { $0.requirement == .querySchemes && isKnown($0) }
  }

  private func setUpChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard app.sdk == .msal else { return legacySetUpChecks(app) }
    let conditions = conditions(of: app)
    // If the redirect URI has to change, check the scheme of the new one.
    let isForeign = hasForeignRedirect(app)
    let hasToChange =
      isForeign || conditions.contains { $0.requirement == .brokerCapable && $0.check.verdict == .failed }
    let scheme = PlatformDefaults.redirectScheme(bundleID: app.bundleID)
    let isListed = app.urlSchemes.contains(scheme)
    let unlisted = conditions.first { $0.requirement == .redirectScheme && $0.check.verdict == .failed }
    if let unlisted, urlScheme(of: app.redirectURI)?.lowercased() == "msauth" {
      return [clientFormCheck, foreignSchemeCheck, platformCheck(app, unlisted)].compactMap(\.self)
        + conditions.compactMap { condition in
          switch condition.requirement {
          case .redirectScheme: isListed ? nil : checked(condition, app, scheme: scheme)
          case .brokerCapable: nil
          default: checked(condition, app)
          }
        }
    }
    let foreignRedirect = isForeign ? unlisted.map { foreignRedirectCheck(app, $0) } : nil
    return [clientFormCheck, foreignSchemeCheck].compactMap(\.self)
      + conditions.compactMap { condition in
        guard hasToChange else { return checked(condition, app) }
        switch condition.requirement {
        case .redirectScheme: return isListed ? nil : checked(condition, app, scheme: scheme)
        // The SDK checks the scheme first, so it prints that error.
        case .brokerCapable: return checked(condition, app, error: isListed ? unlisted?.error : nil)
        default: return checked(condition, app)
        }
      } + [foreignRedirect].compactMap(\.self)
  }

  /// The check of a scheme for the broker that is misspelt, or that a library's app registers for another bundle ID, where
  /// code that is not read makes the redirect URI.
  private var foreignSchemeCheck: DoctorCheck? {
    guard facts.hasUnknownRedirect, !facts.isExtension, let bundleID = facts.bundleID?.value,
      bundleID != AppleFacts.bundleIDVariable
    else { return nil }
    let wanted = PlatformDefaults.redirectScheme(bundleID: bundleID)
    let items = (facts.urlSchemes?.items ?? []).filter {
      !$0.value.contains("intunemam") && !Placeholders.contain($0.value)
    }
    let misspelt = items.first { isMisspelt($0.value, bundleID: bundleID) }
    let foreign = facts.library == nil ? nil : items.first { $0.value.hasPrefix("msauth.") }
    guard let found = misspelt ?? foreign, facts.urlSchemes?.values.contains(wanted) == false else {
      return nil
    }
    return check(
      .urlScheme,
      Check(
        "the scheme for the broker has the app's bundle ID", expected: wanted, found: found.value, false,
        source: "real-apps.md §2"),
      misspelt == nil
        ? "CFBundleURLTypes has another app's redirect scheme"
        : "CFBundleURLTypes misspells the redirect scheme",
      at: found.place, severity: .worksInSomeCases, fix: Self.schemeLines(wanted, isListed: true))
  }

  /// Returns whether a scheme is `msauth.<bundle ID>` with other case, with white space or a whole URI, or with a misspelt
  /// `msauth`.
  private func isMisspelt(_ scheme: String, bundleID: String) -> Bool {
    let wanted = PlatformDefaults.redirectScheme(bundleID: bundleID)
    let start = (scheme.firstRange(of: "://").map { String(scheme[..<$0.lowerBound]) } ?? scheme).trimmed
    if start.lowercased() == wanted.lowercased() { return scheme != wanted }
    guard start.hasSuffix("." + bundleID) else { return false }
    let prefix = String(start.dropLast(bundleID.count + 1))
    return prefix != "msauth" && ["msauth"].closestSpelling(to: prefix, most: 2) != nil
  }

  /// Returns whether the files that decide a condition were read.
  private func isKnown(_ condition: MSALApplication.Condition) -> Bool {
    let hasUnknownRedirect = facts.hasUnknownRedirect
    switch condition.requirement {
    // ``classChecks`` reports another kind's class.
    case .authority: return facts.source != nil && !classChecks.contains(where: \.hasFailed)
    case .clientID: return facts.clientID != nil || givenClientID != nil
    case .fragment: return !hasUnknownRedirect
    // The macOS broker accepts it from programs without a team: ``teamChecks(_:)``.
    case .brokerCapable:
      return !hasUnknownRedirect && facts.givenRedirectURI != Self.unsignedRedirectURI
        && facts.hasBroker != false
    // Native authentication switches the validation off (`bypassRedirectURIValidation`); in an app extension of iOS, each
    // scheme counts as registered (`MSIDRedirectUriVerifier.m`).
    case .redirectScheme:
      let isListed = facts.urlSchemes != nil && !facts.isExtension
      let mayBeDefault = facts.mayHaveDefaultRedirect && foreignSchemeCheck == nil
      return (!hasUnknownRedirect || mayBeDefault)
        && (isListed || !facts.platform.requiresRegisteredScheme)
        && facts.source?.isNativeAuth != true
    case .querySchemes:
      return (!hasUnknownRedirect || facts.mayHaveBrokerRedirect && facts.hasBroker != false)
        && facts.querySchemes != nil && facts.source?.isNativeAuth != true && facts.checksQuerySchemes
    case .teamID: return false
    }
  }

  /// Returns the check of a condition.
  ///
  /// `wanted` is the scheme to register, if not the redirect URI's. `printed` is the error, if not the condition's.
  func checked(
    _ condition: MSALApplication.Condition, _ app: InstalledApp, scheme wanted: String? = nil,
    error printed: SDKError? = nil
  ) -> DoctorCheck {
    let uri = PlatformDefaults.redirectURI(bundleID: app.bundleID)
    let redirect = facts.source?.redirectURI.place
    let code = facts.source?.clientID.place ?? facts.source?.sdk?.place
    switch condition.requirement {
    case .authority:
      let isADFS = Authority.isADFS(app.authority)
      return check(
        .authority, condition.check, isADFS ? "MSAL cannot sign in at AD FS" : "The authority is malformed",
        at: facts.source?.authority.place, condition.error,
        fix: isADFS ? PublicCloud.workAuthority : app.mendedAuthority(policy: "<policy>"))
    case .clientID, .teamID:
      return check(.clientID, condition.check, "The SDK does not get a client ID", at: code, condition.error)
    case .fragment:
      return check(
        .redirectURI, condition.check, "The redirect URI has a fragment", at: redirect, condition.error,
        fix: uri)
    case .redirectScheme:
      let scheme =
        wanted ?? urlScheme(of: app.redirectURI) ?? PlatformDefaults.redirectScheme(bundleID: app.bundleID)
      if urlScheme(of: app.redirectURI) == nil, !app.redirectURI.isEmpty {
        return check(
          .redirectURI, condition.check, "The redirect URI has no scheme", at: redirect, condition.error,
          fix: uri)
      }
      // A scheme that differs only in case or white space may already be in the list.
      let similar = facts.urlSchemes?.items.first { $0.value.trimmed.lowercased() == scheme.lowercased() }
      let mistake =
        similar == nil
        ? facts.schemeText == nil
          ? "CFBundleURLTypes lacks the redirect scheme" : "CFBundleURLSchemes is not an array"
        : "CFBundleURLTypes misspells the redirect scheme"
      return respelt(
        check(
          .urlScheme, condition.check, mistake,
          at: similar?.place ?? facts.schemeText?.place ?? facts.urlSchemes?.place,
          // A scheme of the list may be that of a redirect URI which was not read.
          severity: facts.hasGeneratedSchemes || facts.urlSchemes?.hasUnknownItem == true
            || facts.mayHaveDefaultRedirect && facts.urlSchemes?.values.contains { !$0.isEmpty } == true
            ? .worksInSomeCases : .fails, condition.error,
          fix: Self.schemeLines(scheme, isListed: similar != nil)), "CFBundleURLTypes", "CFBundleURLSchemes")
    case .brokerCapable:
      return check(
        capabilityRule(app), condition.check, capabilityMistake(app), at: redirect ?? code,
        severity: facts.checksBrokerCapability ? brokerSeverity : .worksInSomeCases,
        facts.checksBrokerCapability ? printed ?? condition.error : nil, fix: uri)
    case .querySchemes:
      let missing = PlatformDefaults(facts.platform).queriesSchemes.filter {
        !app.queriesSchemes.contains($0)
      }
      let isSeen = !facts.hasUnknownRedirect && facts.querySchemes?.hasUnknownItem != true
      // MSAL compares exactly, so an entry with white space or in another case does not count.
      if let similar = facts.querySchemes?.items.first(where: {
        missing.contains($0.value.trimmed.lowercased())
      }) {
        let scheme = similar.value.trimmed.lowercased()
        return check(
          .querySchemes, condition.check, "LSApplicationQueriesSchemes misspells \(scheme)",
          at: similar.place, severity: facts.hasUnknownRedirect ? .worksInSomeCases : .fails, condition.error,
          fix: Self.stringLine(scheme))
      }
      return respelt(
        check(
          .querySchemes, condition.check, Self.querySchemesMistake(missing), at: facts.querySchemes?.place,
          severity: isSeen ? .fails : .worksInSomeCases, condition.error,
          fix: Self.arrayLines("LSApplicationQueriesSchemes", missing, isThere: !app.queriesSchemes.isEmpty)),
        "LSApplicationQueriesSchemes")
    }
  }

  private func legacySetUpChecks(_ app: InstalledApp) -> [DoctorCheck] {
    // Only the use of the broker needs them, and an app extension cannot use it.
    guard facts.urlSchemes != nil, facts.querySchemes != nil, facts.source?.redirectURI.found != nil,
      !facts.isExtension
    else { return [] }
    let (checks, error) = ADALApplication(app: app).checks()
    let missing = app.builtDefaults.queriesSchemes.filter { !app.queriesSchemes.contains($0) }
    return checks.enumerated().map { index, check in
      let scheme = urlScheme(of: app.redirectURI) ?? "x-msauth"
      return switch index {
      case 0:
        self.check(
          .redirectURI, check, "The redirect URI's host is not the bundle ID",
          at: facts.source?.redirectURI.place, error, fix: "\(scheme)://\(app.bundleID)")
      case 1:
        self.check(
          .urlScheme, check, "CFBundleURLTypes lacks the redirect scheme", at: facts.urlSchemes?.place, error,
          fix: Self.schemeLines(scheme, isListed: false))
      default:
        self.check(
          .querySchemes, check, Self.querySchemesMistake(missing), at: facts.querySchemes?.place, error,
          fix: Self.arrayLines(
            "LSApplicationQueriesSchemes", missing, isThere: !app.queriesSchemes.isEmpty))
      }
    }
  }

  /// The severity of a mistake that only an app with a broker has: the kind of its authority may be unknown.
  var brokerSeverity: DoctorCheck.Severity { facts.hasBroker == true ? .fails : .worksInSomeCases }

  func capabilityRule(_ app: InstalledApp) -> DoctorRule {
    let uri = app.withDerivedRedirectURI(on: facts.platform).redirectURI
    return uri.lowercased() == PlatformDefaults.oldRedirectURI(clientID: app.clientID).lowercased()
      ? .oldRedirect : .brokerUnused
  }

  private func capabilityMistake(_ app: InstalledApp) -> String {
    capabilityRule(app) == .oldRedirect
      ? "The redirect URI is that of MSAL 0.x" : "The redirect URI is not broker-capable"
  }

  private static func querySchemesMistake(_ missing: [String]) -> String {
    "LSApplicationQueriesSchemes lacks "
      + (missing.count == 2 ? "both schemes" : missing.joined(separator: ", "))
  }
}

/// Rules that the application object does not check, so that the app breaks them only in a call.
extension AppleRules {
  // MARK: The broker

  /// Returns the checks for mistakes that prevent the use of the broker without an error.
  func brokerChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard app.sdk == .msal, !app.isExtension, facts.source != nil, facts.hasBroker != false else { return [] }
    let use = Check(
      "the app lets the SDK call the broker", expected: "brokerAvailability auto",
      found: app.brokerUse == .auto ? "auto" : "none", app.brokerUse == .auto, source: "broker.md §1")
    // On macOS, the broker is the SSO extension, which the setting does not turn off.
    let used =
      facts.platform == .macOS
      ? []
      : [
        check(
          .brokerUnused, use, "The code turns the broker off", at: facts.source?.brokerUse?.place,
          severity: .worksInSomeCases,
          fix: "MSALGlobalConfig.brokerAvailability = .auto")
      ]
    // With Azure AD, the SDK rejects this; with other authorities, it opens the browser without an error.
    let conditions = MSALApplication(app: app, platform: facts.platform).conditions
    let isChecked = conditions.contains { $0.requirement == .brokerCapable }
    guard !isChecked, !app.redirectURI.isEmpty, !hasForeignRedirect(app),
      app.redirectURI != Self.unsignedRedirectURI, case .known = facts.source?.redirectURI
    else { return used }
    return used + [
      check(
        capabilityRule(app), app.brokerCapability, capabilityMistake(app),
        at: facts.source?.bypass ?? facts.source?.redirectURI.place,
        severity: .worksInSomeCases, fix: PlatformDefaults.redirectURI(bundleID: app.bundleID))
    ]
  }

  /// Returns the checks that the app forwards the broker's response to the SDK, which arrives as a URL.
  func callbackChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard facts.platform == .iOS, !app.isExtension, facts.hasBroker != false,
      app.sdk == .adal || app.brokerUse == .auto,
      app.sdk == .adal || facts.checksBrokerCapability || callsBroker(app)
    else { return [] }
    let (check, error) = SetUpChecks(of: app).forwarding
    let mistake =
      app.usesScenes && !app.builtDefaults.supportsScenes
      ? "ADAL \(app.sdkVersion) does not handle a URL from a scene delegate"
      : "The \(app.usesScenes ? "scene" : "app") delegate does not forward the URL"
    if let built = facts.builtForwarding {
      return [self.check(.callback, check, mistake, at: built.place, error, fix: callbackLines(app, at: nil))]
    }
    guard let source = facts.source else { return [] }
    // Without the Info.plist, it is not known whether the app has scenes.
    let knowsScenes = facts.urlSchemes != nil || facts.usesScenes != nil
    guard knowsScenes || app.urlForwarding == .neither else { return [] }
    let wanted = app.usesScenes ? URLForwarding.sceneDelegate : .appDelegate
    let delegates = (source.delegates + source.delegateClasses).filter { $0.value == wanted }.map(\.place)
    let others = [
      app.usesScenes ? source.swiftUIApp : nil, source.callbacks.first?.place, source.sdk?.place,
      source.clientID.place,
    ]
    // A header only declares the method.
    let place = (delegates + others.compactMap(\.self)).first { !$0.isHeader }
    // No broker answers with another redirect URI.
    let mayHaveNone = app.sdk == .msal && (facts.hasUnknownRedirect || !callsBroker(app))
    let isHidden =
      facts.mayHaveLibraryCallback || source.hasIndirectCallback || facts.isBareFolder && source.hasNoEntry
      || mayHaveNone || source.unreadForwarders.contains(wanted)
    let stray = source.strays.first { $0.value == wanted }?.place
    let forwarding = self.check(
      .callback, check, stray == nil ? mistake : "The delegate's method is misspelt", at: stray ?? place,
      severity: isHidden ? .worksInSomeCases : brokerSeverity, error,
      fix: callbackLines(app, at: stray ?? place ?? source.sdk?.place))
    // Only a broker's answer needs one, and a wrapper may pass any authority.
    guard !forwarding.hasFailed, facts.library == nil || facts.hasBroker == true else { return [forwarding] }
    let required = source.requiredSource(in: wanted)
    let isTaken = Check(
      "the answer is accepted without a source application", expected: "sourceApplication may be nil",
      found: required == nil ? "it may" : "the code requires one", required == nil, source: "broker.md §7")
    return [
      forwarding,
      self.check(
        .callback, isTaken, "The code requires a source application", at: required ?? place,
        severity: mayHaveNone ? .worksInSomeCases : .fails, error,
        fix: "MSALPublicClientApplication.handleMSALResponse(\n"
          + "  context.url, sourceApplication: context.options.sourceApplication)"),
    ]
  }

  /// Returns whether the SDK calls the broker with the app's redirect URI, or rejects the app without one.
  ///
  /// It calls none for an authority that the app's own code declares as known, and none that the app may not look for, which
  /// an SDK that does not check the query schemes does not tell.
  private func callsBroker(_ app: InstalledApp) -> Bool {
    let queried = facts.querySchemes?.values
    guard facts.checksQuerySchemes || queried?.contains(where: { $0.hasPrefix("msauth") }) != false else {
      return false
    }
    guard facts.library != nil || app.msalAuthority?.isKnown(to: app) != true else { return false }
    let own = app.withDerivedRedirectURI(on: facts.platform)
    return own.redirectURI.isEmpty || own.brokerCapability.verdict == .passed
  }

  // MARK: Team and network

  /// The check that an app in a sandbox may connect to the provider.
  private var networkChecks: [DoctorCheck] {
    guard facts.platform == .macOS, case .groups(_, let file) = facts.entitlements else { return [] }
    return [
      .outgoingConnections(of: facts.subject, isCutOff: facts.isCutOff != nil, at: facts.isCutOff ?? file)
    ]
  }

  /// The redirect URI of unsigned programs, for the macOS broker.
  static let unsignedRedirectURI = "msauth.com.msauth.unsignedapp://auth"

  func teamChecks(_ app: InstalledApp) -> [DoctorCheck] {
    // A property list alone does not show the team.
    guard facts.platform == .macOS, app.sdk == .msal, facts.isBuilt || facts.source != nil else { return [] }
    let isUnsigned = app.redirectURI == Self.unsignedRedirectURI
    let check = Check(
      "the app has a team, or the redirect URI of unsigned apps", expected: "a team",
      found: app.teamID.isEmpty
        ? "no team, \(app.redirectURI.isEmpty ? "no redirect URI" : app.redirectURI)" : app.teamID,
      !app.teamID.isEmpty || isUnsigned, source: "real-apps.md §1")
    // Most projects are published without the team of their developers, and the template of a wrapper does not sign the
    // app.
    let isKnown = facts.isBuilt || facts.isUnsigned && (facts.library == nil || facts.source?.sdk != nil)
    var checked = self.check(
      .macTeam, check, "The app has no team", at: facts.source?.redirectURI.place,
      severity: isKnown ? .fails : .worksInSomeCases,
      fix: "DEVELOPMENT_TEAM = ABCDE12345;\nor the redirect URI \(Self.unsignedRedirectURI)")
    checked.refusal = DoctorCheck.Refusal(
      MSALCode.internalError.text,
      "Application's teamId is missing, and redirectUri is not matching unsigned format")
    return [checked]
  }
}

/// The rules for an iOS or macOS app.
extension DoctorRule {
  package static let apple: [DoctorRule] = [
    .placeholder, .clientID, .authority, .redirectURI, .urlScheme, .oldRedirect, .brokerUnused, .querySchemes,
    .keychainGroup, .callback, .intuneRedirect, .macTeam, .macNetwork, .nativeAuth,
  ]

  package static let placeholder = DoctorRule(
    "placeholder", "Every value of the sample is replaced by the app's own",
    why: "The text of a sample or template was not replaced. The provider does not know such a client.")

  package static let clientID = DoctorRule(
    "client-id", "The SDK gets a client ID",
    why: "Without one, MSAL does not create an application object, and ADAL does not make a call.")

  package static let authority = DoctorRule(
    "authority", "The authority is one that the SDK and the provider know",
    why: """
      The SDK asks instance discovery for the host before the first sign-in. A host that is not \
      known there, and not declared in knownAuthorities, ends each call. MSALAADAuthority does \
      not accept a URL of B2C, CIAM, or AD FS.
      """, reports: 3)

  package static let redirectURI = DoctorRule(
    "redirect-uri", "The redirect URI can be used by the SDK",
    why: "MSAL looks at the redirect URI when the application object is made.")

  package static let urlScheme = DoctorRule(
    "url-scheme", "The scheme of the redirect URI is in CFBundleURLTypes",
    why: """
      iOS opens the app only for a scheme that its Info.plist registers. MSAL compares exactly, \
      including upper and lower case.
      """, reports: 9)

  package static let oldRedirect = DoctorRule(
    "old-redirect", "The redirect URI is not the old msal<client ID>://auth",
    why: """
      MSAL 0.x made this redirect URI. It is not broker-capable: with an Azure AD authority \
      current versions refuse it, with others the sign-in goes to the browser without a warning.
      """, reports: 2)

  package static let brokerUnused = DoctorRule(
    "broker-unused", "The broker can be used",
    why: """
      Without the broker there is a browser page instead: no sign-in that other vendors' apps \
      share, no device-based Conditional Access, no certificates.
      """, reports: 7)

  package static let querySchemes = DoctorRule(
    "query-schemes", "LSApplicationQueriesSchemes has the broker's schemes",
    why: "iOS tells an app whether another app is installed only for the schemes that it lists.", reports: 5)

  package static let keychainGroup = DoctorRule(
    "keychain-group", "The keychain group of the SDK is in the entitlements",
    why: """
      Every read and write of the token cache names the group. Without the entitlement the sign-in \
      seems to work, the list of accounts is empty and silent calls fail.
      """, reports: 11)

  package static let callback = DoctorRule(
    "callback", "The delegate that the system calls forwards the broker's answer to the SDK",
    why: """
      The broker answers by opening the app with a URL. An app with scenes gets it in the scene \
      delegate (SwiftUI: onOpenURL), and never in the app delegate.
      """, reports: 7)

  package static let macTeam = DoctorRule(
    "mac-team", "A macOS app without a team uses the redirect URI of unsigned apps",
    why: """
      The macOS broker knows a signed app by its team. A program without one must use \
      msauth.com.msauth.unsignedapp://auth.
      """, reports: 1)

  static let macNetwork = DoctorRule(
    "mac-network", "A macOS app in a sandbox may connect to the provider",
    why: """
      The sandbox refuses every connection of an app without the entitlement for outgoing ones, so a \
      request for a token never leaves the device.
      """)
}
