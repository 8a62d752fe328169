import Essentials

/// A problem in a cache file, because of which an entry was set aside or read with care.
package struct CacheProblem: Hashable, Sendable {
  /// `AccessToken`, or the name of an unknown section.
  package var section: String
  /// The key of the entry, truncated and without control characters, or an empty string for the section itself.
  package var key: String
  package var reason: String

  init(_ section: String, _ key: String, _ reason: String) {
    self.section = shortened(section)
    self.key = shortened(key)
    self.reason = reason
  }
}

/// The contents of a real MSAL cache file, by fields, whatever keys its SDK composed
/// (docs/behaviour/external-clients.md §3(4)).
package struct CacheFile: Hashable, Sendable {
  package var credentials: [CredentialItem] = []
  package var accounts: [AccountItem] = []
  package var appMetadata: [AppMetadata] = []
  /// The parts that were not understood, by section: an unknown section unchanged, or the junk entries of a known
  /// section by key.
  package var kept: [String: JSONValue] = [:]
  package var problems: [CacheProblem] = []

  package init() {}

  /// The parts that were not understood, as one JSON document to store and write back later, or `nil` if there are
  /// none.
  ///
  /// It may contain secrets.
  package var keptDocument: Data? { kept.isEmpty ? nil : JSONValue.object(kept).bytes(.keychain) }
}

/// Returns at most 120 scalars of a text from a file, safe for display.
func shortened(_ text: String) -> String {
  let isLong = text.unicodeScalars.count > 120
  return safeText(String(String.UnicodeScalarView(text.unicodeScalars.prefix(120)))) + (isLong ? "…" : "")
}
