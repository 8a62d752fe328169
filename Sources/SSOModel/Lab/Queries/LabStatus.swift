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
  /// The newest change and its author, if it is another user's, which undo does not take.
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
    let history = try store.undoState()
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
