import Crypto
import Essentials
import SSOCore

/// A seal for the store's values with AES-256-GCM.
///
/// A sealed value consists of a random 12-byte nonce from the system, the ciphertext, and a 16-byte tag. The
/// row's key is the additional data.
package struct Seal: Sendable {
  private let symmetricKey: SymmetricKey

  /// The length of a key file in bytes.
  static let keyLength = 32

  init(key: Data) { symmetricKey = SymmetricKey(data: key) }

  /// Returns a seal with a key that is not saved, for temporary stores.
  static func temporary() -> Seal { Seal(key: newKey()) }

  /// Returns 32 bytes from the system's random number generator.
  package static func newKey() -> Data { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) } }

  func seal(_ plain: Data, for row: Data) throws -> Data {
    let box = try AES.GCM.seal(plain, using: symmetricKey, authenticating: row)
    guard let sealed = box.combined else { throw CryptoKitError.incorrectParameterSize }
    return sealed
  }

  /// Opens a sealed value.
  ///
  /// - Throws: `CryptoKitError` if the value was sealed with another key or for another row, or was changed.
  func open(_ sealed: Data, for row: Data) throws -> Data {
    try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: symmetricKey, authenticating: row)
  }
}

/// The key of a lab, which is in a file of each user of the lab and never in its database.
package enum LabKey {
  /// Returns the sealed key of an open store, to give to another user.
  ///
  /// - Throws: `StoreError` if the store has no key file or it cannot be read.
  package static func sealed(of store: WorldStore) throws -> SealedKey { try SealedKey(read(of: store)) }

  static func read(of store: WorldStore) throws(StoreError) -> Data {
    guard let start = store.filesBeside else {
      throw .other(path: store.name, message: "a store in memory has no key")
    }
    return try KeyFile(store: start).read()
  }

  /// Saves the key of a lab that this user cannot open yet and returns its file, or returns `nil` if the lab
  /// already has this key.
  ///
  /// An existing key is never replaced.
  ///
  /// - Throws: `otherLabsKey` if it is not this lab's key, in which case it is not saved.
  package static func keep(_ key: Data, for location: WorldStore.Location) throws -> String? {
    do {
      let store = try WorldStore.open(location, create: false)
      guard try read(of: store) == key else { throw StoreError.otherLabsKey(store: location.name) }
      return nil
    } catch let error as StoreError {
      guard let file = missing(error) else { throw error }
      try KeyFile(path: file, store: location.name, missing: error, wrong: error).create(key)
      do { _ = try WorldStore.open(location, create: false) } catch {
        unlink(file)
        throw error.isWrongKey ? StoreError.otherLabsKey(store: location.name) : error
      }
      return file
    }
  }

  /// Returns the path where the missing key belongs, or `nil` for any other error.
  private static func missing(_ error: StoreError) -> String? {
    switch error {
    case .keyMissing(let path): path + ".key"
    case .server(_, .keyMissing(_, let file)): file
    default: nil
    }
  }
}

extension StoreError {
  fileprivate var isWrongKey: Bool {
    switch self {
    case .keyWrong, .server(_, .keyWrong): true
    default: false
    }
  }
}

/// A lab's key in a form for another user: a text that is useless without its code.
///
/// The text may be sent by mail, in a chat, or through a repository. The code, 125 bits from the system's
/// generator, must be sent separately. The text contains 16 bytes of salt and the key of 32 bytes, sealed
/// with AES-256-GCM under HKDF-SHA256 (RFC 5869) of code and salt. A code with so many bits does not need slow
/// derivation.
package struct SealedKey: Sendable {
  package let text: String
  /// The code, such as `ABCDE-FGHJK-…`: 25 digits in groups of five.
  package let code: String

  /// The reason that a text does not yield a key.
  package enum Refusal: Error, Equatable, Sendable {
    case noKey
    /// The code belongs to another text, or the text was changed.
    case wrongCode
  }

  private static let (first, last) = ("-----BEGIN SSOTERM LAB KEY-----", "-----END SSOTERM LAB KEY-----")
  private static let purpose = Data("ssoterm lab key 1".utf8)
  private static let saltLength = 16
  /// The digits of Crockford's base 32, without letters that look like digits.
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  private static let codeLength = 25

  init(_ key: Data) throws {
    let random = Seal.newKey()
    let code = Seal.newKey().prefix(Self.codeLength).map { Self.digits[Int($0 & 31)] }
    let salt = random.prefix(Self.saltLength)
    let sealed = try AES.GCM.seal(key, using: Self.wrap(String(code), salt), authenticating: Self.purpose)
    let body = (salt + (sealed.combined ?? Data())).base64EncodedString()
    let lines = stride(from: 0, to: body.count, by: 64).map { body.dropFirst($0).prefix(64) }
    text = ([Self.first] + lines.map(String.init) + [Self.last, ""]).joined(separator: "\n")
    self.code = stride(from: 0, to: Self.codeLength, by: 5).map { String(code[$0..<$0 + 5]) }
      .joined(separator: "-")
  }

  /// Returns the key in a text, which may have other text before and after it.
  package static func key(in text: String, code: String) throws(Refusal) -> Data {
    guard text.utf8.count <= 65_536, let start = text.firstRange(of: first),
      let end = text[start.upperBound...].firstRange(of: last)
    else { throw .noKey }
    let body = text[start.upperBound..<end.lowerBound].filter { !$0.isWhitespace && $0 != ">" }
    guard let bytes = Data(base64Encoded: body), bytes.count == saltLength + 12 + Seal.keyLength + 16,
      let box = try? AES.GCM.SealedBox(combined: bytes.dropFirst(saltLength))
    else { throw .noKey }
    let typed = code.uppercased().compactMap { digit -> Character? in
      switch digit {
      case "O": "0"
      case "I", "L": "1"
      default: digits.contains(digit) ? digit : nil
      }
    }
    guard typed.count == codeLength,
      let key = try? AES.GCM.open(
        box, using: wrap(String(typed), bytes.prefix(saltLength)), authenticating: purpose)
    else { throw .wrongCode }
    return key
  }

  private static func wrap(_ code: String, _ salt: Data) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: Data(code.utf8)), salt: salt, info: purpose, outputByteCount: 32)
  }
}

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
    do throws(SystemError) { try createFile(key, at: path) } catch {
      throw StoreError(errno: error.code, path: store)
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
