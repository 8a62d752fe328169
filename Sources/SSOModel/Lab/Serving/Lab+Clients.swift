extension Lab {
  /// Adds the registrations that external clients need and a scenario's world may lack: Azure's own tools,
  /// and an app of each kind.
  ///
  /// Existing registrations are left unchanged.
  package func registerExternalClients() throws {
    // A read-only lab shows the existing registrations.
    guard !isReadOnly else { return }
    // Random numbers from the system: a scenario with a seed stays the same whether it is served or not.
    let random = RandomSource(SystemClock.randomness())
    try store.write(nil) { try $0.addWellKnownClients(random: random) }
  }

  /// Adds a world's directory to the lab's: tenants, users, and registrations.
  ///
  /// Existing records are replaced.
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

  /// Records the port of the server that started last, for other processes.
  package func noteServer(port: Int, machine: ServedMachine? = nil) throws {
    try store.write(nil) { try ServerNote(port: port, machine: machine, runsOn: .own).keep(in: $0) }
  }
}

/// Returns the origin of a server, with which the issuer of its tokens begins.
///
/// The default port of https is omitted.
package func serverOrigin(port: Int) -> String { "https://localhost" + (port == 443 ? "" : ":\(port)") }

/// The address of a server.
struct ServerNote: Codable, Hashable {
  var port: Int
  /// The machine with managed identities, or `nil` if the server has none.
  var machine: ServedMachine?
  /// The machine of the port, or `nil` in documents of earlier versions.
  var runsOn: Machine?

  func keep(in store: StoreTransaction) throws {
    let before = try store.read(ServerNotes.self, .server, ServerNotes.key)
    try store.write(ServerNotes(self, after: before), .server, ServerNotes.key)
  }
}

/// The servers that started last on each machine: one document of the kind `server`.
struct ServerNotes: Codable {
  static let key = "last"
  /// The maximum number of remembered machines.
  private static let most = 64

  /// The newest server.
  private var last: ServerNote
  /// The servers on other machines, newest first.
  private var earlier: [ServerNote]

  init(_ note: ServerNote, after before: ServerNotes?) {
    last = note
    let others = (before?.all ?? []).filter { $0.runsOn != nil && $0.runsOn != note.runsOn }
    earlier = Array(others.prefix(Self.most - 1))
  }

  private var all: [ServerNote] { [last] + earlier }

  /// Returns the server on a machine, or else the newest, because behind a load balancer all have the same
  /// port.
  func note(on machine: Machine) -> ServerNote { all.first { $0.runsOn == machine } ?? last }

  private enum CodingKeys: String, CodingKey { case earlier }

  /// Decodes the newest server as documents of earlier versions contain it, with the others in addition.
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

  /// The environment variables that Azure's SDKs use to find the machine.
  package var variables: [NameValue] { host.variables(port: port) }
}
