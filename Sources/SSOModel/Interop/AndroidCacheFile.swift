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
  /// The values by key.
  private(set) var strings: [(key: String, value: String)] = []

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

  /// The entries, each a JSON document in a string (``FlatRecord``).
  var records: [String: JSONValue] {
    Dictionary(strings.map { ($0.key, .string($0.value)) }, uniquingKeysWith: { first, _ in first })
  }
}
