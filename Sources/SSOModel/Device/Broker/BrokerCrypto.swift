import Crypto
import CryptoExtras
import Essentials

/// The cipher between broker and app: AES-256-CBC, PKCS#7, an IV of zeros, no MAC (docs/behaviour/broker.md §7(10)).
///
/// It is as weak as the real broker's: the checks rely on the nonce and the hash in the response.
enum BrokerCrypto {
  enum Failure: Error { case badKey, cannotDecrypt }

  static func encrypt(_ plaintext: Data, key: [UInt8]) throws -> Data {
    try AES._CBC.encrypt(plaintext, using: symmetric(key), iv: zeroIV())
  }

  static func decrypt(_ ciphertext: Data, key: [UInt8]) throws -> Data {
    guard !ciphertext.isEmpty, ciphertext.count % 16 == 0 else { throw Failure.cannotDecrypt }
    return try AES._CBC.decrypt(ciphertext, using: symmetric(key), iv: zeroIV())
  }

  /// Returns the SHA-256 hash of the plaintext in uppercase hexadecimal digits.
  static func hash(_ plaintext: Data) -> String {
    SHA256.hash(data: plaintext).map(hexadecimal).joined().uppercased()
  }

  private static func symmetric(_ key: [UInt8]) throws -> SymmetricKey {
    guard key.count == 32 else { throw Failure.badKey }
    return SymmetricKey(data: key)
  }

  private static func zeroIV() throws -> AES._CBC.IV {
    try AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16))
  }
}
