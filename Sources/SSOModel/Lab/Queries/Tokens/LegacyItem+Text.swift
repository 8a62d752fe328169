import Essentials

extension LegacyItem {
  /// The type name for `TokenRow.type`.
  var typeName: String {
    switch kind {
    case .accessToken, nil: "LegacyAccessToken"
    case .refreshToken: isFamilyCopy ? "LegacyFamilyRefreshToken" : "LegacyRefreshToken"
    case .singleResourceToken: CredentialType.legacySingleResourceToken.jsonName
    }
  }

  /// Returns the archived fields as text for the inspector.
  ///
  /// Tokens are masked unless `unmasked` is true.
  func lines(unmasked: Bool) -> [NameValue] {
    object.fields.sorted { $0.key < $1.key }.map { name, value in
      let isSecret = ["accessToken", "refreshToken", "sessionKey"].contains(name)
      let text = isSecret ? value.shown(unmasked: unmasked) : value.shown
      return NameValue(name, text)
    }
  }
}

extension ArchivedValue {
  /// The text of the value, with dates in UTC and tokens masked.
  var shown: String {
    switch self {
    case .nothing: "nil"
    case .null: "null"
    case .bool(let flag): flag ? "YES" : "NO"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .string(let text):
      text.utf8.count(where: { $0 == 0x2E }) == 2 && text.hasPrefix("ey") ? masked(text) : text
    case .data(let data): "\(data.count) bytes"
    case .date:
      instant?.iso8601 ?? "too large"
    case .url(let text, let base): (base ?? "") + text
    case .array(let elements): elements.map(\.shown).joined(separator: " ")
    case .set(let elements): elements.map(\.shown).sorted().joined(separator: " ")
    case .dictionary(let entries, _):
      entries.map { "\($0.key.shown)=\($0.value.shown)" }.sorted().joined(separator: " ")
    case .object(let object):
      object.fields.map { "\($0.key)=\($0.value.shown)" }.sorted().joined(separator: " ")
    }
  }

  fileprivate func shown(unmasked: Bool) -> String {
    guard let text = string else { return shown }
    return unmasked ? text : masked(text)
  }
}
