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
      try found.checkBranch(address)
      return WorldStore(
        .server(address), connection: connection,
        Opened(seal: seal, wasFilled: found.isFilled, version: found.version),
        onlyReads: found.onlyReads, risks: found.risks, filesBeside: found.filesBeside(address),
        news: news,
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

/// The users of a server whose code could run with the rights of this user, who opens a lab.
package struct LabRisks: Equatable, Sendable {
  /// The users who may add triggers or functions to the lab although they do not own it.
  package var planters: [String] = []
  /// The lab's owner, if this user is a superuser of the server and the owner has fewer rights.
  package var weakerOwner: String?

  package init() {}
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
  package var risks = LabRisks()
  /// The branch of the server's history, or `nil` if the server does not tell.
  package var branch: ServerBranch?

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

/// The branch of a PostgreSQL server's history: each promotion of a standby begins a new timeline.
///
/// Servers with the same system identifier are copies of each other
/// (https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-TIMELINES).
package struct ServerBranch: Equatable {
  package var system: String
  package var timeline: UInt32

  package init(system: String, timeline: UInt32) { (self.system, self.timeline) = (system, timeline) }

  package func isBefore(_ other: ServerBranch) -> Bool { system == other.system && timeline < other.timeline }

  fileprivate init?(file: String) {
    let words = file.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let timeline = UInt32(words[1]) else { return nil }
    self.init(system: String(words[0]), timeline: timeline)
  }

  fileprivate var file: String { "\(system) \(timeline)\n" }
}

extension FoundLab {
  /// The name of the file, after the lab's, in which this user keeps the newest branch that was seen.
  static let branchSuffix = ".timeline"

  /// Refuses a primary that was replaced, which does not have the changes since then.
  ///
  /// It accepts connections if it is started again, and a client cannot tell this from the server alone. So each user
  /// keeps the newest branch that was seen.
  func checkBranch(_ address: LabAddress) throws(StoreError) {
    guard let branch else { return }
    let path = filesBeside(address) + Self.branchSuffix
    let file = FileManager.default.contents(atPath: path)
    let known = file.flatMap { ServerBranch(file: String(decoding: $0, as: UTF8.self)) }
    if let known, branch.isBefore(known) {
      throw .server(address.name, .formerPrimary(found: branch.timeline, known: known.timeline))
    }
    // Without room for the file, the lab can still be used.
    if branch != known { try? writeFile(Data(branch.file.utf8), to: path) }
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
/// `postgresql://user@host1,host2/qa?target_session_attrs=read-write&lab=team1` is a connection URI of
/// libpq (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS) with one
/// additional parameter.
package struct LabAddress: Sendable {
  /// The lab's name if the address does not contain one.
  static let usualLab = "lab"

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

  /// Returns whether a store's name is such an address, with the scheme in letters of either case.
  package static func matches(_ text: String) -> Bool { scheme(of: text) != nil }

  /// Returns whether an address contains a password.
  package static func hasPassword(_ text: String) -> Bool {
    guard let address = try? LabAddress(text, stateFolder: "", driver: nil) else { return false }
    return address.secrets.count > 1
  }

  private static func scheme(of text: String) -> String? {
    ["postgresql://", "postgres://"].first { text.prefix($0.utf8.count).lowercased() == $0 }
  }

  /// Checks that a text that ``matches(_:)`` rejects is not an address in another spelling.
  ///
  /// As a path, it would be the name of a new file, with the password in it. It is not repeated in the error.
  ///
  /// - Throws: `badAddress` for a URL, a keyword string of libpq, or a text with a password.
  package static func checkIsPath(_ text: String) throws(StoreError) {
    let word = text.trimmed.lowercased()
    let schemes = ["postgresql:", "postgres:", "pgsql:", "pg:", "psql:", "jdbc:"]
    let keywords = ["host", "hostaddr", "port", "dbname", "user", "service", "passfile", "sslmode"]
    let isKeywords = keywords.contains { name in
      word.hasPrefix(name) && word.dropFirst(name.utf8.count).drop { $0 == " " }.hasPrefix("=")
    }
    let hasPassword = ["password", "passwd", "secret", "_key"].contains { name in
      word.ranges(of: name).contains { word[$0.upperBound...].drop { $0 == " " }.hasPrefix("=") }
    }
    // `//PERSON:PASSWORD@HOST/DATABASE`, or the same without the slashes.
    let people = word.drop { $0 == "/" }.prefix { $0 != "/" }.split(separator: "@", maxSplits: 1)
    let isURLWithoutScheme = people.count == 2 && (people[0].contains(":") || word.hasPrefix("//"))
    guard
      isKeywords || hasPassword || isURLWithoutScheme || word.contains("://") || word.contains("：//")
        || schemes.contains(where: word.hasPrefix)
    else {
      return
    }
    throw invalid(
      "Expected postgresql://PERSON@HOST/DATABASE?lab=NAME or the path of a file, found another form.")
  }

  /// Returns an error that does not repeat the address, of which any part may be a password.
  private static func invalid(_ why: String) -> StoreError {
    .server("The text given as the store", .badAddress(why))
  }

  /// Checks the parts of an address, after its scheme: `PERSON:PASSWORD@HOST:PORT,HOST/DATABASE?NAME=VALUE&…`.
  ///
  /// libpq would mistake `@`, `/`, or `?` in a password for the end of a part, and quote the rest in its message.
  private static func checkParts(_ rest: Substring) throws(StoreError) {
    let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = halves.count > 1 ? halves[1].split(separator: "&") : []
    let areFields = fields.allSatisfy { field in
      let name = field.prefix { $0 != "=" }
      return name.endIndex < field.endIndex && !name.isEmpty
        && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 37 }
    }
    let places = halves[0].split(separator: "/", omittingEmptySubsequences: false)
    let people = places[0].split(separator: "@", omittingEmptySubsequences: false)
    let hosts = (people.last ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let areHosts = hosts.allSatisfy { host in
      let name = host.hasPrefix("[") ? host.drop { $0 != "]" }.dropFirst() : host.drop { $0 != ":" }
      let isClosed = !host.hasPrefix("[") || host.contains("]")
      return isClosed && (name.isEmpty || name.hasPrefix(":"))
        && name.dropFirst().utf8.allSatisfy { (48...57).contains($0) }
    }
    guard areFields, areHosts, people.count <= 2, places.count <= 2,
      places.dropFirst().allSatisfy({ !$0.contains("@") }),
      rest.utf8.allSatisfy({ $0 > 32 && $0 != 127 && $0 != 35 })
    else {
      throw invalid(
        "Expected postgresql://PERSON@HOST/DATABASE?lab=NAME, with the password in ~/.pgpass or PGPASSWORD, found another form."
      )
    }
  }

  /// Parses the address of a lab on a server.
  ///
  /// `stateFolder` is the user's state folder of ssoterm.
  ///
  /// `driver` connects to the server.
  ///
  /// - Throws: `badAddress` for a lab name with other characters.
  package init(_ text: String, stateFolder: String, driver: ServerDriver?) throws(StoreError) {
    guard let scheme = Self.scheme(of: text) else {
      throw Self.invalid("Expected postgresql:// at the beginning.")
    }
    let rest = text.dropFirst(scheme.utf8.count)
    try Self.checkParts(rest)
    let text = scheme + rest
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

  /// The database for another user, who connects under another name.
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
  static func isSecret(_ field: Substring) -> Bool {
    let name = field.prefix { $0 != "=" }
    return name.contains("pass") && name != "passfile" || name.hasSuffix("pwd") || name.hasSuffix("secret")
      || name.hasSuffix("_key") || name.contains("%")
  }

  /// Returns the server without a password: `postgresql://user@host:5432/database`.
  private func server(user: Bool = true, database: String? = nil) -> String {
    let address = url.prefix { $0 != "?" }
    guard let start = address.firstRange(of: "://") else { return "postgresql://" }
    let person = address[start.upperBound...].lastIndex(of: "@").map { address[start.upperBound..<$0] }
    // libpq decodes the user's name, so an encoded colon is part of it, but the user intended a password.
    let name = user ? person.map { $0.prefix { $0 != ":" && $0 != "%" } + "@" } ?? "" : ""
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
      let colon = address[start.upperBound..<end].firstIndex(where: { $0 == ":" || $0 == "%" })
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
