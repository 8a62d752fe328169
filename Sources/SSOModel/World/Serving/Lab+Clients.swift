extension Lab {
  /// Registers what real clients need and a scenario's world may lack: Azure's own tools, and an app of each sort.
  /// What is registered already stays as it is.
  public func registerRealClients() throws {
    try store.write(nil) { transaction in
      let directory = Directory(documents: transaction)
      for registration in ClientRegistration.realClients
      where try directory.registration(clientID: registration.clientID) == nil {
        try directory.save(registration)
      }
    }
  }

  /// Those that `registerRealClients` made, in the order in which `ssoterm serve env` names them.
  public func realClientRegistrations() throws -> [ClientRegistration] {
    try view { stage in
      let directory = Directory(documents: stage.transaction)
      return try ClientRegistration.realClients.compactMap {
        try directory.registration(clientID: $0.clientID)
      }
    }
  }

  /// Everybody who can sign in, in the order of user names.
  public func people() throws -> [Person] { try view { try Directory(documents: $0.transaction).people() } }

  /// In the order of their IDs.
  public func tenants() throws -> [Tenant] { try view { try Directory(documents: $0.transaction).tenants() } }

  /// Remembers where the server that started last listens, for other processes.
  public func noteServer(port: Int) throws {
    try store.write(nil) { try $0.write(ServerNote(port: port), .server, ServerNote.key) }
  }

  public func notedServerPort() throws -> Int? {
    try view { try $0.transaction.read(ServerNote.self, .server, ServerNote.key)?.port }
  }
}

/// Where the server that started last listens. One document, kind `server`.
private struct ServerNote: Codable {
  static let key = "last"

  var port: Int
}

extension ClientRegistration {
  /// Loopback redirect URIs hold for any port (RFC 8252 §7.3). MSAL's has no path, others have one.
  private static let loopback = ["localhost", "127.0.0.1"].flatMap { host in
    ["", "/", "/cb", "/callback"].map { "http://\(host)\($0)" }
  }

  static let realClients = [
    ClientRegistration(
      clientID: "04b07795-8ddb-461a-bbee-02f9e1bf7b46", displayName: "Azure CLI", publisher: "Microsoft",
      redirectURIs: loopback, familyID: "1", isPreauthorized: true),
    ClientRegistration(
      clientID: "1950a258-227b-4e31-a9cf-717495945fc2", displayName: "Azure PowerShell",
      publisher: "Microsoft",
      redirectURIs: loopback, familyID: "1", isPreauthorized: true),
    ClientRegistration(
      clientID: "33333333-cccc-4ccc-8ccc-333333333333", displayName: "Lab Public App",
      publisher: "SSOTerm lab",
      redirectURIs: loopback),
  ]
}
