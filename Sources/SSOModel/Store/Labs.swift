import Essentials

/// The labs in the same place: the stores in a folder, or the labs of a database.
package enum Labs {
  /// A lab in the list.
  package struct Listed: Sendable {
    package var name: String
    package var location: WorldStore.Location
    /// Whether this user has the lab's key.
    package var hasKey: Bool
  }

  /// Returns the labs in the same place as `location`, sorted by name.
  package static func beside(_ location: WorldStore.Location) throws(StoreError) -> [Listed] {
    switch location {
    case .memory: return []
    case .server(let address): return try onServer(address)
    case .file(let path):
      let folder = path.parentFolder
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
      return files.filter { $0.hasSuffix(suffix) }.sorted().compactMap { file in
        let path = (folder.isEmpty ? "" : folder + "/") + file
        guard isStore(path) else { return nil }
        return Listed(
          name: String(file.dropLast(suffix.count)), location: .file(path: path),
          hasKey: fileExists(path + ".key"))
      }
    }
  }

  private static let suffix = ".sqlite"

  /// Returns whether a file is a store, from SQLite's header, without opening it as a database
  /// (https://sqlite.org/fileformat.html#the_database_header).
  private static func isStore(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var header = [UInt8](repeating: 0, count: 72)
    guard read(file, &header, header.count) == header.count else { return false }
    guard header.starts(with: Array("SQLite format 3\0".utf8)) else { return false }
    // The mark of a new store is only in `-wal` at first, but its key exists before.
    return header[68..<72].reduce(0) { $0 << 8 | Int($1) } == Schema.applicationID
      || fileExists(path + ".key")
  }

  private static func onServer(_ address: LabAddress) throws(StoreError) -> [Listed] {
    var found: [Listed] = []
    for name in try address.connect().labNames() {
      guard let place = try? address.with(lab: name), let lab = try? place.connect().foundLab() else {
        continue
      }
      found.append(
        Listed(name: name, location: .server(place), hasKey: fileExists(lab.filesBeside(place) + ".key")))
    }
    return found
  }

  /// Returns the location of a lab in the same place as another one.
  ///
  /// - Throws: `badName` for a name with characters other than lowercase letters, digits, `_` and `-`.
  package static func place(named name: String, beside location: WorldStore.Location) throws(StoreError)
    -> WorldStore.Location
  {
    switch location {
    case .server(let address): return .server(try address.with(lab: name))
    case .memory, .file:
      guard LabAddress.isName(name) else { throw .badName(name) }
      let folder = location.name.parentFolder
      return .file(path: (folder.isEmpty ? "" : folder + "/") + name + suffix)
    }
  }

  /// Returns whether something exists at the location for a new lab: a lab, a file, or an orphaned key.
  package static func exists(_ location: WorldStore.Location) throws(StoreError) -> Bool {
    switch location {
    case .memory: false
    case .file(let path): fileExists(path) || fileExists(path + ".key")
    case .server(let address): try address.connect().hasLab()
    }
  }

  /// Returns the path prefix of a lab's files, or `nil` if it has none, as a lab that is not in its database.
  ///
  /// - Throws: `server`, because the files are named after the lab's ID, which only its database contains.
  package static func filesBeside(_ location: WorldStore.Location) throws(StoreError) -> String? {
    switch location {
    case .memory: nil
    case .file(let path): path
    case .server(let address): try address.connect().foundLab()?.filesBeside(address)
    }
  }

  /// Removes a lab with all its data, including this user's key.
  ///
  /// This cannot be undone.
  package static func remove(_ location: WorldStore.Location) throws(StoreError) {
    switch location {
    case .memory: return
    case .file(let path):
      guard isStore(path) || !StoreFile(path: path).holdsSomething else { throw .notADatabase(path: path) }
      guard unlink(path) == 0 || errno == ENOENT else { throw StoreError(errno: errno, path: path) }
      for file in ["-wal", "-shm", ".key", ".ca.pem"] { unlink(path + file) }
    case .server(let address):
      let connection = try address.connect()
      let lab = try connection.foundLab()
      try connection.removeLab()
      guard let files = lab?.filesBeside(address) else { return }
      for file in [".key", ".ca.pem"] { unlink(files + file) }
    }
  }
}
