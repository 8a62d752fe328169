/// What a condition that is not met means, and the field that decides it.
extension SharingRule {
  /// As a sentence about the app goes on behind "because".
  ///
  /// `other` is the display name of the app that is signed in.
  func reason(_ condition: Condition, other: String) -> String {
    switch condition {
    case .client:
      credential.familyID.map { "its client has no part in family \($0), which \(other)'s token is for" }
        ?? "its client ID differs from \(other)'s"
    case .team: "its team differs from \(other)'s"
    case .entitlement: "its entitlements do not name \(other)'s access group"
    case .writerEntitlement: "\(other)'s entitlements do not name the access group"
    case .configuredGroup: "its sharing group differs from \(other)'s"
    case .format: "its library does not read what \(other)'s library writes"
    case .familyTokens: "ADAL before 2.2 knows no family tokens"
    case .authority: "it looks under another authority than \(other)'s"
    }
  }

  /// The change of a field after which the condition is met; nil if no single field decides it.
  func remedy(_ condition: Condition) -> Remedy? {
    let id = app.app.bundleID
    // An external client's cache is not the lab's.
    guard app.app.teamID != ExternalClient.teamID else { return nil }
    // Another team's app of another client is not meant to share: taking on either would not help it.
    if [.client, .team].contains(condition), !isMet(.client), !isMet(.team) { return nil }
    return switch condition {
    case .client:
      if let family = credential.familyID {
        app.triedFamilyID == family
          ? Remedy(.registration, app.app.clientID, "familyID=\(family)") : nil
      } else {
        Remedy(.app, id, "clientID=\(credential.clientID)")
      }
    case .team: Remedy(.app, id, "teamID=\(team)")
    case .entitlement: Remedy(.app, id, "keychainAccessGroups+=\(credential.accessGroup)")
    case .writerEntitlement:
      credential.writer.map {
        Remedy(.app, $0.app.bundleID, "keychainAccessGroups+=\(credential.accessGroup)")
      }
    case .configuredGroup: Remedy(.app, id, "keychainSharingGroup=\(bareGroup)")
    case .format, .familyTokens, .authority: nil
    }
  }
}
