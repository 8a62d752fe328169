import Crypto
import Essentials

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
