/// An `ADAuthenticationContext` (docs/behaviour/adal.md §3–§5, §7, §8).
///
/// It throws its own errors as `SDKError`, including keychain codes; any other error comes from the lab (store,
/// prompt).
package struct ADALClient {
  package var context: AppContext
  package var legacy: LegacyCache
  /// The unified cache, which 2.7 and later write too, and read after the legacy items.
  var unified: TokenCache

  var version: ADALVersion { app.adalVersion }
  var authority: ADALAuthority { app.adalAuthority }
  var flow: ADALSilentFlow { ADALSilentFlow(app: app, legacy: legacy, unified: unified, now: context.now) }

  package init(_ context: AppContext) {
    self.context = context
    legacy = LegacyCache(keychain: context.keychain, accessGroup: context.app.sharedAccessGroup)
    unified = TokenCache(
      keychain: context.keychain, accessGroup: context.app.sharedAccessGroup,
      lastMetadata: context.lastMetadata)
  }

  var network: ADALNetwork { ADALNetwork(client: self) }
  var saving: ADALTokenSaving { ADALTokenSaving(client: self) }
  var silentCall: ADALSilentCall { ADALSilentCall(client: self) }
  var removal: ADALRemoval { ADALRemoval(client: self) }
  var brokerCall: ADALBrokerCall { ADALBrokerCall(client: self) }

  func wordingKeychainErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let status as KeychainError {
      throw ADALError.keychain(status, reading: true, version)
    }
  }

  /// Returns the users with an item of this client in the legacy cache, sorted by name.
  ///
  /// ADAL has no call for this (claim F3); its apps search `allItems`. Before 2.7, users have no identifier.
  func users() throws -> [SDKAccount] {
    try wordingKeychainErrors {
      var found: [String: SDKAccount] = [:]
      for item in try legacy.items() where normalized(item.clientID) == normalized(app.clientID) {
        let username = item.user?.userID ?? ""
        var account = found[username] ?? SDKAccount(identifier: "", username: username)
        if version.isUnified, account.identifier.isEmpty { account.identifier = item.homeAccountID ?? "" }
        found[username] = account
      }
      return found.values.sorted { $0.username < $1.username }
    }
  }
}

/// A part of ADAL's client, which has access to the entire client.
protocol ADALPart {
  var client: ADALClient { get }
}

extension ADALPart {
  var context: AppContext { client.context }
  var app: InstalledApp { client.app }
}
