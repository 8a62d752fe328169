extension Lab {
  /// Real time as this lab knows it; a demo's begins at the moment of its scenario.
  package func realTime() -> Instant { clock() }

  package func status() throws -> LabStatus {
    let history = try store.undoState()
    return try read { reader in
      LabStatus(
        name: reader.state.name, storePath: store.path, device: reader.device.name,
        platform: reader.device.platform.rawValue, now: reader.now, clockOffset: reader.state.clockOffset,
        appCount: reader.installed.count, accountCount: try reader.accounts.itemCount(),
        credentialCount: try reader.items.credentialCount(),
        brokerInstalled: reader.device.brokerVersion != nil, canUndo: history.undo, canRedo: history.redo,
        faultCount: try reader.provider.faults().count,
        waitingCount: try reader.provider.waitingSignIns().count)
    }
  }
}
