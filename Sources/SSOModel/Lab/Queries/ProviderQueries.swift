/// The waiting sign-ins and the faults of the identity provider.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct ProviderQueries {
  let reader: LabReader

  package func faults() throws -> [Fault] { try reader.documents.faults() }

  /// Returns the sign-ins of external clients that wait for a user at a terminal, oldest first.
  package func waitingSignIns() throws -> [WaitingSignIn] {
    try PendingSignIns(documents: reader.documents, now: reader.now).waiting().compactMap { key, pending in
      var waiting = WaitingSignIn(pending, key: key, now: reader.now)
      let device = try pending.userCode.flatMap { try reader.documents.device(showing: $0) }
      // It was answered in a browser.
      if pending.isUntyped, device?.state != .pending { return nil }
      if pending.userCode != nil, device?.isAsking(at: reader.now) != true {
        waiting.ended = "its program has not asked for the tokens of this device code for over a minute"
      }
      return waiting
    }
  }

  /// Returns the port of the server that started last on this machine, or else on any machine.
  package func notedServerPort() throws -> Int? { try notedServer()?.port }

  private func notedServer() throws -> ServerNote? {
    try reader.documents.read(ServerNotes.self, .server, ServerNotes.key)?.note(on: .own)
  }

  /// Returns the keys that verify the provider's tokens.
  package func publishedKeys() throws -> [TokenVerificationKey] {
    try reader.documents.publishedSigningKeys()
  }

  /// Returns the tenants for which the provider issues tokens.
  package func tenantIDs() throws -> Set<String> {
    Set(try reader.documents.readAll(Tenant.self, .tenant).map(\.id))
  }

  /// Returns the machine with managed identities that this server simulates.
  package func notedMachine() throws -> ServedMachine? {
    try notedServer()?.machine
  }
}
