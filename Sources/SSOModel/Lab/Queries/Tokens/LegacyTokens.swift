import Essentials

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
    let standing = try standing(of: legacy)
    let users = readers.users(of: SharedCredential(legacy, in: item.key.accessGroup))
    return TokenRow(
      id: "t\(item.rowID)", type: legacy.typeName, clientID: legacy.clientID,
      redirectURIs: users.map(\.redirectURI), apps: users.map(\.displayName),
      homeAccountID: legacy.homeAccountID ?? "", username: legacy.user?.userID,
      environment: legacy.environment,
      realm: legacy.realm, target: legacy.resource, familyID: legacy.familyID,
      accessGroup: item.key.accessGroup,
      state: standing.state, expiresOn: legacy.accessToken == nil ? nil : legacy.expiresOn,
      cachedAt: legacy.cachedAt, secondsLeft: standing.secondsLeft,
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

  func standing(of legacy: LegacyItem) throws -> TokenStanding {
    if legacy.accessToken != nil { return TokenStanding(legacy, at: reader.now) }
    return try reader.standing(ofRefreshToken: legacy.refreshToken ?? "")
  }
}
