import KeyedArchive
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference
import SSOStore

/// A change of credentials by hand, as the SDKs' test apps make it (docs/behaviour/msal-cache.md §12, docs/behaviour/adal.md §11), or their
/// deletion (msal-cache.md §11).
package struct ChangeCredentials: Intent {
  /// Its raw values are the verbs in scenario files, where a step selects the credentials.
  package enum Change: String, CaseIterable, Sendable {
    case expire, invalidate, delete

    var participle: String {
      switch self {
      case .expire: "expired"
      case .invalidate: "invalid"
      case .delete: "deleted"
      }
    }
  }

  package static let verb = "credentials"
  package var change: Change
  /// ``TokenRow/id``.
  package var ids: [String]

  package init(_ change: Change, _ ids: [String]) {
    self.change = change
    self.ids = ids
  }

  package var displayText: String {
    change.rawValue + (ids.count == 1 ? " \(ids[0])" : " \(ids.count) credentials")
  }
  package func removedAccounts(_ reader: LabReader) throws -> [String] {
    try ids.prefix(8).compactMap { id in
      guard let row = Int64(id.dropFirst()), let item = try reader.items.item(row: row) else { return nil }
      // ADAL knows only a username.
      if item.isLegacy { return (try? LegacyItem(data: item.data))?.user?.userID }
      return CredentialItem(data: item.data)?.homeAccountID
    }
  }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    var kind = "credential"
    let whose = try owners(transaction.reader)
    for id in ids {
      guard let row = Int64(id.dropFirst()), id.hasPrefix("t"),
        let item = try transaction.reader.items.item(row: row),
        (2000..<3000).contains(item.type ?? 0) || item.isLegacy
      else {
        let isID = id.hasPrefix("t") && Int64(id.dropFirst()) != nil
        throw LabError(
          .unknownCredential, "There is no credential \(id).",
          why: isID ? "" : "An ID is t and a number, such as t12.", next: "List them: \(.tokens)")
      }
      kind = item.isLegacy ? "legacy token" : ItemKind(item).rawValue
      guard try apply(to: item, id, transaction) else { continue }
      transaction.trace.add(
        .person, transaction.device.platform.storage, "\(change) \(id)", result: "done",
        sent: [NameValue("service", item.key.service), NameValue("account", item.key.account)])
    }
    return Outcome(
      .succeeded,
      ids.count == 1
        ? "The \(kind)\(whose.isEmpty ? " " + ids[0] : whose) is \(change.participle)."
        : "\(ids.count) credentials\(whose) are \(change.participle).")
  }

  /// The number of credentials up to which the title names their users.
  private static let asked = 50

  /// Returns the users of the credentials for the title, such as " of ada@contoso.com".
  private func owners(_ reader: LabReader) throws -> String {
    guard ids.count <= Self.asked else { return "" }
    let names = try ids.compactMap { try reader.tokens.detail($0)?.row.username }
    let unique = Set(names.filter { !$0.isEmpty }).sorted()
    return unique.isEmpty ? "" : " of " + unique.joined(separator: " and ")
  }

  /// - Returns: false if the item's data cannot be read, so that nothing changed.
  private func apply(to item: KeychainItem, _ id: String, _ transaction: IntentTransaction) throws -> Bool {
    let isIssued =
      try item.key.accessGroup.hasPrefix(ExternalClient.teamID + ".") && !isCacheOfBroker(item, transaction)
    if isIssued, let token = CredentialItem(data: item.data) { try changeIssued(token, id, transaction) }
    guard change != .delete else {
      try transaction.credentials.delete(item.key)
      return true
    }
    guard !isIssued else { return true }
    var changed = item
    if item.isLegacy {
      try changeLegacy(&changed, transaction)
    } else {
      guard var token = CredentialItem(data: item.data) else { return false }
      if change == .expire {
        try expire(&token, transaction)
      } else {
        token[.secret] = CredentialItem.invalidSecret
      }
      changed.data = token.data
    }
    changed.modifiedAt = transaction.now
    _ = try transaction.credentials.update(changed)
    return true
  }

  /// Returns true if the change expires an access token in the Linux broker's own cache.
  ///
  /// The broker returns such a token to programs as long as it is valid, and requests another one once it has expired.
  private func isCacheOfBroker(_ item: KeychainItem, _ transaction: IntentTransaction) throws -> Bool {
    guard change == .expire, let token = CredentialItem(data: item.data), token.type == .accessToken else {
      return false
    }
    return try transaction.reader.storedBrokerAccounts.contains { $0.homeAccountID == token.homeAccountID }
  }

  /// Sets `expires_on` of an access token to a past time.
  ///
  /// A refresh token does not have this field, so the provider's record expires.
  private func expire(_ token: inout CredentialItem, _ transaction: IntentTransaction) throws {
    if token.type == .refreshToken || token.type == .familyRefreshToken {
      try transaction.provider(.person, actor: "").expireRefreshToken(secret: token.secret)
    } else {
      token.set(.expiresOn, transaction.now.adding(seconds: -60))
      token.set(.extendedExpiresOn, transaction.now.adding(seconds: -60))
    }
  }

  /// Expires an access token, replaces a refresh token by `bad-refresh-token`, or expires the provider's record (adal.md §11).
  private func changeLegacy(_ item: inout KeychainItem, _ transaction: IntentTransaction) throws {
    guard var legacy = try? LegacyItem(data: item.data) else { return }
    switch change {
    case .expire where legacy.accessToken != nil:
      legacy[.expiresOn] = .date(transaction.now.adding(seconds: -60))
      legacy[.additionalServer] = .dictionary([:])
    case .expire:
      try transaction.provider(.person, actor: "").expireRefreshToken(secret: legacy.refreshToken ?? "")
    case .invalidate where legacy.refreshToken != nil:
      legacy[.refreshToken] = .string(CredentialItem.invalidSecret)
    case .invalidate: legacy[.accessToken] = .string("bad-access-token")
    case .delete: return
    }
    item.data = legacy.data
  }

  /// Changes the provider's record, because the copy that an external client has is out of reach.
  private func changeIssued(_ token: CredentialItem, _ id: String, _ transaction: IntentTransaction) throws {
    guard token.type == .refreshToken || token.type == .familyRefreshToken else {
      guard change == .delete else {
        throw LabError(
          .badInput, "\(id) cannot be marked \(change.participle).",
          why: "Only a refresh token can: a program reads its own copy of any other token without a request.",
          next: "Choose its refresh token: \(.tokens, with: [.json: ""])")
      }
      return
    }
    let provider = transaction.provider(.person, actor: "")
    switch change {
    case .expire: try provider.expireRefreshToken(secret: token.secret)
    case .invalidate, .delete: try provider.revokeRefreshToken(secret: token.secret)
    }
  }
}
