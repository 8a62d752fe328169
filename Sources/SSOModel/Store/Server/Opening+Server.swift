import Essentials

extension WorldStore {
  /// Opens a team's lab on a server, and makes it first if `create` allows it and there is none.
  /// - Throws: `missing` without `create`, `server`.
  static func open(
    _ address: LabAddress, create: Bool, user: StoreUser?, key: Data?
  ) throws(StoreError) -> WorldStore {
    let engine = try address.connect()
    let news = StoreNewsReporter()
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

/// Why a lab on a server may only be read.
package enum ReadingOnly: Hashable, Sendable {
  /// A standby, or a database that takes no changes.
  case server
  /// As whom the server knows the person, who has no right to write.
  case person(String)
}

/// What the server says of a lab before anything of it is read.
package struct FoundLab {
  var version: Int
  /// `checkValue`, sealed with the lab's key.
  var check: Data
  /// Eight hexadecimal digits that distinguish this lab from one of the same name elsewhere; no secret.
  var id: String
  var isFilled: Bool
  /// Nil: it may be written.
  var onlyReads: ReadingOnly?

  package init(version: Int, check: Data, id: String, isFilled: Bool, onlyReads: ReadingOnly?) {
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

  /// The start of the paths of this person's files for the lab.
  func filesBeside(_ address: LabAddress) -> String { Self.filesBeside(address, id: id) }

  private static func filesBeside(_ address: LabAddress, id: String) -> String {
    "\(address.stateFolder)/labs/\(address.lab)-\(id)"
  }
}

extension FoundLab {
  /// Makes the lab and its key.
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
