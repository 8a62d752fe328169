import SSOKeychain
import SSOReference

/// One `ADAuthenticationContext` (fact sheet §2.3–2.5, §2.7, §4.3).
///
/// Errors leave as `ADALError`, keychain codes included; anything else thrown is the lab's own (store, prompt).
package struct ADALClient {
  var around: AppSurroundings
  package var legacy: LegacyCache
  /// What 2.7 and later write besides, and read after the legacy items.
  var unified: TokenCache

  var app: InstalledApp { around.app }
  var version: ADALVersion { app.adalVersion }
  var authority: ADALAuthority { app.adalAuthority }
  var flow: ADALSilentFlow { ADALSilentFlow(app: app, legacy: legacy, unified: unified, now: around.now) }

  package init(_ around: AppSurroundings) {
    self.around = around
    legacy = LegacyCache(keychain: around.keychain, accessGroup: around.app.sharedAccessGroup)
    unified = TokenCache(keychain: around.keychain, accessGroup: around.app.sharedAccessGroup)
  }

  /// Users with an item of this client in the legacy cache, in order of names. ADAL has no call for it (claim F3);
  /// its apps look through `allItems`.
  package func users() throws -> [ADALUser] {
    try wordingKeychainErrors {
      var found: [String: ADALUser] = [:]
      for item in try legacy.items() where normalized(item.clientID) == normalized(app.clientID) {
        let id = item.user?.userID ?? ""
        let known = found[id]?.homeAccountID
        found[id] = ADALUser(userID: id, homeAccountID: known ?? item.homeAccountID)
      }
      return found.values.sorted { $0.userID < $1.userID }
    }
  }

  func wordingKeychainErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let status as KeychainError {
      throw ADALError.keychain(status, reading: true, version)
    }
  }
}

/// A user as ADAL tells an app of it: `ADUserInformation`'s `userId`, and from 2.7 `homeAccountId` (claim F3).
package struct ADALUser: Hashable {
  /// Empty for the unknown user of AD FS.
  package var userID: String
  package var homeAccountID: String?
}
