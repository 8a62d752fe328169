public import Foundation

/// Something in a cache file that is not as it should be, and was kept aside or read with care.
public struct CacheProblem: Hashable, Sendable {
  /// `AccessToken`, or the name of an unknown section.
  public var section: String
  /// The entry's key, cut and without control characters; empty if the section itself is meant.
  public var key: String
  public var reason: String

  init(_ section: String, _ key: String, _ reason: String) {
    self.section = sanitised(section)
    self.key = sanitised(key)
    self.reason = reason
  }
}

/// What a real MSAL cache file holds, by fields, whatever keys the SDK that wrote it composed (real clients
/// §3.3).
public struct CacheFile: Hashable, Sendable {
  public var credentials: [CredentialItem] = []
  public var accounts: [AccountItem] = []
  public var appMetadata: [AppMetadata] = []
  /// Section → unknown section as it was, or for a known section its junk entries by key.
  public var kept: [String: JSONValue] = [:]
  public var problems: [CacheProblem] = []

  public init() {}

  /// What was not understood, as one JSON document to store and write back some day; nil if there is nothing.
  /// It may hold secrets.
  public var keptDocument: Data? { kept.isEmpty ? nil : serialized(.object(kept)) }
}

/// At most 120 scalars, control and bidi characters as `<U+001B>`.
func sanitised(_ text: String) -> String {
  var shown = ""
  for scalar in text.unicodeScalars.prefix(120) {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
      let code = String(scalar.value, radix: 16, uppercase: true)
      shown += "<U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code + ">"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return text.unicodeScalars.count > 120 ? shown + "…" : shown
}
