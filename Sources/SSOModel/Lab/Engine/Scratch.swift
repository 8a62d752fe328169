import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOReference
import SSOStore

/// The documents of a dry run.
///
/// Its writes stay in this copy and are discarded with it.
final class ScratchDocuments: DocumentStore {
  private let base: any DocumentReader
  private var written: [DocumentKind: [String: Data?]] = [:]

  init(over base: any DocumentReader) { self.base = base }

  func document(_ kind: DocumentKind, _ key: String) throws -> Data? {
    if let changed = written[kind]?[key] { return changed }
    return try base.document(kind, key)
  }

  func documents(_ kind: DocumentKind, keyPrefix: String) throws -> [(key: String, body: Data)] {
    let below = try base.documents(kind, keyPrefix: keyPrefix)
    guard let changed = written[kind] else { return below }
    let kept = below.filter { changed[$0.key] == nil }
    let new = changed.filter { $0.key.hasPrefix(keyPrefix) }.compactMap { key, body in
      body.map { (key: key, body: $0) }
    }
    return (kept + new).sorted { $0.key < $1.key }
  }

  func documents(_ kind: DocumentKind, after key: String, limit: Int) throws -> [(key: String, body: Data)] {
    let changed = written[kind] ?? [:]
    let below = try base.documents(kind, after: key, limit: limit + changed.count)
    let new = changed.compactMap { name, body in name > key ? body.map { (key: name, body: $0) } : nil }
    return Array((below.filter { changed[$0.key] == nil } + new).sorted { $0.key < $1.key }.prefix(limit))
  }

  func read<T: Decodable & Sendable>(_ type: T.Type, _ kind: DocumentKind, _ key: String) throws -> T? {
    guard let changed = written[kind]?[key] else { return try base.read(type, kind, key) }
    return try changed.map { try decodeJSON(T.self, from: $0) }
  }

  func readAll<T: Decodable & Sendable>(
    _ type: T.Type, _ kind: DocumentKind, keyPrefix: String
  ) throws -> [T] {
    guard written[kind] == nil else {
      return try documents(kind, keyPrefix: keyPrefix).map {
        try decodeJSON(T.self, from: $0.body)
      }
    }
    return try base.readAll(type, kind, keyPrefix: keyPrefix)
  }

  func put(_ body: Data, _ kind: DocumentKind, _ key: String) throws {
    written[kind, default: [:]][key] = .some(body)
  }
  func delete(_ kind: DocumentKind, _ key: String) throws {
    written[kind, default: [:]][key] = .some(nil)
  }
}

/// The keychain items of a dry run.
final class ScratchCredentials: CredentialStore {
  private let base: any CredentialReader
  private let written = MemoryCredentialStore()
  private var hidden: Set<KeychainKey> = []

  init(over base: any CredentialReader) { self.base = base }

  func items(matching query: KeychainQuery) throws -> [KeychainItem] {
    let below = try base.items(matching: query)
    guard !hidden.isEmpty else { return below }
    return try below.filter { !hidden.contains($0.key) } + written.items(matching: query)
  }

  func insert(_ item: KeychainItem) throws {
    guard try items(matching: KeychainQuery(key: item.key)).isEmpty else { throw KeychainError.duplicateItem }
    hidden.insert(item.key)
    try written.insert(item)
  }

  func update(_ item: KeychainItem) throws -> Bool {
    guard try !items(matching: KeychainQuery(key: item.key)).isEmpty else { return false }
    hidden.insert(item.key)
    if try !written.update(item) { try written.insert(item) }
    return true
  }

  func delete(_ key: KeychainKey) throws {
    hidden.insert(key)
    try written.delete(key)
  }
}

extension KeychainQuery {
  fileprivate init(key: KeychainKey) {
    self.init(
      accessGroups: [key.accessGroup], itemClass: key.itemClass, account: key.account, service: key.service)
  }
}

/// The operations that `ssoterm-bench` measures: the product's own code, without the process, the user, and
/// the provider.
extension Lab {
  /// Passes a silent call to `body`, which can repeat it in one transaction.
  ///
  /// The SDK already has its account object.
  ///
  /// The call returns whether the cache had the token.
  package func withSilentCall(
    app name: String, account: String, scopes: [String], _ body: (() throws -> Bool) throws -> Void
  ) throws {
    try read { reader in
      let app = try reader.app(name)
      let known = try reader.sdk(of: app).listedAccount(account)
      try body { try reader.cache(of: app).hasToken(for: known, scopes: scopes, of: app, at: reader.now) }
    }
  }

  /// Saves the provider's response to the sign-in of one new user, with journal and trace, durably.
  package func saveSignIn(app name: String, number: Int) throws {
    let entry = JournalEntry(intent: "sign in \(name)", at: clock())
    try store.write(entry) { store in
      let transaction = try IntentTransaction(store, realTime: entry.at)
      let app = try transaction.app(name)
      let identity = transaction.random.uuid()
      let tenant = "11111111-aaaa-4aaa-8aaa-111111111111"
      let account = AccountItem([
        .homeAccountID: identity + "." + tenant, .localAccountID: identity, .realm: tenant,
        .environment: PublicCloud.preferredCache, .username: "new\(number)@contoso.com",
      ])
      try MSALClient(transaction.runtime.context(of: app)).cache.save(
        CachedTokenResponse(
          account: account, clientID: app.clientID,
          accessToken: String(repeating: "a", count: 1500), target: "User.Read",
          expiresOn: transaction.now.adding(seconds: 3600), refreshToken: String(repeating: "r", count: 1000),
          familyID: "1", idToken: String(repeating: "i", count: 1000)))
      try transaction.saveRandom()
      try store.append(
        trace: TraceRecord(
          title: entry.intent, correlationID: identity, at: transaction.now,
          outcome: Outcome(.succeeded, "Saved.").encoded, hops: transaction.trace.hops))
    }
  }
}
