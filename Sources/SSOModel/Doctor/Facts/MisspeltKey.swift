import SSOCore

/// A key that the SDK ignores, and that resembles a missing key.
package struct MisspeltKey: Hashable, Sendable {
  /// The key as the SDK reads it.
  package var key: String
  /// The key as it is written.
  package var written: Found<String>

  var mistake: String { "\(key) is misspelt" }

  /// The maximum number of letters that differ.
  ///
  /// A word with more differences may be another key: `CFBundleURLName` and `CFBundleURLSchemes` differ in five.
  private static let limit = 3
  private static let keyLimit = 1000

  /// Returns the keys of an object, with their lines, that resemble one of the missing keys.
  ///
  /// `others` are keys that the SDK does not need here but that are valid.
  static func find(
    among written: [(key: String, line: Int?)], of keys: [String], others: [String] = [], in path: String
  ) -> [MisspeltKey] {
    let present = Set(written.map(\.key))
    let known = Set(keys + others)
    var missing = keys.filter { !present.contains($0) }
    return written.prefix(keyLimit).compactMap { word, line in
      guard !known.contains(word), let key = missing.closestSpelling(to: word, most: limit) else {
        return nil
      }
      missing.removeAll { $0 == key }
      return MisspeltKey(key: key, written: Found(word, FilePlace(path, line: line)))
    }
  }
}

extension [MisspeltKey] {
  /// The spelling of a missing key, or `nil` if none resembles it.
  subscript(_ key: String) -> MisspeltKey? { first { $0.key == key } }
}
