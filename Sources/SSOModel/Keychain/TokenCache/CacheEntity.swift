import Essentials

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
