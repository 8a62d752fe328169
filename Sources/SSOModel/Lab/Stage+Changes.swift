import Foundation
import SSOCore
import SSODevice
import SSOInterop
import SSOKeychain
import SSOProvider
import SSOStore

/// The intents that change the cache by hand, as the SDK's test app does (fact sheet §7.1), and the removals (§3.6).
extension Stage {
  enum HandChange {
    case expire, invalidate, delete

    var participle: String {
      switch self {
      case .expire: "expired"
      case .invalidate: "invalid"
      case .delete: "deleted"
      }
    }
  }

  func change(_ ids: [String], _ change: HandChange) throws -> Outcome {
    var kind = "credential"
    for id in ids {
      guard let row = Int64(id.dropFirst()), id.hasPrefix("t"), var item = try item(rowID: row),
        (2000..<3000).contains(item.type ?? 0) || item.isLegacy
      else {
        throw LabError(
          .unknownCredential, "There is no credential \(id).",
          why: "IDs are t and a number, as tokens prints them.",
          next: "List them: ssoterm tokens")
      }
      kind = item.isLegacy ? "legacy token" : ItemKind(item).rawValue
      let isIssued = item.key.accessGroup.hasPrefix(RealClient.teamID + ".")
      if isIssued, let token = CredentialItem(data: item.data) { try changeIssued(token, id, change) }
      switch change {
      case .delete: try credentials.delete(item.key)
      case .expire where isIssued, .invalidate where isIssued: break
      case .expire where item.isLegacy,
        .invalidate where item.isLegacy:
        try self.change(&item, change)
        item.modifiedAt = now
        _ = try credentials.update(item)
      case .expire, .invalidate:
        guard var token = CredentialItem(data: item.data) else { continue }
        if change == .expire { try expire(&token) } else { token[.secret] = CredentialItem.invalidSecret }
        item.data = token.data
        item.modifiedAt = now
        _ = try credentials.update(item)
      }
      trace.add(
        .person, .keychain, "\(change) \(id)", result: "done",
        sent: [NameValue("service", item.key.service), NameValue("account", item.key.account)])
    }
    return Outcome(
      .succeeded,
      ids.count == 1
        ? "The \(kind) \(ids[0]) is \(change.participle)."
        : "\(ids.count) credentials are \(change.participle).")
  }

  /// An access token: `expires_on` in the past. A refresh token has no such field: the provider forgets it.
  private func expire(_ token: inout CredentialItem) throws {
    if token.type == .refreshToken || token.type == .familyRefreshToken {
      try provider(.person, actor: "").expireRefreshToken(secret: token.secret)
    } else {
      token.set(.expiresOn, now.adding(seconds: -60))
      token.set(.extendedExpiresOn, now.adding(seconds: -60))
    }
  }

  /// `wipeAccount` in every access group in which some app's SDK works, and in the broker.
  func forget(_ name: String) throws -> Outcome {
    trace.add(.person, .system, "forget \(name)")
    var count = 0
    var found: MSALAccount?
    var groups: Set<String> = []
    for app in installed where groups.insert(app.sharedAccessGroup).inserted {
      guard app.entitledGroups.contains(app.sharedAccessGroup) else { continue }
      let client = client(app)
      guard let account = try client.anyAccount(name) else { continue }
      found = account
      count += try client.cache.wipe(
        homeAccountID: account.identifier,
        environments: EnvironmentAliases.publicCloud.candidates(for: account.environment))
      for mate in installed where mate.sharedAccessGroup == app.sharedAccessGroup {
        guard mate.entitledGroups.contains(mate.sharedAccessGroup) else { continue }
        try self.client(mate).cache.markSignedOut(homeAccountID: account.identifier, clientID: mate.clientID)
      }
    }
    for held in try brokerAccounts()
    where held.homeAccountID == name || held.username.lowercased() == name.lowercased()
      || held.homeAccountID == found?.identifier
    {
      try forget(held)
      found = found ?? MSALAccount(identifier: held.homeAccountID, username: held.username, environment: "")
    }
    let username = found?.username ?? name
    let legacyCount = try forgetLegacy(username: username)
    if legacyCount > 0 {
      count += legacyCount
      found = found ?? MSALAccount(identifier: "", username: username, environment: "")
    }
    guard let found else {
      throw try LabError(
        .unknownAccount, "There is no account \(name) on this device.", why: "No app and no broker holds it.",
        next: nextAfterUnknown(account: name))
    }
    return Outcome(
      .succeeded, "\(found.username) is forgotten: \(count) items removed.", username: found.username,
      homeAccountID: found.identifier.isEmpty ? nil : found.identifier)
  }

  func end(_ app: InstalledApp) throws -> Outcome {
    let ran = device.processes?[app.bundleID] != nil
    try transaction.setProcess(nil, of: app.bundleID, device: device.id)
    trace.add(
      .person, .system, actor: app.bundleID, "end the app",
      result: ran ? "its memory is gone" : "it did not run")
    return Outcome(.succeeded, ran ? "\(app.displayName) is ended." : "\(app.displayName) did not run.")
  }

  func moveClock(_ seconds: Int?) throws -> Outcome {
    state.clockOffset = seconds.map { (state.clockOffset ?? 0) + $0 }
    try transaction.write(state, .lab, LabState.key)
    return Outcome(
      .succeeded,
      state.clockOffset.map { "The clock is \(offsetText($0)) from real time." } ?? "The clock is real again."
    )
  }

  /// The group of an imported cache that belongs to no installed app.
  static func importedGroup(_ name: String) -> String { "imported.\(name)" }

  /// Imported items go to a group of their own client: the group of an installed app with that client ID, else `imported`.
  func importCache(_ name: String, _ file: CacheFile) throws -> Outcome {
    let clients = Set(file.credentials.map { $0.clientID.lowercased() })
    let owner = installed.first { clients.contains($0.clientID.lowercased()) }
    let group = owner?.sharedAccessGroup ?? Self.importedGroup(name)
    try transaction.expectManyRows()
    let counts = try file.writeImported(into: credentials, accessGroup: group, now: now)
    if let kept = file.keptDocument { try transaction.put(kept, .appDefaults, "import/" + name) }
    trace.add(
      .person, .keychain, "import \(name)",
      result: "accounts \(counts.accounts), refresh tokens \(counts.refreshTokens)",
      sent: [NameValue("group", group)])
    return Outcome(
      .succeeded,
      "Imported \(name): \(counts.accounts) \(counts.accounts == 1 ? "account" : "accounts"), \(counts.accessTokens) access, \(counts.refreshTokens) refresh and \(counts.idTokens) ID tokens into \(group); \(file.problems.count) entries kept aside."
    )
  }
}
