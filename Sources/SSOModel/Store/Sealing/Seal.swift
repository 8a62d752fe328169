import Crypto
import Essentials

/// Seals the store's values with AES-256-GCM: a random 12-byte nonce from the system for each, and the row's key as
/// additional data.
///
/// A sealed value is nonce, ciphertext and 16-byte tag.
package struct Seal: Sendable {
  private let symmetricKey: SymmetricKey

  /// Length of a key file in bytes.
  static let keyLength = 32

  init(key: Data) { symmetricKey = SymmetricKey(data: key) }

  /// A key that is not kept: for temporary stores.
  static func temporary() -> Seal { Seal(key: newKey()) }

  /// 32 bytes from the system's generator.
  package static func newKey() -> Data { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) } }

  func seal(_ plain: Data, for row: Data) throws -> Data {
    let box = try AES.GCM.seal(plain, using: symmetricKey, authenticating: row)
    guard let sealed = box.combined else { throw CryptoKitError.incorrectParameterSize }
    return sealed
  }

  /// - Throws: `CryptoKitError` if the value was sealed with another key, for another row, or was changed.
  func open(_ sealed: Data, for row: Data) throws -> Data {
    try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: symmetricKey, authenticating: row)
  }
}
