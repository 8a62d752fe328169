import Essentials
import SSOCore

extension WorldStore {
  /// Opens a team's lab on a server.
  ///
  /// If it does not exist, creates it if `create` allows it.
  ///
  /// - Throws: `missing` without `create`, `server`.
  static func open(
    _ address: LabAddress, create: Bool, user: StoreUser?, key: Data?
  ) throws(StoreError) -> WorldStore {
    let engine = try address.connect()
    let news = StoreEventReporter()
    engine.setListener { news.report($0) }
    let connection = StoreConnection(engine)
    do {
      var found = try engine.foundLab()
      if found == nil {
        guard create else { throw StoreError.missing(path: address.name) }
        try FoundLab.make(connection, engine, address, key)
        found = try engine.foundLab()
      }
      guard let found else { throw StoreError.missing(path: address.name) }
      let key = found.keyFile(address)
      let seal = Seal(key: try key.read())
      guard (try? seal.open(found.check, for: RowKey.check.encoded)) == checkValue else {
        throw StoreError.server(address.name, .keyWrong(lab: address.lab, file: key.path))
      }
      return WorldStore(
        .server(address), connection: connection,
        Opened(seal: seal, wasFilled: found.isFilled, version: found.version),
        onlyReads: found.onlyReads, filesBeside: found.filesBeside(address), news: news,
        user: user)
    } catch {
      throw error as? StoreError ?? .server(address.name, .other("\(error)"))
    }
  }
}

/// The reason that a lab on a server is read-only.
package enum ReadOnlyReason: Hashable, Sendable {
  /// The server is a standby, or the database does not accept changes.
  case server
  /// The user, with this name on the server, lacks the permission to write.
  case person(String)
}

/// The server's facts about a lab, before it is opened.
package struct FoundLab {
  var version: Int
  /// The `checkValue`, sealed with the lab's key.
  var check: Data
  /// Eight hexadecimal digits that distinguish this lab from others with the same name.
  ///
  /// They are not secret.
  var id: String
  var isFilled: Bool
  /// The reason that the lab is read-only, or `nil` if it can be written.
  var onlyReads: ReadOnlyReason?

  package init(version: Int, check: Data, id: String, isFilled: Bool, onlyReads: ReadOnlyReason?) {
    (self.version, self.check, self.id) = (version, check, id)
    (self.isFilled, self.onlyReads) = (isFilled, onlyReads)
  }

  func keyFile(_ address: LabAddress) -> KeyFile { Self.keyFile(address, id: id) }

  static func keyFile(_ address: LabAddress, id: String) -> KeyFile {
    let path = filesBeside(address, id: id) + ".key"
    return KeyFile(
      path: path, store: address.name,
      missing: .server(address.name, .keyMissing(lab: address.lab, file: path)),
      wrong: .server(address.name, .keyWrong(lab: address.lab, file: path)))
  }

  /// Returns the path prefix of this user's files for the lab.
  func filesBeside(_ address: LabAddress) -> String { Self.filesBeside(address, id: id) }

  private static func filesBeside(_ address: LabAddress, id: String) -> String {
    "\(address.stateFolder)/labs/\(address.lab)-\(id)"
  }
}

extension FoundLab {
  /// Creates the lab and its key.
  static func make(
    _ connection: StoreConnection, _ engine: any ServerEngine, _ address: LabAddress, _ key: Data?
  ) throws {
    try engine.makeLab {
      let id = Seal.newKey().prefix(4).map { String(256 + Int($0), radix: 16).dropFirst() }.joined()
      try Schema.create(in: connection)
      let seal = Seal(key: try keyFile(address, id: id).readOrCreate(key))
      let check = try seal.seal(WorldStore.checkValue, for: RowKey.check.encoded)
      try connection.run(
        "INSERT INTO meta(name, value) VALUES('check', ?), ('id', ?)", [check, Data(id.utf8)])
    }
  }
}

/// The address of a team's lab: a database, and the lab's name in it.
///
/// `postgresql://person@host1,host2/qa?target_session_attrs=read-write&lab=team1` is a connection URI of
/// libpq (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS) with one
/// additional parameter.
package struct LabAddress: Sendable {
  /// The lab's name if the address does not contain one.
  package static let usualLab = "lab"

  /// The URI for libpq: the address without the lab.
  ///
  /// It may contain a password.
  package let url: String
  /// The lab's name: at most 40 lowercase letters, digits, `_`, and `-`.
  package let lab: String
  /// The folder of this user's files for labs: the key, and the certificate of its authority.
  package let stateFolder: String
  /// The driver, or `nil` for an address that is only parsed.
  private let driver: ServerDriver?

  /// Returns whether a store's name is such an address.
  package static func matches(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Returns whether an address contains a password.
  package static func hasPassword(_ text: String) -> Bool {
    guard let address = try? LabAddress(text, stateFolder: "", driver: nil) else { return false }
    return address.secrets.count > 1
  }

  /// Parses the address of a lab on a server.
  ///
  /// `stateFolder` is the user's state folder of ssoterm.
  ///
  /// `driver` connects to the server.
  ///
  /// - Throws: `badAddress` for a lab name with other characters.
  package init(_ text: String, stateFolder: String, driver: ServerDriver?) throws(StoreError) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = parts.count > 1 ? parts[1].split(separator: "&") : []
    let lab = fields.last { $0.hasPrefix("lab=") }.map { String($0.dropFirst(4)) } ?? Self.usualLab
    url = Self.url(parts[0], fields.filter { !$0.hasPrefix("lab=") })
    self.lab = lab
    self.stateFolder = stateFolder
    self.driver = driver
    guard Self.isName(lab) else {
      throw .server(
        name,
        .badAddress("Expected a lab's name of 1 to 40 lowercase letters, digits, _, and -, found “\(lab)”."))
    }
  }

  private init(_ other: LabAddress, lab: String) {
    (url, self.lab, stateFolder, driver) = (other.url, lab, other.stateFolder, other.driver)
  }

  /// Returns the address of another lab in the same database.
  package func with(lab: String) throws(StoreError) -> LabAddress {
    guard Self.isName(lab) else {
      throw .server(
        name,
        .badAddress("Expected a lab's name of 1 to 40 lowercase letters, digits, _, and -, found another."))
    }
    return LabAddress(self, lab: lab)
  }

  static func isName(_ lab: String) -> Bool {
    (1...40).contains(lab.utf8.count)
      && lab.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95 }
  }

  /// The address with the lab, for another program that opens the same lab.
  ///
  /// It may contain a password.
  package var full: String { url + (url.contains("?") ? "&" : "?") + "lab=" + lab }

  /// The address in error messages and on screens, without passwords.
  ///
  /// A copy of it leads to the same lab.
  package var name: String { Self.url(server(), fields.filter { !Self.isSecret($0) } + ["lab=" + lab]) }

  /// The database without the lab and without passwords, for PostgreSQL's own programs.
  var databaseName: String { Self.url(server(), fields.filter { !Self.isSecret($0) }) }

  /// The database for another person, who connects as another user.
  var databaseNameOfOthers: String {
    Self.url(server(user: false), fields.filter { !Self.isSecret($0) && !$0.hasPrefix("user=") })
  }

  /// The maintenance database, which every server has.
  var maintenanceName: String {
    Self.url(
      server(database: "postgres"), fields.filter { !Self.isSecret($0) && !$0.hasPrefix("dbname=") })
  }

  private static func url(_ server: some StringProtocol, _ fields: [Substring]) -> String {
    String(server) + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
  }

  /// The fields, such as `host=/run/postgresql` and `sslmode=require`.
  private var fields: [Substring] {
    guard let mark = url.firstIndex(of: "?") else { return [] }
    return url[url.index(after: mark)...].split(separator: "&")
  }

  /// Returns whether a field is `password`, `sslpassword`, `oauth_client_secret`, or similar.
  private static func isSecret(_ field: Substring) -> Bool {
    let name = field.prefix { $0 != "=" }
    return name.hasSuffix("password") || name.hasSuffix("secret") || name.contains("%")
  }

  /// Returns the server without a password: `postgresql://person@host:5432/database`.
  private func server(user: Bool = true, database: String? = nil) -> String {
    let address = url.prefix { $0 != "?" }
    guard let start = address.firstRange(of: "://") else { return "postgresql://" }
    // A password may contain an “@” that is not encoded as %40.
    let person = address[start.upperBound...].lastIndex(of: "@").map { address[start.upperBound..<$0] }
    let name = user ? person.map { $0.prefix { $0 != ":" } + "@" } ?? "" : ""
    let rest = person.map { address[address.index(after: $0.endIndex)...] } ?? address[start.upperBound...]
    let place = database.map { rest.prefix { $0 != "/" } + "/" + $0 } ?? rest
    return "postgresql://\(name)\(place)"
  }

  /// Whether the address contains several servers.
  package var hasSeveralHosts: Bool {
    server().contains(",")
      || fields.contains { $0.hasPrefix("host=") && ($0.contains(",") || $0.uppercased().contains("%2C")) }
  }

  /// Returns a message of libpq, which may contain the address, with passwords masked.
  ///
  /// The result is a single line.
  package func masked(_ message: String) -> String {
    secrets.reduce(message) { $0.replacing($1, with: "***") }
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private var secrets: [String] {
    let address = url.prefix { $0 != "?" }
    var found: [String] = []
    if let start = address.firstRange(of: "://"), let end = address[start.upperBound...].lastIndex(of: "@"),
      let colon = address[start.upperBound..<end].firstIndex(of: ":")
    {
      found.append(String(address[address.index(after: colon)..<end]))
    }
    found += fields.filter { Self.isSecret($0) }.map { String($0.drop { $0 != "=" }.dropFirst()) }
    let decoded = found.compactMap { FormEncoding.decodeText($0, plusIsSpace: false) }
    return ([url] + found + decoded).filter { !$0.isEmpty }.sorted { $0.utf8.count > $1.utf8.count }
  }
}

extension LabAddress: Hashable {
  package static func == (one: Self, other: Self) -> Bool {
    (one.url, one.lab, one.stateFolder) == (other.url, other.lab, other.stateFolder)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(lab)
  }
}

extension LabAddress {
  /// The prefix of a lab's schema in the database.
  package static let namespacePrefix = "ssoterm_"

  /// The name of the lab's schema, in quotes.
  package var namespace: String { "\"\(Self.namespacePrefix)\(lab)\"" }

  /// Connects to the lab's server.
  func connect() throws(StoreError) -> any ServerEngine { try usable().connect(self) }

  func listen() throws(StoreError) -> any CommitListener { try usable().listen(self) }

  private func usable() throws(StoreError) -> ServerDriver {
    guard let driver else { throw .server(name, .other("this address is only read")) }
    return driver
  }
}
