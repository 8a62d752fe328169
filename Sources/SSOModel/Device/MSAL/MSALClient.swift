import Essentials

/// An `MSALPublicClientApplication`.
///
/// See docs/behaviour/msal-cache.md §10, §11, docs/behaviour/silent-call.md §1, docs/behaviour/interactive-call.md §1.
///
/// It throws its own errors as `SDKError`, including keychain codes; any other error comes from the lab (store,
/// prompt).
package struct MSALClient {
  package var context: AppContext
  package var cache: TokenCache

  package init(_ context: AppContext) {
    self.context = context
    cache = TokenCache(
      keychain: context.keychain, accessGroup: context.app.sharedAccessGroup,
      lastMetadata: context.lastMetadata)
  }

  /// ADAL's cache in the same access group.
  package var legacyCache: LegacyCache {
    LegacyCache(keychain: cache.keychain, accessGroup: cache.accessGroup)
  }

  package var listing: MSALAccounts { MSALAccounts(client: self) }
  var authorities: MSALAuthorities { MSALAuthorities(client: self) }
  var saving: MSALTokenSaving { MSALTokenSaving(client: self) }
  var interaction: MSALInteraction { MSALInteraction(client: self) }
  package var brokerCall: MSALBrokerCall { MSALBrokerCall(client: self) }

  /// Runs `body`, whose keychain errors become `Failed to get items from keychain.` (keychain.md §4).
  func wordingKeychainErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let status as KeychainError {
      throw MSALError.make(keychain: status, "Failed to get items from keychain.")
    }
  }
}

/// A part of MSAL's client, which has access to the entire client.
protocol MSALPart {
  var client: MSALClient { get }
}

extension MSALPart {
  var context: AppContext { client.context }
  var app: InstalledApp { client.app }
  var cache: TokenCache { client.cache }
}

extension InstalledApp {
  /// The full access group that the SDK was configured with (keychain.md §4).
  package var sharedAccessGroup: String {
    fullAccessGroup(keychainSharingGroup, teamID: teamID, bundleID: bundleID)
  }

  /// Whether the app's entitlements contain that group.
  package var isEntitled: Bool { entitledGroups.contains(sharedAccessGroup) }
}
