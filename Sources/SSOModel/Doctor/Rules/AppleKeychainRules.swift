import SSOCore
import SSODevice

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
            fix: Self.arrayLines("keychain-access-groups", [wanted], isThere: list != nil)),
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
