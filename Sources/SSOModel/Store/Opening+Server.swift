import Foundation

extension WorldStore {
  /// Opens a team's lab on a server, and makes it first if `create` allows it and there is none.
  /// - Throws: `missing` without `create`, `server`.
  static func open(
    _ address: LabAddress, create: Bool, user: StoreUser?, key: Data?
  ) throws(StoreError) -> WorldStore {
    let engine = try PostgresConnection(address)
    let news = StoreNewsReporter()
    engine.link.news = { news.report($0) }
    let connection = StoreConnection(engine)
    do {
      var found = try engine.foundLab()
      if found == nil {
        guard create else { throw StoreError.missing(path: address.name) }
        try FoundLab.make(connection, engine, key)
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

/// Why a lab on a server may only be read.
package enum ReadingOnly: Hashable, Sendable {
  /// A standby, or a database that takes no changes.
  case server
  /// As whom the server knows the person, who has no right to write.
  case person(String)
}

/// What the server says of a lab before anything of it is read.
struct FoundLab {
  var version: Int
  /// `checkValue`, sealed with the lab's key.
  var check: Data
  /// Eight hexadecimal digits that distinguish this lab from one of the same name elsewhere; no secret.
  var id: String
  var isFilled: Bool
  /// Nil: it may be written.
  var onlyReads: ReadingOnly?

  func keyFile(_ address: LabAddress) -> KeyFile { Self.keyFile(address, id: id) }

  static func keyFile(_ address: LabAddress, id: String) -> KeyFile {
    let path = filesBeside(address, id: id) + ".key"
    return KeyFile(
      path: path, store: address.name,
      missing: .server(address.name, .keyMissing(lab: address.lab, file: path)),
      wrong: .server(address.name, .keyWrong(lab: address.lab, file: path)))
  }

  /// The start of the paths of this person's files for the lab.
  func filesBeside(_ address: LabAddress) -> String { Self.filesBeside(address, id: id) }

  private static func filesBeside(_ address: LabAddress, id: String) -> String {
    "\(address.stateFolder)/labs/\(address.lab)-\(id)"
  }
}

extension FoundLab {
  /// Makes the lab's namespace and its key.
  static func make(_ connection: StoreConnection, _ engine: PostgresConnection, _ key: Data?) throws {
    try engine.run(script: "BEGIN; \(engine.lockScript)")
    do {
      // Another process may have been quicker.
      if try engine.hasLab() { return try engine.run(script: "ROLLBACK") }
      let id = Seal.newKey().prefix(4).map { String(256 + Int($0), radix: 16).dropFirst() }.joined()
      let namespace = PostgresSchema.namespace(of: engine.address.lab)
      try engine.run(script: "CREATE SCHEMA IF NOT EXISTS \(namespace)")
      try Schema.create(in: connection)
      let seal = Seal(key: try keyFile(engine.address, id: id).readOrCreate(key))
      let check = try seal.seal(WorldStore.checkValue, for: RowKey.check.encoded)
      try connection.run(
        "INSERT INTO meta(name, value) VALUES('check', ?), ('id', ?)", [check, Data(id.utf8)])
      try engine.run(script: "COMMIT")
    } catch {
      try? engine.run(script: "ROLLBACK")
      throw error
    }
  }
}

extension PostgresConnection {
  /// Nil if there is no such lab.
  func foundLab() throws(StoreError) -> FoundLab? {
    guard try hasLab() else { return nil }
    let found: FoundLab?
    do throws(StoreError) {
      var rows = try rows(
        """
        SELECT (SELECT value FROM meta WHERE name = 'version'), (SELECT value FROM meta WHERE name = 'check'),
          (SELECT value FROM meta WHERE name = 'id'), EXISTS(SELECT 1 FROM document),
          pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on',
          NOT has_table_privilege('document', 'INSERT')
        """, [])
      guard try rows.next() else { return nil }
      let (version, check, id): (String?, Data?, String?) = (try rows[0], try rows[1], try rows[2])
      guard let version = version.flatMap({ Int($0) }), let check, let id, version > 0, Self.isID(id) else {
        throw .damaged(path: name, row: "meta", message: "no version, check or ID")
      }
      let (isServers, isPersons): (Int, Int) = (try rows[4], try rows[5])
      found = FoundLab(
        version: version, check: check, id: id, isFilled: try rows[3] == 1,
        onlyReads: isServers == 1 ? .server : isPersons == 1 ? .person(link.person) : nil)
    } catch {
      guard case .server(_, let trouble) = error, !link.isLost else { throw error }
      switch trouble {
      case .readOnly, .other:
        throw .server(
          name, .unreadable("\(link.person) may not read its tables.", person: link.person))
      default: throw error
      }
    }
    if let found, found.version > Schema.version {
      throw .server(name, .newerVersion(found: found.version, known: Schema.version))
    }
    return found
  }

  /// It becomes a part of a file's name.
  private static func isID(_ text: String) -> Bool {
    text.utf8.count == 8 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
