import Essentials

/// Something in a cache file that is not as it should be, and was kept aside or read with care.
package struct CacheProblem: Hashable, Sendable {
  /// `AccessToken`, or the name of an unknown section.
  package var section: String
  /// The entry's key, cut and without control characters; empty if the section itself is meant.
  package var key: String
  package var reason: String

  init(_ section: String, _ key: String, _ reason: String) {
    self.section = shortened(section)
    self.key = shortened(key)
    self.reason = reason
  }
}

/// What a real MSAL cache file holds, by fields, whatever keys the SDK that wrote it composed (real clients
/// §3.3).
package struct CacheFile: Hashable, Sendable {
  package var credentials: [CredentialItem] = []
  package var accounts: [AccountItem] = []
  package var appMetadata: [AppMetadata] = []
  /// Section → unknown section as it was, or for a known section its junk entries by key.
  package var kept: [String: JSONValue] = [:]
  package var problems: [CacheProblem] = []

  package init() {}

  /// What was not understood, as one JSON document to store and write back some day; nil if there is nothing.
  ///
  /// It may hold secrets.
  package var keptDocument: Data? { kept.isEmpty ? nil : JSONValue.object(kept).bytes(.keychain) }
}

/// At most 120 scalars of a text from a file, safe to show.
func shortened(_ text: String) -> String {
  let isLong = text.unicodeScalars.count > 120
  return safeText(String(String.UnicodeScalarView(text.unicodeScalars.prefix(120)))) + (isLong ? "…" : "")
}
