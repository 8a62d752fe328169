import SSOCore
import SSODevice
import SSOProvider
import SSOStore

/// The header line of every screen.
package struct LabStatus: Codable, Hashable, Sendable {
  package var name: String
  package var storePath: String?
  package var device: String
  package var platform: String
  package var now: Instant
  /// The clock offset in seconds, or `nil` for real time.
  package var clockOffset: Int?
  package var appCount: Int
  package var accountCount: Int
  package var credentialCount: Int
  package var brokerInstalled: Bool
  package var canUndo: String?
  package var canRedo: String?
  /// The newest change and its author, if another user made it, so that undo does not revert it.
  package var othersChange: String?
  /// The number of faults that are set at the provider.
  package var faultCount = 0
  /// The number of external clients' sign-ins that wait for a user at a terminal.
  ///
  /// It includes sign-ins whose program has ended, which only the program's own machine can know.
  package var waitingCount = 0
}

extension Lab {
  /// Returns the real time as this lab sees it.
  ///
  /// A demo starts at the time of its scenario.
  package func realTime() -> Instant { clock() }

  /// Returns the status for `ssoterm status` and the header of the screens.
  package func status() throws -> LabStatus {
    let history = try store.undoState(isMinor: Lab.minorIntents)
    return try read { reader in
      LabStatus(
        name: reader.state.name, storePath: store.path, device: reader.device.name,
        platform: reader.device.platform.rawValue, now: reader.now, clockOffset: reader.state.clockOffset,
        appCount: reader.installed.count, accountCount: try reader.accounts.itemCount(),
        credentialCount: try reader.items.credentialCount(),
        brokerInstalled: reader.device.brokerVersion != nil, canUndo: history.undo, canRedo: history.redo,
        othersChange: history.others,
        faultCount: try reader.provider.faults().count,
        waitingCount: try reader.provider.waitingSignIns().count)
    }
  }
}

/// The tenants' display names for lists.
///
/// Each tenant is looked up once.
struct TenantNames {
  private let reader: LabReader
  private var names: [String: String?] = [:]
  /// The last requested text, which most accounts of a list share.
  private var last = (id: "", text: "")

  init(on reader: LabReader) { self.reader = reader }

  /// Returns the display name, or `nil` if the directory does not know the tenant.
  mutating func name(_ id: String) throws -> String? {
    if let known = names[id] { return known }
    let name = try reader.directory.tenant(byNameOrID: id)?.displayName
    names[id] = name
    return name
  }

  /// Returns the name, if there is one, and the ID, so that both can be searched.
  mutating func text(_ id: String) throws -> String {
    if id != last.id { last = (id, try name(id).map { "\($0) \(id)" } ?? id) }
    return last.text
  }
}
