import Essentials
import SSOCore
import SSOKeychain
import SafeText

/// The file in which MSAL for Android keeps its cache: `com.microsoft.identity.client.account_credential_cache.xml`
/// (docs/behaviour/android.md §3).
///
/// Each string of the map is an entry with the JSON of a credential or of an account. The values in a device's file are
/// encrypted; only a copy with the decrypted ones can be read.
struct AndroidCacheFile {
  /// The field of an account that other SDKs call `given_name`.
  static let givenName = "first_name"

  /// The values by key.
  private(set) var strings: [(key: String, value: String)] = []

  fileprivate init(_ strings: [(key: String, value: String)] = []) { self.strings = strings }

  /// Reads the map, or returns `nil` for a file that does not begin like one.
  ///
  /// - Throws: `CacheFileError` with the place if the file ends inside the map.
  static func read(_ data: Data) throws(CacheFileError) -> AndroidCacheFile? {
    let start = data.prefix(200)
    guard start.first == UInt8(ascii: "<"), String(decoding: start, as: UTF8.self).contains("<map") else {
      return nil
    }
    guard data.count <= CacheReader.sizeLimit else {
      throw CacheFileError(.tooLarge, offset: 0, in: Data())
    }
    var file = AndroidCacheFile()
    var rest = String(decoding: data, as: UTF8.self)[...]
    while let begin = rest.firstRange(of: "<string name=\"") {
      rest = rest[begin.upperBound...]
      guard let quote = rest.firstIndex(of: "\""), let open = rest[quote...].firstIndex(of: ">"),
        let close = rest[open...].firstRange(of: "</string>")
      else { throw CacheFileError(.truncated, offset: data.count, in: data) }
      let value = rest[rest.index(after: open)..<close.lowerBound]
      file.strings.append((Escaping.readingEntities(rest[..<quote]), Escaping.readingEntities(value)))
      rest = rest[close.upperBound...]
    }
    guard rest.contains("</map>") || rest.contains("<map/>") || rest.contains("<map />") else {
      throw CacheFileError(.truncated, offset: data.count, in: data)
    }
    return file
  }

  /// The file as Android writes it, sorted by key.
  fileprivate var data: Data {
    let lines = strings.sorted { $0.key < $1.key }.map { key, value in
      "    <string name=\"\(Escaping.xml.signs(in: key))\">\(Escaping.xml.signs(in: value))</string>\n"
    }
    return Data(
      ("<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>\n" + lines.joined() + "</map>\n").utf8
    )
  }

  /// The entries, each a JSON document in a string (``FlatRecord``).
  var records: [String: JSONValue] {
    Dictionary(strings.map { ($0.key, .string($0.value)) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The lab's credentials as the file of MSAL for Android, with its keys and the values that its app has after decryption
/// (docs/behaviour/android.md §3).
package struct AndroidCacheExport: Sendable {
  /// The contents of the file to write.
  package let file: Data
  package private(set) var counts = CacheExport.Counts()

  /// Creates the contents of the file.
  ///
  /// `present` is the current file, if there is one. Entries with other keys stay.
  /// - Throws: `CacheFileError` if the current file is not Android's, in which case it must not be overwritten.
  package init(_ cache: CacheFile, over present: Data?) throws(CacheFileError) {
    var added: [String: String] = [:]
    for item in cache.credentials {
      let item = Self.asAndroid(item)
      added[Self.key(item)] = JSONValue.object(item.fields).text(.wire)
    }
    counts.credentials = added.count
    for account in cache.accounts {
      let key = CacheKey(account)
      added["\(key.account)-\(key.service)"] = JSONValue.object(Self.asAndroid(account).fields).text(.wire)
    }
    counts.accounts = added.count - counts.credentials
    var strings = added.map { (key: $0.key, value: $0.value) }
    if let present {
      guard let known = try AndroidCacheFile.read(present) else {
        throw CacheFileError(.encrypted("not a file of Android's SharedPreferences"), offset: 0, in: Data())
      }
      let kept = known.strings.filter { added[$0.key] == nil }
      counts.kept = kept.count
      counts.replaced = known.strings.count - kept.count
      strings += kept
    }
    file = AndroidCacheFile(strings).data
  }

  /// Returns the key of a credential: iOS's two attributes, joined, and for requested claims their hash code of Java
  /// (`generateCacheKey` in `CacheKeyValueDelegate.java`).
  private static func key(_ item: CredentialItem) -> String {
    var plain = item
    plain[.requestedClaims] = nil
    plain[.applicationCacheIdentifier] = nil
    let key = CacheKey(plain)
    let claims = item[.requestedClaims].map { "-\(javaHash($0.trimmed.lowercased()))" } ?? ""
    return "\(key.account)-\(key.service)\(claims)"
  }

  /// Returns `String.hashCode()` of Java.
  private static func javaHash(_ text: String) -> Int32 {
    text.utf16.reduce(0) { $0 &* 31 &+ Int32($1) }
  }

  /// Returns a credential with the fields of `AccessTokenRecord`, `RefreshTokenRecord`, and `IdTokenRecord`.
  private static func asAndroid(_ item: CredentialItem) -> CredentialItem {
    var item = item
    if item.type == .familyRefreshToken { item.type = .refreshToken }
    if item.type.isAccessToken { item[.tokenType] = item[.tokenType] ?? "Bearer" }
    return item
  }

  /// Returns an account with the fields of `AccountRecord`, which has `first_name` in place of `given_name`.
  private static func asAndroid(_ account: AccountItem) -> AccountItem {
    var account = account
    if let name = account.fields.removeValue(forKey: "given_name") {
      account.fields[AndroidCacheFile.givenName] = name
    }
    return account
  }
}
