import SSOReference
import SafeText

/// An error that occurs when a store is opened, read, or written.
///
/// `path` is the database file, or `:memory:`.
package enum StoreError: Error, Equatable, Sendable {
  /// The file exists but contains something else.
  case notADatabase(path: String)
  /// A newer ssoterm has migrated the store: its schema has version `found`, and this program supports
  /// versions up to `known`.
  case newerVersion(path: String, found: Int, known: Int)
  case readOnly(path: String)
  /// The store or its key exists, but this user may not read it.
  case unreadable(path: String)
  case full(path: String)
  /// The process has reached its limit of open files.
  case tooManyFiles(path: String)
  /// The store exists, but `<path>.key` does not.
  case keyMissing(path: String)
  /// `<path>.key` does not open the store's sealed values, or is not 32 bytes long.
  case keyWrong(path: String)
  /// A key that another user gave is not the key of this lab or store.
  case otherLabsKey(store: String)
  /// Another process held the write lock for longer than a minute (``WriterQueue``).
  case locked(path: String)
  case missing(path: String)
  /// There is no store, and this user may not create one; `folder` is the nearest folder that exists.
  case notCreated(path: String, folder: String)
  /// The store has no place: no home folder is set, and the system knows none for this user.
  case homeless
  /// The location for a new lab is not empty.
  case exists(path: String)
  /// The text is not valid as the name of a lab.
  case badName(String)
  /// The store is read-only, and another process has changed it since it was opened.
  case changed(path: String)
  /// The file has been deleted, moved, or replaced since it was opened.
  case gone(path: String)
  /// A row, such as `trace 3`, has contents that ssoterm never writes.
  case damaged(path: String, row: String, message: String)
  case other(path: String, message: String)
  /// An error of a lab on a server.
  ///
  /// The first value is the lab's name in error messages.
  case server(String, PostgresError)
}

extension StoreError {
  /// The problem in one sentence.
  package var what: String {
    switch self {
    case .notADatabase(let path): "\(path) is not a store of ssoterm."
    case .newerVersion(let path, _, _): "The store \(path) was made by a newer ssoterm."
    case .readOnly(let path): "The store \(path) cannot be written."
    case .unreadable: "The store cannot be read."
    case .full(let path): "The disk that holds the store \(path) is full."
    case .tooManyFiles(let path): "The store \(path) cannot be opened."
    case .keyMissing(let path): "The key of the store \(path) is missing."
    case .keyWrong(let path): "The key beside the store \(path) is not the key of this store."
    case .otherLabsKey(let store): "This is not the key of \(store)."
    case .locked(let path): "The store \(path) is locked by another process."
    case .notCreated(let path, _): "There is no store at \(path), and none can be created."
    case .homeless: "HOME is not set, and this user has no home folder."
    case .missing(let path): "There is no \(path.isLabAddress ? "lab" : "store") at \(path)."
    case .exists(let path): "\(path) already exists."
    case .badName(let name): "“\(name)” is not a valid name for a lab."
    case .changed(let path): "The store \(path) has changed since it was opened."
    case .gone(let path): "The store \(path) was removed or replaced."
    case .damaged(let path, let row, _):
      "\(row.isEmpty ? "A row" : "The row \(row)") of the store \(path) is damaged."
    case .other(let path, _): "The store \(path) could not be used."
    case .server(let store, let error): error.what(store)
    }
  }

  /// The cause in one sentence.
  package var why: String {
    switch self {
    case .notADatabase: "Expected an SQLite database made by ssoterm, found something else."
    case .newerVersion(_, let found, let known):
      "Expected schema version \(known) or earlier, found version \(found)."
    case .readOnly:
      "Expected a file and a folder that you may write, found a read-only one: such a store can only be read, "
        + "and only while it is not open in another program."
    case .unreadable(let path): "Expected permission to read \(path), found none."
    case .full: "Expected free space for the change, found none; no part of the change was written."
    case .tooManyFiles: "Expected to open a few files, found this process at its limit of open files."
    case .keyMissing(let path):
      "Expected the 32 bytes that seal its secrets in \(path).key, but the file does not exist."
    case .keyWrong(let path):
      "Expected the 32 bytes that the store was created with in \(path).key, found another key; nothing was changed."
    case .otherLabsKey:
      "Expected the key that the values of the lab are sealed with, found another lab's key; nothing was changed."
    case .locked: "Expected the other writer to finish, found it still writing."
    case .missing(let path):
      path.isLabAddress
        ? "Expected an existing lab, found none of that name in the database."
        : "Expected an existing store, but the file does not exist."
    case .notCreated(_, let folder):
      "Expected to create it in \(folder), the nearest folder that exists, found that you may not write there."
    case .homeless: "Expected a folder for the store, found none."
    case .exists:
      "Expected nothing at the new lab's location, found a lab, a file, or a key, which was left unchanged."
    case .badName: "Expected 1 to 40 lowercase letters, digits, _, and -, found something else."
    case .changed:
      "The store was opened read-only without locks, and another program changed it."
    case .gone: "Expected the file that was opened, found none or another; nothing was written."
    case .damaged(_, _, let message): "Expected a row as ssoterm writes it, found \(message)."
    case .other(_, let message): "Expected the database to answer, found: \(message)."
    case .server(_, let error): error.why
    }
  }

  /// The next step: a sentence that ends with an action or another program's command.
  package var next: Advice {
    switch self {
    case .notADatabase: "Name another store: \(.start, with: [.store: "OTHER.sqlite"])"
    case .newerVersion: "Update ssoterm, or name another store: \(.start, with: [.store: "OTHER.sqlite"])"
    case .readOnly(let path):
      "Allow writing in both: chmod u+w \(shellWord(path)) \(shellWord(path.parentFolder.isEmpty ? "." : path.parentFolder))"
    case .unreadable(let path): "Become its owner, or allow reading: chmod u+r \(shellWord(path))"
    case .full(let path):
      "Free some space, then repeat the command. See: df -h \(shellWord(StoreFile(path: path).nearestFolder))"
    case .tooManyFiles: "Raise the limit, then repeat the command: ulimit -n 256"
    case .keyMissing(let path):
      "Restore the key file at \(path).key, or ask another user of the lab for its key (\(.exportKey)), then: \(.importKey, "FILE")"
    case .keyWrong(let path):
      "Move that file away, then restore the store's own key, or import it: mv \(shellWord(path + ".key")) \(shellWord(path + ".key.other"))"
    case .otherLabsKey(let store):
      "Ask another user of the lab to export its key: \(.exportKey, with: [.output: "FILE", .store: store])"
    case .locked: "See who holds it, then repeat the command: ps -C ssoterm"
    case .changed: "Open it again: \(.status)"
    case .notCreated, .homeless:
      "Name a store in another folder: \(.start, with: [.store: "/tmp/ssoterm.sqlite"])"
    case .missing: "Repeat the command with --create to create it."
    case .badName(let name) where LabAddress.isName(Self.valid(name)): "Did you mean \(Self.valid(name))?"
    case .exists, .badName: "Choose another name; see the existing ones: \(.labs)"
    case .gone: "Restore the file, or quit and start again: \(.start)"
    case .damaged(let path, _, _) where path.isLabAddress:
      "Replace it with a copy of the lab, or inspect it: psql \(shellWord((try? LabAddress(path, stateFolder: "", driver: nil))?.databaseName ?? path))"
    case .damaged(let path, _, _):
      "Replace it with a copy, or inspect it: sqlite3 \(shellWord(path))"
    case .other(let path, _): "Check the file: sqlite3 \(shellWord(path)) 'PRAGMA integrity_check'"
    case .server(let store, let error): error.next(store)
    }
  }
}

extension StoreError {
  /// Whether the store could only be created in another folder.
  package var needsAnotherFolder: Bool {
    switch self {
    case .notCreated, .homeless: true
    default: false
    }
  }

  /// Whether the name of a lab is not valid.
  package var isOfName: Bool { if case .badName = self { true } else { false } }

  /// Returns a name as a lab's may be: in lowercase, with dashes in place of spaces.
  private static func valid(_ name: String) -> String { name.lowercased().replacing(" ", with: "-") }
}

extension String {
  /// Whether this is the name of a team's lab in error messages.
  fileprivate var isLabAddress: Bool { LabAddress.matches(self) }
}

extension StoreError {
  /// Whether the connection to the server has ended.
  ///
  /// Nothing of the transaction was written.
  package var isLostConnection: Bool {
    if case .server(_, .lost) = self { true } else { false }
  }
}
