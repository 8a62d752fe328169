import Crypto
import Essentials

/// A cookie that the broker gives a browser so that the provider can sign the user in.
///
/// It is a JWT that contains a primary refresh token and is signed (HS256) with a key derived from the session key
/// (docs/behaviour/linux-broker.md §6).
package struct PrimaryRefreshTokenCookie: Hashable, Sendable {
  /// The name of the cookie, and of the header that browser extensions send instead.
  package static let name = "x-ms-RefreshTokenCredential"

  package var primaryRefreshToken: String
  /// A nonce from the provider for a single use, or `nil` if `issuedAt` shows that the cookie is new.
  package var nonce: String?
  package var issuedAt: Instant?
  /// The `kdf_ver` value as it was sent, which may be a version that does not exist.
  package var derivationVersion: Int
  /// The `ctx` value, which consists of random bytes.
  package var context: [UInt8]
  private var payload: [UInt8]
  private var signedText: String
  private var signature: [UInt8]

  /// Returns a signed cookie for a primary refresh token.
  ///
  /// `context` must be 24 random bytes.
  package static func signed(
    _ primaryRefreshToken: String, nonce: String?, at now: Instant, context: [UInt8], by key: SessionKey,
    _ version: SessionKey.DerivationVersion = .two
  ) -> String {
    var claims: [String: JSONValue] = [
      "refresh_token": .string(primaryRefreshToken), "is_primary": "true",
    ]
    if let nonce {
      claims["request_nonce"] = .string(nonce)
    } else {
      claims["iat"] = .string(String(now.seconds))
    }
    let header: JSONValue = [
      "alg": "HS256", "typ": "JWT", "ctx": .string(Data(context).base64EncodedString()),
      "kdf_ver": .integer(Int64(version.rawValue)),
    ]
    let payload = [UInt8](JSONValue.object(claims).bytes(.wire))
    let text = Base64URL.encode(header.bytes(.wire)) + "." + Base64URL.encode(payload)
    let code = authenticationCode(text, key.derivedKey(context: context, payload: payload, version))
    return text + "." + Base64URL.encode(code)
  }

  /// Creates a cookie from its compact form, or returns `nil` if it is not a signed token of this kind.
  ///
  /// The signature is not verified here; use ``isSigned(by:)``. A header without `kdf_ver` has version 1.
  package init?(_ compact: String) {
    guard let token = try? JSONWebToken(unverified: compact), token.header["alg"]?.string == "HS256" else {
      return nil
    }
    let parts = compact.split(separator: ".").map(String.init)
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2]), let secret = token.claims["refresh_token"]?.string,
      let context = token.header["ctx"]?.string.flatMap({ Data(base64Encoded: $0) })
    else { return nil }
    primaryRefreshToken = secret
    nonce = token.claims["request_nonce"]?.string
    issuedAt = Self.moment(token.claims["iat"])
    derivationVersion = token.header["kdf_ver"].map { $0.integer.flatMap { Int(exactly: $0) } ?? -1 } ?? 1
    self.context = [UInt8](context)
    self.payload = payload
    self.signature = signature
    signedText = parts[0] + "." + parts[1]
  }

  /// Returns whether the HS256 signature was made with a key derived from this session key.
  ///
  /// The comparison takes constant time.
  package func isSigned(by key: SessionKey) -> Bool {
    guard let version = SessionKey.DerivationVersion(rawValue: derivationVersion) else { return false }
    let derived = key.derivedKey(context: context, payload: payload, version)
    return HMAC<SHA256>.isValidAuthenticationCode(
      signature, authenticating: Data(signedText.utf8), using: SymmetricKey(data: derived))
  }

  /// Returns the time from a number, or from a string of digits as the brokers write it.
  private static func moment(_ value: JSONValue?) -> Instant? {
    value?.numericDate ?? value?.string.flatMap { Int($0) }.map { Instant($0) }
  }

  private static func authenticationCode(_ text: String, _ key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key)))
  }
}

/// The session key of a primary refresh token: 32 bytes that the broker and the provider know.
///
/// It does not sign anything itself. Each signature uses its own key, derived from the session key (NIST SP 800-108
/// §4.1, counter mode with HMAC-SHA256, one block; [MS-OAPXBC]).
package struct SessionKey: Hashable, Sendable {
  /// The `kdf_ver` value, which determines the context of the derivation.
  package enum DerivationVersion: Int, CaseIterable, Sendable {
    /// The context is the random bytes `ctx` of the token's header.
    case one = 1
    /// The context is SHA-256 of `ctx` and the payload, so that a derived key signs only this payload.
    case two = 2
  }

  private static let label = "AzureAD-SecureConversation"

  private let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a key from base64url (`TokenResponse.sessionKey`), or returns `nil` if it is not 32 bytes long.
  package init?(encoded: String) {
    guard let bytes = Base64URL.decode(encoded), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Returns the key for one signature, which is 32 bytes long.
  ///
  /// `context` is the header's `ctx`, and `payload` is the JSON of the claims, both decoded.
  package func derivedKey(
    context: [UInt8], payload: [UInt8], _ version: DerivationVersion
  ) -> [UInt8] {
    let context = version == .one ? context : sha256(context + payload)
    // Counter 1 and the length in bits, both as 32-bit big-endian integers.
    let block = [0, 0, 0, 1] + Array(Self.label.utf8) + [0] + context + [0, 0, 1, 0]
    return Array(HMAC<SHA256>.authenticationCode(for: block, using: SymmetricKey(data: bytes)))
  }
}

/// Proof Key for Code Exchange (RFC 7636): the app keeps the verifier and sends its hash first.
package struct ProofKey: Hashable, Sendable {
  /// The code verifier: 43 to 128 characters of `A-Za-z0-9-._~`.
  package var verifier: String

  package init(verifier: String) { self.verifier = verifier }

  /// Creates a verifier from 32 random bytes.
  package init(random: [UInt8]) { verifier = Base64URL.encode(random) }

  /// The `code_challenge` of method `S256`: base64url(SHA-256(verifier)), 43 characters.
  package var challenge: String { Base64URL.encode(sha256(verifier.utf8)) }

  /// Returns whether the text has the form of a verifier (RFC 7636 §4.1).
  package static func isVerifier(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-._~".unicodeScalars.contains($0))
      }
  }
}
