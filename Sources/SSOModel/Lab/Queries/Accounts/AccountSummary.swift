import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOStore

/// The keychain attributes of an account that a very long list needs to display and sort it.
package struct AccountSummary: Hashable, Sendable {
  /// The number for ``AccountQueries/rows(_:)``.
  ///
  /// It is the row of the account's first item, or a negative number without an item, and valid until the
  /// program ends.
  package var row: Int64
  /// The username in lowercase, as in the generic attribute.
  package var username: String
  /// The home tenant's name, if the directory knows it, and its ID.
  package var tenant: String
  /// The identifier for finding the account again: the home account ID, or the username if that is unknown.
  package var identifier: String
}

/// The details of an account that a very long list can also be searched by.
///
/// Each must be unsealed.
package struct AccountDetails: Hashable, Sendable {
  package var row: Int64
  /// The username as the provider wrote it.
  package var username: String
  package var name: String
  /// The apps in which the account is signed in.
  package var apps: String
}

/// A type that creates the summaries in one pass over the account attributes, each account once.
///
/// An account may have an item for each realm and group.
struct AccountSummaries {
  private let reader: LabReader
  private var tenants: TenantNames
  /// The last account attribute.
  private var last: [UInt8] = []
  /// The hosts with which an account attribute may end.
  ///
  /// The host that was found last comes first.
  private var hosts = Cloud.trustedHosts
    .union(EnvironmentAliases.publicCloud.clouds.flatMap(\.aliases)).sorted().map { Array("-\($0)".utf8) }

  private static let texts = EntityText([AccountField.homeAccountID, .username].map(\.rawValue))

  init(on reader: LabReader) {
    self.reader = reader
    tenants = TenantNames(on: reader)
  }

  mutating func next(
    _ row: Int64, _ account: UnsafeRawBufferPointer, _ generic: UnsafeRawBufferPointer
  ) throws -> AccountSummary? {
    guard !account.elementsEqual(last) else { return nil }
    last.removeAll(keepingCapacity: true)
    last.append(contentsOf: account)
    let end = homeEnd(account)
    if end == nil, let texts = try unsealed(row) {
      return try summary(row, texts[1]?.lowercased() ?? "", texts[0] ?? "")
    }
    let home = String(decoding: account[..<(end ?? account.count)], as: UTF8.self)
    return try summary(row, String(decoding: generic, as: UTF8.self), home)
  }

  private mutating func summary(_ row: Int64, _ username: String, _ home: String) throws -> AccountSummary {
    AccountSummary(
      row: row, username: username, tenant: try tenants.text(home.homeTenantID), identifier: home)
  }

  /// Returns where the home account ID ends in `<home account ID>-<environment>`
  /// (docs/behaviour/msal-cache.md §2).
  ///
  /// Returns `nil` for an unknown host, because both parts may contain hyphens.
  private mutating func homeEnd(_ account: UnsafeRawBufferPointer) -> Int? {
    guard
      let found = hosts.firstIndex(where: {
        account.count > $0.count && account.suffix($0.count).elementsEqual($0)
      })
    else { return nil }
    if found > 0 { hosts.swapAt(0, found) }
    return account.count - hosts[0].count
  }

  /// Returns the unsealed texts, or `nil` for a damaged item, of which only the attributes are known.
  private func unsealed(_ row: Int64) throws -> [String?]? {
    try reader.items.items(rows: [row]).first.flatMap {
      Self.texts.read($0.data)
    }
  }
}

/// A reader of account details in one pass, in the order of ``AccountSummaries``.
struct AccountDetailsReader {
  private let adalUsers: LegacyUsers
  private let uses: [(use: RefreshTokenUse, holders: Set<Int>)]
  private var last = ""
  private var lastUsers: [Bool] = []
  private var lastApps = ""

  private static let texts = EntityText(
    [
      AccountField.homeAccountID, .environment, .username, .name,
    ].map(\.rawValue))

  init(on reader: LabReader, adalUsers: LegacyUsers) throws {
    self.adalUsers = adalUsers
    uses = try RefreshTokenUse.all(in: reader).map { ($0, try $0.holders()) }
  }

  mutating func next(_ item: KeychainItem) throws -> AccountDetails? {
    guard item.key.account != last else { return nil }
    last = item.key.account
    guard let texts = Self.texts.read(item.data) else {
      let username = String(decoding: item.generic ?? Data(), as: UTF8.self)
      return AccountDetails(row: item.rowID, username: username, name: "", apps: "")
    }
    let username = texts[2] ?? ""
    return AccountDetails(
      row: item.rowID, username: username, name: texts[3] ?? "",
      apps: try apps(texts[0] ?? "", environment: texts[1] ?? "", username: username))
  }

  private mutating func apps(_ home: String, environment: String, username: String) throws -> String {
    let hash = last.hashValue
    let users = try uses.map { use, holders in
      let holds =
        holders.contains(hash)
        || use.hosts(of: environment).contains { holders.contains(CacheKey.account(home, $0).hashValue) }
      return try use.isSignedIn(home, environment: environment, holdsToken: holds)
    }
    if users != lastUsers {
      lastUsers = users
      lastApps = zip(uses, users).flatMap { $1 ? $0.use.apps.map(\.displayName) : [] }.joined(separator: ", ")
    }
    let withADAL = adalUsers.isEmpty ? [] : adalUsers.apps(of: username, home)
    guard !withADAL.isEmpty else { return lastApps }
    let own = zip(uses, users).flatMap { $1 ? $0.use.apps.map(\.displayName) : [] }
    return (own + withADAL.filter { !own.contains($0) }).joined(separator: ", ")
  }
}
