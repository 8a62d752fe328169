/// Rules that the application object does not check, so that the app breaks them only in a call.
extension AppleRules {
  // MARK: The broker

  /// Returns the checks of what prevents the use of the broker without an error.
  func brokerChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard app.sdk == .msal, facts.platform == .iOS, !app.isExtension, facts.source != nil else { return [] }
    let use = Check(
      "the app lets the SDK call the broker", expected: "brokerAvailability auto",
      found: app.brokerUse == .auto ? "auto" : "none", app.brokerUse == .auto, source: "broker.md §1")
    let used = check(
      .brokerUnused, use, at: facts.source?.brokerUse?.place, severity: .worksInSomeCases,
      fix: "MSALGlobalConfig.brokerAvailability = .auto")
    // With Azure AD, the SDK rejects this; with other authorities, it opens the browser without an error.
    let conditions = MSALApplication(app: app, platform: facts.platform).conditions
    let isJudged = conditions.contains { $0.requirement == .brokerCapable }
    guard !isJudged, !app.redirectURI.isEmpty, case .known = facts.source?.redirectURI else { return [used] }
    return [
      used,
      check(
        capabilityRule(app), app.brokerCapability,
        at: facts.source?.bypass ?? facts.source?.redirectURI.place,
        severity: .worksInSomeCases, fix: PlatformDefaults.redirectURI(bundleID: app.bundleID)),
    ]
  }

  /// Returns the checks that the app forwards the broker's response to the SDK, which arrives as a URL.
  func callbackChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard facts.platform == .iOS, !app.isExtension else { return [] }
    let (check, error) = SetUpChecks(of: app).forwarding
    if let built = facts.builtForwarding {
      return [self.check(.callback, check, at: built.place, error, fix: callbackLines(app))]
    }
    guard let source = facts.source else { return [] }
    // Without the Info.plist, it is not known whether the app has scenes.
    let knowsScenes = facts.urlSchemes != nil || facts.usesScenes != nil
    guard knowsScenes || app.urlForwarding == .neither else { return [] }
    let wanted = app.usesScenes ? URLForwarding.sceneDelegate : .appDelegate
    let place =
      source.delegates.first { $0.value == wanted }?.place ?? source.callbacks.first?.place
      ?? source.delegateClasses.first { $0.value == wanted }?.place ?? source.sdk?.place
    let forwarding = self.check(.callback, check, at: place, error, fix: callbackLines(app))
    guard !forwarding.hasFailed else { return [forwarding] }
    let isTaken = Check(
      "the answer is accepted without a source application", expected: "sourceApplication may be nil",
      found: source.requiredSource == nil ? "it may" : "the code requires one",
      source.requiredSource == nil,
      source: "broker.md §7")
    return [
      forwarding,
      self.check(
        .callback, isTaken, at: source.requiredSource ?? place, error,
        fix: "MSALPublicClientApplication.handleMSALResponse(\n"
          + "  context.url, sourceApplication: context.options.sourceApplication)"),
    ]
  }

  private func callbackLines(_ app: InstalledApp) -> String {
    guard app.sdk == .msal else { return "ADAuthenticationContext.handleADALResponse(url)" }
    if facts.source?.sdk?.place.path.hasSuffix(".m") == true { return objectiveCLines(app) }
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

  // MARK: The keychain

  func keychainChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard let group = facts.sharingGroup else { return [] }
    // Without a team, the prefix that the group needs is not known: ``teamChecks(_:)`` reports that.
    guard !facts.isBuilt || facts.platform == .iOS || facts.teamID != nil else { return [] }
    // A signature has the team ID where the source has a variable.
    let isSigned = facts.source == nil && facts.teamID != nil
    let wanted = isSigned ? app.sharedAccessGroup : "$(AppIdentifierPrefix)" + group
    // If the files contain no team, compare the prefix in its place, on both sides.
    var signed = app
    if signed.teamID.isEmpty { signed.teamID = "$(AppIdentifierPrefix)".replacing("$", with: "") }
    var (check, error) = SetUpChecks(of: signed).entitlement
    check.expected = wanted
    switch facts.entitlements {
    case .unread: return []
    case .none(let place, let unused):
      check.found = unused.map { "no file is named; \($0) is not used" } ?? "no entitlements"
      let file = unused ?? "\(facts.name)/\(facts.name).entitlements"
      let fix = "CODE_SIGN_ENTITLEMENTS = \(file);"
      guard check.verdict == .passed, unused != nil else {
        return [self.check(.keychainGroup, check, at: place, error, fix: fix)]
      }
      // The app's own group needs no entitlement, but the file does not take effect as intended.
      check.name = "the entitlements file is used"
      check.verdict = .failed
      return [self.check(.keychainGroup, check, at: place, severity: .worksInSomeCases, fix: fix)]
    case .groups(let list, let place):
      check.found =
        list.map { $0.values.isEmpty ? "no groups" : $0.values.joined(separator: ", ") } ?? "no groups"
      return [
        self.check(
          .keychainGroup, check, at: list?.place ?? place, error,
          fix: Self.arrayLines("keychain-access-groups", [wanted], isThere: list != nil))
      ]
    }
  }

  // MARK: Authority and team

  func authorityChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard facts.source?.authority.found != nil else { return [] }
    let classes = classChecks
    // Nothing else is known of an authority that the SDK does not create.
    guard !classes.contains(where: \.hasFailed) else { return classes }
    let setUp = SetUpChecks(of: app)
    if facts.source?.hasUnknownKnownAuthorities == false, let (check, error) = setUp.validation {
      return classes + [
        self.check(
          .authority, check, at: facts.source?.authority.place, error,
          fix: "config.knownAuthorities = [authority]")
      ]
    }
    guard let (check, error) = setUp.instance else { return classes }
    return classes + [
      self.check(
        .authority, check, at: facts.source?.authority.place, error,
        fix: "https://\(PublicCloud.preferredNetwork)/"
          + ((try? Authority(app.authority))?.tenant ?? "common"))
    ]
  }

  /// The checks of authorities that are created with `MSALAADAuthority`, which accepts only URLs of Azure AD.
  private var classChecks: [DoctorCheck] {
    let made = facts.source?.typedAuthorities.filter { $0.className == "MSALAADAuthority" } ?? []
    return made.compactMap { made in
      guard let authority = try? Authority(made.url.value) else { return nil }
      return check(
        .authority,
        Check(
          "the authority is made with the class of its kind", expected: authority.className,
          found: "\(made.className) of \(made.url.value)", authority.errorAsAzureAD == nil,
          source: "interactive-call.md §4"), at: made.url.place, authority.errorAsAzureAD,
        fix: "\(authority.className)(url: URL(string: \"\(made.url.value)\")!)")
    }
  }

  /// The redirect URI of unsigned programs, for the macOS broker.
  static let unsignedRedirectURI = "msauth.com.msauth.unsignedapp://auth"

  func teamChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard facts.platform == .macOS, app.sdk == .msal else { return [] }
    let isUnsigned = app.redirectURI == Self.unsignedRedirectURI
    let check = Check(
      "the app has a team, or the redirect URI of unsigned apps", expected: "a team",
      found: app.teamID.isEmpty
        ? "no team, \(app.redirectURI.isEmpty ? "no redirect URI" : app.redirectURI)" : app.teamID,
      !app.teamID.isEmpty || isUnsigned, source: "real-apps.md §1")
    var judged = self.check(
      .macTeam, check, at: facts.source?.redirectURI.place,
      fix: "DEVELOPMENT_TEAM = ABCDE12345;\nor the redirect URI \(Self.unsignedRedirectURI)")
    judged.refusal = DoctorCheck.Refusal(
      MSALCode.internalError.text,
      "Application's teamId is missing, and redirectUri is not matching unsigned format")
    return [judged]
  }

  // MARK: Intune

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
      .filter { [.redirectScheme, .brokerCapable].contains($0.requirement) }
    let failed = conditions.first { $0.check.verdict == .failed } ?? conditions.last
    guard let failed else { return [] }
    var check = failed.check
    check.name = "Intune: " + check.name
    return [self.check(.intuneRedirect, check, at: given.place, failed.error, fix: fix)]
  }
}
