/// The apps with the same client ID and the facts that they share, which are shown above their rows in a wide window.
struct AppGroup: Equatable, Sendable {
  /// The vendor, or an empty string for several vendors, because the client ID belongs to only one of them.
  var vendor: String
  var clientID: String
  /// The keychain access group that most of the apps use.
  var accessGroup: String
  /// The bundle IDs of the apps that use this access group.
  var sharers: Set<String>
  var appCount: Int
  /// The way in which all of the apps call the broker, or `nil` if they differ.
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

  /// The line above the rows: `Contoso client b6c6… keychain TEAM.group (2 of 3) broker …`.
  var heading: String {
    var words = vendor.isEmpty ? [] : [vendor]
    words.append("client " + clientID)
    if !accessGroup.isEmpty {
      words.append(
        "keychain \(accessGroup)" + (sharers.count < appCount ? " (\(sharers.count) of \(appCount))" : ""))
    }
    // The reason that the broker is not used is shown for the selected app.
    if let broker {
      let use = broker.prefix { $0 != ":" }
      words.append(use == "not used" ? "no broker" : "broker \(use)")
    }
    return words.joined(separator: "  ")
  }
}

extension [AppRow] {
  /// The rows ordered so that rows with the same client ID are together, at the place of the first of them.
  var byClient: [AppRow] {
    var order: [String: Int] = [:]
    for row in self where order[row.clientID] == nil { order[row.clientID] = order.count }
    return enumerated().sorted { one, other in
      (order[one.element.clientID] ?? 0, one.offset) < (order[other.element.clientID] ?? 0, other.offset)
    }.map(\.element)
  }

  /// The groups of apps, by client ID.
  var groups: [String: AppGroup] {
    Dictionary(grouping: self, by: \.clientID).mapValues { AppGroup($0) }
  }
}
