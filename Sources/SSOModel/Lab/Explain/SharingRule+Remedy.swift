/// The meaning of a condition that is not met, and the field that determines it.
extension SharingRule {
  /// Returns a clause about the app that can follow "because".
  ///
  /// `other` is the display name of the app that is signed in.
  func reason(_ condition: Condition, other: String) -> String {
    let isOthers = isWritersValueToChange(condition)
    return switch condition {
    case .device: appOfAnotherPlatform?.platformCheck?.reason ?? ""
    case .ownCache: "on Android each app has a token cache of its own"
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

  /// Returns the change of a field after which the condition is met, or `nil` if no single field determines
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
    func outnumbers(_ value: (InstalledApp) -> String, _ isMeant: (InstalledApp) -> Bool) -> Int {
      let values = apps.filter(isMeant).map(value)
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
