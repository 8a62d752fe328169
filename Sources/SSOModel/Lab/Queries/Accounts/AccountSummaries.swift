/// Makes the summaries of one pass in the order of account attributes: each account once, though it may have an item for
/// each realm and group.
struct AccountSummaries {
  private let reader: LabReader
  private var tenants: TenantNames
  /// The account attribute that was taken last.
  private var last: [UInt8] = []
  /// The hosts that an account attribute may end with; the one that was found last comes first.
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

  /// Where the home account ID ends in `<home account ID>-<environment>` (docs/behaviour/msal-cache.md §2); nil for an unknown
  /// host, as either may have hyphens in it.
  private mutating func homeEnd(_ account: UnsafeRawBufferPointer) -> Int? {
    guard
      let found = hosts.firstIndex(where: {
        account.count > $0.count && account.suffix($0.count).elementsEqual($0)
      })
    else { return nil }
    if found > 0 { hosts.swapAt(0, found) }
    return account.count - hosts[0].count
  }

  /// Nil for an item that is damaged: all that is known of it is its attributes.
  private func unsealed(_ row: Int64) throws -> [String?]? {
    try reader.items.items(rows: [row]).first.flatMap {
      Self.texts.read($0.data)
    }
  }
}
