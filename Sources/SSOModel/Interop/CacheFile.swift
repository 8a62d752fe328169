import Foundation
import SSOCore
import SSOKeychain

/// Something in a cache file that is not as it should be, and was kept aside or read with care.
package struct CacheProblem: Hashable, Sendable {
  /// `AccessToken`, or the name of an unknown section.
  package var section: String
  /// The entry's key, cut and without control characters; empty if the section itself is meant.
  package var key: String
  package var reason: String

  init(_ section: String, _ key: String, _ reason: String) {
    self.section = sanitised(section)
    self.key = sanitised(key)
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
  /// It may hold secrets.
  package var keptDocument: Data? { kept.isEmpty ? nil : serialized(.object(kept)) }
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
