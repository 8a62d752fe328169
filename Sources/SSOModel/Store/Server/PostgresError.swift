import Essentials
import SSOReference
import SafeText

/// An error that occurs when a lab on a server is opened, read, or written.
package enum PostgresError: Error, Equatable, Sendable {
  /// libpq is not installed.
  case noLibrary(String)
  /// The address is not valid.
  case badAddress(String)
  /// The connection cannot be made: the server or the network does not respond, or the server rejects the user.
  case unreachable(String)
  /// The connection ended inside a transaction, of which nothing was written.
  case lost(String)
  /// The connection ended during the commit, and the server cannot be asked for the result.
  case unknownOutcome(String)
  /// The server responds, but the database does not exist.
  case noDatabase(String)
  /// The server's version is older than PostgreSQL 13.
  case oldServer(found: Int)
  /// The schema has a newer version than this program supports.
  case newerVersion(found: Int, known: Int)
  /// The server is a standby, or the user may only read.
  case readOnly(String)
  /// The user, with this name on the server, may not read the lab.
  case unreadable(String, person: String)
  case full(String)
  /// Another writer held the lab for a minute.
  ///
  /// `holder` is its name on the server, if known.
  case locked(holder: String)
  /// This user does not have a key for the lab.
  ///
  /// `file` is the path where it belongs.
  case keyMissing(lab: String, file: String)
  /// The key does not open the lab's sealed values.
  case keyWrong(lab: String, file: String)
  /// The lab's schema contains objects that ssoterm did not create and that would run with this user's rights.
  case foreignObjects([String], person: String)
  /// The server is a primary that a standby has replaced, according to the timelines of both.
  case formerPrimary(found: UInt32, known: UInt32)
  case other(String)

  /// Returns the problem in one sentence.
  func what(_ store: String) -> String {
    switch self {
    case .noLibrary: "The library for PostgreSQL, libpq, cannot be loaded."
    case .badAddress: "\(store) is not the address of a lab."
    case .unreachable: "The server of \(store) cannot be reached."
    case .lost: "The connection to \(store) was lost."
    case .unknownOutcome: "The connection to \(store) was lost during the commit."
    case .noDatabase(let database): "There is no database \(database) on the server of \(store)."
    case .oldServer: "The server of \(store) is too old."
    case .newerVersion: "The lab \(store) was made by a newer ssoterm."
    case .readOnly: "The lab \(store) cannot be written."
    case .unreadable: "The lab \(store) cannot be read."
    case .full: "No room is left on the server of \(store)."
    case .locked: "The lab \(store) is locked by another writer."
    case .keyMissing(let lab, _): "There is no key for the lab \(lab) here."
    case .keyWrong(let lab, _): "The key stored for the lab \(lab) is not its key."
    case .foreignObjects: "The lab \(store) contains code that ssoterm did not put there."
    case .formerPrimary: "The server of \(store) was replaced by another one."
    case .other: "The lab \(store) could not be used."
    }
  }

  /// The cause in one sentence.
  var why: String {
    switch self {
    case .noLibrary(let message): "Expected libpq.so.5, found: \(message)"
    case .badAddress(let message): message
    case .unreachable(let message): "Expected the server to answer, found: \(message)"
    case .lost(let message): "None of the change was written. Expected an answer, found: \(message)"
    case .unknownOutcome(let message):
      "The server did not say whether it was written: \(message)"
    case .noDatabase: "Expected a database that was made before, found none of that name."
    case .oldServer(let found): "Expected PostgreSQL 13 or later, found \(found)."
    case .newerVersion(let found, let known):
      "Expected schema version \(known) or earlier, found version \(found)."
    case .readOnly(let message), .unreadable(let message, _): "Expected the right to do it, found: \(message)"
    case .full(let message): "None of the change was written. Expected room for it, found: \(message)"
    case .locked(let holder):
      "Expected the other writer to finish within a minute, found it still writing: \(holder)."
    case .keyMissing(_, let file):
      "Expected the 32 bytes that seal its secrets in \(file), but the file does not exist."
    case .keyWrong(_, let file): "Expected the 32 bytes the lab was made with in \(file), found another key."
    case .foreignObjects(let found, let person):
      "Expected only ssoterm's own tables, found \(found.joined(separator: ", ")); it would run as \(person)."
    case .formerPrimary(let found, let known):
      "Expected the history of timeline \(known) or later, which was seen before, found timeline \(found)."
    case .other(let message): "Expected the server to do what it was asked, found: \(message)"
    }
  }
}

extension PostgresError {
  /// Creates the error for a failed connection.
  ///
  /// libpq returns only a message, which may be in the server's language. In that case the error is
  /// `unreachable` with that message.
  package init(connecting message: String) {
    let parts = message.split(separator: "database \"", maxSplits: 1)
    if parts.count == 2, let end = parts[1].firstRange(of: "\" does not exist") {
      self = .noDatabase(String(parts[1][..<end.lowerBound]))
    } else {
      self = .unreachable(message)
    }
  }

  /// Creates the error for an SQLSTATE of the server
  /// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
  package init(code: String, message: String) {
    self =
      switch code {
      case "57P01", "57P02", "57P03", "57P05", "25P03": .lost(message)
      case "53100", "53200": .full(message)
      case "25006", "42501": .readOnly(message)
      case "55P03": .locked(holder: "")
      case _ where code.hasPrefix("08"): .lost(message)
      default: .other(code.isEmpty ? message : "\(message) (\(code))")
      }
  }

  /// Returns the next step: a sentence that ends with an action or command for the same server.
  ///
  /// - Parameter store: The name of the lab in error messages.
  /// - Returns: A single sentence.
  func next(_ store: String) -> Advice {
    switch self {
    case .noLibrary: return "Install the package libpq5: sudo apt install libpq5"
    case .badAddress:
      return "Use this form: \(.start, with: [.store: "postgresql://HOST/DATABASE?lab=team1"])"
    case .unreachable, .lost, .other:
      return "Check that the server is running: psql \(Self.database(of: store))"
    case .unknownOutcome: return "Check the last line of: \(.traces, with: [.store: store])"
    case .noDatabase(let database):
      let server = Self.address(of: store).map { shellWord($0.maintenanceName) } ?? "ADDRESS"
      return "Create it, then repeat the command: createdb --maintenance-db \(server) \(shellWord(database))"
    case .oldServer:
      return
        "Use a server with PostgreSQL 13 or later: psql \(Self.database(of: store)) -c 'SELECT version()'"
    case .newerVersion:
      return "Update ssoterm, or name another lab: \(.labs, with: [.store: store])"
    case .readOnly:
      return "Read it, or ask the lab's owner for the right to write: \(.openReadOnly, with: [.store: store])"
    case .unreadable(_, let person): return Self.howToGrant(.reading, to: person, store)
    case .full: return "Free some space on the server, then repeat the command. Run there: df -h"
    case .locked:
      return """
        Ask that user to finish, or see the connections: psql \(Self.database(of: store)) \
        -c 'SELECT pid, application_name, state, xact_start FROM pg_stat_activity'
        """
    case .keyMissing:
      return
        "Ask another user of the lab for its key (\(.exportKey)), then: \(.importKey, "FILE", with: [.store: store])"
    case .foreignObjects:
      return
        "Ask the lab's owner to inspect and remove it: psql \(Self.database(of: store)) -c '\\d+ \(Self.schema(of: store)).*'"
    case .formerPrimary:
      return
        "Name the server that replaced it first, or alone: \(.start, with: [.store: "postgresql://HOST/DATABASE"])"
    case .keyWrong(_, let file):
      return """
        Move that file away, and ask somebody who uses the lab for its key: mv \(shellWord(file)) \
        \(shellWord(file + ".other"))
        """
    }
  }

  /// A permission that a database user may lack.
  ///
  /// No more than a program needs: with `ALL`, a user could add triggers, which run with the rights of everyone who
  /// writes the lab. A lab does not have sequences.
  package enum Right: String {
    case reading = "SELECT"
    case writing = "SELECT, INSERT, UPDATE, DELETE"
  }

  /// Returns the statements with which the lab's owner takes the rights to add code from these users.
  package static func howToRevoke(from planters: [String], _ store: String) -> Advice {
    guard let address = address(of: store) else { return "Ask the lab's owner to revoke the right." }
    let roles = planters.map { $0 == "PUBLIC" ? $0 : quoted($0) }.joined(separator: ", ")
    let statements = """
      REVOKE TRIGGER, REFERENCES, TRUNCATE ON ALL TABLES IN SCHEMA \(address.namespace) FROM \(roles); \
      REVOKE CREATE ON SCHEMA \(address.namespace) FROM \(roles)
      """
    return
      "Ask the lab's owner to type: psql \(shellWord(address.databaseNameOfOthers)) -c \(shellWord(statements))"
  }

  private static func quoted(_ role: String) -> String { "\"" + role.replacing("\"", with: "\"\"") + "\"" }

  /// Returns the statements for the lab's owner, who connects as another user.
  package static func howToGrant(_ right: Right, to person: String, _ store: String) -> Advice {
    guard let address = address(of: store) else { return "Ask the lab's owner for the right." }
    let namespace = address.namespace
    let role = quoted(person)
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

  private static func schema(of store: String) -> String {
    address(of: store)?.namespace ?? "ssoterm_*"
  }

  private static func database(of store: String) -> String {
    shellWord(address(of: store)?.databaseName ?? store)
  }
}
