import Essentials

extension PostgresError {
  /// Returns the next step: a sentence that ends with an action or command for the same server.
  ///
  /// - Parameter store: The name of the lab in error messages.
  /// - Returns: A single sentence.
  func next(_ store: String) -> Advice {
    switch self {
    case .noLibrary: return "Install the package libpq5: sudo apt install libpq5"
    case .badAddress:
      return "Write it like this: \(.start, with: [.store: "postgresql://HOST/DATABASE?lab=team1"])"
    case .unreachable, .lost, .other:
      return "Check that the server runs: psql \(Self.database(of: store))"
    case .unknownOutcome: return "Look at the last line of: \(.traces, with: [.store: store])"
    case .noDatabase(let database):
      let server = Self.address(of: store).map { shellWord($0.maintenanceName) } ?? "ADDRESS"
      return "Make it, then repeat the command: createdb --maintenance-db \(server) \(shellWord(database))"
    case .oldServer:
      return
        "Use a server with PostgreSQL 13 or later: psql \(Self.database(of: store)) -c 'SELECT version()'"
    case .newerVersion:
      return "Update ssoterm, or name another lab: \(.labs, with: [.store: store])"
    case .readOnly:
      return "Read it, or ask the lab's owner for the right to write: \(.openReadOnly, with: [.store: store])"
    case .unreadable(_, let person): return Self.howToGrant(.reading, to: person, store)
    case .full: return "Free some space on the server, then repeat the command. Type there: df -h"
    case .locked:
      return """
        Ask that person to finish, or see the connections: psql \(Self.database(of: store)) \
        -c 'SELECT pid, application_name, state, xact_start FROM pg_stat_activity'
        """
    case .keyMissing:
      return
        "Ask somebody who uses the lab for its key (\(.exportKey)), then: \(.importKey, "FILE", with: [.store: store])"
    case .keyWrong(_, let file):
      return """
        Move that file away, and ask somebody who uses the lab for its key: mv \(shellWord(file)) \
        \(shellWord(file + ".other"))
        """
    }
  }

  /// A permission that a database user may lack.
  package enum Right: String {
    case reading = "SELECT"
    case writing = "ALL"
  }

  /// Returns the statements for the lab's owner, who connects as another user.
  package static func howToGrant(_ right: Right, to person: String, _ store: String) -> Advice {
    guard let address = address(of: store) else { return "Ask the lab's owner for the right." }
    let namespace = address.namespace
    let role = "\"" + person.replacing("\"", with: "\"\"") + "\""
    let statements =
      "GRANT USAGE ON SCHEMA \(namespace) TO \(role); GRANT \(right.rawValue) ON ALL TABLES IN SCHEMA \(namespace) TO \(role)"
    return
      "Ask the lab's owner to type: psql \(shellWord(address.databaseNameOfOthers)) -c \(shellWord(statements))"
  }

  /// Parses the lab's address in an error.
  ///
  /// The state folder is not needed for this.
  private static func address(of store: String) -> LabAddress? {
    try? LabAddress(store, stateFolder: "", driver: nil)
  }

  private static func database(of store: String) -> String {
    shellWord(address(of: store)?.databaseName ?? store)
  }
}
