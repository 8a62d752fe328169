import Essentials
import SSOCore

/// A record of a store that is not divided into sections: each value is a JSON document in a string.
///
/// MSAL.js keeps such records in the browser's `localStorage` and `sessionStorage`, with names in camel case, and MSAL for
/// Android in SharedPreferences.
struct FlatRecord {
  /// The section of a cache file to which the record belongs.
  let section: String
  /// The fields, named as in a cache file.
  let fields: JSONValue

  /// Reads a value of the store, or returns `nil` if it is not a record of a token or an account.
  init?(_ value: JSONValue) {
    guard let names = Self.document(value)?.object else { return nil }
    var fields = Dictionary(names.map { (Self.snakeCase($0), $1) }, uniquingKeysWith: { first, _ in first })
    // `AccountRecord` of MSAL for Android names it otherwise (docs/behaviour/android.md §3).
    if let name = fields.removeValue(forKey: AndroidCacheFile.givenName) {
      fields["given_name"] = fields["given_name"] ?? name
    }
    switch fields["credential_type"]?.string {
    case "AccessToken", "AccessToken_With_AuthScheme": section = "AccessToken"
    case "RefreshToken": section = "RefreshToken"
    case "IdToken": section = "IdToken"
    case nil where fields["home_account_id"] != nil && fields["authority_type"] != nil: section = "Account"
    case nil where fields["client_id"] != nil && fields["environment"] != nil: section = "AppMetadata"
    default: return nil
    }
    self.fields = .object(fields)
  }

  /// Returns the SDK that encrypted a value, and the key that it used, or `nil` for a value that is not encrypted.
  ///
  /// MSAL.js encrypts since version 4. A value of MSAL for Android begins with the version of its encoding, `cE1`.
  static func encryption(of value: JSONValue) -> String? {
    if value.string?.hasPrefix("cE1") == true { return "MSAL for Android with a key of the device" }
    guard let fields = document(value)?.object, fields["nonce"] != nil, fields["data"] != nil,
      fields["id"] != nil
    else { return nil }
    return "MSAL.js with a key of the browser's session"
  }

  /// Whether a key is bookkeeping of MSAL.js: lists of keys, versions, the state of a running sign-in.
  static func isBookkeeping(_ key: String) -> Bool {
    key.hasPrefix("msal.") || key.hasPrefix("server-telemetry-")
  }

  private static func document(_ value: JSONValue) -> JSONValue? {
    value.string.flatMap { JSONValue(bounded: Array($0.utf8), maximumBytes: 1_048_576) }
  }

  private static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}

extension CacheFileError {
  /// Returns the error for a file that is a token cache of an SDK, or is often taken for one, but cannot be read.
  static func unreadable(_ data: Data) -> CacheFileError? {
    let kinds: [(start: [UInt8], what: String)] = [
      (
        [0x01, 0x00, 0x00, 0x00, 0xD0, 0x8C, 0x9D, 0xDF],
        "encrypted with Windows's DPAPI, as MSAL.NET and msal-extensions do; only the same user on the same machine can decrypt it"
      ),
      (Array("SQLite format 3".utf8), "a database; browsers and keychains keep theirs in one, encrypted"),
      (Array("bplist00".utf8), "a binary property list, and not a cache file"),
      (
        Array("<?xml".utf8),
        "XML without the <map> of Android's SharedPreferences, where MSAL for Android keeps its cache"
      ),
    ]
    return kinds.first { data.starts(with: $0.start) }.map {
      CacheFileError(.encrypted($0.what), offset: 0, in: Data())
    }
  }
}
