import Essentials
import SSOCore
import SSODevice
import SSOProvider
import SSOStore

/// A program outside the lab, known by its requests to the provider.
///
/// There is one for each client ID.
///
/// Its own cache is not visible to the lab. Copies of the tokens that were issued to it are in the access
/// group `issued.<client ID>`, so that lists, states, and the inspector treat them as they do a simulated
/// app's.
struct ExternalClient: Codable, Hashable {
  package var clientID: String
  package var displayName: String
  var publisher: String
  /// The redirect URI of the last sign-in, with the port that the program listened on.
  ///
  /// Empty if it never sent one.
  package var redirectURI: String
  /// The program's name for itself: `x-client-sku`, or the first product of `User-Agent`.
  package var program: String
  var programVersion: String
  /// The authority, `https://localhost/<tenant>`: the host without a port, as in MSAL's cache keys
  /// (docs/behaviour/external-clients.md §2).
  var authority: String

  package static let teamID = "issued"
  /// Returns the access group with the copies of the program's tokens: `issued.<client ID>`.
  package static func accessGroup(clientID: String) -> String { teamID + "." + clientID.lowercased() }

  /// The program as an app, for lists.
  ///
  /// The client ID replaces the bundle ID, which the program does not have.
  var asApp: InstalledApp {
    InstalledApp(
      bundleID: clientID.lowercased(), teamID: Self.teamID, displayName: displayName, vendor: publisher,
      sdkVersion: programVersion, clientID: clientID, redirectURI: redirectURI, authority: authority,
      keychainAccessGroups: [], keychainSharingGroup: nil, urlSchemes: [], queriesSchemes: [],
      brokerUse: .none)
  }
}

extension ExternalClient {
  /// The name and version, such as `MSAL.Python 1.39.0`.
  ///
  /// Empty if the program never sent them.
  var programWords: String { programVersion.isEmpty ? program : program + " " + programVersion }

  /// Creates a client from a request, or returns `nil` if the request does not contain a registered client.
  init?(_ request: HTTPRequest, directory: Directory) throws {
    guard let id = request.field("client_id") ?? (try? PresentedClient(request))?.clientID,
      let registration = try directory.registration(clientID: id)
    else { return nil }
    clientID = registration.clientID
    displayName = registration.displayName
    publisher = registration.publisher
    redirectURI = String((request.field("redirect_uri") ?? "").prefix(400))
    (program, programVersion) = request.program
    let host = URLParts(request.origin)?.host ?? ""
    let tenant = request.path.split(separator: "/").first ?? "common"
    authority = "https://\(host)/\(tenant)"
  }

  /// Returns the client updated by a request.
  ///
  /// The request for a page does not identify the program, and later requests do not contain a redirect URI.
  func updated(by seen: ExternalClient) -> ExternalClient {
    var result = seen
    if seen.redirectURI.isEmpty { result.redirectURI = redirectURI }
    if seen.program.isEmpty { (result.program, result.programVersion) = (program, programVersion) }
    return result
  }
}

extension HTTPRequest {
  /// The name and version that the program sent.
  ///
  /// Empty for a browser that shows a page.
  fileprivate var program: (name: String, version: String) {
    func value(_ name: String) -> String? {
      (header(name) ?? query[name] ?? form[name]).map { String($0.prefix(60)) }
    }
    if let sku = value("x-client-sku") { return (sku, value("x-client-ver") ?? "") }
    guard method == "POST", let agent = value("user-agent"), !agent.hasPrefix("Mozilla/") else {
      return ("", "")
    }
    let product = agent.prefix { $0 != " " }.split(separator: "/", maxSplits: 1).map(String.init)
    return (product.first ?? "", product.count > 1 ? product[1] : "")
  }
}

extension Lab {
  /// Adds the registrations that external clients need and a scenario's world may lack: Azure's own tools,
  /// and an app of each kind.
  ///
  /// Existing registrations are left unchanged. `secret` is that of the confidential client, or `nil` for a random one.
  package func registerExternalClients(secret: String? = nil) throws {
    // A read-only lab shows the existing registrations.
    guard !isReadOnly else { return }
    // Use random numbers from the system, so that a scenario with a seed stays the same whether it is served or not.
    let random = RandomSource(SystemClock.randomness())
    try store.write(nil) { try $0.addWellKnownClients(secret: secret, random: random) }
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

  /// Adds an API as a server for the Model Context Protocol (docs/behaviour/graph.md §3), and returns its URL.
  ///
  /// `identifier` is its App ID URI, `url` for its own URL, or `api` for that of a new registration at Entra.
  package func publishResource(_ identifier: String, at origin: String) throws -> String {
    let (clientID, url) = (Self.resourceID, Self.resourceURL(at: origin))
    var api = ClientRegistration(
      clientID: clientID, displayName: "MCP server", publisher: "Lab", redirectURIs: [])
    api.identifierURIs = [["url": url, "api": "api://\(clientID)"][identifier] ?? identifier]
    api.exposedScopes = ["mcp.tools"]
    api.accessTokenVersion = 2
    try store.write(nil) { try $0.save(api) }
    return url
  }

  /// Returns the URL of the server for the Model Context Protocol, or `nil` if the lab does not have one.
  package func publishedResource(at origin: String) throws -> String? {
    let api = try read { try $0.directory.registration(clientID: Self.resourceID) }
    return api == nil ? nil : Self.resourceURL(at: origin)
  }

  private static func resourceURL(at origin: String) -> String { "\(origin)/resource/\(resourceID)" }

  private static var resourceID: String { guid(of: "server for the Model Context Protocol") }

  /// Adds a system-assigned and a user-assigned identity, if the lab does not have any.
  package func registerManagedIdentities() throws {
    try store.write(nil) { try $0.addManagedIdentities() }
  }

  /// Records the port of the server that started last, for other processes, and its options.
  package func noteServer(port: Int, machine: ServedMachine? = nil, start: ServedStart? = nil) throws {
    try store.write(nil) {
      try ServerNote(port: port, machine: machine, runsOn: .own, start: start).keep(in: $0)
    }
  }
}

/// Returns the origin of a server, with which the issuer of its tokens begins.
///
/// The default port of https is omitted.
package func serverOrigin(port: Int) -> String { "https://localhost" + (port == 443 ? "" : ":\(port)") }

/// The address of a server.
struct ServerNote: Codable, Hashable {
  var port: Int
  /// The machine with managed identities, or `nil` if the server does not have one.
  var machine: ServedMachine?
  /// The machine of the port, or `nil` in documents of earlier versions.
  var runsOn: Machine?
  /// The state to which a reset goes back, or `nil` in documents of earlier versions.
  var start: ServedStart?

  func keep(in store: StoreTransaction) throws {
    let before = try store.read(ServerNotes.self, .server, ServerNotes.key)
    try store.write(ServerNotes(self, after: before), .server, ServerNotes.key)
  }
}

/// The state that a server started with, to which a reset of its lab goes back.
package struct ServedStart: Codable, Hashable, Sendable {
  /// The options that name the scenario, or an empty list for the lab as it was.
  package var scenario: [String]
  /// The options that name the users and the faults that the server added.
  package var additions: [String]
  /// The identifier of the protected resource for MCP clients, or `nil` without such clients.
  package var resource: String?
  /// The port on which the server itself listens.
  package var port: Int
  /// The user ID of the server's process, or `nil` in documents of earlier versions.
  package private(set) var user: UInt32? = getuid()

  package init(scenario: [String], additions: [String], resource: String? = nil, port: Int = 0) {
    (self.scenario, self.additions, self.resource, self.port) = (scenario, additions, resource, port)
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

extension Lab {
  /// Issues a token of the lab's own issuer, which a workload presents instead of a secret.
  ///
  /// `lifetime` is in seconds.
  ///
  /// - Throws: `LabError` if the lab is read-only; `StoreError`.
  package func federationToken(
    issuer: String, subject: String, audience: String, lifetime: Int
  ) throws -> String {
    try checkWritable()
    return try store.write(nil) { transaction in
      let now = try LabReader(transaction, realTime: clock()).now
      return try ForeignIssuer(documents: transaction, random: RandomSource(SystemClock.randomness()))
        .token(issuer: issuer, subject: subject, audience: audience, at: now, lifetime: lifetime)
    }
  }
}
