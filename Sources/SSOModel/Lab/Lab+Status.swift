import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOStore

extension Lab {
  /// Real time as this lab knows it; a demo's begins at the moment of its scenario.
  package func realTime() -> Instant { clock() }

  /// The lab's clock.
  package func now() throws -> Instant { try view { $0.now } }

  package func status() throws -> LabStatus {
    let history = try store.undoState()
    return try view { stage in
      let accounts = try stage.deviceItems.itemCount(
        type: AccountType.mssts.attributeType)
      return LabStatus(
        name: stage.state.name, storePath: store.path, device: stage.device.name,
        platform: stage.device.platform.rawValue, now: stage.now, clockOffset: stage.state.clockOffset,
        appCount: stage.installed.count, accountCount: accounts,
        credentialCount: try stage.deviceItems.credentialCount(),
        brokerInstalled: stage.device.brokerVersion != nil, canUndo: history.undo, canRedo: history.redo,
        faultCount: try stage.provider(.system, actor: "").faults().count,
        waitingCount: try PendingSignIns(documents: stage.transaction, now: stage.now).waiting().count)
    }
  }

  package func traces(limit: Int = 200) throws -> [TraceSummary] {
    try store.traces(limit: limit).map { TraceSummary($0) }
  }

  package func trace(_ id: Int64) throws -> Trace? {
    try store.read { transaction in
      try transaction.trace(id: id).map {
        Trace(
          summary: TraceSummary($0), hops: $0.hops, outcome: Outcome(encoded: $0.outcome),
          notes: try transaction.notes(onTrace: id))
      }
    }
  }

  /// The accounts to choose from for `ssoterm pick`: as the broker would list them for an app, or for nobody in
  /// particular.
  package func picker(app bundleID: String?) throws -> AccountPicker {
    try view { stage in
      guard let app = try bundleID.map({ try stage.app($0) }) ?? stage.installed.first else {
        throw LabError(
          .nothingMatched, "No app is installed.", why: "The picker says who asks.",
          next: "ssoterm scenario list")
      }
      let candidates = try stage.brokerSurroundings(for: app).accounts().map {
        $0.candidate(at: stage.now, hint: nil)
      }
      let held = Set(candidates.map(\.homeAccountID))
      let others = try stage.accountRows(limit: 500).filter { !held.contains($0.homeAccountID) }.map {
        PickerCandidate(
          homeAccountID: $0.homeAccountID, displayName: $0.displayName ?? "", username: $0.username,
          tenantName: $0.homeTenantName ?? "",
          state: $0.apps.isEmpty || $0.refreshToken.state == .none ? .signedOut : .ready,
          remark: $0.apps.isEmpty ? "signed out" : $0.apps.joined(separator: ", "), isHinted: false)
      }
      return AccountPicker(
        appName: bundleID == nil ? "" : app.displayName, bundleID: app.bundleID,
        clientID: bundleID == nil ? "" : app.clientID,
        redirectURI: bundleID == nil ? "" : app.redirectURI, sdk: "", scopes: [], prompt: nil, loginHint: nil,
        callerCheck: CallerCheck(reportedBundleID: app.bundleID, redirectURI: app.redirectURI).check,
        candidates: candidates + others, presentation: stage.device.pickerPresentation,
        reason: "Accounts of this device, those of the broker first.", signsIn: false)
    }
  }
}

extension TraceSummary {
  init(_ record: TraceRecord) {
    let outcome = Outcome(encoded: record.outcome)
    self.init(
      id: record.id, title: record.title, correlationID: record.correlationID, at: record.at,
      verdict: outcome?.verdict.rawValue ?? "", summary: outcome?.summary ?? "", hopCount: record.hopCount)
  }
}
