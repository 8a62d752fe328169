import SSOCore
import SSOKeychain
import SSOReference

/// A cache file as keychain items of one access group (docs/behaviour/msal-cache.md §1–§4).
///
/// The items have the attributes that MSAL for iOS gives them. Of entries with the same identity
/// (docs/behaviour/external-clients.md §3), the last modified wins.
package struct CacheImport {
  /// The numbers of items of each kind.
  package struct Counts: Hashable, Sendable {
    package var accessTokens = 0
    package var refreshTokens = 0
    package var idTokens = 0
    var otherCredentials = 0
    package var accounts = 0
    package var appMetadata = 0
    /// The number of entries that were dropped in favour of another entry with the same identity.
    package var duplicates = 0
    /// The number of items of the store that were replaced, which is known after writing.
    package var replaced = 0

    package init() {}
  }

  private struct Candidate {
    var item: KeychainItem
    var modified: Instant
    var count: WritableKeyPath<Counts, Int>
  }

  /// The items in the order of the file: credentials, accounts, app metadata.
  package private(set) var items: [KeychainItem] = []
  package private(set) var counts = Counts()

  package init(_ file: CacheFile, accessGroup: String, now: Instant) {
    var found: [Candidate] = []
    for item in file.credentials {
      found.append(
        Candidate(
          item: CacheKey(item).item(in: accessGroup, data: item.data, at: now), modified: item.lastChange,
          count: Self.count(of: item.type)))
    }
    for item in file.accounts {
      let modified = item.moment(AccountField.lastModificationTime.rawValue) ?? Instant(0)
      found.append(
        Candidate(
          item: CacheKey(item).item(in: accessGroup, data: item.data, at: now), modified: modified,
          count: \.accounts))
    }
    for item in file.appMetadata {
      found.append(
        Candidate(
          item: CacheKey(item).item(in: accessGroup, data: item.data, at: now), modified: Instant(0),
          count: \.appMetadata))
    }
    keepLatest(of: found)
  }

  /// Writes all items: adds new items, and replaces items with the same key.
  ///
  /// Call it inside one transaction.
  /// - Throws: `StoreError`.
  package mutating func write(into store: any CredentialStore) throws {
    counts.replaced = 0
    for item in items {
      do {
        try store.insert(item)
      } catch KeychainError.duplicateItem {
        if try store.update(item) { counts.replaced += 1 }
      }
    }
  }

  private mutating func keepLatest(of found: [Candidate]) {
    var latest: [KeychainKey: Int] = [:]
    for (index, candidate) in found.enumerated() {
      if let other = latest[candidate.item.key] {
        counts.duplicates += 1
        if candidate.modified < found[other].modified { continue }
      }
      latest[candidate.item.key] = index
    }
    for index in latest.values.sorted() {
      items.append(found[index].item)
      counts[keyPath: found[index].count] += 1
    }
  }

  private static func count(of type: CredentialType) -> WritableKeyPath<Counts, Int> {
    switch type {
    case .accessToken, .accessTokenWithAuthScheme: \.accessTokens
    case .refreshToken, .familyRefreshToken, .boundRefreshToken: \.refreshTokens
    case .idToken, .v1IDToken: \.idTokens
    default: \.otherCredentials
    }
  }
}

extension CacheFile {
  /// Writes the entire file directly into a store, without the entitlement check, because the user makes an import, not
  /// an app.
  ///
  /// The caller is responsible for storing `kept` (`keptDocument`).
  /// - Throws: `StoreError`.
  @discardableResult
  package func writeImported(
    into store: any CredentialStore, accessGroup: String, now: Instant
  ) throws -> CacheImport.Counts {
    var writing = CacheImport(self, accessGroup: accessGroup, now: now)
    try writing.write(into: store)
    return writing.counts
  }
}

extension CredentialItem {
  /// The time of the last change, if the entry specifies it.
  var lastChange: Instant { lastModificationTime ?? cachedAt ?? Instant(0) }
}
