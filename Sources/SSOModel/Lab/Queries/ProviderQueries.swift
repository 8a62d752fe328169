/// What waits at the identity provider, and what is wrong with it.
///
/// Throws `LabError` for a name that the lab does not have, and the store's errors.
package struct ProviderQueries {
  let reader: LabReader

  package func faults() throws -> [Fault] { try reader.documents.faults() }

  /// Sign-ins of external clients that wait for a person at a terminal, oldest first.
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

  /// Where the server listens that started last on this machine, else on any.
  package func notedServerPort() throws -> Int? { try notedServer()?.port }

  private func notedServer() throws -> ServerNote? {
    try reader.documents.read(ServerNotes.self, .server, ServerNotes.key)?.note(on: .own)
  }

  /// The keys that verify the provider's tokens.
  package func publishedKeys() throws -> [TokenVerificationKey] {
    try reader.documents.publishedSigningKeys()
  }

  /// The tenants for which the provider issues tokens.
  package func tenantIDs() throws -> Set<String> {
    Set(try reader.documents.readAll(Tenant.self, .tenant).map(\.id))
  }

  /// The machine with managed identities that this server plays.
  package func notedMachine() throws -> ServedMachine? {
    try notedServer()?.machine
  }
}
