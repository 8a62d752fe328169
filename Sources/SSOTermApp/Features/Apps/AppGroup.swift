/// Apps of one client ID, and what else they share: the rows of a wide window are under it.
struct AppGroup: Equatable, Sendable {
  /// Empty if they are of several vendors: the client ID belongs to one of them only.
  var vendor: String
  var clientID: String
  /// The keychain group that most of them use.
  var accessGroup: String
  /// Bundle IDs of those that use it.
  var sharers: Set<String>
  var appCount: Int
  /// How all of them ask the broker; nil if they do not ask in the same way.
  var broker: String?

  init(_ rows: [AppRow]) {
    var groups: [String: Set<String>] = [:]
    for row in rows { groups[row.accessGroup, default: []].insert(row.bundleID) }
    let most = groups.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    vendor = Set(rows.map(\.vendor)).count == 1 ? rows[0].vendor : ""
    clientID = rows.first?.clientID ?? ""
    accessGroup = most?.key ?? ""
    sharers = most?.value ?? []
    appCount = Set(rows.map(\.bundleID)).count
    broker = Set(rows.map(\.broker)).count == 1 ? rows.first?.broker : nil
  }

  /// The line above its rows: `Contoso  client b6c6…  keychain TEAM.group (2 of 3)  broker …`.
  var heading: String {
    var words = vendor.isEmpty ? [] : [vendor]
    words.append("client " + clientID)
    if !accessGroup.isEmpty {
      words.append(
        "keychain \(accessGroup)" + (sharers.count < appCount ? " (\(sharers.count) of \(appCount))" : ""))
    }
    // Why it is not used is said of the selected app.
    if let broker {
      let use = broker.prefix { $0 != ":" }
      words.append(use == "not used" ? "no broker" : "broker \(use)")
    }
    return words.joined(separator: "  ")
  }
}

extension [AppRow] {
  /// Rows of one client ID come together, where the first of them was.
  var byClient: [AppRow] {
    var order: [String: Int] = [:]
    for row in self where order[row.clientID] == nil { order[row.clientID] = order.count }
    return enumerated().sorted { one, other in
      (order[one.element.clientID] ?? 0, one.offset) < (order[other.element.clientID] ?? 0, other.offset)
    }.map(\.element)
  }

  /// Each client ID's apps.
  var groups: [String: AppGroup] {
    Dictionary(grouping: self, by: \.clientID).mapValues { AppGroup($0) }
  }
}
