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
  private var hosts = EnvironmentAliases.trustedHosts
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
