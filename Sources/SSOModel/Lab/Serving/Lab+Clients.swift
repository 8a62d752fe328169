extension Lab {
  /// Registers what real clients need and a scenario's world may lack: Azure's own tools, and an app of each sort.
  ///
  /// What is registered already stays as it is.
  package func registerExternalClients() throws {
    // A lab that is only read shows those that are there.
    guard !isReadOnly else { return }
    // Random numbers of the system: a story with a seed stays the same whether it is served or not.
    let random = RandomSource(SystemClock.randomness())
    try store.write(nil) { try $0.addWellKnownClients(random: random) }
  }

  /// Adds a world's directory to the lab's: tenants, people and registrations.
  ///
  /// One that is there already is replaced.
  package func admit(_ world: LabWorld) throws {
    try store.write(nil) { transaction in
      for tenant in world.tenants { try transaction.save(tenant) }
      for person in world.people { try transaction.save(person) }
      for registration in world.registrations { try transaction.save(registration) }
    }
  }

  /// Adds a system-assigned and a user-assigned identity, if the lab has none.
  package func registerManagedIdentities() throws {
    try store.write(nil) { try $0.addManagedIdentities() }
  }

  /// Remembers where the server that started last listens, for other processes.
  package func noteServer(port: Int, machine: ServedMachine? = nil) throws {
    try store.write(nil) {
      try $0.write(ServerNote(port: port, machine: machine), .server, ServerNote.key)
    }
  }
}

/// Where programs reach a server: what its tokens have as issuer begins so.
///
/// The port that https has anyway is left out.
package func serverOrigin(port: Int) -> String { "https://localhost" + (port == 443 ? "" : ":\(port)") }

/// Where the server that started last listens.
///
/// One document, kind `server`.
struct ServerNote: Codable, Hashable {
  static let key = "last"

  var port: Int
  /// Nil if it has no managed identities.
  var machine: ServedMachine?
}

/// A machine with managed identities that a server simulates.
package struct ServedMachine: Codable, Hashable, Sendable {
  package var host: ManagedIdentityHost
  package var port: Int

  package init(host: ManagedIdentityHost, port: Int) {
    self.host = host
    self.port = port
  }

  /// The variables by which Azure's SDKs find it.
  package var variables: [NameValue] { host.variables(port: port) }
}
