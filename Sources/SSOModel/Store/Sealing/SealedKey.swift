import Crypto
import Essentials

/// A lab's key in a form for another user: a text that is useless without its code.
///
/// The text may be sent by mail, in a chat, or through a repository. The code, 125 bits from the system's
/// generator, must be sent separately. The text contains 16 bytes of salt and the key of 32 bytes, sealed
/// with AES-256-GCM under HKDF-SHA256 (RFC 5869) of code and salt. A code with so many bits needs no slow
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
