import Essentials
import KeyedArchive
import SSOCore
import SSODevice
import SSOKeychain

/// The credentials in ADAL's format, as rows and in the inspector.
struct LegacyTokens {
  let reader: LabReader

  /// Returns every legacy item of these groups with its keychain item.
  ///
  /// Skips items that cannot be unarchived.
  func items(in groups: [String], account: String? = nil, limit: Int? = nil) throws
    -> [(item: KeychainItem, legacy: LegacyItem)]
  {
    let query = KeychainQuery(
      accessGroups: groups, account: account.map { LegacyKey.account($0) }, generic: LegacyKey.generic,
      limit: limit)
    return try reader.credentials.items(matching: query).compactMap { item in
      (try? LegacyItem(data: item.data)).map { (item, $0) }
    }
  }

  func row(
    of legacy: LegacyItem, _ item: KeychainItem, readers: [String: [SharingApp]], unmasked: Bool
  ) throws -> TokenRow {
    let status = try status(of: legacy)
    let users = readers.users(of: SharedCredential(legacy, in: item.key.accessGroup))
    return TokenRow(
      id: "t\(item.rowID)", type: legacy.typeName, clientID: legacy.clientID,
      redirectURIs: users.map(\.redirectURI), apps: users.map(\.displayName),
      homeAccountID: legacy.homeAccountID ?? "", username: legacy.user?.userID,
      environment: legacy.environment,
      realm: legacy.realm, target: legacy.resource, familyID: legacy.familyID,
      accessGroup: item.key.accessGroup,
      state: status.state, expiresOn: legacy.accessToken == nil ? nil : legacy.expiresOn,
      cachedAt: legacy.cachedAt, secondsLeft: status.secondsLeft,
      secret: unmasked ? legacy.secret : masked(legacy.secret), keychain: item.key)
  }

  /// Returns the rows of the Tokens screen that are in ADAL's format.
  func rows(
    _ filter: TokenFilter, readers: [String: [SharingApp]], unmasked: Bool
  ) throws -> [TokenRow] {
    let account = filter.account.flatMap { $0.contains("@") ? $0 : nil }
    let found = try items(in: reader.accessGroups(), account: account, limit: filter.limit)
    return try found.map { try row(of: $1, $0, readers: readers, unmasked: unmasked) }.filter(filter.matches)
  }

  func detail(
    _ item: KeychainItem, readers: [String: [SharingApp]], unmasked: Bool
  ) throws -> TokenDetail? {
    guard let legacy = try? LegacyItem(data: item.data) else { return nil }
    let row = try row(of: legacy, item, readers: readers, unmasked: unmasked)
    return TokenDetail(row: row, secret: legacy.secret, lines: legacy.lines(unmasked: unmasked))
  }

  func status(of legacy: LegacyItem) throws -> TokenStatus {
    if legacy.accessToken != nil { return TokenStatus(legacy, at: reader.now) }
    return try reader.status(ofRefreshToken: legacy.refreshToken ?? "")
  }
}

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
