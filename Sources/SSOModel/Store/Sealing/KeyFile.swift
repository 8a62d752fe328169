import Essentials

/// The key file of a store: 32 bytes with mode 0600, created once with the store and never replaced.
struct KeyFile {
  let path: String
  /// The name of the store in error messages.
  let store: String
  /// The errors for a missing key, and for a key that is not 32 bytes long.
  let missing, wrong: StoreError
}

extension KeyFile {
  /// Creates the key file of a store in a file.
  ///
  /// - Parameter store: The database file. Its key is `<store>.key`.
  init(store: String) {
    self.init(
      path: store + ".key", store: store, missing: .keyMissing(path: store), wrong: .keyWrong(path: store))
  }

  /// Returns the key of an existing store.
  ///
  /// - Throws: `missing`; `unreadable`; `wrong` if it is not 32 bytes long.
  func read() throws(StoreError) -> Data {
    guard let key = try contents() else { throw missing }
    return key
  }

  /// Returns the key for a new store.
  ///
  /// The caller holds the database's write lock.
  ///
  /// An existing key, from an attempt that was terminated, is used.
  ///
  /// - Parameter given: The key of a lab that is copied, or `nil` for a new key.
  /// - Returns: The key of 32 bytes.
  /// - Throws: `StoreError` if the key file cannot be read or written.
  func readOrCreate(_ given: Data? = nil) throws(StoreError) -> Data {
    if let key = try contents() { return key }
    let key = given ?? Seal.newKey()
    try create(key)
    return key
  }

  /// Writes the file atomically.
  func create(_ key: Data) throws(StoreError) {
    try StoreFile(path: path).makeFolder()
    // One name suffices, because only one process creates the store. The file of a terminated process is
    // overwritten.
    let draft = path + ".new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, path: store) }
    let written = key.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    let failure = written == key.count && fsync(file) == 0 ? 0 : errno
    close(file)
    guard failure == 0, written == key.count, rename(draft, path) == 0 else {
      let failure = failure == 0 ? errno : failure
      unlink(draft)
      throw StoreError(errno: failure, path: store)
    }
  }

  private func contents() throws(StoreError) -> Data? {
    // Do not wait for the writer of a pipe.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == EACCES { throw .unreadable(path: path) }
      if errno == EMFILE || errno == ENFILE { throw .tooManyFiles(path: store) }
      throw .other(path: store, message: "\(path): \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    guard permissions(ofRegularFile: file) != nil else { throw wrong }
    tightenMode(file)
    var key = Data(count: Seal.keyLength + 1)
    let count = key.withUnsafeMutableBytes { Essentials.read(file, $0.baseAddress, $0.count) }
    guard count == Seal.keyLength else { throw wrong }
    return key.prefix(count)
  }

  /// Removes the permissions of group and others, if this user owns the file.
  private func tightenMode(_ file: Int32) {
    var status = stat()
    if fstat(file, &status) == 0, status.st_mode & 0o077 != 0 { _ = fchmod(file, 0o600) }
  }
}
