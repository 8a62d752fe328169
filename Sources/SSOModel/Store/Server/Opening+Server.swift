import Essentials

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
