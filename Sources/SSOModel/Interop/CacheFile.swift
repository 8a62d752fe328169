import Essentials
import SSOCore
import SSOKeychain
import SafeText

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

/// A reader that sorts the sections of a cache file into entries, parts that are kept as they are, and problems.
struct CacheFileReading {
  private(set) var file = CacheFile()
  /// The key of each credential in the file, in the order of `file.credentials`.
  private(set) var keys: [String] = []
  /// Whether the store is not divided into sections (``FlatRecord``).
  private(set) var isFlat = false

  mutating func take(section name: String, _ value: JSONValue) {
    switch name {
    case "AccessToken", "RefreshToken", "IdToken", "IDToken", "Account", "AppMetadata":
      takeKnown(name, value)
    case _ where value.string != nil: takeFlat(key: name, value)
    default:
      file.kept[name] = value
      file.problems.append(CacheProblem(name, "", "Unknown section, kept as it is."))
    }
  }

  /// Takes a value of the browser's storage, or of Android's SharedPreferences.
  private mutating func takeFlat(key: String, _ value: JSONValue) {
    let reason: String?
    if let record = FlatRecord(value) {
      isFlat = true
      reason = take(record.fields, key: key, in: record.section)
      guard reason != nil else { return }
    } else if let cipher = FlatRecord.encryption(of: value) {
      // A later version 4 begins the key of a record like that of its bookkeeping: `msal.2|…`.
      reason = "Encrypted by \(cipher)."
    } else if FlatRecord.isBookkeeping(key) {
      reason = nil
    } else {
      reason = "Not a record of a token or an account, kept as it is."
    }
    file.kept[key] = value
    if let reason { file.problems.append(CacheProblem(key, "", reason)) }
  }

  private mutating func takeKnown(_ name: String, _ value: JSONValue) {
    if value == .null { return }
    guard let entries = value.object else {
      file.kept[name] = value
      file.problems.append(CacheProblem(name, "", "Expected an object of entries, kept as it is."))
      return
    }
    var junk: [String: JSONValue] = [:]
    for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
      guard let reason = take(entry, key: key, in: name) else { continue }
      junk[key] = entry
      file.problems.append(CacheProblem(name, key, reason))
    }
    if !junk.isEmpty { file.kept[name] = .object(junk) }
  }

  /// Adds one entry, or returns the reason that it is junk.
  private mutating func take(_ entry: JSONValue, key: String, in section: String) -> String? {
    guard let fields = entry.object else { return "Expected an object." }
    if let field = fields.filter({ $0.value.isLongNumber }).keys.min() {
      return "The number in \(field) is beyond the range of a double."
    }
    switch section {
    case "Account": return take(AccountItem(fields: fields))
    case "AppMetadata": return take(AppMetadata(fields: fields))
    default: return take(CredentialItem(fields: fields), key: key, in: section)
    }
  }

  private mutating func take(_ account: AccountItem) -> String? {
    guard account.type != nil else { return "Unknown or missing authority_type." }
    guard !account.homeAccountID.isEmpty else { return "No home_account_id." }
    guard !account.environment.isEmpty else { return "No environment." }
    file.accounts.append(account)
    return nil
  }

  private mutating func take(_ metadata: AppMetadata) -> String? {
    guard !metadata.clientID.isEmpty else { return "No client_id." }
    guard !metadata.environment.isEmpty else { return "No environment." }
    file.appMetadata.append(metadata)
    return nil
  }

  private mutating func take(_ item: CredentialItem, key: String, in section: String) -> String? {
    var item = item
    let expected = CredentialType(jsonName: section) ?? .other
    if item[.credentialType] == nil { item.type = expected }
    if let reason = refusal(of: item) { return reason }
    if item.type != expected && !(item.type.isAccessToken && expected.isAccessToken) {
      let found = item.type.jsonName
      file.problems.append(
        CacheProblem(section, key, "credential_type is \(found): read by its field, not its section."))
    }
    file.credentials.append(item)
    keys.append(key)
    return nil
  }

  private func refusal(of item: CredentialItem) -> String? {
    if item.type == .other { return "Unknown credential_type." }
    if item.secret.isEmpty { return "No secret." }
    if item.isTombstone { return "Deleted entry (tombstone)." }
    if item.clientID.isEmpty && (item.familyID ?? "").isEmpty { return "No client_id." }
    if item.environment.isEmpty { return "No environment." }
    if item.type.isAccessToken && item.scopes.isEmpty { return "An access token without target." }
    return nil
  }
}

/// An error for a file that is not a token cache.
///
/// A problem of a single entry is a `CacheProblem` instead.
package struct CacheFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason for the error.
  package enum Reason: Hashable, Sendable {
    /// The file is larger than 256 MB.
    case tooLarge
    /// The file ends inside a value, as if its writer had been killed.
    case truncated
    case notJSON(expected: String)
    /// The file has more than 64 levels.
    case tooDeep
    /// Valid JSON whose top-level value is not an object.
    case notAnObject
    /// A file of which it is known that it cannot be read.
    case encrypted(String)
  }

  package var reason: Reason
  /// The offset, in bytes, from the start of the file.
  package var offset: Int
  /// The one-based line; the column is one-based too, and counts bytes.
  package var line: Int
  package var column: Int

  package var description: String {
    let place = "line \(line), column \(column) (byte \(offset))"
    return switch reason {
    case .tooLarge: "The file is larger than \(CacheReader.sizeLimit / 1_048_576) MB."
    case .truncated: "The file is truncated at \(place). A program may have stopped while writing it."
    case .notJSON(let expected): "Not JSON at \(place): expected \(expected)."
    case .tooDeep: "Nested more than \(JSONParser.depthLimit) levels deep at \(place)."
    case .notAnObject: "Expected a JSON object with sections like AccessToken at \(place)."
    case .encrypted(let what): "The file is \(what)."
    }
  }
}

extension CacheFileError {
  init(_ reason: Reason, offset: Int, in data: Data) {
    let before = data.prefix(offset)
    self.reason = reason
    self.offset = offset
    line = 1 + before.count { $0 == 0x0A }
    column = 1 + (before.lastIndex(of: 0x0A).map { before.endIndex - $0 - 1 } ?? before.count)
  }

  init(_ error: JSONParseError, shiftedBy shift: Int, in data: Data) {
    let reason: Reason =
      switch error.reason {
      case .truncated: .truncated
      case .tooDeep: .tooDeep
      case .unexpected(let expected): .notJSON(expected: expected)
      }
    self.init(reason, offset: error.offset + shift, in: data)
  }
}
