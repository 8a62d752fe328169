import SSOCore
import SSODevice
import SSOProvider

extension Lab {
  /// Who can use a credential, and which condition keeps the others from it; nil if there is none of that ID.
  /// - Parameter id: `TokenRow.id`.
  package func why(credential id: String) throws -> Checklist? {
    guard let row = try tokenDetail(id)?.row else { return nil }
    return try view { stage in
      let isIssued = row.accessGroup.hasPrefix(RealClient.teamID + ".")
      let apps = isIssued ? try stage.realClients().map(\.asApp) : stage.installed
      let users = row.apps.isEmpty ? "No app can use it" : "Usable by \(row.apps.joined(separator: ", "))"
      let isInForce = row.state == .valid || row.state == .expiring
      let inForce = Check(
        "it is in force", expected: "valid or expiring", found: row.state.rawValue, isInForce,
        source: "fact sheet 4.1")
      return Checklist(
        title: "Who can use the \(row.type) \(row.id)",
        answer: users + (isInForce ? "." : ", but it is \(row.state.rawValue)."),
        holds: isInForce && !row.apps.isEmpty,
        sections: [Checklist.Section(title: "The credential itself", checks: [inForce])]
          + (try apps.map { app in
            let can = row.apps.contains(app.displayName)
            return Checklist.Section(
              title: "\(app.displayName): \(can ? "can use it" : "cannot use it")",
              checks: try stage.conditions(for: app, toUse: row))
          }))
    }
  }
}

extension Stage {
  /// The conditions by which `row(of:_:readers:unmasked:)` decides who can use a credential, one after the other.
  fileprivate func conditions(for app: InstalledApp, toUse token: TokenRow) throws -> [Check] {
    let entitled = app.entitledGroups
    var checks = [
      Check(
        "access group in its entitlements", expected: token.accessGroup,
        found: entitled.joined(separator: ", "), entitled.contains(token.accessGroup), source: "claim C1"),
      Check(
        "the group its SDK uses", expected: token.accessGroup, found: app.sharedAccessGroup,
        app.sharedAccessGroup == token.accessGroup, source: "fact sheet 1.7"),
      format(of: token, readBy: app),
    ]
    // ADAL keeps a second copy for the family; what lies under a client's own ID is that client's.
    let isOwn = token.type.hasPrefix("Legacy") && !token.clientID.hasPrefix("foci-")
    if let family = token.familyID, !isOwn {
      let own = try Directory(documents: transaction).registration(clientID: app.clientID)?.familyID
      checks.append(
        Check(
          "same family", expected: "family \(family)", found: own.map { "family \($0)" } ?? "no family",
          own == family, source: "fact sheet 1.5"))
      if app.sdk == .adal {
        checks.append(
          Check(
            "family tokens are known", expected: "ADAL 2.2 or later", found: app.sdkVersion,
            app.adalVersion.knowsFamilies, source: "fact sheet 2.4"))
      }
    } else {
      checks.append(
        Check(
          "same client ID", expected: token.clientID, found: app.clientID,
          app.clientID.lowercased() == token.clientID.lowercased(), source: "claim C1"))
    }
    return checks
  }

  /// Of the other library's format each reads refresh tokens only, ADAL before 2.7 nothing (fact sheet §2.4, §2.6).
  private func format(of token: TokenRow, readBy app: InstalledApp) -> Check {
    let isRefresh = token.type.hasSuffix("RefreshToken")
    let reads =
      token.type.hasPrefix("Legacy")
      ? app.sdk == .adal || isRefresh
      : app.cacheGeneration == .unified || app.cacheGeneration == .both && isRefresh
    return Check(
      "format is read", expected: token.type.hasPrefix("Legacy") ? "legacy items" : "unified items",
      found: app.cacheGeneration.reads, reads, source: "fact sheet 2.4")
  }
}
