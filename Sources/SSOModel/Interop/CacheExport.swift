import Essentials
import SSOCore
import SSOKeychain

/// The lab's credentials as a cache file that MSAL Python can use and refresh (docs/behaviour/external-clients.md §3).
///
/// The entries are under MSAL Python's own keys, so its `remove_account` finds each of them and leaves no orphan.
package struct CacheExport: Sendable {
  /// The numbers of entries.
  package struct Counts: Hashable, Sendable {
    package var accounts = 0
    package var credentials = 0
    /// The number of entries of the file that were replaced with an entry of the same identity.
    package var replaced = 0
    /// The number of entries of the file that were left unchanged.
    package var kept = 0

    package init() {}
  }

  /// The contents of the file to write.
  package private(set) var file: Data
  package private(set) var counts = Counts()

  /// Creates the contents of the file.
  ///
  /// `present` is the current file, if there is one. Everything that is not replaced stays, including unknown sections.
  /// - Throws: `CacheFileError` if the current file is not a token cache, in which case it must not be overwritten.
  package init(_ cache: CacheFile, over present: Data?) throws(CacheFileError) {
    let credentials = cache.credentials
    var sections =
      try present.map { data throws(CacheFileError) in try CacheReader.sections(data) } ?? [:]
    guard CacheReader.browserRecords(in: sections) == nil else {
      throw CacheFileError(
        .encrypted("a browser's state, as Playwright saves it, and not a cache file of MSAL Python"),
        offset: 0,
        in: Data())
    }
    var counts = Counts()
    let identities = Set(credentials.map { CredentialIdentity($0) })
    for name in ["AccessToken", "RefreshToken", "IdToken"] {
      guard let entries = sections[name]?.object else { continue }
      let stay = entries.filter { _, entry in
        entry.object.map { !identities.contains(CredentialIdentity(CredentialItem(fields: $0))) } ?? true
      }
      counts.replaced += entries.count - stay.count
      counts.kept += stay.count
      sections[name] = .object(stay)
    }
    let sdk = CacheSDK.python
    var added: [String: [String: JSONValue]] = [:]
    func put(_ section: String, _ key: String, _ fields: [String: JSONValue]) {
      added[section, default: [:]][key] = .object(fields)
    }
    // An app's family token and its plain token have the same key, so keep the family token.
    func isPlain(_ item: CredentialItem) -> Bool { item.familyID ?? "" == "" }
    // A family has one token, whichever of its apps it was issued to, so keep the token that was changed last.
    let families = Dictionary(
      credentials.filter { !isPlain($0) }.map { (CredentialIdentity($0), $0) },
      uniquingKeysWith: { $1.lastChange < $0.lastChange ? $0 : $1 })
    let plainFirst = credentials.filter(isPlain) + families.values
    var keys: Set<String> = []
    for item in plainFirst.map(Self.asPython) {
      keys.insert(sdk.key(item))
      let section =
        item.type.isAccessToken ? "AccessToken" : item.type == .idToken ? "IdToken" : "RefreshToken"
      put(section, sdk.key(item), item.fields)
    }
    for account in cache.accounts { put("Account", sdk.key(account), account.fields) }
    for metadata in cache.appMetadata { put("AppMetadata", sdk.key(metadata), metadata.fields) }
    for (name, entries) in added {
      sections[name] = .object((sections[name]?.object ?? [:]).merging(entries) { $1 })
    }
    // Devices and apps may each have a copy of the same entry.
    counts.credentials = keys.count
    counts.accounts = Set(cache.accounts.map { sdk.key($0) }).count
    self.counts = counts
    file = JSONValue.object(sections).bytes(.keychain)
  }

  /// Returns a credential with the fields that MSAL Python expects.
  ///
  /// A family token is a refresh token with `family_id`, and a target is sorted.
  private static func asPython(_ item: CredentialItem) -> CredentialItem {
    var item = item
    if item.type == .familyRefreshToken { item.type = .refreshToken }
    if let target = item.target, item.type.isAccessToken {
      item[.target] = target.split(separator: " ").sorted().joined(separator: " ")
      item[.tokenType] = item[.tokenType] ?? "Bearer"
    }
    return item
  }
}
