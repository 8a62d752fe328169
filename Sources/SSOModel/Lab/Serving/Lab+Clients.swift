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
    try store.write(nil) { try ServerNote(port: port, machine: machine, runsOn: .own).keep(in: $0) }
  }
}

/// Where programs reach a server: what its tokens have as issuer begins so.
///
/// The port that https has anyway is left out.
package func serverOrigin(port: Int) -> String { "https://localhost" + (port == 443 ? "" : ":\(port)") }

/// Where a server listens.
struct ServerNote: Codable, Hashable {
  var port: Int
  /// Nil if it has no managed identities.
  var machine: ServedMachine?
  /// Whose ports these are; nil in documents of earlier versions.
  var runsOn: Machine?

  func keep(in store: StoreTransaction) throws {
    let before = try store.read(ServerNotes.self, .server, ServerNotes.key)
    try store.write(ServerNotes(self, after: before), .server, ServerNotes.key)
  }
}

/// Where the server listens that started last on each machine: one document, kind `server`.
struct ServerNotes: Codable {
  static let key = "last"
  /// Of machines that are remembered.
  private static let most = 64

  /// The newest.
  private var last: ServerNote
  /// Those of other machines, the newest first.
  private var earlier: [ServerNote]

  init(_ note: ServerNote, after before: ServerNotes?) {
    last = note
    let others = (before?.all ?? []).filter { $0.runsOn != nil && $0.runsOn != note.runsOn }
    earlier = Array(others.prefix(Self.most - 1))
  }

  private var all: [ServerNote] { [last] + earlier }

  /// That of a machine, else the newest: behind a balancer all have one port.
  func note(on machine: Machine) -> ServerNote { all.first { $0.runsOn == machine } ?? last }

  private enum CodingKeys: String, CodingKey { case earlier }

  /// The newest as documents of earlier versions have it, the others beside it.
  init(from decoder: any Decoder) throws {
    last = try ServerNote(from: decoder)
    earlier =
      try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent([ServerNote].self, forKey: .earlier)
      ?? []
  }

  func encode(to encoder: any Encoder) throws {
    try last.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(earlier, forKey: .earlier)
  }
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
