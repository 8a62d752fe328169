import SSOKeychain

/// MSAL's access to ADAL's data: refresh tokens and their accounts, but never access tokens.
///
/// See docs/behaviour/adal.md §6.
package struct LegacyLookup {
  var cache: LegacyCache
  var clientID: String

  /// Returns the authorities under which a legacy refresh token may be stored.
  ///
  /// These are all hosts with the tenant, and then all hosts with `common`. `organizations` is `common` there, and
  /// personal accounts never had legacy items.
  package static func authorities(hosts: [String], tenant: String) -> [String] {
    switch tenant.lowercased() {
    case "consumers": []
    case "common", "organizations": hosts.map { "https://\($0)/common" }
    default: hosts.map { "https://\($0)/\(tenant)" } + hosts.map { "https://\($0)/common" }
    }
  }

  /// Returns the refresh token of this client or of a family, or `nil` if it is not cached.
  ///
  /// The result is `nil` for an account without a username.
  func refreshToken(of account: SDKAccount, authorities: [String], familyID: String? = nil) throws
    -> LegacyItem?
  {
    guard !account.username.isEmpty else { return nil }
    let item = try cache.item(
      userID: account.username, authorities: authorities, resource: nil,
      clientID: familyID.map(LegacyKey.familyClientID) ?? clientID)
    guard let item, item.refreshToken != nil else { return nil }
    // If both sides contain the home account, they must agree.
    if let id = item.homeAccountID, !account.identifier.isEmpty,
      normalized(id) != normalized(account.identifier)
    {
      return nil
    }
    return item
  }

  /// Returns the accounts of refresh tokens of this client or its family in the environments; empty matches any.
  ///
  /// `identifier` is empty if the home account ID is not known.
  func accounts(username: String? = nil, familyID: String?, environments: [String] = []) throws
    -> [SDKAccount]
  {
    var found: [SDKAccount] = []
    for item in try cache.items(userID: username) where item.refreshToken != nil && item.kind != .accessToken
    {
      let isOwn = normalized(item.clientID) == normalized(clientID)
      let isFamily = familyID != nil && item.familyID == familyID
      guard isOwn || isFamily, let user = item.user?.userID, !user.isEmpty else { continue }
      guard environments.isEmpty || environments.contains(item.environment.lowercased()) else { continue }
      let account = SDKAccount(
        identifier: item.homeAccountID ?? "", username: user, environment: item.environment)
      if let known = found.firstIndex(where: { $0.isSame(as: account) }) {
        if found[known].identifier.isEmpty { found[known].identifier = account.identifier }
      } else {
        found.append(account)
      }
    }
    return found
  }
}

extension SDKAccount {
  /// Returns whether the identifiers are equal or, if either account does not have one, the usernames (msal-cache.md
  /// §8).
  func isSame(as other: SDKAccount) -> Bool {
    identifier.isEmpty || other.identifier.isEmpty
      ? normalized(username) == normalized(other.username)
      : normalized(identifier) == normalized(other.identifier)
  }
}
