/// A reader that sorts the sections of a cache file into entries, parts that are kept as they are, and problems.
struct CacheFileReading {
  private(set) var file = CacheFile()

  mutating func take(section name: String, _ value: JSONValue) {
    switch name {
    case "AccessToken", "RefreshToken", "IdToken", "IDToken", "Account", "AppMetadata":
      takeKnown(name, value)
    default:
      file.kept[name] = value
      file.problems.append(CacheProblem(name, "", "Unknown section, kept as it is."))
    }
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
