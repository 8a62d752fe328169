/// The header line of every screen.
package struct LabStatus: Codable, Hashable, Sendable {
  package var name: String
  package var storePath: String?
  package var device: String
  package var platform: String
  package var now: Instant
  /// Seconds by which the clock was moved; nil: real.
  package var clockOffset: Int?
  package var appCount: Int
  package var accountCount: Int
  package var credentialCount: Int
  package var brokerInstalled: Bool
  package var canUndo: String?
  package var canRedo: String?
  /// The newest change and who did it, if it is another person's: undo leaves it alone.
  package var othersChange: String?
  /// Faults that are set at the provider.
  package var faultCount = 0
  /// Sign-ins of real programs that wait for a person at a terminal; also those whose program has ended, of which only the
  /// program's own machine knows.
  package var waitingCount = 0
}

extension Lab {
  /// Real time as this lab knows it; a demo's begins at the moment of its scenario.
  package func realTime() -> Instant { clock() }

  /// What `ssoterm status` and the header of the screens say.
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
