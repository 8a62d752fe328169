import Essentials

extension PostgresConnection {
  /// Returns the facts about the lab, or `nil` if it does not exist.
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
      guard version <= Schema.version else {
        throw .server(name, .newerVersion(found: version, known: Schema.version))
      }
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
    return found
  }

  func makeLab(_ fill: () throws -> Void) throws {
    try run(script: "BEGIN; \(lockScript)")
    do {
      // Another process may have been faster.
      if try hasLab() { return try run(script: "ROLLBACK") }
      try run(script: "CREATE SCHEMA IF NOT EXISTS \(address.namespace)")
      try fill()
      try run(script: "COMMIT")
    } catch {
      try? run(script: "ROLLBACK")
      throw error
    }
  }

  func removeLab() throws(StoreError) {
    try run(script: "DROP SCHEMA IF EXISTS \(address.namespace) CASCADE")
  }

  func labNames() throws(StoreError) -> [String] {
    let answers = try answers(
      to: """
        SELECT nspname FROM pg_namespace WHERE starts_with(nspname, '\(LabAddress.namespacePrefix)')
        ORDER BY nspname COLLATE "C"
        """)
    var names: [String] = []
    guard let answer = answers.last else { return [] }
    while answer.next() {
      names.append(String(answer.cell(0).text.dropFirst(LabAddress.namespacePrefix.count)))
    }
    return names
  }

  func setListener(_ listener: @escaping @Sendable (StoreEvent) -> Void) { link.news = listener }

  /// Returns whether a text is valid as a lab's ID, which becomes part of a file name.
  private static func isID(_ text: String) -> Bool {
    text.utf8.count == 8 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
