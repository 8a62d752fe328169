/// Makes the summaries of one pass in the order of account attributes: each account once, though it may have an item for
/// each realm and group.
struct AccountSummaries {
  private let stage: Stage
  private var tenants: TenantTexts
  /// The account attribute that was taken last.
  private var last: [UInt8] = []
  /// The hosts that an account attribute may end with; the one that was found last comes first.
  private var hosts = EnvironmentAliases.trustedHosts
    .union(EnvironmentAliases.publicCloud.clouds.flatMap(\.aliases)).sorted().map { Array("-\($0)".utf8) }

  private static let texts = EntityText([AccountField.homeAccountID, .username].map(\.rawValue))

  init(on stage: Stage) {
    self.stage = stage
    tenants = TenantTexts(on: stage)
  }

  mutating func next(
    _ row: Int64, _ account: UnsafeRawBufferPointer, _ generic: UnsafeRawBufferPointer
  ) throws -> AccountSummary? {
    guard !account.elementsEqual(last) else { return nil }
    last.removeAll(keepingCapacity: true)
    last.append(contentsOf: account)
    guard let end = homeEnd(account) else { return try unsealed(row) }
    let home = String(storedText: String(decoding: account[..<end], as: UTF8.self))
    return AccountSummary(
      row: row, username: String(decoding: generic, as: UTF8.self),
      tenant: try tenants.text(home.homeTenantID),
      identifier: home)
  }

  /// Where the home account ID ends in `<home account ID>-<environment>` (fact sheet §1.3); nil for a host that nobody
  /// knows, as either may have hyphens in it.
  private mutating func homeEnd(_ account: UnsafeRawBufferPointer) -> Int? {
    guard
      let found = hosts.firstIndex(where: {
        account.count > $0.count && account.suffix($0.count).elementsEqual($0)
      })
    else { return nil }
    if found > 0 { hosts.swapAt(0, found) }
    return account.count - hosts[0].count
  }

  private mutating func unsealed(_ row: Int64) throws -> AccountSummary? {
    let item = try stage.transaction.items(device: stage.device.id, rows: [row]).first
    guard let item, let texts = Self.texts.read(item.data) else { return nil }
    let home = texts[0] ?? ""
    return AccountSummary(
      row: row, username: texts[1]?.lowercased() ?? "", tenant: try tenants.text(home.homeTenantID),
      identifier: home)
  }
}

/// Tenants as lists name them: each is looked up once.
struct TenantTexts {
  private let stage: Stage
  private var texts: [String: String] = [:]
  /// The one that was asked for last: most accounts of a list share it.
  private var last = (id: "", text: "")

  init(on stage: Stage) { self.stage = stage }

  mutating func text(_ id: String) throws -> String {
    if id == last.id { return last.text }
    if texts[id] == nil {
      let name = try Directory(documents: stage.transaction).tenant(byNameOrID: id)?.displayName
      texts[id] = name.map { "\($0) \(id)" } ?? id
    }
    last = (id, texts[id] ?? id)
    return last.text
  }
}
