import Essentials

/// What credentials, accounts and app metadata have in common: a JSON object that keeps the keys that are not known
/// knows (docs/behaviour/msal-cache.md §2), read through typed accessors.
package protocol CacheEntity: Hashable, Sendable {
  var fields: [String: JSONValue] { get set }
  init(fields: [String: JSONValue])
}

extension CacheEntity {
  /// From `kSecValueData`.
  ///
  /// Nil if it is not a JSON object: the SDK ignores such an item.
  package init?(data: Data) {
    guard let fields = try? JSONParser.parse(data).object else { return nil }
    self.init(fields: fields)
  }

  /// As `kSecValueData`: no whitespace, `/` as `\/`, keys sorted (the SDK's order is undefined).
  package var data: Data { JSONValue.object(fields).bytes(.keychain) }

  /// The value if it is a string; anything else is ignored on read (msal-cache.md §2).
  func text(_ key: String) -> String? { fields[key]?.string }

  mutating func setText(_ key: String, _ value: String?) { fields[key] = value.map(JSONValue.string) }

  /// A moment in unix seconds: a decimal string, or the number or float string that older SDKs wrote;
  /// decimals count, as `last_modification_time` has three.
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

/// The form in which components are compared and composed: trimmed and lower-case (msal-cache.md §1, §6).
///
/// Nearly all are in it already, which their bytes show in a tenth of the time that Foundation takes to trim.
package func normalized(_ text: String?) -> String {
  guard let text, let first = text.utf8.first, let last = text.utf8.last else { return "" }
  let visible: Range<UInt8> = 0x21..<0x80
  guard visible.contains(first), visible.contains(last) else {
    return text.trimmed.lowercased()
  }
  return text.utf8.contains { $0 >= 0x80 || (0x41...0x5A).contains($0) } ? text.lowercased() : text
}

/// The scopes of a target, lower-case.
func scopeSet(_ target: String?) -> Set<String> {
  Set(normalized(target).unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map(String.init))
}
