import SSOCore
import SSODevice
import SSOKeychain

/// The rule for whether an app can use a credential.
///
/// `why`, the matrix, the token lists, and the reasons of failed calls all use it.
struct SharingRule {
  let credential: SharedCredential
  let app: SharingApp

  /// The conditions in the order in which they are checked and displayed (claims C1 and F2).
  enum Condition: Int, CaseIterable {
    case device, ownCache, client, team, entitlement, writerEntitlement, configuredGroup, format,
      familyTokens, authority
  }

  private static let conditions = Condition.allCases

  var holds: Bool { Self.conditions.allSatisfy(isMet) }

  var firstFailure: Condition? { Self.conditions.first { !isMet($0) } }

  /// The conditions that matter for this credential.
  var relevantConditions: [Condition] { Self.conditions.filter(applies) }
  var checks: [Check] { relevantConditions.map(check) }

  private var isOwn: Bool { normalized(credential.clientID) == app.clientID }

  func isMet(_ condition: Condition) -> Bool {
    switch condition {
    case .device: return appOfAnotherPlatform == nil
    case .ownCache:
      return appWithOwnCache == nil
        || [app.accessGroup, app.app.adalArchiveGroup].contains(credential.accessGroup)
    case .client:
      guard let family = credential.familyID else { return isOwn }
      // The SDK must look for it, and the provider must accept it from this client.
      return app.triedFamilyID == family && (app.registeredFamilyID == family || isOwn)
    case .team:
      return credential.writer.map { $0.app.teamID == app.app.teamID }
        ?? credential.accessGroup.hasPrefix(app.app.teamID)
    case .entitlement: return app.entitledGroups.contains(credential.accessGroup)
    case .writerEntitlement: return credential.writer?.entitledGroups.contains(credential.accessGroup) ?? true
    case .configuredGroup:
      return [app.accessGroup, app.app.adalArchiveGroup].contains(credential.accessGroup)
        || app.bareGroup == bareGroup
    case .format:
      let isRefreshToken = credential.kind == .refreshToken
      return switch (credential.format, app.generation) {
      case (.unified, .unified), (.legacy, .legacyOnly), (.legacy, .both): true
      case (.unified, .both), (.legacy, .unified): isRefreshToken
      case (.unified, .legacyOnly): false
      }
    case .familyTokens: return credential.familyID == nil || libraries.allSatisfy(\.knowsFamilies)
    case .authority:
      return triedAuthorities?.contains { $0.lowercased() == credential.authority } ?? true
    }
  }

  /// The access group without the team prefix.
  var bareGroup: String {
    if let writer = credential.writer { return writer.bareGroup }
    return SharingApp.bare(credential.accessGroup, teamID: team)
  }

  var team: String {
    credential.writer?.app.teamID ?? String(credential.accessGroup.prefix { $0 != "." })
  }

  /// The versions of ADAL among the apps involved.
  private var libraries: [ADALVersion] {
    [app, credential.writer].compactMap(\.self).filter { $0.generation != .unified }.map(\.app.adalVersion)
  }

  private var triedAuthorities: [String]? {
    credential.format == .unified
      ? app.environments : app.legacyAuthorities(homeAccountID: credential.homeAccountID)
  }

  /// The app that the device cannot run, or else the other one.
  var appOfAnotherPlatform: SharingApp? {
    [app, credential.writer].compactMap(\.self).first { !$0.runsOnDevice }
  }

  /// Whether one of the apps has a cache that no other app can read.
  var isApart: Bool { appWithOwnCache != nil }

  private var appWithOwnCache: InstalledApp? {
    [app, credential.writer].compactMap { $0?.app }.first { !$0.builtDefaults.hasSharedCache }
  }

  private func applies(_ condition: Condition) -> Bool {
    // For an app that is not on this device or has no keychain, the remaining conditions do not matter.
    if condition != .device, !isMet(.device) { return false }
    if condition.rawValue > Condition.ownCache.rawValue, !isMet(.ownCache) { return false }
    return switch condition {
    case .device: !isMet(.device)
    case .ownCache: isApart
    case .client, .format: true
    case .team, .entitlement, .configuredGroup: !isApart
    case .writerEntitlement: credential.writer != nil && !isApart
    case .familyTokens: credential.familyID != nil && !libraries.isEmpty
    // The hosts of one cloud are aliases of each other.
    case .authority: credential.format == .legacy || !isMet(.authority)
    }
  }
}

// MARK: - Texts

extension SharingRule {
  func check(_ condition: Condition) -> Check {
    let (name, expected, found, source) = words(condition)
    return Check(
      name, expected: expected, found: found, isMet(condition), source: source, remedy: remedy(condition))
  }

  private func words(
    _ condition: Condition
  ) -> (name: String, expected: String, found: String, source: String) {
    switch condition {
    case .device:
      let check = appOfAnotherPlatform?.platformCheck
      return (check?.name ?? "", check?.expected ?? "", check?.found ?? "", "real-apps.md §3")
    case .ownCache: return ("token cache of the app itself", "its own", "another app's", "real-apps.md §3")
    case .client where credential.familyID == nil:
      let (expected, found) = values(of: .client, expected: credential.clientID, found: app.app.clientID)
      return ("same client ID", expected, found, "claim C1")
    case .client:
      return ("same client ID or family", expectedClient, app.app.clientID + foundFamily, "msal-cache.md §4")
    case .team:
      let (expected, found) = values(of: .team, expected: team, found: app.app.teamID)
      return ("same team", expected, found, "claim C1")
    case .entitlement:
      return (
        "access group in its entitlements", credential.accessGroup,
        app.entitledGroups.joined(separator: ", "), "claim C1"
      )
    case .writerEntitlement:
      return (
        "access group in the other app's entitlements", credential.accessGroup,
        credential.writer?.entitledGroups.joined(separator: ", ") ?? "", "claim C1"
      )
    case .configuredGroup:
      let (expected, found) = values(of: .configuredGroup, expected: bareGroup, found: app.bareGroup)
      return ("configured sharing group", expected, found, "claim C1")
    case .format: return ("format is read", credential.format.rawValue, app.generation.reads, "claim F2")
    case .familyTokens:
      let old = libraries.filter { !$0.knowsFamilies }
      return (
        "family tokens are supported", "ADAL 2.2 or later",
        old.isEmpty ? "supported" : old.map(\.text).joined(separator: ", "), "adal.md §4"
      )
    case .authority:
      return (
        "authority of the item is one that the SDK tries", credential.authority,
        triedAuthorities?.joined(separator: ", ") ?? "any", "adal.md §5"
      )
    }
  }

  /// Exchanges the values if the other app's value is the one to change.
  private func values(
    of condition: Condition, expected: String, found: String
  ) -> (expected: String, found: String) {
    guard let writer = credential.writer?.app, !isMet(condition), isWritersValueToChange(condition) else {
      return (expected, found)
    }
    return (found, "\(expected) in \(writer.displayName)")
  }

  private var expectedClient: String {
    guard let family = credential.familyID else { return credential.clientID }
    let isAnyMembers = credential.clientID == LegacyKey.familyClientID(family)
    return (isAnyMembers ? "" : credential.clientID + ", ") + "family \(family)"
  }

  private var foundFamily: String {
    let registered = app.registeredFamilyID.map { ", family \($0)" } ?? ", no family"
    guard app.registeredFamilyID != nil, app.triedFamilyID != credential.familyID else { return registered }
    return registered
      + ", but its SDK looks for \(app.triedFamilyID.map { "family \($0)" } ?? "no family's token")"
  }
}

/// A sign-in of one app from the perspective of another: the rule for each credential that it creates.
struct SharedSignIn {
  let other: InstalledApp
  let rules: [SharingRule]
  /// The first rule that holds, or else the rule that fails last.
  let deciding: SharingRule

  /// Creates a value for a sign-in.
  ///
  /// - Parameters:
  ///   - other: The app in which a user is signed in.
  ///   - app: The app that would use the sign-in.
  init(with other: SharingApp, for app: SharingApp) {
    let left = SharedCredential.left(by: other)
    // Only the family's credentials of another client can be used.
    let ordered =
      other.clientID == app.clientID
      ? left : left.filter { $0.familyID != nil } + left.filter { $0.familyID == nil }
    self.other = other.app
    rules = ordered.map { SharingRule(credential: $0, app: app) }
    deciding =
      rules.first(where: \.holds)
      ?? rules.dropFirst().reduce(rules[0]) { best, next in
        (next.firstFailure?.rawValue ?? 0) > (best.firstFailure?.rawValue ?? 0) ? next : best
      }
  }

  var holds: Bool { deciding.holds }
  var checks: [Check] { deciding.relevantConditions.map(check) }
  /// The reason that the app cannot use the sign-in, or `nil` if it can.
  var firstFailure: Check? { deciding.firstFailure.map(check) }

  private func check(_ condition: SharingRule.Condition) -> Check {
    var check = deciding.check(condition)
    if check.verdict == .failed { check.failure = deciding.reason(condition, other: other.displayName) }
    return check
  }
  /// The credentials that the app can use.
  var usable: [SharedCredential] { rules.filter(\.holds).map(\.credential) }
}

/// The meaning of a condition that is not met, and the field that determines it.
extension SharingRule {
  /// Returns a clause about the app that can follow "because".
  ///
  /// `other` is the display name of the app that is signed in.
  func reason(_ condition: Condition, other: String) -> String {
    let isOthers = isWritersValueToChange(condition)
    return switch condition {
    case .device: appOfAnotherPlatform?.platformCheck?.reason ?? ""
    case .ownCache:
      appWithOwnCache?.builtDefaults.platform == .macOS
        ? "on macOS ADAL has an archive for each app" : "on Android each app has its own token cache"
    case .client:
      if let family = credential.familyID {
        "its client is not in family \(family), which \(other)'s token is for"
      } else {
        isOthers ? "\(other) has another client ID" : "its client ID differs from \(other)'s"
      }
    case .team: isOthers ? "\(other) has another team" : "its team differs from \(other)'s"
    case .entitlement:
      isOthers ? "\(other) has another sharing group" : "its entitlements do not name \(other)'s access group"
    case .writerEntitlement: "\(other)'s entitlements do not name the access group"
    case .configuredGroup:
      isOthers ? "\(other) has another sharing group" : "its sharing group differs from \(other)'s"
    case .format: "its library does not read what \(other)'s library writes"
    case .familyTokens: "ADAL before 2.2 does not support family tokens"
    case .authority: "it looks under another authority than \(other)'s"
    }
  }

  /// Returns the change of a field after which the condition is met, or `nil` if more than one field determines
  /// it.
  func remedy(_ condition: Condition) -> Remedy? {
    // An external client's cache is not in the lab.
    guard app.app.teamID != ExternalClient.teamID else { return nil }
    // An app of another team and another client is not meant to share. Changing only one of them would not
    // help.
    if [.client, .team].contains(condition), !isMet(.client), !isMet(.team) { return nil }
    if let writer = credential.writer, isWritersValueToChange(condition) {
      return change(writer, condition, client: app.app.clientID, team: app.app.teamID, group: app.bareGroup)
    }
    return switch condition {
    case .device: appOfAnotherPlatform?.platformCheck?.remedy
    case .client where credential.familyID != nil:
      app.triedFamilyID == credential.familyID
        ? credential.familyID.map { Remedy(.registration, app.app.clientID, "familyID=\($0)") } : nil
    case .entitlement:
      Remedy(.app, app.app.bundleID, "keychainAccessGroups+=\(credential.accessGroup)")
    case .writerEntitlement:
      credential.writer.map {
        Remedy(.app, $0.app.bundleID, "keychainAccessGroups+=\(credential.accessGroup)")
      }
    case .client, .team, .configuredGroup:
      change(app, condition, client: credential.clientID, team: team, group: bareGroup)
    case .ownCache, .format, .familyTokens, .authority: nil
    }
  }

  /// Returns the change that gives an app the other app's value.
  private func change(
    _ changed: SharingApp, _ condition: Condition, client: String, team: String, group: String
  ) -> Remedy? {
    let id = changed.app.bundleID
    return switch condition {
    case .client: Remedy(.app, id, "clientID=\(client)")
    case .team: Remedy(.app, id, "teamID=\(team)")
    case .entitlement, .configuredGroup: Remedy(.app, id, "keychainSharingGroup=\(group)")
    default: nil
    }
  }

  /// Returns whether the value to change is the signed-in app's, and not the calling app's.
  ///
  /// The value that more of the lab's apps have is kept: among apps of one team for the client ID and the
  /// group, among apps of one client for the team. If the numbers are equal, the client ID whose registration
  /// has more of the two redirect URIs is kept.
  func isWritersValueToChange(_ condition: Condition) -> Bool {
    guard let writer = credential.writer else { return false }
    let (mine, theirs) = (app.app, writer.app)
    let apps = app.surroundings.apps
    func outnumbers(_ value: (InstalledApp) -> String, _ isIncluded: (InstalledApp) -> Bool) -> Int {
      let values = apps.filter(isIncluded).map(value)
      return values.count { $0 == value(mine) } - values.count { $0 == value(theirs) }
    }
    switch condition {
    case .client where credential.familyID == nil && mine.teamID == theirs.teamID:
      let lead = outnumbers({ normalized($0.clientID) }, { $0.teamID == mine.teamID })
      guard lead == 0 else { return lead > 0 }
      let redirects = [mine.redirectURI, theirs.redirectURI]
      func known(_ app: SharingApp) -> Int { redirects.count { app.surroundings.redirectURIs.contains($0) } }
      return known(app) > known(writer)
    case .team where isMet(.client):
      return outnumbers(\.teamID, { normalized($0.clientID) == app.clientID }) > 0
    case .entitlement, .configuredGroup:
      guard app.bareGroup != writer.bareGroup, app.app.isEntitled else { return false }
      func group(_ app: InstalledApp) -> String {
        SharingApp.bare(app.sharedAccessGroup, teamID: app.teamID)
      }
      return outnumbers(group, { $0.teamID == mine.teamID }) > 0
    default: return false
    }
  }
}
