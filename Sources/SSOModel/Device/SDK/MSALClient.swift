import Foundation
import SSOCore
import SSOKeychain
import SSOReference

/// One `MSALPublicClientApplication` (fact sheet §3.5, §3.6, §4.1, §4.2).
///
/// Errors leave as `MSALError`, keychain codes included; anything else thrown is the lab's own (store, prompt).
package struct MSALClient {
  package var around: AppSurroundings
  package var cache: TokenCache

  package var app: InstalledApp { around.app }

  package init(_ around: AppSurroundings) {
    self.around = around
    cache = TokenCache(keychain: around.keychain, accessGroup: around.app.sharedAccessGroup)
  }

  /// The checks of §5.12; every call of the app begins with them, as it must make the object first.
  package func checkApplication() throws {
    let (checks, error) = app.applicationChecks()
    around.trace.add(
      .app, .sdk, actor: app.bundleID, "MSALPublicClientApplication init",
      result: error == nil ? "ready" : "error \(error?.internalCode ?? 0)", checks: checks)
    if let error { throw error }
  }

  /// Reads fail as `Failed to get items from keychain.` (§1.7).
  func wordingKeychainErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let status as KeychainError {
      throw MSALError(keychain: status, "Failed to get items from keychain.")
    }
  }
}

extension InstalledApp {
  /// The full access group the SDK was told to use (§1.7).
  package var sharedAccessGroup: String {
    fullAccessGroup(keychainSharingGroup, teamID: teamID, bundleID: bundleID)
  }
}

// MARK: - Accounts

extension MSALClient {
  /// The first accounts that `allAccounts` would list, found from the refresh tokens and the sign-in states instead of from
  /// all account items: the same set (§3.5 steps 1–4), without reading a hundred thousand of them.
  package func accounts(limit: Int) throws -> [MSALAccount] {
    try wordingKeychainErrors {
      let metadata = try cache.accountMetadata(clientID: app.clientID)
      let states = metadata?.entries.values.sorted { $0.homeAccountID < $1.homeAccountID } ?? []
      let signedOut = states.count { $0.signInState == .signedOut }
      let owners = try cache.refreshTokenOwners(clientID: app.clientID, limit: limit + signedOut)
      let ids = states.filter { $0.signInState == .signedIn }.map(\.homeAccountID) + owners.map(\.id)
      var found: [MSALAccount] = []
      var seen: Set<String> = []
      for id in ids where seen.insert(id.lowercased()).inserted {
        let places = owners.filter { normalized($0.id) == normalized(id) }.map(\.environment)
        if let account = try listed(id, in: places) { found.append(account) }
        if found.count == limit { break }
      }
      if found.count < limit { found += try legacyAccounts(besides: found).prefix(limit - found.count) }
      return found
    }
  }

  /// `accountForIdentifier:` / `accountForUsername:`: the first match, or nil without an error.
  package func account(_ name: String) throws -> MSALAccount? {
    guard !name.allSatisfy(\.isWhitespace) else {
      throw MSALError(code: IdentityCoreCode.invalidInternalParameter.msal, "No username is provided")
    }
    return try wordingKeychainErrors {
      guard name.contains("@") else { return try listed(name) ?? legacyAccount(name) }
      for account in try cache.accounts(username: name) {
        if let found = try listed(account.homeAccountID, in: [account.environment]) { return found }
      }
      return try legacyAccount(name)
    }
  }

  /// An account that the app lists, or one that it signed out and still remembers.
  package func knownAccount(_ name: String) throws -> MSALAccount? {
    if let listed = try account(name) { return listed }
    return try wordingKeychainErrors {
      guard let other = try anyAccount(name),
        try cache.isSignedOut(homeAccountID: other.identifier, clientID: app.clientID)
      else { return nil }
      return other
    }
  }

  /// The account whether or not it is signed in here (`returnOnlySignedInAccounts = NO`).
  package func anyAccount(_ name: String) throws -> MSALAccount? {
    try wordingKeychainErrors {
      let account =
        name.contains("@")
        ? try cache.accounts(username: name).first
        : try cache.accounts(homeAccountID: name, environments: environments).first
      return account.map {
        MSALAccount(identifier: $0.homeAccountID, username: $0.username, environment: $0.environment)
      }
    }
  }

  private var environments: [String] {
    EnvironmentAliases.publicCloud.candidates(for: (try? Authority(app.authority))?.host ?? "")
  }

  /// `allAccounts` filters no environment (§3.5(5)). Here the app's own cloud is looked into, and the places where
  /// something of the account is known to lie.
  private func listed(_ homeAccountID: String, in places: [String] = []) throws -> MSALAccount? {
    let own = environments
    let others = Set(places.map { $0.lowercased() }).subtracting(own).sorted()
    let listed = try cache.listedAccounts(
      clientID: app.clientID, homeAccountID: homeAccountID, environments: own + others, withIDTokens: false)
    return listed.first.map {
      MSALAccount(
        identifier: $0.account.homeAccountID, username: $0.account.username,
        environment: $0.account.environment)
    }
  }
}
