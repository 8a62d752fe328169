import Essentials
import SSOCore

/// A JSON object in the unified cache that preserves unknown keys: a credential, an account, or app metadata.
///
/// Its values are read through typed accessors (docs/behaviour/msal-cache.md §2).
package protocol CacheEntity: Hashable, Sendable {
  var fields: [String: JSONValue] { get set }
  init(fields: [String: JSONValue])
}

extension CacheEntity {
  /// Creates an entity from `kSecValueData`, or returns `nil` if it is not a JSON object; the SDK ignores such an item.
  package init?(data: Data) {
    guard let fields = try? JSONParser.parse(data).object else { return nil }
    self.init(fields: fields)
  }

  /// The value for `kSecValueData`: no white space, `/` as `\/`, and sorted keys (the SDK's order is undefined).
  package var data: Data { JSONValue.object(fields).bytes(.keychain) }

  /// Returns the value if it is a string; any other value is ignored on read (msal-cache.md §2).
  func text(_ key: String) -> String? { fields[key]?.string }

  mutating func setText(_ key: String, _ value: String?) { fields[key] = value.map(JSONValue.string) }

  /// Returns a time from Unix seconds: a decimal string, or the number or float string that older SDKs wrote.
  ///
  /// Decimals are significant, because `last_modification_time` has three.
  package func moment(_ key: String) -> Instant? {
    let seconds: Double? =
      switch fields[key] {
      case .string(let text): Double(text) ?? Double(text.trimmed)
      case .integer(let value): Double(value)
      case .number(let value): value
      default: nil
      }
    guard let seconds, seconds >= 0, seconds < 1e15 else { return nil }
    return Instant(milliseconds: Int64((seconds * 1000).rounded()))
  }
}

/// Returns the form in which components are compared and composed: trimmed and lowercase (msal-cache.md §1, §6).
///
/// Nearly all strings already have this form. Checking their bytes takes a tenth of the time that Foundation needs to
/// trim them.
package func normalized(_ text: String?) -> String {
  guard let text, let first = text.utf8.first, let last = text.utf8.last else { return "" }
  let visible: Range<UInt8> = 0x21..<0x80
  guard visible.contains(first), visible.contains(last) else {
    return text.trimmed.lowercased()
  }
  return text.utf8.contains { $0 >= 0x80 || (0x41...0x5A).contains($0) } ? text.lowercased() : text
}

/// Returns the lowercase scopes of a target.
func scopeSet(_ target: String?) -> Set<String> {
  Set(normalized(target).unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map(String.init))
}

/// A reader for a few strings of a cache entity's JSON, which does not create other values, for lists of a hundred
/// thousand.
///
/// It scans only the top level. It leaves what it does not handle (an escape, a nested value, damage) to
/// ``JSONParser``, so the result for valid JSON is the same but takes longer.
package struct EntityText {
  private let keys: [[UInt8]]

  package init(_ keys: [String]) { self.keys = keys.map { Array($0.utf8) } }

  /// Returns the strings of the keys, in order, with `nil` for each value that is absent or not a string.
  ///
  /// Returns `nil` if the data is not a JSON object.
  package func read(_ data: Data) -> [String?]? {
    let quick = data.withUnsafeBytes { raw -> [String?]? in
      var scan = Scan(bytes: raw.bindMemory(to: UInt8.self))
      return scan.texts(keys)
    }
    if let quick { return quick }
    guard let fields = try? JSONParser.parse(data).object else { return nil }
    return keys.map { fields[String(decoding: $0, as: UTF8.self)]?.string }
  }
}

private struct Scan {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func texts(_ keys: [[UInt8]]) -> [String?]? {
    var found = [String?](repeating: nil, count: keys.count)
    guard take(UInt8(ascii: "{")) else { return nil }
    if take(UInt8(ascii: "}")) { return found }
    repeat {
      guard let key = string(), take(UInt8(ascii: ":")) else { return nil }
      let wanted = keys.firstIndex { $0.count == key.count && $0.elementsEqual(bytes[key]) }
      if peek() == UInt8(ascii: "\"") {
        guard let text = string() else { return nil }
        if let wanted { found[wanted] = String(decoding: bytes[text], as: UTF8.self) }
      } else {
        guard skipValue() else { return nil }
        if let wanted { found[wanted] = nil }
      }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? found : nil
  }

  private mutating func peek() -> UInt8? {
    while position < bytes.count, bytes[position] == 0x20 || (0x09...0x0D).contains(bytes[position]) {
      position += 1
    }
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  /// Returns the range between the quotation marks, or `nil` if it contains an escape.
  private mutating func string() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] == UInt8(ascii: "\\") { return nil }
      position += 1
    }
    guard position < bytes.count else { return nil }
    position += 1
    return start..<(position - 1)
  }

  /// Skips a positive integer or a literal name; any other value is left to the parser.
  private mutating func skipValue() -> Bool {
    guard let first = peek() else { return false }
    for word in [StaticString("true"), "false", "null"] where word.utf8Start.pointee == first {
      let end = position + word.utf8CodeUnitCount
      guard end <= bytes.count else { return false }
      defer { position = end }
      return bytes[position..<end].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
    guard (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first) else { return false }
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
      position += 1
    }
    return true
  }
}

/// The JSON keys of a credential that this version knows (docs/behaviour/msal-cache.md §2).
package enum CredentialField: String, CaseIterable, Sendable {
  case credentialType = "credential_type"
  case clientID = "client_id"
  case secret
  case homeAccountID = "home_account_id"
  case environment
  case realm
  case target
  case expiresOn = "expires_on"
  case extendedExpiresOn = "extended_expires_on"
  case refreshOn = "refresh_on"
  case cachedAt = "cached_at"
  case familyID = "family_id"
  case enrollmentID = "enrollment_id"
  case speInfo = "spe_info"
  case applicationCacheIdentifier = "application_cache_identifier"
  case tokenType = "token_type"
  case keyID = "kid"
  case requestedClaims = "requested_claims"
  case redirectURI = "redirect_uri"
  case expiresIn = "expires_in"
  case recoveryAttemptedAt = "recovery_attempted_at"
  case recoveryAttemptCount = "recovery_attempt_count"
  case lastRecoveryAttemptFailed = "last_recovery_attempt_failed"
  case lastModificationTime = "last_modification_time"
  case lastModificationApp = "last_modification_app"
  case sessionKey = "session_key"
  case deviceID = "device_id"
  case prtProtocolVersion = "prt_protocol_version"
  case externalKeyType = "external_key_type"
  case boundDeviceID = "bound_device_id"
}

/// The JSON keys of an account that this version knows (docs/behaviour/msal-cache.md §3).
package enum AccountField: String, CaseIterable, Sendable {
  case authorityType = "authority_type"
  case homeAccountID = "home_account_id"
  case localAccountID = "local_account_id"
  case username
  case givenName = "given_name"
  case middleName = "middle_name"
  case familyName = "family_name"
  case name
  case environment
  case realm
  case clientInfo = "client_info"
  case alternativeAccountID = "alternative_account_id"
  case lastModificationTime = "last_modification_time"
  case lastModificationApp = "last_modification_app"
}

/// A kind of credential in the unified cache (docs/behaviour/msal-cache.md §1).
///
/// The raw value is the SDK's number.
package enum CredentialType: Int, CaseIterable, Sendable {
  case other = 0
  case accessToken, refreshToken, idToken, legacySingleResourceToken, primaryRefreshToken, v1IDToken
  case accessTokenWithAuthScheme, familyRefreshToken, boundRefreshToken

  /// The `credential_type` in the JSON, such as `AccessToken`.
  package var jsonName: String {
    switch self {
    case .other: "token"
    case .accessToken: "AccessToken"
    case .refreshToken: "RefreshToken"
    case .idToken: "IdToken"
    case .legacySingleResourceToken: "LegacySingleResourceToken"
    case .primaryRefreshToken: "PrimaryRefreshToken"
    case .v1IDToken: "V1IdToken"
    case .accessTokenWithAuthScheme: "AccessToken_With_AuthScheme"
    case .familyRefreshToken: "FamilyRefreshToken"
    case .boundRefreshToken: "BoundRefreshToken"
    }
  }

  /// The name in the service and generic attributes, such as `accesstoken`.
  package var keyName: String { jsonName.lowercased() }

  /// `kSecAttrType`: 2000 plus the raw value.
  package var attributeType: Int { 2000 + rawValue }

  /// Whether this is one of the two kinds of access token, the only credentials with a target in their key.
  package var isAccessToken: Bool { self == .accessToken || self == .accessTokenWithAuthScheme }

  /// Whether the credential can be redeemed for other tokens.
  package var isRefreshToken: Bool {
    self == .refreshToken || self == .familyRefreshToken || self == .boundRefreshToken
  }

  /// Creates a type from `credential_type`, or returns `nil` if it is unknown.
  ///
  /// The case is ignored, because MSAL Go up to 1.1 writes `IDToken` (docs/behaviour/external-clients.md §3).
  package init?(jsonName: String) {
    let name = jsonName.lowercased()
    guard let type = Self.allCases.first(where: { $0.keyName == name }) else { return nil }
    self = type
  }
}

/// A kind of account, by `authority_type` (docs/behaviour/msal-cache.md §3).
///
/// MSAL always writes `MSSTS`.
package enum AccountType: Int, CaseIterable, Sendable {
  case other = 0
  case aad, msa, mssts, adfs

  /// The `authority_type` in the JSON, such as `MSSTS`.
  package var jsonName: String {
    switch self {
    case .other: "Other"
    case .aad: "AAD"
    case .msa: "MSA"
    case .mssts: "MSSTS"
    case .adfs: "ADFS"
    }
  }

  /// `kSecAttrType`: 1000 plus the raw value.
  package var attributeType: Int { 1000 + rawValue }

  /// Creates a type from `authority_type`, ignoring case, or returns `nil` if it is unknown.
  ///
  /// An account of an unknown type is dropped on read.
  package init?(jsonName: String) {
    let name = jsonName.lowercased()
    guard let type = Self.allCases.first(where: { $0.jsonName.lowercased() == name }) else { return nil }
    self = type
  }
}
